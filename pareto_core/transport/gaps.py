r"""Gaps of labels: about how far an arm has to move by itself for a different answer.

The gap of an arm in a Pareto set is that of Kone et al. (2023): an arm that is dominated has to
rise above every arm that dominates it. An optimal arm has to fall below another or to rise above
it, or it protects a dominated arm less than that arm's own gap. In a region, an infeasible arm has
to enter it, and a feasible one may leave it. Lengths are in standard deviations of the arm in each
objective. They are positive and change continuously near means with one answer.
"""

import numpy as np

from pareto_core.compiling.kernels import inner, kernel
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL


@inner
def _lead(means, noise, arm, first, second):
    """Largest lead of one arm over another, in standard deviations of ``arm``; may be negative."""
    most = -np.inf
    for c in range(means.shape[1]):
        lead = means[first, c] - means[second, c]
        if noise is not None:
            lead /= np.sqrt(noise.variance[arm, c])
        most = max(most, lead)
    return most


@inner
def _least_ratio(noise, first, second):
    """Least standard deviation of one arm over that of another in the same objective."""
    least = 1.0
    if noise is not None:
        least = np.inf
        for c in range(noise.variance.shape[1]):
            least = min(least, np.sqrt(noise.variance[first, c] / noise.variance[second, c]))
    return least


@inner
def _depth(means, noise, region, arm, oracle):
    """Gap of an arm that is not optimal: below the front, and outside the region, by its label."""
    depth = 0.0
    if oracle.labels[arm] != INFEASIBLE:
        for f in range(oracle.found[0]["size"]):
            depth = max(depth, -_lead(means, noise, arm, arm, oracle.front[f]))
    if region is not None:
        if oracle.labels[arm] != DOMINATED:
            depth = max(depth, -oracle.inside.room[arm])
    return depth


@kernel
def write_gaps_of_labels(means, noise, region, oracle, gaps):
    """Write the gap of each arm, shape (K,), for the labels of the last search. O(K p d)."""
    for j in range(means.shape[0]):
        if oracle.labels[j] != OPTIMAL:
            gaps[j] = _depth(means, noise, region, j, oracle)
    for f in range(oracle.found[0]["size"]):
        i = oracle.front[f]
        gaps[i] = np.inf
        if region is not None:
            gaps[i] = oracle.inside.room[i]
        for j in range(means.shape[0]):
            if j == i or oracle.labels[j] == INFEASIBLE:
                continue
            below = _lead(means, noise, i, j, i)
            if oracle.labels[j] == OPTIMAL:
                gaps[i] = min(gaps[i], below, _lead(means, noise, i, i, j))
            else:
                gaps[i] = min(gaps[i], max(below, 0.0) + gaps[j] * _least_ratio(noise, j, i))


@kernel
def write_gaps_of_leads(means, noise, gaps):
    """Write the least distance of each arm from the best other arm of an objective. O(K d)."""
    gaps[:] = np.inf
    for c in range(means.shape[1]):
        best = means[:, c].argmax()
        second = -np.inf
        for k in range(means.shape[0]):
            if k != best:
                second = max(second, means[k, c])
        for k in range(means.shape[0]):
            away = means[best, c] - (second if k == best else means[k, c])
            if noise is not None:
                away /= np.sqrt(noise.variance[k, c])
            gaps[k] = min(gaps[k], away)
