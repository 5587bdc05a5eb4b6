"""How many samples it takes: characteristic times, and bounds in terms of the gaps."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from pareto_core._checks import (
    check_choice,
    check_count,
    check_means,
    check_non_negative,
    check_positive,
    check_probability,
)
from pareto_core._kernels import kernel
from pareto_core.dominance import gaps, pareto_set
from pareto_core.oracle_weights import certified_oracle_weights, oracle_space
from pareto_core.questions import BEST_ARMS, PARETO_SET
from pareto_core.transport import PROBLEMS
from pareto_core.transport.addition import single_arm_bound
from pareto_core.transport.best_arms import confusion_cost
from pareto_core.transport.oracle import (
    BRANCH_AND_BOUND,
    SWEEP,
    allocate_response,
    cheapest_alternative,
    free_arm,
    write_alternative,
    write_gradient,
)
from pareto_core.transport.removal import removal_cost

__all__ = [
    "CharacteristicTime",
    "characteristic_time",
    "racing_lower_bound",
    "racing_upper_bound",
]

MOST_BOUNDS = 256  # linear bounds added per iteration, at the most
NEAR = 2.0  # alternatives so many times the cheapest one's cost add their bound


class CharacteristicTime(NamedTuple):
    """A characteristic time with its certificate.

    Attributes
    ----------
    time : float
        T*, or c~ with a floor, samples per nat of log(1/delta): that of ``weights``, so
        never below the true one.
    weights : ndarray, shape (K,)
        Proportions of the arms that attain ``time``.
    relative_gap : float
        Certified: the true T* lies in [time / (1 + relative_gap), time].
    iterations : int
        Best responses computed, or Newton steps taken.
    """

    time: float
    weights: np.ndarray
    relative_gap: float
    iterations: int


def characteristic_time(
    means, relative_gap=1e-4, max_iterations=1000, problem=PARETO_SET.name, eta=0.0
):
    r"""Characteristic time of an identification problem with unit-variance Gaussians.

    .. math::
        T^*(\mu)^{-1}=\max_{w\in\Delta_K}\ \min_{\lambda\in\mathrm{Alt}(\mu)}
        \sum_k\frac{w_k}{2}\|\mu_k-\lambda_k\|^2

    with the alternatives of `transport_cost`: for the Pareto set (Crepon et al. 2024,
    Proposition 1), or for the best arm of every objective, where T* is
    :math:`c^*` of Chen et al. (2024, Equation (5)).

    For the Pareto set, every alternative gives a linear upper bound on the inner minimum,
    its gradient. A linear program maximises the smallest bound found so far; the next
    proportions are taken half way between its solution and the best ones known, where all
    alternatives less than twice as expensive as the cheapest add their bounds. The
    certificate does not rest on the linear program's accuracy: its dual weights average the
    gradients, and the largest entry of any average bounds 1/T* from above.

    For best arms, the reciprocals of the numbers of samples, :math:`x_i=1/u_i`, minimise
    :math:`\sum_i1/x_i` under the linear limits
    :math:`x_i+x_{b_m}\le\Delta_{im}^2/2`. An interior-point method finds them and the
    prices of the limits, which are the certificate (`pareto_core.oracle_weights`).

    Parameters
    ----------
    means : array_like, shape (K, d)
        Means, in units of the noise's standard deviation.
    relative_gap : float, default 1e-4
        Stop when the upper and lower bound differ by less than this.
    max_iterations : int, default 1000
        Give up after so many best responses, or Newton steps.
    problem : {"pareto_set", "best_arm_per_objective"}, default "pareto_set"
        What is asked for.
    eta : float, default 0.0
        For best arms: only proportions of at least :math:`\eta/((1+\eta)K)` are allowed,
        the set :math:`\Gamma^{(\eta)}` of Chen et al. (2024, Section 4). The time
        :math:`\tilde c` is then at most :math:`(1+\eta)c^*`.

    Returns
    -------
    CharacteristicTime
        Time, proportions and certified gap. The time is infinite, with uniform
        proportions, when two Pareto optimal arms are equal, or a dominated arm is
        not strictly dominated; for best arms, when an objective has two.

    Raises
    ------
    ValueError
        If an argument is out of range, or ``eta`` is not 0 and the Pareto set is asked for.
    RuntimeError
        If the gap is not reached in ``max_iterations``.
    """
    means = check_means(means)
    check_positive(relative_gap, "relative_gap")
    check_count(max_iterations, "max_iterations")
    check_choice(problem, "problem", PROBLEMS)
    if check_non_negative(eta, "eta") > 0 and problem == PARETO_SET.name:
        raise ValueError(f"eta = {eta!r} for problem = {problem!r}; expected 0")
    if problem == BEST_ARMS.name:
        return _best_arms_time(means, relative_gap, max_iterations, float(eta))
    return _pareto_set_time(means, relative_gap, max_iterations)


def _best_arms_time(means, relative_gap, max_iterations, eta):
    """`characteristic_time` for the best arm of every objective."""
    weights = np.empty(means.shape[0])
    space = oracle_space(*means.shape)
    gap, steps = certified_oracle_weights(
        means, eta, float(relative_gap), max_iterations, space, weights
    )
    value = confusion_cost(means, weights)
    if not gap <= relative_gap:
        raise _not_certified(relative_gap, steps, value, value * (1 + gap))
    return CharacteristicTime(1 / value if value > 0 else np.inf, weights, gap, steps)


def _pareto_set_time(means, relative_gap, max_iterations):
    """`characteristic_time` for the Pareto set."""
    n_arms = means.shape[0]
    query = np.full(n_arms, 1 / n_arms)
    bounds = np.empty((0, n_arms))
    best, lower, upper = query, 0.0, np.inf
    for iteration in range(1, max_iterations + 1):
        value, found = _linear_bounds(means, query)
        if value == 0.0:
            return CharacteristicTime(np.inf, query, 0.0, iteration)
        if value > lower:
            best, lower = query, value
        bounds = np.vstack([bounds, found])
        solution, dual = _maximise_smallest(bounds, best, lower)
        upper = min(upper, float((dual @ bounds).max()))
        if upper <= lower * (1 + relative_gap):
            gap = max(upper / lower - 1, 0.0)
            return CharacteristicTime(1 / lower, best, gap, iteration)
        query = 0.5 * (solution + best)
    raise _not_certified(relative_gap, max_iterations, lower, upper)


def _not_certified(relative_gap, iterations, lower, upper):
    return RuntimeError(
        f"characteristic time not certified to {relative_gap} after {iterations} "
        f"iterations: the bounds on 1/T* are {lower} and {upper}"
    )


def _linear_bounds(means, weights):
    """Cost of the cheapest alternative, and the gradients of all that are near it."""
    method = SWEEP if means.shape[1] == 2 else BRANCH_AND_BOUND
    gradients = np.empty((MOST_BOUNDS, means.shape[0]))
    value, count = _near_gradients(means, weights, method, gradients)
    return value, gradients[:count]


@kernel
def _near_gradients(means, weights, method, gradients):
    """Fill rows of ``gradients`` with alternatives at most ``NEAR`` times the cheapest."""
    response = allocate_response(means.shape[0], means.shape[1])
    alternative = np.empty_like(means)
    value = cheapest_alternative(means, weights, method, np.inf, response)
    write_alternative(means, weights, response, alternative)
    write_gradient(means, alternative, gradients[0])
    count = 1
    limit = NEAR * value
    front = response.front[: response.found[0].size]
    for loser in front:
        for winner in front:
            if loser == winner or count == gradients.shape[0]:
                continue
            if removal_cost(means, weights, loser, winner) < limit:
                response.found[0].moved = loser
                response.found[0].winner = winner
                write_alternative(means, weights, response, alternative)
                write_gradient(means, alternative, gradients[count])
                count += 1
    for target in range(means.shape[0]):
        if response.optimal[target] or count == gradients.shape[0]:
            continue
        if single_arm_bound(means, weights, front, front.size, target) < limit:
            if free_arm(means, weights, target, limit, method, response) < limit:
                write_alternative(means, weights, response, alternative)
                write_gradient(means, alternative, gradients[count])
                count += 1
    return value, count


def _maximise_smallest(bounds, weights, value):
    """Maximise over the simplex the smallest of linear functions; also return its dual.

    ``weights`` are near-optimal proportions and ``value`` their smallest bound. In
    units of these the coefficients are of order one, however far apart the
    proportions are.
    """
    count, n_arms = bounds.shape
    objective = np.zeros(n_arms + 1)
    objective[-1] = -1
    result = linprog(
        objective,
        A_ub=np.hstack([-bounds * weights / value, np.ones((count, 1))]),
        b_ub=np.zeros(count),
        A_eq=np.append(weights, 0)[None],
        b_eq=[1],
        bounds=[(0, None)] * n_arms + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.status != 0:
        raise RuntimeError(
            f"the linear program of the characteristic time failed: {result.message}"
        )
    dual = np.maximum(-result.ineqlin.marginals, 0)
    solution = np.maximum(result.x[:-1], 0) * weights
    return solution / solution.sum(), dual / dual.sum()


def racing_upper_bound(means, delta, epsilon=0.0, constant=4320.0):
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


def racing_lower_bound(means, delta, epsilon=0.0):
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
