"""All rewards of an experiment as a table, which another session understands."""

import pandas as pd

from pareto_core.checks.arguments import check_count, shown
from pareto_lab.experiment.identifiers import check_identifier
from pareto_lab.experiment.journal import REPLACED, USED, WAITING, WITHDRAWN, told_rewards
from pareto_lab.experiment.names import apart_from, is_named
from pareto_lab.experiment.withdrawal import find_reward

NUMBER, IDENTIFIER, TIME, STATE, REASON = "number", "id", "told", "state", "reason"
SIGNS_OF_EXPORT = (NUMBER, TIME, STATE)  # columns by which such a table is recognised


def column(name, design):
    """Name of a column besides labels and values: with underscores, if one of them has it."""
    return apart_from({*design.label_columns, *design.value_columns}, name)


def frame_of(ledger):
    """The table that `Session.data` returns.

    Returns
    -------
    pandas.DataFrame
    """
    design, rows = ledger.design, told_rewards(ledger)
    columns = [
        pd.Series([row.number for row in rows], dtype="int64"),
        *_labels([design.arms[row.arm] for row in rows], design),
        *(pd.Series([row.reward[c] for row in rows], dtype=float) for c in _objectives(design)),
        pd.Series([row.identifier for row in rows], dtype=object),
        pd.to_datetime(pd.Series([row.time for row in rows], dtype=object), utc=True),
        pd.Series([row.state for row in rows], dtype=object),
        pd.Series([row.reason for row in rows], dtype=object),
    ]
    first, *others = (column(name, design) for name in (NUMBER, IDENTIFIER, TIME, STATE, REASON))
    heads = [first, *design.label_columns, *design.value_columns, *others]
    return pd.concat(columns, axis=1).set_axis(heads, axis=1)


def _objectives(design):
    return range(len(design.value_columns))


def _labels(arms, design):
    """Columns of what was sampled: the arms, or the arms and the objectives."""
    pairs = arms if len(design.label_columns) > 1 else [(arm,) for arm in arms]
    for k, name in enumerate(design.label_columns):
        kind = object if is_named(design.names_in(name)) else "int64"
        yield pd.Series([pair[k] for pair in pairs], dtype=kind)


def is_export(table, design):
    """Whether a table, whose columns are named by strings, is one of `Session.data`."""
    names = list(table.columns)
    if any(names.count(column(name, design)) != 1 for name in SIGNS_OF_EXPORT):
        return False
    states = set(table[column(STATE, design)].tolist())
    return states <= {USED, WAITING, REPLACED, WITHDRAWN}


def counts_in(table, design):
    """For each row of an export, whether its reward counts."""
    return table[column(STATE, design)].isin([USED, WAITING]).tolist()


def position_of(ledger, arm, reward, identifier, number):
    """Arm and position of a reward that counts, given in one of three ways.

    Parameters
    ----------
    ledger : Ledger
    arm, reward
        As it was told; the last one that is equal.
    identifier : int or str or None
    number : int or None
        See `Session.data`.

    Returns
    -------
    arm, position : int
        Number of the arm, and position among its rewards that count.

    Raises
    ------
    ValueError
        If there is no such reward, it was withdrawn before, or it is not given in exactly one way.
    """
    ways = (arm is not None or reward is not None, identifier is not None, number is not None)
    if sum(ways) != 1:
        raise ValueError(
            f"arm = {shown(arm)}, reward = {shown(reward)}, id = {shown(identifier)}, number = "
            f"{shown(number)}; expected arm and reward, or id, or number"
        )
    if ways[0]:
        arm = ledger.design.arm_number(arm)
        reward = ledger.design.check_sample(arm, reward)
        return arm, find_reward(ledger.told()[arm], reward, ledger.design.arms[arm])
    rows = told_rewards(ledger)
    if number is not None:
        check_count(number, "number")
        text, found = f"number = {number}", [row for row in rows if row.number == number]
    else:
        name = check_identifier(identifier, "id")
        text, found = f"id = {shown(name)}", [row for row in rows if row.identifier == name]
    counting = [row for row in found if row.position is not None]
    if not counting:
        lost = "this reward was withdrawn before" if found else "no such reward was told"
        raise ValueError(f"{text}; {lost}; expected a reward that counts, see Session.data")
    return counting[-1].arm, counting[-1].position
