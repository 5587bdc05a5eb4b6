"""Transportation cost: how much evidence rules out the closest wrong answer."""

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    check_choice,
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
from pareto_core.transport.linear_best_arms import linear_confusion_cost
from pareto_core.transport.linear_oracle import check_linear, linear_cost
from pareto_core.transport.noise_cost import (
    constrained_cost_with_noise,
    cost_with_noise,
    given_noise,
    refuse_noise_with_features,
)
from pareto_core.transport.oracle import (
    BRANCH_AND_BOUND,
    SWEEP,
    allocate_response,
    cheapest_alternative,
    cheapest_alternative_by_cells,
    search_method,
    write_alternative,
    write_gradient,
)
from pareto_core.transport.separate_cost import are_separate, separate_cost

__all__ = ["TransportCost", "transport_cost"]

METHODS = {"branch_and_bound": BRANCH_AND_BOUND, "sweep": SWEEP}
PROBLEMS = (PARETO_SET.name, BEST_ARMS.name, CONSTRAINED_PARETO_SET.name)


class TransportCost(NamedTuple):
    """Value, gradient and minimiser of the transportation cost.

    Attributes
    ----------
    value : float
        The cost, in squared units of the means.
    gradient : ndarray, shape (K,) or (K, d)
        Derivative in each weight, g_k = ||mu_k - lambda_k||^2 / 2 in the metric of the noise, so
        that the sum of w_k g_k is ``value``; g_kc = (mu_kc - lambda_kc)^2 / 2 if each objective has
        weights of its own. Where several alternatives cost the same, a supergradient.
    alternative : ndarray, shape (K, d)
        Means lambda of a cheapest alternative. It lies on the boundary: an arbitrarily small
        push from there changes the answer.
    arm : int
        The arm whose status the alternative changes. It is the arm that leaves the Pareto set,
        because another arm meets it (removal) or because it leaves the polyhedron, or the arm
        that enters the Pareto set (addition, admission). For best arms it is the challenger.
        Other arms may move too: the arm that meets this arm, or those that are lowered for it.
        If several alternatives cost the same, ``arm`` belongs to the one in ``alternative``.
        Removals precede departures from the polyhedron, and these precede additions,
        admissions and entries; `transport_cost` puts an arm of weight 0 outside the Pareto set
        before all of them. Ties within a kind are broken deterministically, but the choice may
        differ between methods.

    See Also
    --------
    transport_cost, partition_cost, CostOracle

    Examples
    --------
    >>> import pareto_core as pc
    >>> cost = pc.transport_cost([[0.0], [1.0]], [0.5, 0.5])
    >>> cost.alternative.round(6), cost.gradient.round(6), cost.arm
    (array([[0.5],
           [0.5]]), array([0.125, 0.125]), 0)
    """

    value: float
    gradient: np.ndarray
    alternative: np.ndarray
    arm: int


def transport_cost(
    means: ArrayLike,
    weights: ArrayLike,
    method: Literal["auto", "cells", "branch_and_bound", "sweep"] = "auto",
    problem: ProblemName = PARETO_SET.name,
    polyhedron: Polyhedron | None = None,
    features: ArrayLike | None = None,
    variance: ArrayLike | None = None,
    covariance: ArrayLike | None = None,
) -> TransportCost:
    r"""Cheapest cost of changing the answer.

    .. math::
        \min_{\lambda\in\mathrm{Alt}(\mu)}\sum_k \frac{w_k}{2}\|\mu_k-\lambda_k\|^2,

    where :math:`\mathrm{Alt}(\mu)` holds the means with a different answer. For the Pareto set
    see Crepon et al. (2024, Equations (2) and (3)), for the Pareto set of the feasible arms
    Kone et al. (2025, Appendix B). For the best arm :math:`b_m` of every objective m the cost
    equals

    .. math::
        \min_m\min_{i\ne b_m}\frac{w_iw_{b_m}}{w_i+w_{b_m}}\frac{\Delta_{im}^2}2,\qquad
        \Delta_{im}=\mu_{b_mm}-\mu_{im},

    where a pair of arms of weight 0 counts as 0 (Chen et al. 2024, Equation (7)). All methods
    are exact. If the rewards of arm k have a known covariance :math:`\Sigma_k`, the squared
    distances are :math:`(\mu_k-\lambda_k)^\top\Sigma_k^{-1}(\mu_k-\lambda_k)`.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation unless the noise is given.
    weights : array_like, shape (K,) or (K, d)
        Non-negative and not all zero; they need not sum to one. With a weight per arm and
        objective, an alternative costs the sum of :math:`w_{kc}(\mu_{kc}-\lambda_{kc})^2/2`, as
        if each objective was measured by itself: only for the Pareto set, with independent
        objectives of unit variance, and with ``method="auto"``. For independent objectives of
        variance :math:`v_{kc}`, divide the weights by it.
    method : {"auto", "sweep", "branch_and_bound", "cells"}, default "auto"
        ``"sweep"`` needs d = 2 and takes O(K p + K log K) (Appendix D);
        ``"branch_and_bound"`` searches over assignments with lower bounds;
        ``"cells"`` enumerates all valid assignments as the paper does,
        O((K(p + d) + d^3 p) p^(d - 1)). ``"auto"`` sweeps when d = 2 and branches and
        bounds otherwise. The other problems accept only ``"auto"``; it takes O(K d) for best
        arms.
    problem : str, default "pareto_set"
        The question: ``"pareto_set"``, ``"best_arm_per_objective"`` or
        ``"constrained_pareto_set"``.
    polyhedron : Polyhedron, optional
        The feasible region; required for the constrained Pareto set, invalid otherwise.
    features : array_like, shape (K, h), optional
        Features of each arm, for the Pareto set or best arms. The means are linear in them, and so
        are those of all alternatives: only the regression matrix is unknown. Weights below 1e-24
        times the largest count as 0; if the other arms do not span the features, the cost is 0.
    variance : array_like, shape (d,) or (K, d), optional
        Variance of the noise in each objective, common to all arms or for each arm; 1 by default.
        ``method`` is then ``"auto"``.
    covariance : array_like, shape (d, d) or (K, d, d), optional
        Covariance of the noise between objectives, instead of ``variance``; positive definite.

    Returns
    -------
    TransportCost
        Value, gradient, alternative and the arm whose status it changes.

    Raises
    ------
    ValueError
        If an input is not finite or has the wrong shape, if a weight is negative or all
        weights are zero, or if the method or the problem is unknown. If ``method`` is
        ``"sweep"`` and d is not 2, or is not ``"auto"`` and ``problem`` is not
        ``"pareto_set"``. If ``polyhedron`` is missing or has a number of objectives other than
        d, or if ``problem`` does not use it. If ``features`` does not have one row per arm, if all
        its rows are equal, if the means are not linear in them up to rounding, or if ``problem``
        or ``method`` does not use them. If ``variance`` or ``covariance`` is invalid, or given
        with ``features``. If ``weights`` of shape (K, d) are given with an argument that does not
        allow them.

    See Also
    --------
    partition_cost : cost of refuting a partition into optimal, dominated and infeasible arms
    CostOracle : the same costs for many calls with arrays of one shape
    characteristic_time : the weights that maximise this cost

    References
    ----------
    Crepon, Garivier & Koolen 2024, Sequential learning of the Pareto front for multi-objective
    bandits, AISTATS, arXiv:2501.17513: Lemmas 1 to 3 and Appendix D.

    Chen et al. 2024, Optimal multi-objective best arm identification with fixed confidence:
    Equation (7).

    Kone et al. 2025, Constrained Pareto set identification with bandit feedback: Appendix B.

    Examples
    --------
    >>> from pareto_core import orthant, transport_cost
    >>> round(transport_cost([[0.0], [1.0]], [0.5, 0.5]).value, 6)
    0.125
    >>> round(transport_cost([[1.0], [2.0]], [0.5, 0.5], features=[[1.0], [2.0]]).value, 6)
    1.25
    >>> round(transport_cost([[0.0], [1.0]], [0.5, 0.5], variance=[[1.0], [4.0]]).value, 6)
    0.05
    >>> region = orthant([0.0])  # arm 0 leaves it at half a standard deviation
    >>> given = {"problem": "constrained_pareto_set", "polyhedron": region}
    >>> transport_cost([[1.0], [-1.0]], [0.5, 0.5], variance=[[4.0], [1.0]], **given).value
    0.0625
    >>> round(transport_cost([[0.0, 0.0], [1.0, 2.0]], [[0.5, 0.1], [0.5, 0.1]]).value, 6)
    0.1
    """
    means = check_means(means)
    check_choice(method, "method", ("auto", "cells", *METHODS))
    check_choice(problem, "problem", PROBLEMS)
    if are_separate(weights):
        refused = {"polyhedron": polyhedron, "features": features}
        refused |= {"variance": variance, "covariance": covariance}
        value, exponent, *rest = separate_cost(means, weights, problem, method, **refused)
        return TransportCost(scaled_cost(value, exponent), *rest)
    weights = check_weights(weights, means.shape[0])
    if problem != PARETO_SET.name and method != "auto":
        raise ValueError(f"method = {method!r} for problem = {problem!r}; expected 'auto'")
    check_region(problem, polyhedron, means.shape[1])
    if method == "sweep" and means.shape[1] != 2:
        raise ValueError(f"method = 'sweep' with means of {means.shape[1]} objectives; expected 2")
    points = check_linear(problem, means, features)
    if points is not None:
        refuse_noise_with_features(variance, covariance)
    noise = None
    has_noise = variance is not None or covariance is not None
    if method != "auto" and (has_noise or points is not None):
        given = "known noise" if has_noise else "features"
        raise ValueError(f"method = {method!r} with {given}; expected 'auto'")
    if has_noise:
        means, *noise = given_noise(means, variance, covariance)
    weights, exponent = unit_weights(weights)
    written = np.empty(means.shape[0]), np.empty_like(means)
    cost = _cost_function(problem, method, means.shape[1], polyhedron, points, noise)
    value, arm = cost(means, weights, *written)
    return TransportCost(scaled_cost(value, exponent), *written, arm)


def _cost_function(problem, method, d, polyhedron, points, noise):
    """The kernel that answers a question, as a function of the rest of its arguments.

    Parameters
    ----------
    problem, method : str
    d : int
        Number of objectives.
    polyhedron : Polyhedron or None
    points : ndarray, shape (K, h), or None
        Features.
    noise : list or None
        What `given_noise` returns after the means.

    Returns
    -------
    callable
        Takes means, weights, and arrays for the gradient and the alternative, which it fills.
        Returns the cost and the arm.
    """
    number = METHODS.get(method, search_method(d))
    of_best_arms = problem == BEST_ARMS.name
    if points is not None:
        linear = linear_confusion_cost if of_best_arms else linear_cost
        return lambda means, *rest: linear(means, points, *rest)
    if problem == CONSTRAINED_PARETO_SET.name and noise is not None:
        return lambda means, weights, *written: constrained_cost_with_noise(
            means, weights, *noise, polyhedron, *written
        )
    if noise is not None:
        return lambda means, weights, *written: cost_with_noise(
            means, weights, *noise, problem, *written
        )
    if of_best_arms:
        return _confusion_cost
    if problem == CONSTRAINED_PARETO_SET.name:
        rows = polyhedron.rows()
        return lambda means, weights, *written: _constrained_cost(
            means, weights, *rows, number, *written
        )
    if method == "cells":
        return _transport_cost_by_cells
    return lambda means, weights, *written: _transport_cost(means, weights, number, *written)


def scaled_cost(value, exponent):
    """Cost at weights that are 2^exponent times as large.

    Raises
    ------
    ValueError
        If the cost exceeds the largest float.
    """
    try:
        return math.ldexp(value, int(exponent))
    except OverflowError as error:
        raise ValueError(
            f"weights of magnitude 2^{exponent}; expected smaller weights: the cost overflows"
        ) from error


def check_region(problem, polyhedron, n_objectives):
    """Check that a polyhedron is given if and only if the problem needs one.

    Raises
    ------
    ValueError
        If the problem needs a polyhedron and ``polyhedron`` is not a `Polyhedron` in
        ``n_objectives`` dimensions, or if the problem does not and ``polyhedron`` is not None.
    """
    if problem == CONSTRAINED_PARETO_SET.name:
        check_polyhedron(polyhedron, n_objectives)
    elif polyhedron is not None:
        raise ValueError(f"polyhedron = {polyhedron!r} for problem = {problem!r}; expected None")


@kernel
def _transport_cost(means, weights, method, gradient, alternative):
    """Fill ``gradient`` and ``alternative``; return the cost and the arm of `TransportCost`."""
    response = allocate_response(means.shape[0], means.shape[1])
    value = cheapest_alternative(means, weights, method, np.inf, response)
    write_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value, response.found[0]["moved"]


@kernel
def _transport_cost_by_cells(means, weights, gradient, alternative):
    """As `_transport_cost`, with the cells of the paper."""
    response = allocate_response(means.shape[0], means.shape[1])
    value = cheapest_alternative_by_cells(means, weights, response)
    write_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value, response.found[0]["moved"]


@kernel
def _confusion_cost(means, weights, gradient, alternative):
    """As `_transport_cost`, for the best arm of every objective."""
    value, objective, best, challenger = cheapest_confusion(means, weights)
    write_confusion(means, weights, objective, best, challenger, alternative)
    write_gradient(means, alternative, gradient)
    return value, challenger


@kernel
def _constrained_cost(means, weights, normals, offsets, method, gradient, alternative):
    """As `_transport_cost`, for the Pareto set of the feasible arms.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    gradient : ndarray, shape (K,)
        Modified in place.
    alternative : ndarray, shape (K, d)
        Modified in place.
    """
    response = allocate_constrained_response(normals.shape[0], means.shape[0], means.shape[1])
    value = cheapest_constrained_alternative(
        means, weights, normals, offsets, method, np.inf, response
    )
    write_constrained_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradient)
    return value, response.plain.found[0]["moved"]
