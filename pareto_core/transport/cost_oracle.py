"""Transportation costs for a rule that needs one per sample."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import LARGEST, UNUSUAL, check_count
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.cost import TransportCost, transport_cost, write_cost
from pareto_core.transport.oracle import allocate_oracle

__all__ = ["CostOracle"]


class CostOracle:
    """Transportation costs of Pareto sets of one size, for a rule that needs one per sample.

    It returns what `transport_cost` returns, in less time: shapes and method are fixed once, and
    compiled code checks the numbers. An oracle reuses its own arrays, so that each thread needs
    its own oracle.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K >= 2 and d >= 1.

    Raises
    ------
    ValueError
        If ``n_arms`` or ``n_objectives`` is not an integer or is too small.

    See Also
    --------
    transport_cost : one cost, by any method and for any problem

    Examples
    --------
    >>> import pareto_core as pc
    >>> oracle = pc.CostOracle(n_arms=2, n_objectives=1)
    >>> oracle([[0.0], [1.0]], [0.5, 0.5]).value
    0.125
    """

    def __init__(self, n_arms: int, n_objectives: int) -> None:
        check_count(n_arms, "n_arms", at_least=2)
        check_count(n_objectives, "n_objectives")
        self._means = np.empty((n_arms, n_objectives))
        self._weights = np.empty(n_arms)
        self._oracle = allocate_oracle(n_arms, n_objectives)

    def __call__(self, means: ArrayLike, weights: ArrayLike) -> TransportCost:
        """Return the cost, see `transport_cost`.

        Parameters
        ----------
        means : array_like, shape (K, d)
            Means, in units of the noise's standard deviation.
        weights : array_like, shape (K,)
            Non-negative and not all zero.

        Returns
        -------
        TransportCost

        Raises
        ------
        ValueError
            If an input is not finite or has the wrong shape, or if a weight is negative or all
            weights are zero.
        """
        if not (_fits(means, self._means) and _fits(weights, self._weights)):
            return self._checked_cost(means, weights)
        np.copyto(self._means, means)
        np.copyto(self._weights, weights)
        gradient = np.empty(self._weights.shape)
        alternative = np.empty(self._means.shape)
        value, arm = _usual_cost(self._means, self._weights, self._oracle, alternative, gradient)
        if value < 0:
            return self._checked_cost(means, weights)
        return TransportCost(value, gradient, alternative, arm)

    def _checked_cost(self, means, weights):
        """Cost for inputs that need conversion, scaling or an error message."""
        if np.shape(means) != self._means.shape:
            raise ValueError(
                f"means has shape {np.shape(means)}; expected {self._means.shape}, as the oracle"
            )
        return transport_cost(means, weights)


def _fits(given, array):
    """Whether ``given`` is a numeric array of the shape of ``array``."""
    return type(given) is np.ndarray and given.shape == array.shape and given.dtype.kind in "iuf"


@kernel
def _usual_cost(means, weights, oracle, alternative, gradient):
    """As `cost.write_cost`; the cost is -1 if a number is invalid or needs scaling."""
    n_arms, n_objectives = means.shape
    largest = 0.0
    for k in range(n_arms):
        if not 0.0 <= weights[k] <= UNUSUAL:
            return -1.0, -1
        largest = max(largest, weights[k])
        for c in range(n_objectives):
            if not abs(means[k, c]) <= LARGEST:
                return -1.0, -1
    if largest < 1.0 / UNUSUAL:
        return -1.0, -1
    return write_cost(means, weights, None, None, None, oracle, alternative, gradient)
