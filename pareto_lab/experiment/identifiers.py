"""Identifiers of samples, by which a sample that is told twice counts once.

Samples without identifiers are compared by their arms and rewards.
"""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from pareto_core.checks.arguments import shown
from pareto_lab.experiment.missing_values import plain_reward
from pareto_lab.experiment.names import LONGEST, listed


def check_identifier(value, name):
    """Return the identifier of a sample as a str: 7, 7.0, "7" and "7.0" are the same."""
    if isinstance(value, float | np.floating) and _is_exact_integer(value):
        value = int(value)
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    text = str(value).strip() if is_whole or isinstance(value, str) else ""
    text = re.sub(r"(-?\d+)\.0", r"\1", text) if re.fullmatch(r"-?\d+\.0", text) else text
    if (isinstance(value, str) and not text) or (pd.api.types.is_scalar(value) and pd.isna(value)):
        raise ValueError(f"{name} = {shown(value)} is empty; expected the identifier of a sample")
    if not 0 < len(text) <= LONGEST or not text.isprintable():
        raise ValueError(
            f"{name} = {shown(value)}; expected the identifier of a sample, a str of 1 to "
            f"{LONGEST} printable characters or an integer"
        )
    return text


def _is_exact_integer(value):
    """Whether a float is a whole number that its type distinguishes from the next one."""
    return bool(abs(value) <= 2 ** (np.finfo(type(value)).nmant + 1) and value == int(value))


def new_rows(rows, state):
    """The rows whose identifiers were not told before, with the same values, and all others."""
    new, names = [], {}
    for row in rows:
        name, values = row.identifier, row.values
        if name is not None:
            told = state.identified.get(name, ())
            if values == names.get(name) or any(values in each.all_values() for each in told):
                continue
            if name in names:
                _refuse_other_values(row, names[name], state.design)
            if told and told[-1].counts:
                _refuse_other_values(row, told[-1].values(0), state.design)
            names[name] = values
        new.append(row)
    return new


def _refuse_other_values(row, before, design):
    raise ValueError(
        f"{row.source}: sample {row.identifier!r} is {_quoted(row.values, design)}, but was told "
        f"before as {_quoted(before, design)}; expected the same arm and reward, or another "
        "identifier (Session.withdraw corrects a reward, or removes it so that its "
        "identifier may be told again)"
    )


def _quoted(values, design):
    arm, reward = values
    return f"arm {design.arms[arm]}, reward {list(reward)}"


def refuse_repeated(new, number, state):
    """Refuse new rows of a table with the values of earlier rewards: perhaps the same samples."""
    unnamed, earlier = set(), set()
    for sample in state.samples:
        earlier.update(sample.all_values())
        if sample.identifier is None:
            unnamed.update(sample.all_values())
    repeated = [row.source for row in new if row.values in (unnamed if row.identifier else earlier)]
    if repeated:
        raise ValueError(
            f"{len(repeated)} of {number} rows have the arm and the reward of one told before, and "
            "no identifiers tell them apart, so that samples might count twice: "
            f"{listed(repeated)}; nothing was recorded; expected a column of sample identifiers, "
            "id='COLUMN' (--id COLUMN); a table without the rows told before; or, if these are new "
            "samples that happen to have the same values, repeat=True (--repeat)"
        )


class Row(NamedTuple):
    """A reward that is told, whose values were checked."""

    source: str  # its name in messages: "id", or the row of a table
    arm: int
    reward: np.ndarray  # (d,), NaN where it was not observed
    identifier: str | None = None

    @property
    def values(self):
        """Arm and reward as plain numbers or None, which can be compared and hashed."""
        return int(self.arm), plain_reward(self.reward)


class Sample:
    """A sample that was told, with all rewards that were ever told for it, the last one valid."""

    def __init__(self, number, rank, reward):
        self.number, self.rank = number, rank  # among all samples from 1, and of the arm from 0
        self.arm, self.time, self.identifier = reward.arm, reward.time, reward.identifier
        self.rewards, self.reasons = [reward.values], []
        self.counts = True  # whether the last reward was not withdrawn

    def withdraw(self, instead, reason):
        """Remove the reward, or replace it."""
        self.reasons.append(reason)
        if instead is None:
            self.counts = False
        else:
            self.rewards.append(instead)

    def values(self, version=-1):
        """Arm and a reward as plain numbers or None, which can be compared and hashed."""
        return self.arm, plain_reward(self.rewards[version])

    def all_values(self):
        """Arm and reward of each version."""
        return [self.values(version) for version in range(len(self.rewards))]
