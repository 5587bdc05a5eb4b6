"""Instances on which the price of a proof is measured, all made for this purpose."""

import numpy as np

import pareto_core as pc

__all__ = ["above", "growing_families", "layers", "staircase"]


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
