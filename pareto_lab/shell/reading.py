"""Commands that read a session: its state, plans and reports."""

from pareto_core.algorithms.registry import value_of
from pareto_core.confidence.noise_kinds import UNKNOWN
from pareto_lab.experiment.names import algorithm_in_words
from pareto_lab.experiment.reward_tables import read_means
from pareto_lab.shell.files import one_or_all, opened
from pareto_lab.shell.output import answer_object, state_object
from pareto_lab.shell.program import print_json
from pareto_lab.statements.arm_statements import OPEN
from pareto_lab.statements.status import Status
from pareto_lab.statements.terminal import answer_of, joined, state_of


def status(file, own, delta, rule, unknown_variance, json):
    """Print what is certain, the state of the session, and a table of the arms."""
    session = opened(file, own)
    found = session.status(*_request(delta, rule, unknown_variance))
    if json:
        print_json(_status_object(session, found))
        return
    counts = session.pulls, session.waiting, session.outstanding
    lines = {
        "certain": _certain(found),
        "algorithm": algorithm_in_words(session.algorithm),
        "question": session.algorithm.question.name,
        "samples": "{} used, {} waiting, {} outstanding".format(*(each.sum() for each in counts)),
        "cost": f"{session.spent:g}" + (f" of {session.budget:g}" if session.budget else ""),
        "state": state_of(session),
        "answer": answer_of(session),
    }
    if session.recommendation is not None and session.ended_by != "answer":
        lines["answer"] += " (empirical, no guarantee)"
    for name, text in lines.items():
        print(f"{name:10} {text}")
    for text, is_warning in found.remarks:
        print(f"{'WARNING' if is_warning else 'remark':10} {text}")
    print()
    print(found.table.to_string(index=False, na_rep="-", float_format="{:.6g}".format))


def _request(delta, rule, unknown_variance):
    """Arguments of `Session.status`."""
    return None if delta is None else value_of(delta), rule, UNKNOWN if unknown_variance else None


def _certain(found: Status) -> str:
    """What is certain, in a line: arms by statement, those about which nothing is certain last."""
    order = sorted(dict.fromkeys(found.statements), key=lambda each: each == OPEN)
    texts = [
        f"{each.removeprefix('certainly ')} {joined(found._arms_with(each))}" for each in order
    ]
    return f"{'; '.join(texts)} (risk {found.delta:g}, rule {found.rule})"


def _status_object(session, found):
    return {
        **state_object(session),
        "algorithm": algorithm_in_words(session.algorithm),
        "question": session.algorithm.question.name,
        "delta": found.delta,
        "rule": found.rule,
        "arms": _arm_objects(found),
        "answer": answer_object(session),
        "is_final": session.ended_by == "answer",
        "remarks": [each._asdict() for each in found.remarks],
    }


def _arm_objects(found):
    """The statement about each arm, and the numbers behind it."""
    return [
        {
            "arm": arm,
            "statement": found.statements[k],
            "reasons": found.reasons[k],
            "samples": found.samples[k],
            "means": dict(zip(found.objectives, found.means[k], strict=True)),
            "intervals": dict(zip(found.objectives, found.boxes[k], strict=True)),
        }
        for k, arm in enumerate(found.arms)
    ]


def plan(file, own, means, runs, seed, standard_deviation, delta, rule, max_samples, jobs, json):
    """Simulate the session's design, and print samples and costs until arms are certain."""
    session = opened(file, own)
    found = session.plan(
        read_means(means, session.design),
        runs,
        seed,
        standard_deviation=one_or_all(standard_deviation),
        delta=None if delta is None else value_of(delta),
        rule=rule,
        max_samples=max_samples,
        n_jobs=jobs,
    )
    if not json:
        print(found)
        return
    content = {
        "experiments": len(found.samples),
        "seed": found.seed,
        "budget": found.budget,
        "max_samples": found.max_samples,
        "until": found.table.to_dict("records"),
        "remarks": found.remarks,
    }
    print_json(content)


def report(file, own, html, delta, rule, unknown_variance, json):
    """Write a report of the session to a file."""
    session = opened(file, own)
    session.report(html, *_request(delta, rule, unknown_variance))
    if json:
        print_json({"file": html})
