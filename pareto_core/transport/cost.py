"""Transportation cost: how much evidence rules out the closest other answer."""

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    LARGEST,
    UNUSUAL,
    check_choice,
    check_count,
    check_means,
    check_weights,
    unit_weights,
)
from pareto_core.checks.words import ProblemName
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET
from pareto_core.transport.best_arms import cheapest_confusion, write_confusion
from pareto_core.transport.constrained_oracle import (
    allocate_constrained_response,
    cheapest_constrained_alternative,
    write_constrained_alternative,
)
from pareto_core.transport.oracle import (
    BRANCH_AND_BOUND,
    SWEEP,
    allocate_response,
    cheapest_alternative,
    cheapest_alternative_by_cells,
    write_alternative,
    write_gradient,
)

__all__ = ["CostOracle", "TransportCost", "transport_cost"]

METHODS = {"branch_and_bound": BRANCH_AND_BOUND, "sweep": SWEEP}
PROBLEMS = (PARETO_SET.name, BEST_ARMS.name, CONSTRAINED_PARETO_SET.name)


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
        Means lambda of a cheapest alternative. It lies on the border: the answer there
        differs from that for the means up to an arbitrarily small push.

    Examples
    --------
    >>> import pareto_core as pc
    >>> cost = pc.transport_cost([[0.0], [1.0]], [0.5, 0.5])
    >>> cost.alternative.round(6), cost.gradient.round(6)
    (array([[0.5],
           [0.5]]), array([0.125, 0.125]))
    """

    value: float
    gradient: np.ndarray
    alternative: np.ndarray


def transport_cost(
    means: ArrayLike,
    weights: ArrayLike,
    method: Literal["auto", "cells", "branch_and_bound", "sweep"] = "auto",
    problem: ProblemName = PARETO_SET.name,
    polyhedron: Polyhedron | None = None,
) -> TransportCost:
    r"""Cheapest cost of changing the answer.

    .. math::
        \min_{\lambda\in\mathrm{Alt}(\mu)}\sum_k \frac{w_k}{2}\|\mu_k-\lambda_k\|^2,

    where :math:`\mathrm{Alt}(\mu)` holds the means whose Pareto set is another than
    that of :math:`\mu` (Crepon et al. 2024, Equations (2) and (3)), or those with another
    best arm b in some objective; then it equals

    .. math::
        \min_m\min_{i\ne b_m}\frac{w_iw_{b_m}}{w_i+w_{b_m}}\frac{\Delta_{im}^2}2,\qquad
        \Delta_{im}=\mu_{b_mm}-\mu_{im},

    and is 0 for two arms of weight 0 (Chen et al. 2024, Equation (7)); or those with another
    Pareto set of the feasible arms (Kone et al. 2025, constrained, Appendix B). All methods
    are exact.

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
        bounds otherwise; it alone is there for the other problems, and takes O(K d) for best
        arms.
    problem : str, default "pareto_set"
        What is asked for: ``"pareto_set"``, ``"best_arm_per_objective"`` or
        ``"constrained_pareto_set"``.
    polyhedron : Polyhedron, optional
        The feasible region, for the constrained Pareto set and for it only.

    Returns
    -------
    TransportCost
        Value, gradient and alternative.

    Raises
    ------
    ValueError
        If an input is not finite or has the wrong shape, a weight is negative or all
        are zero, the method or the problem is unknown, the method is ``"sweep"`` and d is not
        2, or it is not ``"auto"`` and another problem than the Pareto set is posed, or the
        polyhedron is missing, not asked for or of another dimension.

    Examples
    --------
    >>> from pareto_core import transport_cost
    >>> round(transport_cost([[0.0], [1.0]], [0.5, 0.5]).value, 6)
    0.125
    """
    means = check_means(means)
    weights = check_weights(weights, means.shape[0])
    check_choice(method, "method", ("auto", "cells", *METHODS))
    if check_choice(problem, "problem", PROBLEMS) != PARETO_SET.name and method != "auto":
        raise ValueError(f"method = {method!r} for problem = {problem!r}; expected 'auto'")
    check_region(problem, polyhedron, means.shape[1])
    if method == "sweep" and means.shape[1] != 2:
        raise ValueError(f"method = 'sweep' with means of {means.shape[1]} objectives; expected 2")
    if method == "auto":
        method = "sweep" if means.shape[1] == 2 else "branch_and_bound"
    weights, exponent = unit_weights(weights)
    gradient = np.empty(means.shape[0])
    alternative = np.empty_like(means)
    if problem == BEST_ARMS.name:
        value = _confusion_cost(means, weights, gradient, alternative)
    elif problem == CONSTRAINED_PARETO_SET.name:
        rows = polyhedron.rows()
        value = _constrained_cost(means, weights, *rows, METHODS[method], gradient, alternative)
    elif method == "cells":
        value = _transport_cost_by_cells(means, weights, gradient, alternative)
    else:
        value = _transport_cost(means, weights, METHODS[method], gradient, alternative)
    return TransportCost(scaled_cost(value, exponent), gradient, alternative)


def scaled_cost(value, exponent):
    """The cost at weights that are so many powers of two larger.

    Raises
    ------
    ValueError
        If it is beyond the largest float.
    """
    try:
        return math.ldexp(value, int(exponent))
    except OverflowError as error:
        raise ValueError(
            f"weights of magnitude 2^{exponent}; expected smaller ones: the cost is no float"
        ) from error


class CostOracle:
    """Transportation costs of Pareto sets of one size, for a rule that asks at every sample.

    It gives what `transport_cost` gives, in less time: sizes and method are settled once, and the
    numbers are checked in the compiled code. It works in arrays of its own, so that each thread
    needs one.

    Parameters
    ----------
    n_arms, n_objectives : int
        Size of the experiment.

    Raises
    ------
    ValueError
        If they are no sizes.

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
        self._method = SWEEP if n_objectives == 2 else BRANCH_AND_BOUND

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
            If an input is not finite or has the wrong shape, a weight is negative or all are zero.
        """
        if not (_fits(means, self._means) and _fits(weights, self._weights)):
            return self._without_haste(means, weights)
        np.copyto(self._means, means)
        np.copyto(self._weights, weights)
        gradient = np.empty(self._weights.shape)
        alternative = np.empty(self._means.shape)
        value = _usual_cost(self._means, self._weights, self._method, gradient, alternative)
        if value < 0:
            return self._without_haste(means, weights)
        return TransportCost(value, gradient, alternative)

    def _without_haste(self, means, weights):
        """What is unusual, or wrong."""
        if np.shape(means) != self._means.shape:
            raise ValueError(
                f"means has shape {np.shape(means)}; expected {self._means.shape}, as the oracle"
            )
        return transport_cost(means, weights)


def _fits(given, array):
    """Whether it is an array of numbers of the same shape."""
    return type(given) is np.ndarray and given.shape == array.shape and given.dtype.kind in "iuf"


def check_region(problem, polyhedron, n_objectives):
    """Check that there is a polyhedron of so many objectives if the problem needs it, else none.

    Raises
    ------
    ValueError
        Otherwise.
    """
    if problem == CONSTRAINED_PARETO_SET.name:
        check_polyhedron(polyhedron, n_objectives)
    elif polyhedron is not None:
        raise ValueError(f"polyhedron = {polyhedron!r} for problem = {problem!r}; expected None")


@kernel
def _transport_cost(means, weights, method, gradient, alternative):
    """Fill ``gradient`` and ``alternative``; return the cost."""
    response = allocate_response(means.shape[0], means.shape[1])
    value = cheapest_alternative(means, weights, method, np.inf, response)
    write_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value


@kernel
def _usual_cost(means, weights, method, gradient, alternative):
    """As `_transport_cost`; -1 if there are numbers that need more care, or that are none."""
    n_arms, n_objectives = means.shape
    largest = 0.0
    for k in range(n_arms):
        if not 0.0 <= weights[k] <= UNUSUAL:
            return -1.0
        largest = max(largest, weights[k])
        for c in range(n_objectives):
            if not abs(means[k, c]) <= LARGEST:
                return -1.0
    if largest < 1.0 / UNUSUAL:
        return -1.0
    return _transport_cost(means, weights, method, gradient, alternative)


@kernel
def _transport_cost_by_cells(means, weights, gradient, alternative):
    """As `_transport_cost`, with the cells of the paper."""
    response = allocate_response(means.shape[0], means.shape[1])
    value = cheapest_alternative_by_cells(means, weights, response)
    write_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value


@kernel
def _confusion_cost(means, weights, gradient, alternative):
    """As `_transport_cost`, for the best arm of every objective."""
    value, objective, best, challenger = cheapest_confusion(means, weights)
    write_confusion(means, weights, objective, best, challenger, alternative)
    write_gradient(means, alternative, gradient)
    return value


@kernel
def _constrained_cost(means, weights, normals, offsets, method, gradient, alternative):
    """As `_transport_cost`, for the Pareto set of the feasible arms."""
    response = allocate_constrained_response(normals.shape[0], means.shape[0], means.shape[1])
    value = cheapest_constrained_alternative(
        means, weights, normals, offsets, method, np.inf, response
    )
    write_constrained_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value
