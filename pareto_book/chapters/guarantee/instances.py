"""Instances on which a wrong answer is nearly right in many ways, and families that grow."""

import dataclasses

import numpy as np

import pareto_core as pc

__all__ = [
    "above",
    "best",
    "border",
    "duel",
    "fan",
    "growing_families",
    "layers",
    "quiet_duel",
    "staircase",
    "wide",
]


def wide(n_objectives: int, gap: float = 0.05) -> pc.Instance:
    """Make two arms, the second worse by `gap` in all objectives, but by 10 in the last of many."""
    means = np.zeros((2, n_objectives))
    means[1] = -gap
    means[1, -1] = -10.0 if n_objectives > 1 else -gap
    name = "two arms" if n_objectives == 1 else f"wide, d = {n_objectives}"
    return pc.Instance(means, name=name)


def fan(n_arms: int, gap: float = 0.1) -> pc.Instance:
    """Make an optimal arm 0 that each of the other arms, far apart, fails to dominate by `gap`."""
    others = np.arange(n_arms - 1)
    means = np.zeros((n_arms, 3))
    means[1:, 0] = 10 + 10 * others
    means[1:, 1] = -gap
    means[1:, 2] = 10 + 10 * others[::-1]
    return pc.Instance(means, name=f"fan, K = {n_arms}")


def duel() -> pc.Instance:
    """Make the wide instance with three objectives and gaps of 0.1, with features."""
    return dataclasses.replace(wide(3, 0.1), features=np.eye(2), name="duel")


def quiet_duel() -> pc.Instance:
    """Make the duel with noise of standard deviation 1/2, as in the experiments of GEGE and PAL."""
    return dataclasses.replace(duel(), variance=[0.25] * 3, name="duel, σ = ½")


def best() -> pc.Instance:
    """Make three arms of which two are close in one objective."""
    return pc.Instance([[0.0, 0.0], [0.1, -2.0], [-2.0, -2.0]], name="best")


def border() -> pc.Instance:
    """Make two optimal arms, 0.1 and 0.5 inside the feasible region, and one far outside."""
    return pc.Instance(
        [[0.0, 0.1], [-3.0, 3.0], [-0.1, -3.0]],
        polyhedron=pc.Polyhedron([[0.0, -1.0], [-1.0, 0.0]], [0.0, 3.5]),
        name="border",
    )


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
