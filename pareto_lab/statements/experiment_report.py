"""The report of an experiment for a colleague or an auditor: design, data and statements."""

import importlib.metadata
import os
import platform
from pathlib import Path
from typing import Any

import numpy as np

from pareto_core.checks.arguments import check_path, shown
from pareto_core.geometry.partition import Partition
from pareto_core.questions import BEST_ARMS
from pareto_lab.experiment import session_file
from pareto_lab.experiment.names import algorithm_in_words
from pareto_lab.statements.accuracy import meaning_of_answer
from pareto_lab.statements.assumptions import assumptions, noise_model
from pareto_lab.statements.markup import Alert, Picture, Points, Table, as_html
from pareto_lab.statements.plot import LOOKS, status_svg
from pareto_lab.statements.status import Status, in_a_column

ENDINGS = (".html", ".htm")
TITLE = "Report of an experiment"
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
    """Write the report of a session to a file.

    Parameters
    ----------
    session : Session
    status : Status
        What is certain about the arms.
    path : path-like
        Name of the file.
    standard_deviation : "unknown" or None
        The argument of `Session.status` from which the status was made.

    Raises
    ------
    ValueError
        If the suffix is neither .html nor .htm.
    OSError
        If the file cannot be written.
    """
    check_ending(path)
    text = as_html(TITLE, sections(session, status, standard_deviation))
    Path(path).write_text(text, encoding="utf-8")


def check_ending(path: str | os.PathLike) -> None:
    """Refuse a name of a file that does not end in .html or .htm.

    Raises
    ------
    ValueError
        If ``path`` is not a path, or has another suffix.
    """
    if Path(check_path(path, "path")).suffix.lower() not in ENDINGS:
        raise ValueError(f"path = {shown(path)}; expected a name that ends in {', '.join(ENDINGS)}")


def sections(
    session: Any, status: Status, standard_deviation: str | None
) -> list[tuple[str, list]]:
    """Headings and blocks of the report; see `markup.as_html`."""
    noise = noise_model(session.algorithm, session.design, standard_deviation)
    return [
        ("State", [*_remarks(session, status), Points(_state(session, status))]),
        ("What is certain", [*_statements(session, status), _picture(session, status)]),
        ("Data", [_data(session, status), *_withdrawn(session), *_retired(session)]),
        ("Design", [*_design(session), noise]),
        ("Assumptions", [Points(assumptions(session, status, standard_deviation))]),
        ("Provenance", [Points(_provenance(session))]),
    ]


def _number(value):
    """A number with six digits; a dash for NaN and None."""
    if value is None or np.isnan(value):
        return "–"
    return f"{value:.6g}".replace("inf", "∞")


def _names(arms):
    return ", ".join(map(str, arms)) or "none"


def _remarks(session, status):
    """Warnings and notes, which come before any answer or statement."""
    found = status._remarks(has_answer=session.ended_by == "answer")
    return [Alert(text) if is_warning else text for text, is_warning in found]


def _state(session, status):
    """How the session ended or goes on, its answer and its cost."""
    ends = {
        "answer": "The session has ended: the algorithm has stopped by its own rule.",
        "budget": "The session has ended: the budget does not suffice for the next samples.",
        "retired": "The session has ended: no further sample could decide an open arm, because of "
        "arms that were retired.",
        None: "The session goes on: the algorithm has not stopped.",
    }
    kind = "Answer of the algorithm" if session.ended_by == "answer" else "Empirical answer"
    limit = "there is no budget" if session.budget is None else f"the budget is {session.budget:g}"
    counts = (session.samples, session.waiting.sum(), session.outstanding.sum())
    yield ends[session.ended_by]
    yield f"{kind}: {_answer(session)}."
    if session.ended_by == "answer" and status.accuracy:
        yield meaning_of_answer(session.algorithm, session.design)
    if session.ended_by != "answer":
        yield "The empirical answer uses the averages of the rewards used, and has no guarantee."
    yield (
        "Rewards used by the algorithm: {}; told, and waiting until it wants their arms again: {}; "
        "asked for and not told: {}.".format(*counts)
    )
    yield f"Spent: {session.spent:g}; {limit}."


def _answer(session):
    """The recommendation in words."""
    found = session.recommendation
    if found is None:
        return "none, because some arms have no reward that was used"
    if isinstance(found, Partition):
        return "; ".join(f"{part}: {_names(arms)}" for part, arms in found._asdict().items())
    if session.algorithm.question is BEST_ARMS:
        pairs = zip(session.design.objectives, found, strict=True)
        return "; ".join(f"{name}: {arm}" for name, arm in pairs)
    return _names(found)


def _statements(session, status):
    """Sentences about what is certain."""
    arms = np.array(status.arms)
    present = [each for each in LOOKS if (status.statements == each).any()]
    points = [
        f"{each[0].upper()}{each[1:]}: {_names(arms[status.statements == each])}."
        for each in reversed(present)
    ]
    for name, candidates in (status.candidates or {}).items():
        points.append(f"Candidates for the best arm in objective {name}: {_names(candidates)}.")
    front = _names(status.front) if status.front else "none yet"
    points.append(
        f"The answer based on the averages of all rewards told, without a guarantee, is: {front}."
    )
    if status.is_contradicted:
        points.append(
            "The statements contradict each other: one of the assumptions below does not hold, or "
            f"an event of probability {status.delta:g} at most has happened."
        )
    text = (
        "The risk that any of these statements or intervals of the means is ever wrong, however "
        f"often they are looked at, is at most {status.delta:g}, under the assumptions below."
    )
    return [text, Points(points)]


def _picture(session, status):
    caption = (
        "Averages and intervals of the means of the arms, with what is certain about each arm."
    )
    return Picture(status_svg(session.design, status), caption)


def _data(session, status):
    """A table with the counts, averages and intervals of each arm."""
    design = session.design
    heads = ["arm", "statement", "reasons", "rewards told", "used"]
    counts = in_a_column(status.samples), in_a_column(session.pulls)
    columns = [status.arms, status.statements, status.reasons, *counts]
    for c, (name, unit) in enumerate(zip(design.objectives, design.units, strict=True)):
        heads += [f"mean {name} [{unit}]" if unit else f"mean {name}", "interval"]
        columns.append([_number(each) for each in status.means[:, c]])
        columns.append([" to ".join(map(_number, box)) for box in status.boxes[:, c]])
        if status.missing[:, c].any():
            heads.append(f"missing {name}")
            columns.append(status.missing[:, c])
    return Table(heads, [*zip(*columns, strict=True)])


def _withdrawn(session):
    """A table of the withdrawn rewards, if there are any."""
    if not session.withdrawn:
        return []
    heads = ["arm", "withdrawn reward", "instead", "had been used", "reason"]
    rows = [
        [
            _label(each.arm),
            _reward(each.reward),
            _reward(each.instead),
            "yes" if each.counted else "no",
            each.reason,
        ]
        for each in session.withdrawn
    ]
    return [
        "These rewards were withdrawn: no statement and no answer uses them. The test of the "
        "stated noise uses a withdrawn reward if no other value replaced it.",
        Table(heads, rows),
    ]


def _retired(session):
    """A table of the retired arms, if there are any."""
    if not session.retired:
        return []
    heads = ["arm", "still counts", "rewards used before, of all arms", "reason"]
    rows = [
        [each.arm, "yes" if each.still_counts else "no", each.samples, each.reason]
        for each in session.retired
    ]
    return [
        "These arms were retired: they are not sampled any more. Statements are about the Pareto "
        "set of all arms except those that no longer count.",
        Table(heads, rows),
    ]


def _reward(reward):
    return "–" if reward is None else ", ".join(map(_number, reward))


def _design(session):
    """The question and the algorithm, and tables of the objectives and the costs."""
    design, question = session.design, session.algorithm.question
    points = [
        f"Question: {QUESTIONS.get(question.name, question.name)}",
        f"Algorithm: {algorithm_in_words(session.algorithm)}.",
        f"{design.n_arms} arms: {_names(design.arms)}.",
        f"Seed of the algorithm's random decisions: {session.seed}.",
    ]
    if design.features is not None:
        points.append(f"Features of each arm: {design.features.shape[1]} numbers.")
    if design.polyhedron is not None:
        points += [f"Feasible means: {each}." for each in _constraints(design)]
    rows = zip(design.objectives, map(BETTER.get, design.directions), design.units, strict=True)
    blocks = [Points(points), Table(["objective", "direction", "unit"], [*rows])]
    if design.costs is not None:
        costs = zip(session._ledger.design.arms, session._ledger.design.prices, strict=True)
        rows = [[_label(each), _number(cost)] for each, cost in costs]
        blocks.append(Table(["arm", "cost of a sample"], rows))
    return blocks


def _label(arm):
    """An arm, or a pair of an arm and an objective, in a table."""
    return ", ".join(map(str, arm)) if isinstance(arm, tuple) else arm


def _constraints(design):
    """Each constraint of the polyhedron as an inequality."""
    for row, limit in zip(design.polyhedron.A, design.polyhedron.b, strict=True):
        terms = [
            f"{_number(factor)} × {name}"
            for factor, name in zip(row, design.objectives, strict=True)
            if factor
        ]
        yield f"{' + '.join(terms) or 0} ≤ {_number(limit)}"


def _provenance(session):
    """Versions of the packages, and the checksum of the session's file."""
    versions = (f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    yield f"Python {platform.python_version()}, {', '.join(versions)}."
    yield f"SHA-256 of the content of the session's file: {session_file.digest(session._ledger)}."
