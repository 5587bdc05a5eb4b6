"""Identifiers of samples, by which a sample that is told twice counts once.

Samples without identifiers are compared by their arms and rewards.
"""

import collections
import itertools

import numpy as np
import pandas as pd

from pareto_core.checks.arguments import shown
from pareto_lab.experiment.missing_values import plain_reward
from pareto_lab.experiment.names import LONGEST, listed


def check_identifier(value, name):
    """Return the identifier of a sample as a str: 7, 7.0 and "7" are the same.

    Raises
    ------
    ValueError
        If ``value`` is not a str of 1 to 100 printable characters, an integer, or a whole float
        whose digits are all exact.
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
    """Whether a float is a whole number that its type distinguishes from the next one."""
    return bool(abs(value) <= 2 ** (np.finfo(type(value)).nmant + 1) and value == int(value))


class SampleIdentifiers:
    """The samples with identifiers that were told.

    Parameters
    ----------
    design : ExperimentDesign

    Attributes
    ----------
    latest : dict of str to (int, tuple of float)
        Number of the arm and reward that were told last for each identifier.
    former : dict of str to tuple of (int, tuple of float)
        What was told earlier for identifiers that were withdrawn and told again, in order.
    """

    def __init__(self, design):
        self._design = design
        self.latest, self.former = {}, {}

    def set_design(self, design):
        """Go on with a design that has more arms."""
        self._design = design

    def add(self, sample):
        """Note the identifier of a sample that counts, if it has one."""
        name = sample.identifier
        if name is None:
            return
        if name in self.latest:
            self.former[name] = (*self.former.get(name, ()), self.latest[name])
        self.latest[name] = sample.values

    def new_samples(self, samples, withdrawn):
        """The samples whose identifiers were not told before, and those without identifiers.

        Parameters
        ----------
        samples : list of Sample
        withdrawn : list of Withdrawal

        Raises
        ------
        ValueError
            If an identifier has other values than before and was not withdrawn.
        """
        seen, new = self._copy(), []
        for sample in samples:
            if seen._is_known(sample, withdrawn):
                continue
            seen.add(sample)
            new.append(sample)
        return new

    def refuse_repeated(self, new, number, told, withdrawn):
        """Refuse new rows of a table with the values of earlier rewards: perhaps the same samples.

        Parameters
        ----------
        new : list of Sample
        number : int
            Number of rows of the table.
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
        earlier = self._counts_of_told(told, withdrawn)
        if new[0].identifier is not None:
            earlier -= self._counts_of_identified()
        corrections = self._corrections(withdrawn)
        _refuse_repeated(new, number, _with_corrections(earlier, corrections))

    def are_consistent(self, told, withdrawn):
        """Whether the values of all identifiers were told, and former values were withdrawn."""
        replacements = sum(map(len, self.former.values()))
        lost = sum(each.instead is None for each in withdrawn)
        is_withdrawn = self.unreplaced(withdrawn).total() == lost - replacements
        told_counts = self._counts_of_told(told, withdrawn)
        return is_withdrawn and self._counts_of_identified() <= told_counts

    def unreplaced(self, withdrawn):
        """How often each arm and reward was withdrawn without another value for the sample.

        A sample gets another value by ``instead``, or when its identifier is told again.

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

    def _copy(self):
        """A copy to which samples can be added without changing the original."""
        found = SampleIdentifiers(self._design)
        found.latest = collections.ChainMap({}, self.latest)
        found.former = collections.ChainMap({}, self.former)
        return found

    def _counts_of_identified(self):
        """How often each arm and reward was told with an identifier."""
        earlier = itertools.chain.from_iterable(self.former.values())
        return collections.Counter([*self.latest.values(), *earlier])

    def _is_known(self, sample, withdrawn):
        """Whether a sample was told before.

        Raises
        ------
        ValueError
            If it was told with other values, and not withdrawn since.
        """
        name, now = sample.identifier, sample.values
        if name not in self.latest:
            return False
        if self._was_told(name, now, withdrawn):
            return True
        before = self.latest[name]
        found = _with_corrections([before], self._corrections(withdrawn))
        if found.isdisjoint(self.unreplaced(withdrawn)):
            raise ValueError(
                f"{sample.source}: sample {name!r} is {self._quoted(now)}, but was told "
                f"before as {self._quoted(before)}; expected the same arm and reward, or another "
                "identifier (Session.withdraw corrects a reward, or removes it so that its "
                "identifier may be told again)"
            )
        return False

    def _was_told(self, name, values, withdrawn):
        """Whether an identifier was ever told with this arm and reward, or corrected to them."""
        told = [self.latest[name], *self.former.get(name, ())]
        return values in told or values in _with_corrections(told, self._corrections(withdrawn))

    def _counts_of_told(self, told, withdrawn):
        """How often each arm and reward was told, whether it was withdrawn since or not."""
        counts = collections.Counter(
            (arm, plain_reward(reward)) for arm, rewards in enumerate(told) for reward in rewards
        )
        for wrong, right in self._corrections(withdrawn):
            counts[wrong] += 1
            if right is not None:
                counts[right] -= 1
        return +counts

    def _corrections(self, withdrawn):
        """Pairs of a withdrawn arm and reward, and of the values that replaced them or None."""
        pairs = []
        for each in withdrawn:
            arm = self._design.find(each.arm)
            right = None if each.instead is None else (arm, each.instead)
            pairs.append(((arm, each.reward), right))
        return pairs

    def _quoted(self, values):
        arm, reward = values
        return f"arm {self._design.arms[arm]}, reward {list(reward)}"


def _with_corrections(values, corrections):
    """The set of these arms and rewards and of those that replaced them."""
    found = set(values)
    for wrong, right in corrections:
        if wrong in found and right is not None:
            found.add(right)
    return found


def _refuse_repeated(new, number, earlier):
    """Refuse rows that have the arm and reward of an earlier one."""
    repeated = [sample.source for sample in new if sample.values in earlier]
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
