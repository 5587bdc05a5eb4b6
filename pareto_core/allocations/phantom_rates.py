r"""The rate at which the probability of a wrong Pareto set decays, computed with phantoms.

It replaces the additions among the alternatives of the transportation cost: a dominated arm j
reaches a phantom x while the arms :math:`a_c` that define it are lowered to x, each in its one
objective. The arms of these proofs have no ties; costs are continuous, so that ties change nothing.

**The rate is never above the transportation cost if the optimal arms have proportional
variances,** :math:`\sigma_{ic}^2=s_i\sigma_c^2`. Let x be the new mean of j in an alternative. Each
optimal arm i pays at least for its cheapest objective, in which
:math:`e_{ic}=(\mu_{ic}-x_c)_+/\sigma_c` is smallest. Among the points u that no optimal arm
exceeds, take one whose sorted values :math:`(u_c-x_c)_+/\sigma_c`, the largest first, are
lexicographically smallest; lowering u to a phantom does not raise them. If an arm a defined
coordinate c of this phantom with :math:`e_{ac}>e_{ac'}`, one could lower coordinate c below a and
raise coordinate c' to a instead, and the sorted values would decrease. Hence no arm pays more for
the phantom than for the alternative.

**It equals the transportation cost in two objectives, whatever the noise is.** In an alternative,
let t be the arm with the largest second mean among those lowered in objective 2. All arms with a
larger second mean are lowered in objective 1, among them the neighbour s of t on the front, so that
the alternative costs no less than the phantom of s and t. Conversely, let j reach this phantom, and
let another arm s' still dominate it, with a larger second mean than s, say. Then s was lowered in
objective 1 past s'. On its way, it first became as bad as s' in objective 1, or as good as s' in
objective 2. There one of the two arms left the Pareto set, at a lower cost.

In three objectives the rate can be below the cost, because other optimal arms may still dominate
arm j at the phantom, and above it, if the variances of the optimal arms are not proportional.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.allocations.given_problem import given_problem, with_unit_range
from pareto_core.allocations.maximin import allocate_program, certified, maximise_least_rate
from pareto_core.allocations.phantom_points import find_phantoms
from pareto_core.allocations.rates import add_exclusion, add_inclusion, allocate_rates, rate_of
from pareto_core.checks.arguments import check_weights
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import pareto_set

__all__ = ["phantom_allocation", "phantom_rate"]

TOLERANCE = 1e-9
MOST_STEPS = 200


def phantom_rate(
    means: ArrayLike,
    weights: ArrayLike,
    variance: ArrayLike | None = None,
    covariance: ArrayLike | None = None,
) -> float:
    r"""Cost of the cheapest wrong answer, with phantoms in place of most alternatives.

    The smallest of

    * the cost at which a dominated arm j reaches a phantom (`phantoms`), with a the arms that
      define it, C the objectives in which it is limited, and the rows and columns C of
      :math:`\Sigma_j`:

      .. math::
          \min_{x}\ \frac{w_j}2(x-\mu_j)'\Sigma_j^{-1}(x-\mu_j)
          +\sum_{c\in C}\frac{w_{a_c}}{2\sigma_{a_cc}^2}(\mu_{a_cc}-x_c)_+^2;

    * the cost at which one optimal arm becomes as good as another.

    It equals the transportation cost if there are at most two objectives. With more it is at most
    the transportation cost if all optimal arms have the same variances, or proportional ones; it
    can be smaller, and larger with other variances. For proofs see
    `pareto_core.allocations.phantom_rates`.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective; larger is better.
    weights : array_like, shape (K,)
        Samples of each arm, or its share of the samples.
    variance, covariance : array_like, optional
        Noise of each arm and objective, see `transport_cost`; unit variance by default.

    Returns
    -------
    float
        In nats, for the weights as they are: a rate per sample if they are shares.

    Raises
    ------
    ValueError
        If ``means``, ``weights`` or the noise is invalid.

    See Also
    --------
    transport_cost : the exact cost
    phantom_allocation : the shares that maximise this rate

    References
    ----------
    Applegate, Feldman, Hunter & Pasupathy 2020, Multi-objective ranking and selection: optimal
    sampling laws and tractable approximations via SCORE, Journal of Simulation 14(1).

    Feldman & Hunter 2018, SCORE allocations for bi-objective ranking and selection, ACM
    Transactions on Modeling and Computer Simulation 28(1).

    Examples
    --------
    >>> import pareto_core as pc
    >>> means, weights = [[2, 4, 9], [1, 9, 4], [0, 0, 0]], [1, 9, 9]
    >>> print(round(pc.phantom_rate(means, weights), 3))
    1.8
    >>> print(round(pc.transport_cost(means, weights).value, 3))
    3.316
    """
    means, covariance = given_problem(means, variance, covariance)
    weights = check_weights(weights, len(means))
    return _phantom_rate(means, covariance, weights, pareto_set(means))


@kernel
def _phantom_rate(means, covariance, weights, front):
    """`phantom_rate` for the optimal arms ``front``."""
    one = allocate_rates(1, means.shape[1])
    optimal = np.zeros(means.shape[0], np.bool_)
    optimal[front] = True
    least = np.inf
    corners = find_phantoms(means, front)
    for n in range(corners.shape[0]):
        for j in range(means.shape[0]):
            if not optimal[j]:
                one.size[0] = 0
                add_inclusion(means, j, corners[n], one)
                least = min(least, rate_of(covariance, weights, one, 0))
    for i in front:
        for j in front:
            if i != j:
                one.size[0] = 0
                add_exclusion(means, i, j, one)
                least = min(least, rate_of(covariance, weights, one, 0))
    return least


def phantom_allocation(
    means: ArrayLike, variance: ArrayLike | None = None, covariance: ArrayLike | None = None
) -> np.ndarray:
    """Shares of the samples that maximise `phantom_rate`.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective; larger is better.
    variance, covariance : array_like, optional
        Noise of each arm and objective, see `transport_cost`; unit variance by default.

    Returns
    -------
    ndarray, shape (K,)
        Shares with sum 1. Their rate is within a relative 1e-9 of the largest. All shares are equal
        if every share has the rate 0, for example if an optimal arm has a copy.

    Raises
    ------
    ValueError
        If ``means`` or the noise is invalid.
    RuntimeError
        If rounding errors prevent this accuracy.

    See Also
    --------
    characteristic_time : the shares that maximise the exact cost
    score_allocation : shares that are faster to compute

    References
    ----------
    Applegate, Feldman, Hunter & Pasupathy 2020, Multi-objective ranking and selection: optimal
    sampling laws and tractable approximations via SCORE, Journal of Simulation 14(1).

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.phantom_allocation([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]).round(3)
    array([0.429, 0.429, 0.143])
    """
    means, covariance = given_problem(means, variance, covariance)
    shares = np.empty(len(means))
    gap = _write_phantom_shares(with_unit_range(means), covariance, pareto_set(means), shares)
    return certified(shares, gap)


@kernel
def _write_phantom_shares(means, covariance, front, shares):
    """Write the shares of `phantom_allocation`; return their relative gap."""
    n_arms, d = means.shape
    optimal = np.zeros(n_arms, np.bool_)
    optimal[front] = True
    corners = find_phantoms(means, front)
    size = front.shape[0]
    most = corners.shape[0] * (n_arms - size) + size * (size - 1)
    rates = allocate_rates(most, d)
    for n in range(corners.shape[0]):
        for j in range(n_arms):
            if not optimal[j]:
                add_inclusion(means, j, corners[n], rates)
    for i in front:
        for j in front:
            if i != j:
                add_exclusion(means, i, j, rates)
    program = allocate_program(most, n_arms, n_arms, d)
    gap, _ = maximise_least_rate(
        covariance, rates, np.arange(n_arms), np.ones(n_arms), program, TOLERANCE, MOST_STEPS
    )
    copy_vector(shares, program.amounts)
    return gap
