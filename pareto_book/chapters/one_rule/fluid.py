"""Paths with known means: of the rule, and of the kernels of other algorithms."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.chapters.one_rule.cases import Case

__all__ = ["FluidPath", "divergence", "fluid_path", "held_targets", "relative_distance"]


class FluidPath(NamedTuple):
    """The rule with known means and without exploration.

    Attributes
    ----------
    times : ndarray of int, shape (n,)
        Number of samples t.
    targets : ndarray, shape (n, K)
        H(t), which sums to t.
    shares : ndarray, shape (n, K)
        Shares h of the evidence, which are added to the targets at t.
    costs : ndarray, shape (n,)
        C(H(t)).
    """

    times: np.ndarray
    targets: np.ndarray
    shares: np.ndarray
    costs: np.ndarray


def fluid_path(case: Case, horizon: int, start: int = 1) -> FluidPath:
    """Follow the rule with known means: add to the targets the shares of the evidence."""
    n_arms = case.means.shape[0]
    times = np.arange(start * n_arms, horizon + 1)
    targets = np.full((times.size, n_arms), float(start))
    shares, costs = np.empty_like(targets), np.empty(times.size)
    for row in range(times.size):
        cost = case.cost(targets[row])
        shares[row] = targets[row] * cost.gradient / cost.value
        costs[row] = cost.value
        if row + 1 < times.size:
            targets[row + 1] = targets[row] + shares[row]
    return FluidPath(times, targets, shares, costs)


def held_targets(
    algorithm: pc.Algorithm, instance: pc.Instance, times: ArrayLike, seed: int = 0
) -> np.ndarray:
    """Drive the kernel that chooses an arm, with the averages held at the means."""
    problem = instance.problem
    parameters = algorithm.parameters(problem)
    state = algorithm.start(problem, np.random.default_rng(seed))
    record, found = state.record, []
    record.means[:] = instance.means
    for time in times:
        while record.time[0] < time:
            arm, _ = algorithm.select(parameters, state)
            record.counts[arm] += 1
            record.time[0] += 1
        found.append(state.targets / state.targets.sum())
    return np.array(found)


def relative_distance(case: Case, proportions: np.ndarray, time: float) -> np.ndarray:
    """Relative distance 1 - C(w)/C* to the optimum, for each row of proportions."""
    return np.array([1.0 - time * case.cost(each).value for each in proportions])


def divergence(best: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Kullback-Leibler divergence from optimal proportions to those of positive weights."""
    used = best > 0
    proportions = weights[..., used] / weights.sum(axis=-1, keepdims=True)
    return (best[used] * np.log(best[used] / proportions)).sum(axis=-1)
