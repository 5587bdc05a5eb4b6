r"""Shares by SCORE, which replaces the optimal shares of the dominated arms by a formula.

The score of a dominated arm is half of its squared distance, in its own covariance, to the closest
phantom. The dominated arms divide their total share in inverse proportion to their scores. The
shares of the optimal arms and this total maximise the smallest of several rates (`maximin`):

* of a dominated arm that reaches a phantom: in every objective that limits an arm at its closest
  point to the phantom, the arm that is closest;
* of an optimal arm that becomes as good as another: in every objective that limits an arm at its
  closest point to the other arm, the arm that is closest, and all pairs whose score is at most the
  25th percentile of the scores of all pairs; each pair in both orders.

iSCORE is the same with the covariances between objectives set to 0.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.allocations.given_problem import given_problem, with_unit_range
from pareto_core.allocations.maximin import allocate_program, certified, maximise_least_rate
from pareto_core.allocations.phantom_points import FREE, find_phantoms
from pareto_core.allocations.rates import (
    FAR,
    add_exclusion,
    add_inclusion,
    allocate_rates,
)
from pareto_core.checks.arguments import check_flag
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import write_front
from pareto_core.transport.noise_removal import meeting_forces

__all__ = ["score_allocation", "write_score_shares"]

PERCENTILE = 0.25
TOLERANCE = 1e-9
MOST_STEPS = 200


def score_allocation(
    means: ArrayLike,
    variance: ArrayLike | None = None,
    covariance: ArrayLike | None = None,
    independent: bool = False,
) -> np.ndarray:
    """Shares of the samples by SCORE, or by iSCORE, which neglects correlations.

    See `pareto_core.allocations.score` for their definition.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective; larger is better.
    variance, covariance : array_like, optional
        Noise of each arm and objective, see `transport_cost`; unit variance by default.
    independent : bool, default False
        Whether to replace the covariances between objectives by 0: iSCORE.

    Returns
    -------
    ndarray, shape (K,)
        Shares with sum 1. All shares are equal if a rate is 0 at every share, for example if a
        dominated arm is as good as an optimal arm in an objective.

    Raises
    ------
    ValueError
        If ``means`` or the noise is invalid.
    RuntimeError
        If rounding errors prevent an accuracy of 1e-6 in the smallest rate.

    See Also
    --------
    characteristic_time : the shares of the largest exact rate
    phantom_allocation : the shares of the largest rate with phantoms

    References
    ----------
    Applegate, Feldman, Hunter & Pasupathy 2020, Multi-objective ranking and selection: optimal
    sampling laws and tractable approximations via SCORE, Journal of Simulation 14(1).

    HunterResearch/MOSCORE_Python: score_allocation.py at commit 163215c, iscore_allocation.py at
    commit 04ddb4a, AllocAlgs/Prod_SCORE.m and Prod_SCORE_MCE.m at commit 951b3e8.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.score_allocation([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]).round(3)
    array([0.429, 0.429, 0.143])
    """
    means, covariance = given_problem(means, variance, covariance)
    if check_flag(independent, "independent"):
        covariance = covariance * np.eye(means.shape[1])
    shares = np.empty(len(means))
    gap = write_score_shares(with_unit_range(means), covariance, TOLERANCE, shares)
    return certified(shares, gap)


@kernel
def write_score_shares(means, covariance, tolerance, shares):
    """Write the shares of SCORE; return their relative gap.

    All shares are equal if a rate is 0 at every share.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    covariance : ndarray, shape (K, d, d)
        Diagonal for iSCORE.
    tolerance : float
        Relative gap between the smallest rate and its maximum.
    shares : ndarray, shape (K,)
        Modified in place.
    """
    n_arms, d = means.shape
    front = np.empty(n_arms, np.int64)
    size = write_front(means, front)
    front = np.sort(front[:size])
    optimal = np.zeros(n_arms, np.bool_)
    optimal[front] = True
    rest = np.flatnonzero(~optimal)
    corners = find_phantoms(means, front)
    rates = allocate_rates(corners.shape[0] * d + size * (size - 1), d)
    scores = _add_closest_arms(means, covariance, rest, corners, rates)
    _add_closest_pairs(means, covariance, front, rates)
    variable, share = np.empty(n_arms, np.int64), np.ones(n_arms)
    variable[rest] = size
    for f in range(size):
        variable[front[f]] = f
    q = size
    if rest.shape[0] > 0:
        total = (1.0 / scores).sum()
        if not total < np.inf:
            shares[:] = 1.0 / n_arms
            return 0.0
        for r in range(rest.shape[0]):
            share[rest[r]] = 1.0 / (scores[r] * total)
        q += 1
    program = allocate_program(rates.size[0], q, n_arms, d)
    gap, _ = maximise_least_rate(covariance, rates, variable, share, program, tolerance, MOST_STEPS)
    copy_vector(shares, program.amounts)
    return gap


@kernel
def _score(covariance, arm, rates):
    """Score of an arm for the lead in the last row of ``rates.lead``: only the arm moves."""
    lead = rates.lead[rates.lead.shape[0] - 1]
    for c in range(lead.shape[0]):
        for b in range(lead.shape[0]):
            counts = b == c or (lead[b] > -FAR and lead[c] > -FAR)
            rates.matrix[b, c] = covariance[arm, b, c] if counts else 0.0
    return meeting_forces(rates.matrix, lead, rates.held, rates.forces, rates.factor)


@kernel
def _add_closest_arms(means, covariance, rest, corners, rates):
    """Add the error of each arm that is closest to a phantom in an objective; return the scores.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    covariance : ndarray, shape (K, d, d)
    rest : ndarray of int, shape (K - p,)
        The dominated arms.
    corners : ndarray of int, shape (n, d)
        The phantoms.
    rates : Rates
        Modified in place.

    Returns
    -------
    ndarray, shape (K - p,)
        The score of each dominated arm.
    """
    d = means.shape[1]
    lead = rates.lead[rates.lead.shape[0] - 1]
    scores = np.full(rest.shape[0], np.inf)
    nearest, least = np.empty(d, np.int64), np.empty(d)
    for n in range(corners.shape[0]):
        nearest[:] = -1
        least[:] = np.inf
        for r in range(rest.shape[0]):
            for c in range(d):
                arm = corners[n, c]
                lead[c] = -FAR if arm == FREE else means[arm, c] - means[rest[r], c]
            score = _score(covariance, rest[r], rates)
            scores[r] = min(scores[r], score)
            for c in range(d):
                if rates.held[c] and score < least[c]:
                    nearest[c], least[c] = rest[r], score
        for c in range(d):
            if nearest[c] >= 0 and not (nearest[:c] == nearest[c]).any():
                add_inclusion(means, nearest[c], corners[n], rates)
    return scores


@kernel
def _add_closest_pairs(means, covariance, front, rates):
    """Add the errors of pairs of optimal arms that are close to each other, in both orders."""
    d, size = means.shape[1], front.shape[0]
    lead = rates.lead[rates.lead.shape[0] - 1]
    scores = np.full((size, size), np.inf)
    near = np.zeros((size, size), np.bool_)
    nearest, least = np.empty(d, np.int64), np.empty(d)
    for f in range(size):
        nearest[:] = -1
        least[:] = np.inf
        for g in range(size):
            if f != g:
                for c in range(d):
                    lead[c] = means[front[f], c] - means[front[g], c]
                scores[f, g] = _score(covariance, front[g], rates)
                for c in range(d):
                    if rates.held[c] and scores[f, g] < least[c]:
                        nearest[c], least[c] = g, scores[f, g]
        for c in range(d):
            if nearest[c] >= 0:
                near[f, nearest[c]] = True
    limit = _percentile(np.sort(scores.ravel())[: size * (size - 1)])
    for f in range(size):
        for g in range(f):
            if near[f, g] or near[g, f] or scores[f, g] <= limit or scores[g, f] <= limit:
                add_exclusion(means, front[f], front[g], rates)
                add_exclusion(means, front[g], front[f], rates)


@kernel
def _percentile(ascending):
    """The 25th percentile, between neighbours by linear interpolation."""
    if ascending.shape[0] == 0:
        return 0.0
    at = PERCENTILE * (ascending.shape[0] - 1)
    below = int(at)
    above = min(below + 1, ascending.shape[0] - 1)
    return ascending[below] + (at - below) * (ascending[above] - ascending[below])
