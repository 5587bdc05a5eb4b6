"""Lemmas 8 to 15 and Theorem 4, with the worst estimates that they allow."""

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.auer2016.rounds import ERRORS, RacingRound, answer_of, least_error, rounds
from pareto_book.figures.tables import show_table
from pareto_book.records.recording import Row
from pareto_core.geometry import covers

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "LemmaChecks",
    "RaceCase",
    "check_lemmas",
    "failures",
    "failures_table",
    "measured",
    "races",
]

SMALL = (
    ([[0], [1]], 0.02),
    ([[0, 1], [1, 0]], 0.02),
    ([[0, 0], [0.01, 0.01]], 0.5),
    ([[0, 0], [1, 5], [5, -1]], 0.02),
    ([[0], [0.5]], 0.49),
)


class RaceCase(NamedTuple):
    """Means, an accuracy, and the direction in which each estimate is off."""

    means: np.ndarray
    epsilon: float
    signs: np.ndarray


class LemmaChecks(NamedTuple):
    """What races found.

    Attributes
    ----------
    broken : dict of str to int
        Violations of Lemmas 8 to 11, by the name of the lemma.
    worst : dict of str to float
        Largest gap or accuracy over the radius for Lemmas 12 to 15 and a step of Theorem 4, and
        for Lemma 14 with the gaps of later papers (``later gaps``).
    rounds : int
        Number of rounds.
    """

    broken: dict
    worst: dict
    rounds: int


def races(generator: np.random.Generator, count: int = 100) -> list[RaceCase]:
    """Make races: five small instances with every choice of signs, and random ones.

    Parameters
    ----------
    generator : numpy.random.Generator
        Draws the random instances, and goes on from there.
    count : int, default 100
        Number of random instances.

    Returns
    -------
    list of RaceCase
    """
    cases = [
        RaceCase(np.array(points, float), epsilon, np.reshape(signs, np.shape(points)))
        for points, epsilon in SMALL
        for signs in itertools.product((-1, 1), repeat=np.size(points))
    ]
    for _ in range(count):
        arms = generator.normal(size=generator.integers((3, 2), (7, 4)))
        signs = generator.choice([-1, 1], size=arms.shape)
        cases.append(RaceCase(arms, generator.choice([0.1, 0.5]), signs))
    return cases


def check_lemmas(cases: Sequence[RaceCase]) -> LemmaChecks:
    """Check the lemmas in every round of some races.

    Parameters
    ----------
    cases : sequence of RaceCase
        Races, in which each estimate is off by almost one radius.

    Returns
    -------
    LemmaChecks
    """
    checker = _Checker()
    for case in cases:
        checker.enter(case.means, case.epsilon)
        for each in rounds(*case):
            checker.check(each)
    return LemmaChecks(checker.broken, checker.worst, checker.rounds)


def measured(checks: LemmaChecks, failed: dict[float, list[bool]]) -> dict[str, Row]:
    """Collect what is known of each lemma and of Theorem 4.

    Parameters
    ----------
    checks : LemmaChecks
        Result of `check_lemmas`.
    failed : dict of float to list of bool
        Result of `failures`.

    Returns
    -------
    dict of str to Row
        By the id of the claim.
    """
    later = {"gaps with Δ* in place of 2Δ*": checks.worst["later gaps"]}
    found = {
        name: Row(value, runs=checks.rounds, others=later if name == "lemma14" else {})
        for name, value in (checks.broken | checks.worst).items()
        if name != "later gaps"
    }
    n_races = len(next(iter(failed.values())))
    return found | {"theorem4_success": Row(least_error(failed), runs=n_races)}


class _Checker:
    """Counts violations, and keeps the worst ratios, race by race."""

    def __init__(self):
        self.broken = dict.fromkeys(("lemma8", "lemma9", "lemma10", "lemma11"), 0)
        self.worst = {}
        self.rounds = 0

    def enter(self, means, epsilon):
        """Begin a race."""
        self.epsilon = epsilon
        self.optimal = np.isin(np.arange(len(means)), pc.pareto_set(means))
        self.gap, self.later = pc.gaps(means, "auer"), pc.gaps(means, "kone")
        self.deep = ~self.optimal & (self.gap >= epsilon)
        below = np.maximum((means[None] - means[:, None]).min(axis=2), 0)
        self.above = self.optimal & (below == self.gap[:, None])

    def check(self, now: RacingRound):
        """Check one round."""
        self.rounds += 1
        self._count_violations(now)
        beta = now.radius.max()
        undecided = self.optimal & now.remaining & ~now.sure
        self._note("lemma12", now.staying, np.full(len(self.gap), self.epsilon), beta)
        self._note("lemma13", self.deep & now.remaining, self.gap, beta)
        self._note("lemma14", undecided, self.gap, beta)
        self._note("later gaps", undecided, self.later, beta)
        if beta >= self.epsilon / 4:
            self._note("lemma15", self.optimal & now.sure & ~now.leaving, self.gap, beta)
        self._note("theorem4_step", now.staying, np.maximum(self.gap, self.epsilon), beta)

    def _count_violations(self, now):
        deep, optimal, broken = self.deep, self.optimal, self.broken
        lost = [not now.active[self.above[i]].all() for i in np.flatnonzero(deep & now.active)]
        broken["lemma8"] += (now.active & ~now.remaining & optimal).sum()
        broken["lemma9"] += (optimal & ~now.staying & ~now.accepted).sum()
        broken["lemma10"] += sum(lost) + (deep & (now.sure | now.accepted)).sum()
        broken["lemma11"] += (now.accepted & ~optimal & (self.gap > self.epsilon)).sum()

    def _note(self, name, arms, size, beta):
        if arms.any():
            self.worst[name] = np.maximum(self.worst.get(name, 0), size[arms].max() / beta)


def failures(cases: Sequence[RaceCase]) -> dict[float, list[bool]]:
    """Find the races whose answer fails Success Condition 1, by the error of all estimates."""
    return {
        error: [
            not covers.success_condition_1(case.means, answer_of(*case, error), case.epsilon)
            for case in cases
        ]
        for error in ERRORS
    }


def failures_table(failed: dict[float, list[bool]]) -> "HTML":
    """Make a table of the result of `failures`."""
    rows = [
        {"error, in radii": error, "wrong answers": sum(each), "races": len(each)}
        for error, each in failed.items()
    ]
    return show_table(
        pd.DataFrame(rows),
        "Answers of Algorithm 1 that fail Success Condition 1, by the error of all estimates.",
    )
