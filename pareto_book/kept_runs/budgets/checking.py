"""Repeat a random choice of the runs with a fixed budget, and compare the answers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.budgets.competitions import find_contest
from pareto_book.kept_runs.budgets.files import KeptAnswers
from pareto_book.kept_runs.budgets.making import answers_in_runs
from pareto_core.checks.arguments import check_count

__all__ = ["RepeatedAnswer", "repeat_answers"]


class RepeatedAnswer(NamedTuple):
    """The answer of a kept run at one of its budgets, and of its repetition."""

    kept: KeptAnswers
    run: int
    level: int  # index of the budget
    answer: np.ndarray

    @property
    def before(self) -> np.ndarray:
        """The kept answer."""
        return self.kept.answers[self.kept.which[self.level, self.run]]

    @property
    def is_identical(self) -> bool:
        """Whether the repetition gave the same answer."""
        return bool((self.answer == self.before).all())

    def __str__(self):
        kept = self.kept
        now, before = (np.flatnonzero(each).tolist() for each in (self.answer, self.before))
        return (
            f"{kept.name} on {kept.instance}, budget {kept.budgets[self.level]}, run {self.run}: "
            f"arms {now}; kept are {before}"
        )


def repeat_answers(
    kept: Mapping[str, Sequence[KeptAnswers]],
    number: int,
    rng: np.random.Generator,
    most_entrants: int | None = None,
) -> list[RepeatedAnswer]:
    """Repeat runs chosen at random, each at all its budgets."""
    check_count(number, "number")
    pairs = [each for answers in kept.values() for each in answers]
    names = list(dict.fromkeys(each.name for each in pairs))
    if most_entrants is not None:
        names = rng.permutation(names)[: check_count(most_entrants, "most_entrants")]
    pairs = [each for each in pairs if each.name in names]
    times = np.bincount(rng.integers(len(pairs), size=number), minlength=len(pairs))
    found = []
    for each, wanted in zip(pairs, times, strict=True):
        runs = np.unique(rng.integers(each.which.shape[1], size=wanted))
        if runs.size:
            found += _repeat(each, runs)
    return found


def _repeat(kept, runs):
    """Repeat the runs of one entrant on one instance with these numbers."""
    contest = find_contest(kept.instance)
    answers = answers_in_runs(contest, kept.name, runs, kept.seed)
    return [
        RepeatedAnswer(kept, int(run), level, answers[level, k])
        for level in range(len(kept.budgets))
        for k, run in enumerate(runs)
    ]
