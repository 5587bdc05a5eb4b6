"""Slow twins of what the arena with fixed budgets computes, and a small arena."""

import contextlib
import math
from unittest import mock

import numpy as np

import pareto_core as pc
from pareto_book.kept_runs.budgets.competitions import LADDERS, Ladder, find_contest
from pareto_book.kept_runs.budgets.files import KeptAnswers
from pareto_book.kept_runs.budgets.making import make_answers


def budget_at(budgets, errors, runs, level):
    """The last budget that errs more often than the level, and the line to the next one."""
    rates = [(each + 0.5) / (runs + 1) for each in errors]
    above = [k for k, rate in enumerate(rates) if rate > level]
    if not above:
        return 0.0
    k = above[-1]
    if k == len(budgets) - 1:
        return math.inf
    ends = [math.log(rates[k]), math.log(rates[k + 1])]
    share = (ends[0] - math.log(level)) / (ends[0] - ends[1])
    return budgets[k] + share * (budgets[k + 1] - budgets[k])


def resampled_errors(wrong, drawn):
    """Number of errors at each budget in the runs that were drawn."""
    return np.array([[sum(bool(level[run]) for run in runs) for level in wrong] for runs in drawn])


SMALL_LADDERS = {
    "corner": Ladder(
        lambda: pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0], [0.5, -0.5]], name="corner"),
        (0.15, 1, 2),
        runs=30,
    )
}


@contextlib.contextmanager
def instead_of_the_book():
    """Have the small instance as the only one."""
    find_contest.cache_clear()
    with mock.patch.dict(LADDERS, SMALL_LADDERS, clear=True):
        yield
    find_contest.cache_clear()


def make_small(folder, **options):
    """Make the answers on the small instance, inside `instead_of_the_book`."""
    return make_answers("corner", folder=folder, n_jobs=1, progress=False, **options)


def kept_of(name, wrong, budgets, instance="corner", seed=0):
    """Answers with these errors, shape (m, n), on the instance, right where `wrong` is 0."""
    contest = find_contest(instance)
    means = contest.instance.means
    right = np.isin(np.arange(len(means)), pc.pareto_set(means))
    answers = np.array([right, ~right])
    return KeptAnswers(instance, name, name, budgets, seed, answers, np.asarray(wrong, int))
