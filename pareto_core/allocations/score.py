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

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.allocations.maximin import allocate_program, maximise_least_rate
from pareto_core.allocations.phantom_points import FREE, find_phantoms
from pareto_core.allocations.rates import (
    FAR,
    Rates,
    add_exclusion,
    add_inclusion,
    allocate_rates,
    rate_of,
)
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import write_front
from pareto_core.transport.noise_removal import meeting_forces

PERCENTILE = 0.25
TOLERANCE = 1e-7
MOST_STEPS = 100


@kernel
def write_score_shares(means, covariance, tolerance, shares):
    """Write the shares of SCORE; return their relative gap, infinite if no shares have a rate.

    The shares are equal if a rate is 0 whatever the shares are, for example if a dominated arm is
    as good as an optimal one in an objective.

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
    total = (1.0 / scores).sum()
    for r in range(rest.shape[0]):
        share[rest[r]] = 1.0 / (scores[r] * total)
    q = size + (1 if rest.shape[0] > 0 else 0)
    program = allocate_program(rates.size[0], q, n_arms, d)
    gap = np.inf
    if np.isfinite(total):
        gap, _ = maximise_least_rate(
            covariance, rates, variable, share, program, tolerance, MOST_STEPS
        )
    for k in range(n_arms):
        shares[k] = program.amounts[k] if gap < np.inf else 1.0 / n_arms
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
