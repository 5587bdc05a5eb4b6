"""Commands that change a session, or begin one: each writes its file before it returns."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pareto_core.algorithms.registry import algorithm_named, value_of
from pareto_core.checks.arguments import counted, shown
from pareto_core.confidence.boxes import UNKNOWN
from pareto_lab.experiment.session_file import locked
from pareto_lab.session.replay import write_restorable
from pareto_lab.session.session import Session
from pareto_lab.shell.files import arm_of, changed, pair, told_of, value_instead
from pareto_lab.shell.output import state_object
from pareto_lab.shell.program import print_json
from pareto_lab.statements.terminal import state_of

__all__ = [
    "add_arm",
    "ask",
    "new",
    "raise_budget",
    "retire",
    "tell",
    "tell_all",
    "withdraw",
]

ENDED = 3  # exit status of `ask` after the end


def new(
    file: str,
    algorithm: str,
    delta: str | None,
    settings: Sequence[str],
    arms: Sequence[str] | None,
    objectives: Sequence[str] | None,
    standard_deviation: Sequence[float | str] | None,
    bounds: Sequence[float] | None,
    budget: str | None,
    **rest: Any,
) -> None:
    """Begin a session.

    Parameters
    ----------
    file : str
        Name of the new file.
    algorithm, delta, settings
        See the command ``run``.
    arms, objectives : sequence of str
        Names, or a single number.
    standard_deviation : sequence of float, or ["unknown"], or None
        One, or one per objective. This or ``bounds`` has to be stated, unless the algorithm states
        the noise.
    bounds : sequence of float or None
        Two, or two for each objective.
    budget : str or None
    **rest
        Units, costs and seed.

    Raises
    ------
    ValueError
        If the file exists, or an argument is invalid; see `Session`.
    """
    chosen = algorithm_named(
        algorithm, settings if delta is None else [*settings, f"delta={delta}"]
    )
    if standard_deviation is None and bounds is None and not chosen.knows_noise:
        raise ValueError(
            "--standard-deviation is missing; expected --standard-deviation X of the noise, or one "
            f"X per objective, or --standard-deviation {UNKNOWN}, or --bounds LOW HIGH"
        )
    given = {"arms": arms, "objectives": objectives}
    for name, values in given.items():
        if len(values) == 1 and values[0].isdecimal():
            rest[f"n_{name}"] = int(values[0])
        else:
            rest[name] = values if name == "arms" else _directions(values)
    rest["units"] = dict(pair(text, "--units") for text in rest["units"])
    deviation = standard_deviation
    if deviation is not None and len(deviation) == 1:
        deviation = deviation[0]
    rest["budget"] = None if budget is None else value_of(budget)
    rest["bounds"] = None if bounds is None else _in_pairs(bounds)
    _write_new(Session(chosen, standard_deviation=deviation, **rest), file)


def _write_new(session, file):
    """Write a session to a file that does not exist."""
    with locked(file):
        if Path(file).exists():
            raise ValueError(f"{file} exists already; expected a new name")
        write_restorable(session, file)


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


def _show(session, json, **counts):
    """Print the state of a session, as a line or as an object."""
    if json:
        print_json({**state_object(session), **counts})
    else:
        print(state_of(session))


def ask(file: str, own: Sequence[str], n: int | None, json: bool) -> int | None:
    """Print the arm to sample next, or up to n arms, one per line.

    If objectives are measured separately, a line has an arm, a tab and an objective.

    Parameters
    ----------
    file : str
    own : sequence of str
        Algorithms of your own that the file may name, as ``module:Class``.
    n : int or None
        Largest number of arms.
    json : bool
        Whether to print an object; see `output`.

    Returns
    -------
    int or None
        The exit status 3 if the session has ended; nothing is printed then without ``json``.
    """
    arms, ended_by = [], None
    with changed(file, own) as session:
        ended_by = session.ended_by
        if ended_by is None:
            arms = [session.ask()] if n is None else session.ask_many(n)
    if json:
        print_json({"arms": arms, "ended_by": ended_by})
    else:
        for arm in arms:
            print(*arm if isinstance(arm, tuple) else [arm], sep="\t")
    return None if ended_by is None else ENDED


def tell(
    file: str, own: Sequence[str], arm: str, reward: Sequence[str], id: str | None, json: bool
) -> None:
    """Report one reward, and print the state of the session.

    Parameters
    ----------
    file, own, json
        See `ask`.
    arm : str
    reward : sequence of str
        Numbers in the order of the objectives, or ``name=number`` of each; if objectives are
        measured separately, an objective and its value.
    id : str or None
        Identifier of the sample.
    """
    with changed(file, own) as session:
        before = session.samples + session.waiting.sum()
        session.tell(*told_of(session, arm, reward), id=id)
        counted = int(session.samples + session.waiting.sum() - before)
    if not counted and not json:
        print("skipped: the sample was told before")
    _show(session, json, counted=counted, skipped=1 - counted)


def tell_all(
    file: str, own: Sequence[str], table: str, id: str | None, repeat: bool, json: bool
) -> None:
    """Report the rewards of a CSV file, and print the state of the session.

    Parameters
    ----------
    file, own, json
        See `ask`.
    table : str
        Name of the CSV file.
    id : str or None
        Name of the column of sample identifiers.
    repeat : bool
        See `Session.tell_all`.
    """
    with changed(file, own) as session:
        told, skipped = session.tell_all(table, id=id, repeat=repeat)
    if not json:
        print(f"{counted(told, 'row')} counted, {skipped} skipped that were told before")
    _show(session, json, counted=told, skipped=skipped)


def withdraw(
    file: str,
    own: Sequence[str],
    row: int | None,
    id: str | None,
    told: Sequence[str] | None,
    instead: Sequence[str] | None,
    reason: str,
    json: bool,
) -> None:
    """Remove a reward that was told by mistake, or replace it, and print the state of the session.

    Parameters
    ----------
    file, own, json
        See `ask`.
    row : int or None
        Number of the sample as ``session data`` prints it.
    id : str or None
        Identifier of the sample.
    told : sequence of str or None
        The arm, and the reward as it was told; see `tell`.
    instead : sequence of str or None
        The right reward; see `tell`.
    reason : str

    Raises
    ------
    ValueError
        If no such reward was told, or it was withdrawn before.
    """
    with changed(file, own) as session:
        given = () if told is None else told_of(session, told[0], told[1:])
        right = None if instead is None else value_instead(session, instead)
        session.withdraw(*given, instead=right, reason=reason, id=id, number=row)
    _show(session, json)


def raise_budget(file: str, own: Sequence[str], budget: str, json: bool) -> None:
    """Continue with a higher budget, and print the state of the session.

    Parameters
    ----------
    file, own, json
        See `ask`.
    budget : str
        Total cost that samples may have, including what was spent already.
    """
    with changed(file, own) as session:
        session.raise_budget(value_of(budget))
    _show(session, json)


def retire(
    file: str, own: Sequence[str], arm: str, reason: str, still_counts: bool, json: bool
) -> None:
    """Never ask for an arm again, and print the state of the session.

    Parameters
    ----------
    file, own, json
        See `ask`.
    arm : str
    reason : str
    still_counts : bool
        Whether the question remains that about all arms; see `Session.retire`.
    """
    with changed(file, own) as session:
        session.retire(arm_of(session, arm), reason, still_counts=still_counts)
    _show(session, json)


def add_arm(
    file: str,
    own: Sequence[str],
    name: str | None,
    made_from_data: bool,
    delta: str | None,
    features: Sequence[float] | None,
    cost: float | None,
    json: bool,
) -> None:
    """Go on with one more arm, and print the state of the session.

    Parameters
    ----------
    file, own, json
        See `ask`.
    name, made_from_data, delta, features, cost
        See `Session.add_arm`.
    """
    with changed(file, own) as session:
        session.add_arm(
            name,
            made_from_data=made_from_data,
            delta=None if delta is None else value_of(delta),
            features=features,
            cost=cost,
        )
    _show(session, json)
