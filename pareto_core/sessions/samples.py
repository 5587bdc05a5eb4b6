"""Which samples were told already: by their identifiers, or else by their values."""

import collections
from typing import NamedTuple

import numpy as np

from pareto_core._checks import shown
from pareto_core.sessions.names import LONGEST, listed

__all__ = ["Receipt"]


class Receipt(NamedTuple):
    """What became of the rows of a table; `Session.tell_all` returns it.

    Attributes
    ----------
    counted : int
        Rows whose rewards are recorded now.
    skipped : int
        Rows left out, since their identifiers were told before, with the same arm and reward.

    Examples
    --------
    >>> import pareto_core as pc
    >>> session = pc.Session(pc.APE(), 2, 1, standard_deviation=1.0)
    >>> monday = {"arm": [0, 1], "0": [1.5, 2.5], "tube": ["t1", "t2"]}
    >>> session.tell_all(monday, id="tube")
    Receipt(counted=2, skipped=0)
    >>> tuesday = {"arm": [0, 1, 1], "0": [1.5, 2.5, 2.0], "tube": ["t1", "t2", "t3"]}
    >>> session.tell_all(tuesday, id="tube")
    Receipt(counted=1, skipped=2)
    """

    counted: int
    skipped: int


class Row(NamedTuple):
    """A row of a table, checked."""

    where: str  # how a message names it
    arm: int
    reward: np.ndarray  # (d,)
    identifier: str | None


def check_identifier(value, name):
    """Return the identifier of a sample as a str: 7 and "7" are the same.

    Raises
    ------
    ValueError
        If it is not a str of 1 to 100 printable characters, or an integer.
    """
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    text = str(value).strip() if is_whole or isinstance(value, str) else ""
    if not 0 < len(text) <= LONGEST or not text.isprintable():
        raise ValueError(
            f"{name} = {shown(value)}; expected the identifier of a sample, a str of 1 to "
            f"{LONGEST} printable characters or an integer"
        )
    return text


class Samples:
    """Samples that were told, of which some have identifiers.

    Parameters
    ----------
    design : ExperimentDesign

    Attributes
    ----------
    identifiers : dict of str to (int, tuple of float)
        Number of the arm and reward of each identifier, as told.
    """

    def __init__(self, design):
        self._design = design
        self.identifiers = {}

    def remember(self, row):
        """Note the identifier of a row that counts, if it has one."""
        if row.identifier is not None:
            self.identifiers[row.identifier] = _values(row.arm, row.reward)

    def new_rows(self, rows, told, withdrawn, repeat):
        """Rows that were not told before; those of a known identifier are left out.

        Parameters
        ----------
        rows : list of Row
        told : list of list of ndarray
            Rewards of each arm that count.
        withdrawn : list of Withdrawal
        repeat : bool
            Whether rows without a known identifier may have the values of earlier rewards.

        Raises
        ------
        ValueError
            If an identifier has other values than before, or, unless ``repeat``, rows have the
            values of earlier rewards that may be those of the same samples.
        """
        corrections = self._corrections(withdrawn)
        known, new = dict(self.identifiers), []
        for row in rows:
            if row.identifier in known:
                self._refuse_other_values(row, known[row.identifier], corrections)
                continue
            if row.identifier is not None:
                known[row.identifier] = _values(row.arm, row.reward)
            new.append(row)
        if not repeat and new:
            earlier = self._told(told, withdrawn)
            if new[0].identifier is not None:
                earlier -= collections.Counter(self.identifiers.values())
            _refuse_repeated(new, len(rows), _with_corrections(earlier, corrections))
        return new

    def are_among(self, told, withdrawn):
        """Whether all rewards of identifiers were told."""
        return collections.Counter(self.identifiers.values()) <= self._told(told, withdrawn)

    def _told(self, told, withdrawn):
        """How often each arm and reward was told, whether it was withdrawn since or not."""
        counts = collections.Counter(
            _values(arm, reward) for arm, rewards in enumerate(told) for reward in rewards
        )
        for wrong, right in self._corrections(withdrawn):
            counts[wrong] += 1
            if right is not None:
                counts[right] -= 1
        return +counts

    def _corrections(self, withdrawn):
        """Arm and reward of each that was withdrawn, and of what took its place or None."""
        pairs = []
        for each in withdrawn:
            arm = self._design.find(each.arm)
            right = None if each.instead is None else (arm, each.instead)
            pairs.append(((arm, each.reward), right))
        return pairs

    def _refuse_other_values(self, row, before, corrections):
        """Refuse a row whose identifier was told of another arm, or with another reward."""
        now = _values(row.arm, row.reward)
        if now not in _with_corrections([before], corrections):
            raise ValueError(
                f"{row.where}: sample {row.identifier!r} is {self._quoted(now)}, but was told "
                f"before as {self._quoted(before)}; expected the same arm and reward, or another "
                "identifier (Session.withdraw(..., instead=...) corrects a reward)"
            )

    def _quoted(self, values):
        arm, reward = values
        return f"arm {self._design.arms[arm]}, reward {list(reward)}"


def _values(arm, reward):
    """Number of the arm and reward as what is compared and kept."""
    return int(arm), tuple(reward.tolist())


def _with_corrections(values, corrections):
    """These arms and rewards, and what took their place."""
    found = set(values)
    for wrong, right in corrections:
        if wrong in found and right is not None:
            found.add(right)
    return found


def _refuse_repeated(new, number, earlier):
    """Refuse rows that have the arm and reward of an earlier one."""
    repeated = [row.where for row in new if _values(row.arm, row.reward) in earlier]
    if not repeated:
        return
    before, ways = "one told before", "a column of sample identifiers, id='COLUMN' (--id COLUMN); "
    if new[0].identifier is not None:
        before, ways = "one told before without an identifier", ""
    raise ValueError(
        f"{len(repeated)} of {number} rows have the arm and the reward of {before}, so that "
        f"samples might count twice: {listed(repeated)}; nothing was recorded; expected {ways}a "
        "table without the rows told before; or, if these are new samples that happen to have the "
        "same values, repeat=True (--repeat)"
    )
