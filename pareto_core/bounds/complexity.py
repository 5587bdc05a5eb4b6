"""How many samples it takes: characteristic times, and bounds in terms of the gaps."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.bounds.cutting_planes import CharacteristicTime, certified_time, not_certified
from pareto_core.bounds.extremes import refuse_extreme, uniform_weights
from pareto_core.bounds.oracle_weights import certified_oracle_weights, oracle_space
from pareto_core.checks.arguments import (
    check_choice,
    check_costs,
    check_count,
    check_means,
    check_non_negative,
    check_positive,
    check_probability,
    check_tolerance,
)
from pareto_core.checks.words import ProblemName
from pareto_core.geometry.dominance import gaps, pareto_set
from pareto_core.geometry.partition import Partition, valid_partitions
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_core.transport.best_arms import confusion_cost
from pareto_core.transport.cost import PROBLEMS, check_region
from pareto_core.transport.near_alternatives import (
    near_constrained_gradients,
    near_gradients,
    near_partition_gradients,
)
from pareto_core.transport.oracle import search_method
from pareto_core.transport.partitions import reasons_of

__all__ = [
    "CharacteristicTime",
    "characteristic_time",
    "easiest_partition",
    "racing_lower_bound",
    "racing_upper_bound",
]

MOST_BOUNDS = 256  # linear bounds added per iteration, at the most


def characteristic_time(
    means: ArrayLike,
    relative_gap: float = 1e-4,
    max_iterations: int = 1000,
    problem: Literal[ProblemName, "partition"] = PARETO_SET.name,
    eta: float = 0.0,
    polyhedron: Polyhedron | None = None,
    partition: Partition | None = None,
    costs: ArrayLike | None = None,
) -> CharacteristicTime:
    r"""Characteristic time of an identification problem with unit-variance Gaussians.

    .. math::
        T^*(\mu)^{-1}=\max_{w\in\Delta_K}\ \min_{\lambda\in\mathrm{Alt}(\mu)}
        \sum_k\frac{w_k}{2}\|\mu_k-\lambda_k\|^2

    with the alternatives of `transport_cost`: for the Pareto set (Crepon et al. 2024,
    Proposition 1) or that of the feasible arms (Kone et al. 2025, constrained, Appendix B),
    with those of `partition_cost` for one right answer with reasons, or for the best arm of
    every objective, where T* is :math:`c^*` of Chen et al. (2024, Equation (5)).

    Except for best arms, every alternative gives a linear upper bound on the inner minimum,
    its gradient. A linear program maximises the smallest bound found so far; the next
    proportions are taken half way between its solution and the best ones known, where all
    alternatives less than twice as expensive as the cheapest add their bounds. The
    certificate does not rest on the linear program's accuracy: its dual weights average the
    gradients, and the largest entry of any average bounds 1/T* from above.

    For best arms, the reciprocals of the numbers of samples, :math:`x_i=1/u_i`, minimise
    :math:`\sum_i1/x_i` under the linear limits
    :math:`x_i+x_{b_m}\le\Delta_{im}^2/2`. An interior-point method finds them and the
    prices of the limits, which are the certificate (`pareto_core.bounds.oracle_weights`).

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation.
    relative_gap : float, default 1e-4
        Stop when the upper and lower bound differ by less than this; at least 1e-12.
    max_iterations : int, default 1000
        Give up after so many best responses, or Newton steps.
    problem : str, default "pareto_set"
        What is asked for: ``"pareto_set"``, ``"best_arm_per_objective"``,
        ``"constrained_pareto_set"``, or a right answer with reasons, ``"partition"``.
    eta : float, default 0.0
        For best arms: only proportions of at least :math:`\eta/((1+\eta)K)` are allowed,
        the set :math:`\Gamma^{(\eta)}` of Chen et al. (2024, Section 4). The time
        :math:`\tilde c` is then at most :math:`(1+\eta)c^*`.
    polyhedron : Polyhedron, optional
        The feasible region, for the constrained Pareto set and for partitions.
    partition : Partition, optional
        The right answer; by default that of the shortest time, see `easiest_partition`.
    costs : array_like, shape (K,), optional
        What a sample of each arm costs, for the Pareto set, constrained or not. The time is then
        the smallest cost for each nat of log(1/delta), and the proportions are shares of it:
        :math:`w_k/c_k` samples of arm k for a unit of cost in place of :math:`w_k` (Kanarios,
        Zhang & Ying 2024, for the best arm).

    Returns
    -------
    CharacteristicTime
        Time, proportions and certified gap. The time is infinite, with uniform
        proportions, when two Pareto optimal arms are equal, a dominated arm is
        not strictly dominated, or an arm that matters is on the boundary of the polyhedron;
        for best arms, when an objective has two.

    Raises
    ------
    ValueError
        If an argument is out of range, or ``eta``, a polyhedron or a partition is given to a
        problem that has none, or a polyhedron is missing; or if the time is finite, but beyond
        1e300 or below 1e-300, as with means that differ by less than 1e-150.
    RuntimeError
        If the gap is not reached in ``max_iterations``.

    Examples
    --------
    >>> import pareto_core as pc
    >>> print(round(pc.characteristic_time([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]).time, 2))
    9.33
    """
    means = check_means(means)
    check_tolerance(relative_gap, "relative_gap")
    check_count(max_iterations, "max_iterations")
    check_choice(problem, "problem", (*PROBLEMS, PARTITION.name))
    if problem == PARTITION.name:
        check_polyhedron(polyhedron, means.shape[1])
    else:
        check_region(problem, polyhedron, means.shape[1])
    if check_non_negative(eta, "eta") > 0 and problem != BEST_ARMS.name:
        raise ValueError(f"eta = {eta!r} for problem = {problem!r}; expected 0")
    if partition is not None and problem != PARTITION.name:
        raise ValueError(f"partition = {partition!r} for problem = {problem!r}; expected None")
    if costs is not None and problem not in (PARETO_SET.name, CONSTRAINED_PARETO_SET.name):
        raise ValueError(f"costs = {costs!r} for problem = {problem!r}; expected None")
    limits = relative_gap, max_iterations
    if problem == BEST_ARMS.name:
        return _best_arms_time(means, *limits, float(eta))
    if problem == PARTITION.name and partition is None:
        return easiest_partition(means, polyhedron, *limits)[1]
    if problem == PARTITION.name:
        return _partition_time(means, polyhedron, partition, *limits)
    if problem == CONSTRAINED_PARETO_SET.name:
        rows = polyhedron.rows()
        near = _linear_bounds(near_constrained_gradients, means, *rows)
    else:
        near = _linear_bounds(near_gradients, means)
    if costs is not None:
        costs = check_costs(costs, len(means))
        near = _in_cost(near, costs)
    refuse_extreme(near(uniform_weights(len(means)))[0], means, polyhedron, costs)
    return certified_time(near, len(means), *limits)


def _in_cost(linear_bounds, costs):
    """The same function of the shares of a cost."""

    def of_shares(shares):
        value, gradients = linear_bounds(shares / costs)
        return value, gradients / costs

    return of_shares


def _best_arms_time(means, relative_gap, max_iterations, eta):
    """`characteristic_time` for the best arm of every objective."""
    refuse_extreme(confusion_cost(means, uniform_weights(len(means))), means)
    weights = np.empty(means.shape[0])
    space = oracle_space(*means.shape)
    gap, steps = certified_oracle_weights(
        means, eta, float(relative_gap), max_iterations, space, weights
    )
    value = confusion_cost(means, weights)
    if not gap <= relative_gap:
        raise not_certified(relative_gap, steps, value, value * (1 + gap))
    return CharacteristicTime(1 / value if value > 0 else np.inf, weights, gap, steps)


def _linear_bounds(near, means, *answer):
    """Function from weights to the cost and the gradients that the kernel ``near`` finds."""
    method = search_method(means.shape[1])

    def linear_bounds(weights):
        gradients = np.empty((MOST_BOUNDS, means.shape[0]))
        value, count = near(means, weights, *answer, method, gradients)
        return value, gradients[:count]

    return linear_bounds


def easiest_partition(
    means: ArrayLike, polyhedron: Polyhedron, relative_gap: float = 1e-4, max_iterations: int = 1000
) -> tuple[Partition, CharacteristicTime]:
    r"""The right answer with reasons that takes the fewest samples to verify, and its time.

    The smallest :math:`T^*` of `characteristic_time` for ``problem = "partition"``.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation.
    polyhedron : Polyhedron
        The feasible region.
    relative_gap, max_iterations
        See `characteristic_time`.

    Returns
    -------
    partition : Partition
    time : CharacteristicTime

    Raises
    ------
    ValueError
        See `valid_partitions`.
    RuntimeError
        If the gap is not reached in ``max_iterations``.

    Examples
    --------
    >>> import pareto_core as pc
    >>> partition, time = pc.easiest_partition(
    ...     [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], pc.orthant([-0.5, -0.5])
    ... )
    >>> print(partition.optimal, round(time.time, 2))
    [0 1] 17.14
    """
    means = check_means(means)
    check_tolerance(relative_gap, "relative_gap")
    check_count(max_iterations, "max_iterations")
    answers = valid_partitions(means, polyhedron)
    found = [
        _partition_time(means, polyhedron, answer, relative_gap, max_iterations)
        for answer in answers
    ]
    best = int(np.argmin([time.time for time in found]))
    return answers[best], found[best]


def _partition_time(means, polyhedron, partition, relative_gap, max_iterations):
    """`characteristic_time` for one right answer."""
    reasons = reasons_of(means, polyhedron, partition)
    rows = polyhedron.rows()
    near = _linear_bounds(near_partition_gradients, means, *rows, reasons)
    refuse_extreme(near(uniform_weights(len(means)))[0], means, polyhedron)
    return certified_time(near, len(means), relative_gap, max_iterations)


def racing_upper_bound(
    means: ArrayLike, delta: float, epsilon: float = 0.0, constant: float = 4320.0
) -> float:
    r"""Samples that Racing needs at the most, by theory.

    .. math::
        \sum_i\frac{4320}{(\Delta_i^{\epsilon_0})^2}
        \log\frac{12Kd}{\delta\Delta_i^{\epsilon_0}},\qquad
        \Delta_i^{\epsilon_0}=\max\{\Delta_i,\epsilon_0\}

    (Auer et al. 2016, Theorem 4), for rewards that are 1-subgaussian.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective; in standard deviations.
    delta : float
        Risk, in (0, 1).
    epsilon : float, default 0.0
        Accuracy :math:`\epsilon_0`.
    constant : float, default 4320
        Another constant in its place.

    Returns
    -------
    float
        Samples; infinite if a gap is zero and epsilon too.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    means = check_means(means)
    check_probability(delta, "delta")
    gap = np.maximum(gaps(means, "auer"), check_non_negative(epsilon, "epsilon"))
    if gap.min() == 0:
        return np.inf
    logarithm = np.maximum(np.log(12 * means.size / (delta * gap)), 0)
    return float((check_positive(constant, "constant") / gap**2 * logarithm).sum())


def racing_lower_bound(means: ArrayLike, delta: float, epsilon: float = 0.0) -> float:
    r"""Samples that any algorithm needs on some distributions, up to a constant.

    .. math::
        \sum_i\frac{1}{(\tilde\Delta_i^{\epsilon_0})^2}\log\frac1\delta

    with :math:`\tilde\Delta_i^{\epsilon_0}` the larger of :math:`\epsilon_0` and
    :math:`\Delta_i^*` for a dominated arm, :math:`\Delta_i^+` for an optimal one (Auer et
    al. 2016, Theorem 17, which leaves the constant in front open).

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective; in standard deviations.
    delta : float
        Risk, in (0, 1).
    epsilon : float, default 0.0
        Accuracy :math:`\epsilon_0`.

    Returns
    -------
    float
        Samples; infinite if a gap is zero and epsilon too.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    means = check_means(means)
    gap = gaps(means, "auer")
    front = pareto_set(means)
    apart = (means[front, None, :] - means[None, front, :]).max(axis=2)
    np.fill_diagonal(apart, np.inf)
    gap[front] = np.minimum(apart, apart.T).min(axis=1)
    gap = np.maximum(gap, check_non_negative(epsilon, "epsilon"))
    log_risk = -np.log(check_probability(delta, "delta"))
    return float((log_risk / gap**2).sum()) if gap.min() > 0 else np.inf
