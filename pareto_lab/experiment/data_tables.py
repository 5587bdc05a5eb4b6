"""All rewards of an experiment as a table, which another session understands."""

import numpy as np
import pandas as pd

from pareto_core.checks.arguments import check_count, shown
from pareto_lab.experiment.design import COLUMN_OF_ARMS
from pareto_lab.experiment.identifiers import check_identifier
from pareto_lab.experiment.names import apart_from, is_named

NUMBER, IDENTIFIER, TIME, STATE, REASON = "number", "id", "told", "state", "reason"
USED, WAITING, REPLACED, WITHDRAWN = "used", "waiting", "replaced", "withdrawn"  # states
SIGNS_OF_EXPORT = (NUMBER, TIME, STATE)  # columns by which such a table is recognised


def column(name, design):
    """Name of a column besides labels and values: with underscores, if one of them has it."""
    return apart_from({COLUMN_OF_ARMS, *design.value_columns}, name)


def frame_of(state):
    """The table that `Session.data` returns."""
    design, rows = state.design, [*_rows(state)]
    samples, rewards, states, reasons = ([row[k] for row in rows] for k in range(4))
    kind = object if is_named(design.arms) else "int64"
    columns = [
        pd.Series([each.number for each in samples], dtype="int64"),
        pd.Series([design.arms[each.arm] for each in samples], dtype=kind),
        *(
            pd.Series([each[c] for each in rewards], dtype=float)
            for c in range(len(design.value_columns))
        ),
        pd.Series([each.identifier for each in samples], dtype=object),
        pd.to_datetime(pd.Series([each.time for each in samples], dtype=object), utc=True),
        pd.Series(states, dtype=object),
        pd.Series(reasons, dtype=object),
    ]
    first, *others = (column(name, design) for name in (NUMBER, IDENTIFIER, TIME, STATE, REASON))
    heads = [first, COLUMN_OF_ARMS, *design.value_columns, *others]
    return pd.concat(columns, axis=1).set_axis(heads, axis=1)


def _rows(state):
    """Sample, reward, state and reason of each reward, those replaced before their replacements."""
    left = state.run.run.record.counts.copy()  # positive while rewards of the arm were used
    for sample in state.samples:
        for reward, reason in zip(sample.rewards, sample.reasons, strict=False):
            is_last = reward is sample.rewards[-1]
            yield sample, reward, WITHDRAWN if is_last else REPLACED, reason
        if sample.counts:
            kind = USED if left[sample.arm] > 0 else WAITING
            left[sample.arm] -= 1
            yield sample, sample.rewards[-1], kind, ""


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


def find_sample(state, arm, reward, identifier, number):
    """The last sample that counts with this arm and reward, identifier, or number."""
    ways = (arm is not None or reward is not None, identifier is not None, number is not None)
    if sum(ways) != 1:
        raise ValueError(
            f"arm = {shown(arm)}, reward = {shown(reward)}, id = {shown(identifier)}, number = "
            f"{shown(number)}; expected arm and reward, or id, or number"
        )
    if ways[0]:
        arm = state.design.arm_number(arm)
        return _with_reward(state, arm, state.design.check_reward(reward))
    if number is not None:
        check_count(number, "number")
        text, found = f"number = {number}", state.samples[number - 1 : number]
    else:
        name = check_identifier(identifier, "id")
        text, found = f"id = {shown(name)}", state.identified.get(name, ())
    counting = [sample for sample in found if sample.counts]
    if not counting:
        lost = "this reward was withdrawn before" if found else "no such reward was told"
        raise ValueError(f"{text}; {lost}; expected a reward that counts, see Session.data")
    return counting[-1]


def _with_reward(state, arm, reward):
    """The last sample of an arm that counts with this reward."""
    for sample in reversed(state.told[arm]):
        if sample.counts and np.array_equal(sample.rewards[-1], reward, equal_nan=True):
            return sample
    raise ValueError(
        f"reward = {shown(np.asarray(reward).tolist())} was not told for arm "
        f"{state.design.arms[arm]}; expected a reward that counts, see Session.data"
    )
