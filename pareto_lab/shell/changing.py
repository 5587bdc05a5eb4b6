"""Commands that change a session, or begin one: each writes its file before it returns."""

import functools
from pathlib import Path

from pareto_core.algorithms.registry import algorithm_named, value_of
from pareto_core.checks.arguments import counted, shown
from pareto_lab.experiment.session_file import locked
from pareto_lab.session.session import Session
from pareto_lab.shell.files import arm_of, changed, one_or_all, pair, reward_of
from pareto_lab.shell.output import state_object
from pareto_lab.shell.program import print_json
from pareto_lab.statements.terminal import state_of

ENDED = 3  # exit status of `ask` after the end


def new(
    file, algorithm, delta, settings, arms, objectives, standard_deviation, bounds, budget, **rest
):
    """Begin a session."""
    chosen = algorithm_named(
        algorithm, settings if delta is None else [*settings, f"delta={delta}"]
    )
    given = {"arms": arms, "objectives": objectives}
    for name, values in given.items():
        if len(values) == 1 and values[0].isdecimal():
            rest[f"n_{name}"] = int(values[0])
        else:
            rest[name] = values if name == "arms" else _directions(values)
    rest["units"] = dict(pair(text, "--units") for text in rest["units"])
    rest["budget"] = None if budget is None else value_of(budget)
    rest["bounds"] = None if bounds is None else _in_pairs(bounds)
    _write_new(Session(chosen, standard_deviation=one_or_all(standard_deviation), **rest), file)


def _write_new(session, file):
    """Write a session to a file that does not exist."""
    with locked(file):
        if Path(file).exists():
            raise ValueError(f"{file} exists already; expected a new name")
        session._write(file)


def _in_pairs(numbers):
    """One pair, or a list of pairs."""
    pairs = [numbers[k : k + 2] for k in range(0, len(numbers), 2)]
    if len(pairs[-1]) == 1:
        raise ValueError(
            f"--bounds {shown(numbers)}; expected LOW HIGH, once or for each objective"
        )
    return pairs[0] if len(pairs) == 1 else pairs


def _directions(texts):
    """Objectives and their directions, by default "max"."""
    pairs = [pair(text, "--objectives") if "=" in text else (text, "max") for text in texts]
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"--objectives {' '.join(texts)}; expected distinct names")
    return dict(pairs)


def ask(file, own, n, json):
    """Print the arm to sample next, or up to n arms, one per line."""
    arms, ended_by = [], None
    with changed(file, own) as session:
        ended_by = session.ended_by
        if ended_by is None:
            arms = [session.ask()] if n is None else session.ask_many(n)
    if json:
        print_json({"arms": arms, "ended_by": ended_by})
    else:
        for arm in arms:
            print(arm)
    return None if ended_by is None else ENDED


def changing(change):
    """A command that changes the session of a file, and prints its state."""

    @functools.wraps(change)
    def command(file, own, json, **options):
        with changed(file, own) as session:
            text, counts = change(session, **options) or ("", {})  # for people, and for JSON
        if json:
            print_json({**state_object(session), **counts})
        else:
            print(text, end="\n" if text else "")
            print(state_of(session))

    return command


@changing
def tell(session, arm, reward, id):
    """Report one reward, and print the state of the session."""
    before = session.samples + session.waiting.sum()
    session.tell(arm_of(session, arm), reward_of(reward), id=id)
    counted = int(session.samples + session.waiting.sum() - before)
    text = "" if counted else "skipped: the sample was told before"
    return text, {"counted": counted, "skipped": 1 - counted}


@changing
def tell_all(session, table, id, repeat):
    """Report the rewards of a CSV file, and print the state of the session."""
    receipt = session.tell_all(table, id=id, repeat=repeat)
    rows = f"{counted(receipt.counted, 'row')} counted"
    return f"{rows}, {receipt.skipped} skipped that were told before", receipt._asdict()


@changing
def withdraw(session, row, id, told, instead, reason):
    """Remove a wrong reward, or replace it, and print the state of the session."""
    given = () if told is None else (arm_of(session, told[0]), reward_of(told[1:]))
    right = None if instead is None else reward_of(instead, "instead")
    session.withdraw(*given, instead=right, reason=reason, id=id, number=row)


@changing
def raise_budget(session, budget):
    """Continue with a higher budget, and print the state of the session."""
    session.raise_budget(value_of(budget))


@changing
def retire(session, arm, reason, still_counts):
    """Never ask for an arm again, and print the state of the session."""
    session.retire(arm_of(session, arm), reason, still_counts=still_counts)


@changing
def add_arm(session, name, delta, **options):
    """Go on with one more arm, and print the state of the session."""
    session.add_arm(name, delta=None if delta is None else value_of(delta), **options)
