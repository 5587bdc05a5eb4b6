"""Statements of the appendix *Proofs*, Section 11, case by case.

Each function returns slacks: a bound minus what it bounds, so that the statement holds if no slack
is negative beyond rounding errors.
"""

import math

import numpy as np

import pareto_core as pc
from pareto_book.chapters.one_rule.cases import Case
from pareto_book.chapters.one_rule.fluid import FluidPath, divergence
from pareto_book.chapters.one_rule.rule_path import RulePath

__all__ = [
    "average_slack",
    "convex_slacks",
    "facts_slacks",
    "fewest_samples_slack",
    "forced_rounds_slack",
    "one_step_slack",
    "tracking_slack",
]


def facts_slacks(
    case: Case, draws: int, rng: np.random.Generator, spread: float = 0.2
) -> tuple[float, float]:
    """Least slacks of facts (b) and (c) at random weights and means."""
    n_arms = case.means.shape[0]
    best_reply, distance = np.inf, np.inf
    for _ in range(draws):
        weights, others = rng.dirichlet(np.full(n_arms, 0.5), size=2)
        weights = 0.999 * weights + 0.001 / n_arms  # fact (b) is about positive weights
        means = case.means + spread * rng.standard_normal(case.means.shape)
        cost = case.cost(weights, means)
        best_reply = min(best_reply, others @ cost.gradient - case.cost(others, means).value)
        if case.same_answer(means):
            apart = np.linalg.norm(means - case.means, axis=1).max() / math.sqrt(2)
            roots = math.sqrt(cost.value) - math.sqrt(case.cost(weights).value)
            distance = min(distance, apart - abs(roots))
    return best_reply, distance


def tracking_slack(path: RulePath) -> float:
    """Least slack of -ln K <= N_k - H_k <= 1 (Lemma 3)."""
    ahead = path.counts - path.targets
    return min(1.0 - ahead.max(), ahead.min() + math.log(ahead.shape[1]))


def fewest_samples_slack(path: RulePath) -> float:
    """Least slack of the bounds from below on all N_k(t) (Lemma 3)."""
    n_arms, times = path.counts.shape[1], path.times
    if path.mixed.any():
        logs, first = np.log(times), math.log(n_arms)
        least = 1 - first + (logs - first + 0.5 * (logs**2 - first**2)) / n_arms
    else:
        least = np.sqrt(times) - n_arms / 2 - 1
    return (path.counts.min(axis=1) - least).min()


def one_step_slack(case: Case, path: RulePath, best: np.ndarray) -> float:
    """Least slack of the bound on the growth of the potential in a round (Lemma 4)."""
    growth = np.diff(divergence(best, path.targets))
    slacks = []
    for row, grown in enumerate(growth):
        time, bound = path.times[row], 1.0
        cost = case.cost(path.counts[row], path.means[row]).value
        if not path.forced[row] and cost > 0:
            kept = (1 - path.mixed[row]) * _kept(path.targets[row])
            ratio = case.cost(best, path.means[row]).value / (cost / time)
            bound = min(1.0, 1.0 - kept * ratio)
        slacks.append(bound / time - grown)
    return min(slacks)


def _kept(targets):
    """The factor (1 - eta ln K)(1 - eta/2), or zero if the first factor is negative."""
    eta = 1 / targets.min()
    return max(1 - eta * math.log(targets.size), 0.0) * (1 - eta / 2)


def forced_rounds_slack(path: RulePath) -> float:
    """Least slack of: the sum of 1/t over forced rounds from t0 on is at most 2K/sqrt(t0)."""
    terms = np.where(path.forced, 1 / path.times, 0.0)
    rest = terms[::-1].cumsum()[::-1]
    late = path.times >= 4
    return (2 * path.counts.shape[1] / np.sqrt(path.times) - rest)[late].min()


def average_slack(path: FluidPath, optimum: pc.CharacteristicTime) -> float:
    """Least slack of the bound on the sum of (C*/C - 1)/s (Proposition 1)."""
    best = optimum.weights
    distances = path.times / (optimum.time * path.costs) - 1
    sums = (distances / path.times).cumsum()
    return divergence(best, np.ones(best.size)) + 1 - sums[-1]


def convex_slacks(path: FluidPath, optimum: pc.CharacteristicTime) -> tuple[float, float, float]:
    """Least relative slacks of Proposition 2: of one step, of the sum, and of each distance."""
    n_arms = path.targets.shape[1]
    used = optimum.weights > 0
    loads = (path.targets * path.shares)[:, used] / optimum.weights[used]
    step = 1 - loads.sum(axis=1) / (optimum.time * path.costs)
    behind = path.times - optimum.time * path.costs
    sums = np.concatenate([[0.0], behind.cumsum()[:-1]])
    total = (n_arms - 0.5) * (path.times - n_arms) - sums
    last = np.sqrt(2 * n_arms / path.times) + 1 / path.times - behind / path.times
    return step.min(), (total / path.times).min(), last.min()
