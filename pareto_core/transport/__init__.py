"""Transportation cost: how much evidence rules out the closest other Pareto set."""

from typing import NamedTuple

import numpy as np

from pareto_core._checks import check_choice, check_means, check_weights
from pareto_core._kernels import kernel
from pareto_core.transport.oracle import (
    BRANCH_AND_BOUND,
    SWEEP,
    allocate_response,
    cheapest_alternative,
    cheapest_alternative_by_cells,
    write_alternative,
    write_gradient,
)

__all__ = ["TransportCost", "transport_cost"]

METHODS = {"branch_and_bound": BRANCH_AND_BOUND, "sweep": SWEEP}


class TransportCost(NamedTuple):
    """Value, gradient and minimiser of the transportation cost.

    Attributes
    ----------
    value : float
        The cost, in squared units of the means.
    gradient : ndarray, shape (K,)
        Derivative in each weight, g_k = ||mu_k - lambda_k||^2 / 2, so that the sum of
        w_k g_k is ``value``. Where several alternatives cost the same, a
        supergradient.
    alternative : ndarray, shape (K, d)
        Means lambda of a cheapest alternative. It lies on the border: its Pareto set
        differs from that of the means up to an arbitrarily small push.
    """

    value: float
    gradient: np.ndarray
    alternative: np.ndarray


def transport_cost(means, weights, method="auto"):
    r"""Cheapest cost of changing the Pareto set.

    .. math::
        \min_{\lambda\in\mathrm{Alt}(\mu)}\sum_k \frac{w_k}{2}\|\mu_k-\lambda_k\|^2,

    where :math:`\mathrm{Alt}(\mu)` holds the means whose Pareto set is another than
    that of :math:`\mu` (Crepon et al. 2024, Equations (2) and (3)). All methods are
    exact.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation.
    weights : array_like, shape (K,)
        Non-negative and not all zero; they need not sum to one.
    method : {"auto", "sweep", "branch_and_bound", "cells"}, default "auto"
        ``"sweep"`` needs d = 2 and takes O(K p + K log K) (Appendix D);
        ``"branch_and_bound"`` searches over assignments with lower bounds;
        ``"cells"`` enumerates all valid assignments as the paper does,
        O((K(p + d) + d^3 p) p^(d - 1)). ``"auto"`` sweeps when d = 2 and branches and
        bounds otherwise.

    Returns
    -------
    TransportCost
        Value, gradient and alternative.

    Raises
    ------
    ValueError
        If an input is not finite or has the wrong shape, a weight is negative or all
        are zero, the method is unknown, or it is ``"sweep"`` and d is not 2.

    Examples
    --------
    >>> from pareto_core import transport_cost
    >>> round(transport_cost([[0.0], [1.0]], [0.5, 0.5]).value, 6)
    0.125
    """
    means = check_means(means)
    weights = check_weights(weights, means.shape[0])
    check_choice(method, "method", ("auto", "cells", *METHODS))
    if method == "sweep" and means.shape[1] != 2:
        raise ValueError(f"method = 'sweep' with means of {means.shape[1]} objectives; expected 2")
    if method == "auto":
        method = "sweep" if means.shape[1] == 2 else "branch_and_bound"
    gradient = np.empty(means.shape[0])
    alternative = np.empty_like(means)
    if method == "cells":
        value = _transport_cost_by_cells(means, weights, gradient, alternative)
    else:
        value = _transport_cost(means, weights, METHODS[method], gradient, alternative)
    return TransportCost(float(value), gradient, alternative)


@kernel
def _transport_cost(means, weights, method, gradient, alternative):
    """Fill ``gradient`` and ``alternative``; return the cost."""
    response = allocate_response(means.shape[0], means.shape[1])
    value = cheapest_alternative(means, weights, method, np.inf, response)
    write_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value


@kernel
def _transport_cost_by_cells(means, weights, gradient, alternative):
    """As `_transport_cost`, with the cells of the paper."""
    response = allocate_response(means.shape[0], means.shape[1])
    value = cheapest_alternative_by_cells(means, weights, response)
    write_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value
