"""Transportation cost: how much evidence rules out the closest wrong answer."""

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    check_array,
    check_choice,
    check_means,
    check_separate_weights,
    check_weights,
    shown,
    unit_weights,
)
from pareto_core.checks.words import ProblemName
from pareto_core.compiling.kernels import kernel
from pareto_core.compiling.lending import lend
from pareto_core.geometry.partition import Partition, is_valid_partition
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron
from pareto_core.questions import (
    BEST_ARMS,
    CONSTRAINED_PARETO_SET,
    DOMINATED,
    INFEASIBLE,
    OPTIMAL,
    PARETO_SET,
)
from pareto_core.transport.best_arms import cheapest_confusion, write_confusion
from pareto_core.transport.cells import cheapest_alternative_by_cells
from pareto_core.transport.linear_oracle import (
    allocate_linear_response,
    cheapest_linear_alternative,
    cheapest_linear_confusion,
    check_linear,
    write_linear_move,
)
from pareto_core.transport.metric import given_noise, region_of
from pareto_core.transport.moves import write_move
from pareto_core.transport.oracle import METHODS, allocate_oracle, label
from pareto_core.transport.walk import cheapest_move

__all__ = ["TransportCost", "partition_cost", "transport_cost"]

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
    transport_cost, partition_cost

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
    check_choice(method, "method", ("auto", *METHODS))
    check_choice(problem, "problem", PROBLEMS)
    noise = {"variance": variance, "covariance": covariance}
    chosen = None if method == "auto" else method
    if check_array(weights, "weights").ndim == 2:
        weights = check_separate_weights(weights, means.shape)
        other = None if problem in (PARETO_SET.name, BEST_ARMS.name) else problem
        refused = {"problem": other, "method": chosen, "polyhedron": polyhedron, **noise}
        refuse_with(f"weights of shape {weights.shape}", features=features, **refused)
        return _answered(means, weights, problem)
    weights = check_weights(weights, means.shape[0])
    if problem != PARETO_SET.name and method != "auto":
        raise ValueError(f"method = {method!r} for problem = {problem!r}; expected 'auto'")
    check_region(problem, polyhedron, means.shape[1])
    if method == "sweep" and means.shape[1] != 2:
        raise ValueError(f"method = 'sweep' with means of {means.shape[1]} objectives; expected 2")
    points = check_linear(problem, means, features)
    if points is not None:
        refuse_with("features", method=chosen, **noise)
    if variance is not None or covariance is not None:
        refuse_with("known noise", method=chosen)
    return _answered(means, weights, problem, method, polyhedron, points=points, **noise)


def partition_cost(
    means: ArrayLike,
    weights: ArrayLike,
    polyhedron: Polyhedron,
    partition: Partition,
    variance: ArrayLike | None = None,
    covariance: ArrayLike | None = None,
) -> TransportCost:
    r"""Cheapest cost of refuting a valid partition.

    .. math::
        \min_{\lambda:(O,S,I)\notin\mathcal M(\lambda)}
        \sum_k\frac{w_k}{2}\|\mu_k-\lambda_k\|^2,

    where :math:`\mathcal M(\lambda)` are the valid partitions for :math:`\lambda`. A partition
    is not among them if O is not the set of feasible optimal arms, if no feasible arm dominates
    some arm of S, or if an arm of I is feasible. If the noise is given, the distance of arm k is
    in the metric of its covariance.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation unless the noise is given.
    weights : array_like, shape (K,)
        Non-negative and not all zero; they need not sum to one.
    polyhedron : Polyhedron
        The feasible region.
    partition : Partition
        A valid partition for these means.
    variance, covariance : array_like, optional
        Noise of each arm and objective, see `transport_cost`.

    Returns
    -------
    TransportCost
        Value, gradient, alternative and the arm whose status it changes.

    Raises
    ------
    ValueError
        If ``means`` or ``weights`` is not finite or has the wrong shape, if a weight is negative
        or all weights are zero, if ``polyhedron`` is not a `Polyhedron` in d dimensions, if
        ``partition`` is invalid for these means, or if the noise is invalid, see `transport_cost`.

    See Also
    --------
    transport_cost : cost of changing the constrained Pareto set
    easiest_partition : the partition that is cheapest to identify

    References
    ----------
    Kone et al. 2025, Constrained Pareto set identification with bandit feedback, ICML.

    Examples
    --------
    >>> import pareto_core as pc
    >>> region = pc.orthant([-0.5])
    >>> partition = pc.Partition(optimal=[1], dominated=[0], infeasible=[])
    >>> print(round(pc.partition_cost([[0.0], [1.0]], [0.5, 0.5], region, partition).value, 6))
    0.125
    """
    means = check_means(means)
    weights = check_weights(weights, means.shape[0])
    labels = reasons_of(means, polyhedron, partition)
    noise = {"variance": variance, "covariance": covariance}
    return _answered(means, weights, polyhedron=polyhedron, labels=labels, **noise)


def _answered(
    means,
    weights,
    problem=PARETO_SET.name,
    method="auto",
    polyhedron=None,
    variance=None,
    covariance=None,
    labels=None,
    points=None,
):
    """Cost of refuting the answer, or the labels of a partition; points are of a linear model."""
    means, noise, units = given_noise(means, variance, covariance)
    flat, exponent = unit_weights(weights.ravel())
    weights = flat.reshape(weights.shape)
    written = alternative, gradient = np.empty_like(means), np.empty_like(weights)
    is_confusion = problem == BEST_ARMS.name
    if points is not None:
        response = allocate_linear_response(*points.shape, means.shape[1])
        search = cheapest_linear_confusion if is_confusion else cheapest_linear_alternative
        value = search(means, points, weights, np.inf, response)
        write_linear_move(means, response, *written)
        arm = int(response.found[0]["moved"])
    elif is_confusion:
        value, *confusion = cheapest_confusion(means, weights, noise)
        write_confusion(means, weights, noise, tuple(confusion), *written)
        arm = confusion[-1]
    else:
        region, searched = region_of(polyhedron, units), METHODS.get(method)
        oracle = allocate_oracle(*means.shape, noise, region, weights.ndim == 2, searched)
        cost = _cost_by_cells if method == "cells" else write_cost
        value, arm = cost(means, weights, noise, region, labels, oracle, *written)
    if units is not None:
        alternative *= units
    return TransportCost(_scaled_cost(value, exponent), gradient, alternative, arm)


def reasons_of(means, polyhedron, partition):
    """``OPTIMAL``, ``DOMINATED`` or ``INFEASIBLE`` for each arm, shape (K,)."""
    if not is_valid_partition(means, polyhedron, partition):
        raise ValueError(f"partition = {partition!r}; expected a valid partition for the means")
    reasons = np.empty(means.shape[0], np.int64)
    for reason, arms in zip((OPTIMAL, DOMINATED, INFEASIBLE), partition, strict=True):
        reasons[np.asarray(arms, int)] = reason
    return reasons


def refuse_with(what, **given):
    """Refuse arguments that do not go with ``what``: all that are not None."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} = {shown(value)} with {what}; expected the default")


def _scaled_cost(value, exponent):
    """Cost at weights that are 2^exponent times as large."""
    try:
        return math.ldexp(value, int(exponent))
    except OverflowError as error:
        raise ValueError(
            f"weights of magnitude 2^{exponent}; expected smaller weights: the cost overflows"
        ) from error


def check_region(problem, polyhedron, n_objectives):
    """Check that a polyhedron is given if and only if the problem needs one."""
    if problem == CONSTRAINED_PARETO_SET.name:
        check_polyhedron(polyhedron, n_objectives)
    elif polyhedron is not None:
        raise ValueError(f"polyhedron = {polyhedron!r} for problem = {problem!r}; expected None")


@kernel
def write_cost(means, weights, noise, region, labels, oracle, alternative, gradient):
    """Fill ``alternative`` and ``gradient``; return the cost and the arm of `TransportCost`."""
    means, weights, noise, region = lend(means), lend(weights), lend(noise), lend(region)
    oracle, alternative, gradient = lend(oracle), lend(alternative), lend(gradient)
    label(means, noise, region, lend(labels), oracle)
    value = cheapest_move(means, weights, noise, region, np.inf, oracle)
    write_move(means, weights, noise, oracle, alternative, gradient)
    return value, oracle.found[0]["arm"]


@kernel
def _cost_by_cells(means, weights, noise, region, labels, oracle, alternative, gradient):
    """As `write_cost`, with the cells of the paper, for unit variance and without a region."""
    means, weights, oracle = lend(means), lend(weights), lend(oracle)
    alternative, gradient = lend(alternative), lend(gradient)
    value = cheapest_alternative_by_cells(means, weights, oracle)
    write_move(means, weights, noise, oracle, alternative, gradient)
    return value, oracle.found[0]["arm"]
