"""Instances on which a wrong answer is nearly right in many ways, all made for this purpose."""

import dataclasses

import numpy as np

import pareto_core as pc
from pareto_book.studies.near_ties import wide_instance

__all__ = ["best", "border", "duel", "fan", "quiet_duel"]


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
    return dataclasses.replace(wide_instance(3, 0.1), features=np.eye(2), name="duel")


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
