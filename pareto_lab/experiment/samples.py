"""Which samples were told already: by their identifiers, or else by their values."""

import collections
import itertools
import re
import unicodedata
from typing import NamedTuple

import numpy as np
import pandas as pd

from pareto_core.checks.arguments import shown
from pareto_lab.experiment.names import LONGEST, listed

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
    >>> import pareto_lab as lab
    >>> session = lab.Session(pc.APE(), 2, 1, standard_deviation=1.0)
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
    """Return the identifier of a sample as a str: 7, 7.0 and "7" are the same.

    Raises
    ------
    ValueError
        If it is not a str of 1 to 100 printable characters, an integer, or a whole float whose
        digits are all exact.
    """
    if isinstance(value, float | np.floating) and _is_exact_integer(value):
        value = int(value)
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    text = str(value).strip() if is_whole or isinstance(value, str) else ""
    if (isinstance(value, str) and not text) or (pd.api.types.is_scalar(value) and pd.isna(value)):
        raise ValueError(f"{name} = {shown(value)} is empty; expected the identifier of a sample")
    if not 0 < len(text) <= LONGEST or not text.isprintable():
        raise ValueError(
            f"{name} = {shown(value)}; expected the identifier of a sample, a str of 1 to "
            f"{LONGEST} printable characters or an integer"
        )
    return text


def _is_exact_integer(value):
    """Whether a float is a whole number, and so small that the next one is another float."""
    return bool(abs(value) <= 2 ** (np.finfo(type(value)).nmant + 1) and value == int(value))


def plain(identifier):
    """An identifier without what a spreadsheet or a keyboard may have changed.

    That is the form in Unicode, upper case, white space, leading zeros and the zeros of 7.0.
    """
    folded = unicodedata.normalize("NFKC", identifier).casefold()
    text = " ".join(unicodedata.normalize("NFKC", folded).split())
    if re.fullmatch(r"\d+\.0+", text):
        text = text.partition(".")[0]
    return text.lstrip("0") or "0"


class Samples:
    """Samples that were told, of which some have identifiers.

    Parameters
    ----------
    design : ExperimentDesign

    Attributes
    ----------
    identifiers : dict of str to (int, tuple of float)
        Number of the arm and reward of each identifier, as told last.
    former : dict of str to tuple of (int, tuple of float)
        What was told earlier of identifiers that were withdrawn and told again, in order.
    """

    def __init__(self, design):
        self._design = design
        self.identifiers, self.former, self._alike = {}, {}, {}

    def remember(self, row):
        """Note the identifier of a row that counts, if it has one."""
        name = row.identifier
        if name is None:
            return
        if name in self.identifiers:
            self.former[name] = (*self.former.get(name, ()), self.identifiers[name])
        else:
            key = plain(name)
            self._alike[key] = (*self._alike.get(key, ()), name)
        self.identifiers[name] = _values(row.arm, row.reward)

    def new_rows(self, rows, withdrawn, repeat=False):
        """Rows that were not told before; those of a known identifier are left out.

        Parameters
        ----------
        rows : list of Row
        withdrawn : list of Withdrawal
        repeat : bool, default False
            Whether an identifier may differ from a known one of the same values only in spelling.

        Raises
        ------
        ValueError
            If an identifier has other values than before and was not withdrawn, or, unless
            ``repeat``, might be another spelling of a known one.
        """
        seen, new = self._continued(), []
        for row in rows:
            if seen._is_known(row, withdrawn):
                continue
            if row.identifier is not None and not repeat:
                seen._refuse_other_spelling(row, withdrawn)
            seen.remember(row)
            new.append(row)
        return new

    def refuse_repeated(self, new, number, told, withdrawn):
        """Refuse new rows that have the values of earlier rewards, perhaps of the same samples.

        Parameters
        ----------
        new : list of Row
        number : int
            Rows of the table.
        told : list of list of ndarray
            Rewards of each arm that count.
        withdrawn : list of Withdrawal

        Raises
        ------
        ValueError
            If there are such rows.
        """
        if not new:
            return
        earlier = self._told(told, withdrawn)
        if new[0].identifier is not None:
            earlier -= self._named()
        _refuse_repeated(new, number, _with_corrections(earlier, self._corrections(withdrawn)))

    def are_among(self, told, withdrawn):
        """Whether all rewards of identifiers were told, and those told again withdrawn before."""
        replaced = sum(map(len, self.former.values()))
        lost = sum(each.instead is None for each in withdrawn)
        is_withdrawn = self.unreplaced(withdrawn).total() == lost - replaced
        return is_withdrawn and self._named() <= self._told(told, withdrawn)

    def unreplaced(self, withdrawn):
        """How often each arm and reward was withdrawn without another value for the sample.

        Another value is given by ``instead``, or by telling the identifier again.

        Returns
        -------
        collections.Counter
        """
        corrections = self._corrections(withdrawn)
        lost = collections.Counter(wrong for wrong, right in corrections if right is None)
        for before in itertools.chain.from_iterable(self.former.values()):
            found = _with_corrections([before], corrections)
            lost[next((values for values in +lost if values in found), None)] -= 1
        return +lost

    def _continued(self):
        """Samples that begin with these, and leave them as they are."""
        found = Samples(self._design)
        found.identifiers = collections.ChainMap({}, self.identifiers)
        found.former = collections.ChainMap({}, self.former)
        found._alike = collections.ChainMap({}, self._alike)
        return found

    def _named(self):
        """How often each arm and reward was told of an identifier."""
        earlier = itertools.chain.from_iterable(self.former.values())
        return collections.Counter([*self.identifiers.values(), *earlier])

    def _is_known(self, row, withdrawn):
        """Whether a row was told before; refuse other values, unless its sample was withdrawn."""
        name, now = row.identifier, _values(row.arm, row.reward)
        if name not in self.identifiers:
            return False
        if self._was_told(name, now, withdrawn):
            return True
        before = self.identifiers[name]
        found = _with_corrections([before], self._corrections(withdrawn))
        if found.isdisjoint(self.unreplaced(withdrawn)):
            raise ValueError(
                f"{row.where}: sample {name!r} is {self._quoted(now)}, but was told "
                f"before as {self._quoted(before)}; expected the same arm and reward, or another "
                "identifier (Session.withdraw corrects a reward, or takes it back so that its "
                "identifier may be told again)"
            )
        return False

    def _was_told(self, name, values, withdrawn):
        """Whether an identifier was ever told with this arm and reward, or corrected to them."""
        told = [self.identifiers[name], *self.former.get(name, ())]
        return values in told or values in _with_corrections(told, self._corrections(withdrawn))

    def _refuse_other_spelling(self, row, withdrawn):
        """Refuse a new identifier that is like a known one of the same arm and reward."""
        name, values = row.identifier, _values(row.arm, row.reward)
        for other in self._alike.get(plain(name), ()):
            if name != other and self._was_told(other, values, withdrawn):
                quote = ascii if _same_on_screen(name, other) else repr
                raise ValueError(
                    f"{row.where}: sample {quote(name)} has the arm and the reward of sample "
                    f"{quote(other)}, and differs from it only in the spelling of the identifier, "
                    "so that the sample might count twice; nothing was recorded; expected "
                    f"{quote(other)}, or, if these are two samples, tell_all(..., repeat=True) "
                    "(--repeat)"
                )

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

    def _quoted(self, values):
        arm, reward = values
        return f"arm {self._design.arms[arm]}, reward {list(reward)}"


def _same_on_screen(name, other):
    """Whether two identifiers differ only in their form in Unicode."""
    return unicodedata.normalize("NFKC", name) == unicodedata.normalize("NFKC", other)


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
