"""Sample complexity: characteristic times."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.bounds.cutting_planes import CharacteristicTime, certified_time, not_certified
from pareto_core.bounds.interior_point import pair_space
from pareto_core.bounds.oracle_weights import certified_oracle_weights
from pareto_core.checks.arguments import (
    check_choice,
    check_costs,
    check_count,
    check_flag,
    check_means,
    check_non_negative,
    check_separate_costs,
    check_tolerance,
)
from pareto_core.checks.words import ProblemName
from pareto_core.geometry.partition import Partition, valid_partitions
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron
from pareto_core.questions import BEST_ARMS, PARETO_SET, PARTITION
from pareto_core.transport.best_arms import confusion_cost, near_confusions
from pareto_core.transport.cost import (
    PROBLEMS,
    check_region,
    reasons_of,
    refuse_with,
)
from pareto_core.transport.linear_oracle import (
    allocate_linear_response,
    check_linear,
    near_linear_confusions,
    near_linear_gradients,
)
from pareto_core.transport.metric import checked_noise, given_noise, region_of
from pareto_core.transport.oracle import allocate_oracle
from pareto_core.transport.walk import near_gradients

__all__ = [
    "CharacteristicTime",
    "characteristic_time",
    "easiest_partition",
]

MOST_BOUNDS = 256  # largest number of linear bounds added per iteration, beside two for each arm
MOST_GRADIENTS = 2**21  # numbers in the bounds of separate measurements added per iteration
LARGEST_TIME = 1e300
LEAST_UNIT = 1e-6  # of a proportion in the linear programs, where many of the best ones are 0


def characteristic_time(
    means: ArrayLike,
    relative_gap: float = 1e-4,
    max_iterations: int = 1000,
    problem: Literal[ProblemName, "partition"] = PARETO_SET.name,
    eta: float = 0.0,
    polyhedron: Polyhedron | None = None,
    partition: Partition | None = None,
    costs: ArrayLike | None = None,
    features: ArrayLike | None = None,
    variance: ArrayLike | None = None,
    covariance: ArrayLike | None = None,
    separate: bool = False,
) -> CharacteristicTime:
    r"""Characteristic time of an identification problem with Gaussian rewards of known variance.

    .. math::
        T^*(\mu)^{-1}=\max_{w\in\Delta_K}\ \min_{\lambda\in\mathrm{Alt}(\mu)}
        \sum_k\frac{w_k}{2}\|\mu_k-\lambda_k\|^2

    The alternatives are those of `transport_cost`, for the Pareto set (Crepon et al. 2024,
    Proposition 1), for the Pareto set of the feasible arms (Kone et al. 2025, constrained,
    Appendix B), or for the best arm of every objective, where T* is :math:`c^*` of Chen et al.
    (2024, Equation (5)). For a partition they are those of `partition_cost`. If the noise is given,
    the distance of arm k is in the metric of its covariance.

    It is certified by cutting planes (`pareto_core.bounds.cutting_planes`), or for best arms with
    unit variance and without features or costs by dual prices
    (`pareto_core.bounds.oracle_weights`), whatever the accuracy of the optimiser.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation unless the noise is given.
    relative_gap : float, default 1e-4
        Stop when the upper and lower bound differ by less than this share; at least 1e-12.
    max_iterations : int, default 1000
        Largest number of best responses, or of Newton steps for best arms without features.
    problem : str, default "pareto_set"
        The question: ``"pareto_set"``, ``"best_arm_per_objective"``,
        ``"constrained_pareto_set"`` or ``"partition"``.
    eta : float, default 0.0
        For best arms: only proportions of at least :math:`\eta/((1+\eta)K)` are allowed,
        the set :math:`\Gamma^{(\eta)}` of Chen et al. (2024, Section 4). The time
        :math:`\tilde c` is then at most :math:`(1+\eta)c^*`. Not with costs or known noise.
    polyhedron : Polyhedron, optional
        The feasible region, for the constrained Pareto set and for partitions.
    partition : Partition, optional
        A valid partition; by default the partition with the shortest time, see
        `easiest_partition`.
    costs : array_like, shape (K,), optional
        Cost of a sample of each arm; not with ``eta``. The time is then the
        smallest cost for each nat of log(1/delta), and the proportions are shares of the cost:
        a unit of cost buys :math:`w_k/c_k` samples of arm k (Kanarios, Zhang & Ying 2024, for the
        best arm).
    features : array_like, shape (K, h), optional
        Features of each arm, for the Pareto set or best arms: the means, and those of all
        alternatives, are linear in them, see `transport_cost`.
    variance, covariance : array_like, optional
        Noise of each arm and objective, see `transport_cost`.
    separate : bool, default False
        Whether each measurement is of one objective of one arm, for the Pareto set and best arms
        with independent objectives. The weights are then those of each arm and objective, shape
        (K, d), and ``costs`` those of a measurement, shape (d,) or (K, d); 1 by default. As it is
        also possible to measure all objectives of an arm each time, the time is at most
        that of joint samples that cost the sum of ``costs`` over the objectives: without costs, at
        most d times the time of joint samples. For best arms it is the sum of the times of the
        single objectives.

    Returns
    -------
    CharacteristicTime
        Time, proportions and certified gap. The time is infinite, with uniform
        proportions, if two Pareto optimal arms are equal, if a dominated arm is
        not strictly dominated, or if an arm that matters is on the boundary of the polyhedron.
        For best arms it is infinite if an objective has two best arms.

    Raises
    ------
    ValueError
        If ``means`` or ``costs`` is invalid, if a tolerance or a number of iterations is out of
        range, if ``problem`` is unknown or does not use ``eta``, ``polyhedron`` or ``partition``,
        if ``polyhedron`` is missing, or if ``partition`` is invalid for the means. If ``features``
        or the noise is not valid for the means or the problem, see `transport_cost`, or given with
        ``eta``. If the time
        is finite, but above 1e300 or below 1e-300, for example with means that differ by less than
        1e-150.
    RuntimeError
        If the gap is not reached in ``max_iterations``.

    See Also
    --------
    transport_cost : the inner minimum
    easiest_partition : the partition with the shortest time

    References
    ----------
    Crepon, Garivier & Koolen 2024, Sequential learning of the Pareto front for multi-objective
    bandits, AISTATS, arXiv:2501.17513: Proposition 1.

    Garivier & Kaufmann 2016, Optimal best arm identification with fixed confidence, COLT.

    Chen et al. 2024, Optimal multi-objective best arm identification with fixed confidence:
    Equation (5).

    Kone et al. 2025, Constrained Pareto set identification with bandit feedback, ICML: Appendix B.

    Examples
    --------
    >>> import pareto_core as pc
    >>> print(round(pc.characteristic_time([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]).time, 2))
    9.33

    Measuring objectives by themselves, the first of which costs ten times as much:

    >>> means = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]
    >>> print(round(pc.characteristic_time(means, costs=[10.0, 1.0], separate=True).time, 1))
    96.1
    """
    means = check_means(means)
    check_tolerance(relative_gap, "relative_gap")
    check_count(max_iterations, "max_iterations")
    limits = relative_gap, max_iterations
    noise = {"variance": variance, "covariance": covariance}
    _check_question(problem, means.shape[1], polyhedron, eta)
    if check_flag(separate, "separate"):
        other = None if problem in (PARETO_SET.name, BEST_ARMS.name) else problem
        refused = {"problem": other, "partition": partition, "covariance": covariance}
        refuse_with("separate = True", eta=eta or None, features=features, **refused)
        return _separate_time(means, costs, variance, limits, problem)
    if partition is not None and problem != PARTITION.name:
        raise ValueError(f"partition = {partition!r} for problem = {problem!r}; expected None")
    if problem == PARTITION.name and partition is None:
        return easiest_partition(means, polyhedron, *limits, costs=costs, **noise)[1]
    points = check_linear(problem, means, features)
    if points is not None:
        refuse_with("features", eta=eta or None, **noise)
    has_noise = variance is not None or covariance is not None
    if problem == BEST_ARMS.name and costs is None and not has_noise and points is None:
        return _best_arms_time(means, *limits, float(eta))
    labels = None if partition is None else reasons_of(means, polyhedron, partition)
    means, noise, units = given_noise(means, **noise)
    if eta > 0:
        raise ValueError(f"eta = {eta!r} with known noise or costs; expected 0")
    region = region_of(polyhedron, units)
    costs = 1.0 if costs is None else check_costs(costs, len(means))
    near = _linear_bounds(problem, means, points, noise, region, labels, costs)
    refuse_extreme(near(uniform_weights(len(means)))[0], means, region, costs)
    return certified_time(near, len(means), *limits, 0.0 if points is None else LEAST_UNIT)


def _check_question(problem, d, polyhedron, eta):
    """Check a question, and what belongs to it alone."""
    check_choice(problem, "problem", (*PROBLEMS, PARTITION.name))
    if problem == PARTITION.name:
        check_polyhedron(polyhedron, d)
    else:
        check_region(problem, polyhedron, d)
    if check_non_negative(eta, "eta") > 0 and problem != BEST_ARMS.name:
        raise ValueError(f"eta = {eta!r} for problem = {problem!r}; expected 0")


def _linear_bounds(problem, means, points, noise, region, labels, costs):
    """`_bounds_from` the kernel for a question, whose first arguments are means and weights."""
    most = MOST_BOUNDS + (0 if points is not None else 2 * len(means))
    if points is not None:
        near = near_linear_gradients if problem == PARETO_SET.name else near_linear_confusions
        response = allocate_linear_response(*points.shape, means.shape[1])
        rest = points, response, np.empty_like(means)
    elif problem == BEST_ARMS.name:
        near, rest = near_confusions, (noise,)
    else:
        oracle = allocate_oracle(*means.shape, noise, region)
        near, rest = near_gradients, (noise, region, labels, oracle, np.empty_like(means))
    return _bounds_from(near, means, rest, (len(means),), most, costs)


def _bounds_from(near, means, rest, shape, most, costs):
    """Function that maps flat shares of the cost to the value and the gradients of ``near``."""

    def linear_bounds(shares):
        weights, gradients = shares / costs, np.empty((most, *shape))
        value, count = near(means, weights.reshape(shape), *rest, gradients)
        return value, gradients[:count].reshape(count, -1) / costs

    return linear_bounds


def _best_arms_time(means, relative_gap, max_iterations, eta):
    """`characteristic_time` for the best arm of every objective."""
    refuse_extreme(confusion_cost(means, uniform_weights(len(means))), means)
    weights = np.empty(means.shape[0])
    space = pair_space(*means.shape)
    gap, steps = certified_oracle_weights(
        means, eta, float(relative_gap), max_iterations, space, weights
    )
    value = confusion_cost(means, weights)
    if not gap <= relative_gap:
        raise not_certified(relative_gap, steps, value, value * (1 + gap))
    return CharacteristicTime(1 / value if value > 0 else np.inf, weights, gap, steps)


def _separate_time(means, costs, variance, limits, problem):
    """`characteristic_time` if each objective of an arm is measured by itself, at its own cost."""
    prices = np.ones(means.shape)
    if costs is not None:
        prices = check_separate_costs(costs, means.shape)
    if variance is not None:  # a unit of information costs this many times as much
        noise = checked_noise(variance, None, *means.shape)
        prices = prices * np.diagonal(noise, axis1=1, axis2=2)
    if problem == BEST_ARMS.name:
        return _separate_best_arms_time(means, prices, limits)
    most = min(MOST_BOUNDS, max(MOST_GRADIENTS // means.size, 1))
    oracle = allocate_oracle(*means.shape, separate=True)
    rest = None, None, None, oracle, np.empty_like(means)
    near = _bounds_from(near_gradients, means, rest, means.shape, most, prices.ravel())
    refuse_extreme(means.shape[1] * near(uniform_weights(means.size))[0], means, None, prices)
    found = certified_time(near, means.size, *limits, LEAST_UNIT)
    return CharacteristicTime(found.time, found.weights.reshape(means.shape), *found[2:])


def _separate_best_arms_time(means, prices, limits):
    """The time of the best arm of every objective: the sum of those of its objectives.

    An alternative concerns one objective, so that a share s of the cost gives evidence s / T* for
    it. The least evidence is largest if each share is proportional to T* of its objective.
    """
    found = [
        characteristic_time(means[:, [c]], *limits, problem=BEST_ARMS.name, costs=prices[:, c])
        for c in range(means.shape[1])
    ]
    times = np.array([each.time for each in found])
    gap = max(each.relative_gap for each in found)
    iterations = sum(each.iterations for each in found)
    if not np.isfinite(times).all():
        weights = uniform_weights(means.size).reshape(means.shape)
        return CharacteristicTime(np.inf, weights, gap, iterations)
    weights = np.column_stack([each.weights for each in found]) * (times / times.sum())
    return CharacteristicTime(float(times.sum()), weights, gap, iterations)


def uniform_weights(n_arms):
    """Equal proportions of all arms, shape (K,)."""
    return np.full(n_arms, 1 / n_arms)


def refuse_extreme(value, means, region=None, costs=1.0):
    """Refuse a problem whose time is finite, but out of range; ``value``: cost at equal shares."""
    # The cost of the best proportions is at most K times that of equal proportions. A cost of zero
    # means a tie, unless the squares of some differences have underflowed.
    if len(means) * value >= 1 / LARGEST_TIME and value <= LARGEST_TIME:
        return
    least = _smallest_difference(means, region)
    most = np.max(costs)
    if value > LARGEST_TIME or 2 * np.log10(least) - np.log10(most) < -np.log10(LARGEST_TIME):
        raise ValueError(
            f"means differ by as little as {least:.3g}"
            + ("" if np.ndim(costs) == 0 else f", costs are from {costs.min():.3g} to {most:.3g}")
            + f"; expected a characteristic time from {1 / LARGEST_TIME:g} to {LARGEST_TIME:g}: "
            "multiply the means by a constant c, which divides the time by its square"
        )


def _smallest_difference(means, region):
    """Smallest positive difference of two means, or of a mean and a bound of the region."""
    found = [np.diff(np.sort(means, axis=0), axis=0).ravel()]
    if region is not None:
        normals, offsets = region
        sizes = np.linalg.norm(normals, axis=1)
        found.append((np.abs(means @ normals.T - offsets) / sizes).ravel())
    differences = np.concatenate(found)
    return differences[differences > 0].min(initial=np.inf)


def easiest_partition(
    means: ArrayLike,
    polyhedron: Polyhedron,
    relative_gap: float = 1e-4,
    max_iterations: int = 1000,
    costs: ArrayLike | None = None,
    variance: ArrayLike | None = None,
    covariance: ArrayLike | None = None,
) -> tuple[Partition, CharacteristicTime]:
    r"""The valid partition that needs the fewest samples to verify, and its time.

    With costs, it is the one that costs least to verify. The time is the smallest :math:`T^*` of
    `characteristic_time` for ``problem = "partition"``.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation unless the noise is given.
    polyhedron : Polyhedron
        The feasible region.
    relative_gap, max_iterations, costs, variance, covariance
        See `characteristic_time`.

    Returns
    -------
    partition : Partition
    time : CharacteristicTime

    Raises
    ------
    ValueError
        If an argument is invalid, or if more than 16 arms are both infeasible and dominated, see
        `valid_partitions`.
    RuntimeError
        If the gap is not reached in ``max_iterations``.

    See Also
    --------
    characteristic_time, partition_cost

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
    given = {"costs": costs, "variance": variance, "covariance": covariance}
    given |= {"problem": PARTITION.name, "polyhedron": polyhedron}
    answers = valid_partitions(means, polyhedron)
    found = [
        characteristic_time(means, relative_gap, max_iterations, partition=answer, **given)
        for answer in answers
    ]
    best = int(np.argmin([time.time for time in found]))
    return answers[best], found[best]
