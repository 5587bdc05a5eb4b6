"""The cheapest alternative under known noise found last, and the arrays of its search."""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.transport.noise_addition import JointSearch, joint_search

FOUND = np.dtype(
    [("size", np.int64), ("moved", np.int64), ("loser", np.int64), ("winner", np.int64)],
    align=True,
)


class NoiseResponse(NamedTuple):
    """The cheapest alternative found last, and the work arrays of the search."""

    front: np.ndarray  # (K,) the Pareto optimal arms: the first ``found[0]["size"]`` entries
    optimal: np.ndarray  # (K,) whether an arm is Pareto optimal
    found: np.ndarray  # (1,) FOUND: ``loser`` meets ``winner``, or ``moved`` is added (winner -1)
    point: np.ndarray  # (d,) the new mean of an added arm
    forces: np.ndarray  # (d,) the loser moves by -share Sigma forces, the winner by its share
    bounds: np.ndarray  # (K,) lower bound on the cost of adding each arm
    prices: np.ndarray  # (K, d) w_k / Sigma_k[c, c]
    matrix: np.ndarray  # (d, d) covariance of a difference, or precision of a mean
    factor: np.ndarray  # (d, d)
    lead: np.ndarray  # (d,)
    held: np.ndarray  # (d,) bool: whether the loser and the winner meet in an objective
    trial: np.ndarray  # (d,) forces of a pair
    search: JointSearch


@kernel
def allocate_noise_response(n_arms, n_objectives):
    """Allocate a `NoiseResponse`."""
    return NoiseResponse(
        np.empty(n_arms, np.int64),
        np.zeros(n_arms, np.bool_),
        np.zeros(1, FOUND),
        np.zeros(n_objectives),
        np.zeros(n_objectives),
        np.empty(n_arms),
        np.empty((n_arms, n_objectives)),
        np.empty((n_objectives, n_objectives)),
        np.empty((n_objectives, n_objectives)),
        np.empty(n_objectives),
        np.empty(n_objectives, np.bool_),
        np.empty(n_objectives),
        joint_search(n_arms, n_objectives),
    )


@kernel
def write_prices(weights, noise, prices):
    """Write the weight of each arm in each objective, w_k / Sigma_k[c, c]."""
    for k in range(weights.shape[0]):
        for c in range(prices.shape[1]):
            prices[k, c] = weights[k] / noise.variance[k, c]
