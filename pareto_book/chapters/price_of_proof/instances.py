"""Instances on which the price of a proof is measured, all made for this purpose."""

import numpy as np

import pareto_core as pc

__all__ = [
    "above",
    "coin_cases",
    "coins",
    "extremes",
    "growing_families",
    "layers",
    "noisy",
    "small",
    "staircase",
    "tied",
    "within_limits",
]


def staircase(steps: int) -> pc.Instance:
    """Make `steps` optimal arms (i, steps - 1 - i), and each again 0.8 lower in both objectives."""
    first = np.arange(steps, dtype=float)
    front = np.column_stack([first, steps - 1 - first])
    return pc.Instance(np.vstack([front, front - 0.8]), name=f"staircase, p = {steps}")


def above(n_arms: int) -> pc.Instance:
    """Make an instance with an arm that is 1 better than all others in both objectives."""
    means = np.zeros((n_arms, 2))
    means[0] = 1.0
    return pc.Instance(means, name=f"above, K = {n_arms}")


def layers(n_objectives: int) -> pc.Instance:
    """Make an arm for each objective that is 1 ahead there, and each again 0.8 lower."""
    front = np.eye(n_objectives)
    return pc.Instance(np.vstack([front, front - 0.8]), name=f"layers, d = {n_objectives}")


def growing_families(profile: str) -> dict[str, list[pc.Instance]]:
    """Make instances of each family, in order of their size, by the letter of what grows."""
    if profile == "full":
        steps, arms, objectives = (2, 5, 10, 20), (5, 20, 50, 100), (1, 2, 3, 4, 5, 6)
    else:
        steps, arms, objectives = (2, 5, 20), (5, 20, 50), (1, 3, 6)
    return {
        "p": [staircase(p) for p in steps],
        "K": [above(k) for k in arms],
        "d": [layers(d) for d in objectives],
    }


def extremes() -> list[pc.Instance]:
    """Make a small and a large instance of each family."""
    return [staircase(2), staircase(20), above(5), above(50), layers(1), layers(6)]


def small() -> list[pc.Instance]:
    """Make small instances, which algorithms with wide confidence bounds can finish, too."""
    return [staircase(2), staircase(5), above(5), layers(3)]


def tied(correlation: float, n_objectives: int = 2, gap: float = 1e-3) -> pc.Instance:
    """Make two arms, the second worse by `gap` in all objectives, with correlated noise."""
    covariance = np.full((n_objectives, n_objectives), correlation)
    np.fill_diagonal(covariance, 1.0)
    means = np.zeros((2, n_objectives))
    means[1] = -gap
    return pc.Instance(means, covariance=covariance, name=f"tied, ρ = {correlation:g}")


def noisy(deviation: float) -> pc.Instance:
    """Make two arms that nearly tie in one objective, with this standard deviation."""
    return pc.Instance([[0.0], [-0.05]], variance=[deviation**2], name=f"σ = {deviation:g}")


def coins(n_arms: int, best: float, others: float) -> pc.Instance:
    """Make coins of which the first shows heads more often than the others, which are alike."""
    means = np.full((n_arms, 1), others)
    means[0] = best
    return pc.Instance(means, noise="bernoulli")


def coin_cases() -> dict[str, tuple[pc.Instance, int]]:
    """Make the coins on which rules are compared, each with the samples at the last look."""
    return {
        "two fair coins": (coins(2, 0.6, 0.4), 3500),
        "five fair coins": (coins(5, 0.6, 0.4), 12_000),
        "five rare coins": (coins(5, 0.2, 0.05), 20_000),
    }


def within_limits(instance: pc.Instance) -> pc.Instance:
    """Add limits that all arms satisfy by far, for algorithms that need limits."""
    region = pc.orthant(np.full(instance.n_objectives, -20.0))
    return pc.Instance(instance.means, polyhedron=region, name=instance.name)
