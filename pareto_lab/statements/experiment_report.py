"""The report of an experiment for a colleague or an auditor: what fills `report.html`."""

import importlib.metadata
import os
import platform
from pathlib import Path
from typing import Any

import jinja2
import numpy as np

from pareto_core.checks.arguments import check_path, shown
from pareto_lab.experiment import session_file
from pareto_lab.experiment.names import algorithm_in_words
from pareto_lab.statements.assumptions import assumptions, noise_model
from pareto_lab.statements.plot import LOOKS, status_svg
from pareto_lab.statements.status import Status
from pareto_lab.statements.terminal import ENDS, answer_of, joined

ENDINGS = (".html", ".htm")
PACKAGES = ("pareto-core", "matplotlib", "numba", "numpy", "pandas", "scipy")
QUESTIONS = {
    "pareto_set": "Which arms are Pareto optimal, that is, not dominated by another arm?",
    "constrained_pareto_set": "Which arms are feasible and not dominated by a feasible arm?",
    "partition": "Which arms are feasible and not dominated by a feasible arm, and why is each "
    "other arm rejected?",
    "best_arm_per_objective": "Which arm is the best in each objective?",
}
BETTER = {"max": "more is better", "min": "less is better"}


def write_report(
    session: Any, status: Status, path: str | os.PathLike, standard_deviation: str | None
) -> None:
    """Write the report of a session to a file."""
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_in_one_line,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    page = templates.get_template("report.html")
    text = page.render(_content(session, status, standard_deviation))
    session_file.replace_file(Path(os.path.realpath(path)), text)


def check_ending(path: str | os.PathLike) -> None:
    """Refuse a name of a file that does not end in .html or .htm."""
    if Path(check_path(path, "path")).suffix.lower() not in ENDINGS:
        raise ValueError(f"path = {shown(path)}; expected a name that ends in {', '.join(ENDINGS)}")


def _in_one_line(text):
    """A text with blanks for characters that cannot be printed, but markup as it is."""
    if hasattr(text, "__html__"):
        return text
    return "".join(each if each.isprintable() else " " for each in str(text))


def _content(session, status, standard_deviation):
    """The variables of the template."""
    algorithm, design = session.algorithm, session.design
    return {
        "session": session,
        "status": status,
        "end": ENDS[session.ended_by],
        "answer": answer_of(session),
        "groups": [*_groups(status)],
        "candidates": [(name, joined(arms)) for name, arms in (status.candidates or {}).items()],
        "front": joined(status.front) if status.front else "none yet",
        "picture": status_svg(design, status),
        "data": _data(session, status),
        "withdrawn": [*map(_withdrawn, session.withdrawn)],
        "retired": [
            (each.arm, "yes" if each.still_counts else "no", each.samples, each.reason)
            for each in session.retired
        ],
        "design": [*_design(session)],
        "objectives": [
            *zip(design.objectives, map(BETTER.get, design.directions), design.units, strict=True)
        ],
        "costs": design.costs is not None
        and [*zip(design.arms, map(_number, design.prices), strict=True)],
        "noise": noise_model(algorithm, design, standard_deviation),
        "assumptions": assumptions(session, status, standard_deviation),
        "versions": ", ".join(
            [
                f"Python {platform.python_version()}",
                *(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES),
            ]
        ),
        "digest": session_file.digest(session._content()),
    }


def _number(value):
    """A number with six digits; a dash for NaN and None."""
    if value is None or np.isnan(value):
        return "–"
    return f"{value:.6g}".replace("inf", "∞")


def _groups(status):
    """Each statement that is made, and its arms, the most important first."""
    for statement in reversed(LOOKS):
        if arms := status._arms_with(statement):
            yield statement.capitalize(), joined(arms)


def _data(session, status):
    """Heads and rows of a table with the counts, averages and intervals of each arm."""
    design = session.design
    heads = ["arm", "statement", "reasons", "rewards told", "used"]
    columns = [status.arms, status.statements, status.reasons, status.samples, session.pulls]
    for c, (name, unit) in enumerate(zip(design.objectives, design.units, strict=True)):
        heads += [f"mean {name} [{unit}]" if unit else f"mean {name}", "interval"]
        columns.append([_number(each) for each in status.means[:, c]])
        columns.append([" to ".join(map(_number, box)) for box in status.boxes[:, c]])
        if status.missing[:, c].any():
            heads.append(f"missing {name}")
            columns.append(status.missing[:, c])
    return heads, [*zip(*columns, strict=True)]


def _withdrawn(each):
    """A row about a withdrawn reward."""
    rewards = (
        "–" if reward is None else ", ".join(map(_number, reward))
        for reward in (each.reward, each.instead)
    )
    return each.arm, *rewards, "yes" if each.counted else "no", each.reason


def _design(session):
    """The question, the algorithm and the arms in sentences."""
    design, question = session.design, session.algorithm.question
    yield f"Question: {QUESTIONS.get(question.name, question.name)}"
    yield f"Algorithm: {algorithm_in_words(session.algorithm)}."
    yield f"{design.n_arms} arms: {joined(design.arms)}."
    yield f"Seed of the algorithm's random decisions: {session.seed}."
    if design.features is not None:
        yield f"Features of each arm: {design.features.shape[1]} numbers."
    region = design.polyhedron
    for row, limit in () if region is None else zip(region.A, region.b, strict=True):
        pairs = zip(row, design.objectives, strict=True)
        terms = [f"{_number(factor)} × {name}" for factor, name in pairs if factor]
        yield f"Feasible means: {' + '.join(terms) or 0} ≤ {_number(limit)}."
