r"""The valid partition that is the easiest to verify, from compiled code.

An arm that is both infeasible and dominated may be rejected for either reason. The easiest
partition has the largest :math:`\max_wC_s(w)`, where :math:`C_s` is the cost of refuting
partition s (`partition_cost`). The search branches on the reason of one arm at a time. If the
reasons of some arms are left open, the cost of refuting the other reasons bounds that of every
completion. Its maximum over w is approached with the sampling rule itself, run on known means. If
samples have costs, w are shares of the cost.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.top_two.region import (
    RegionWork,
    allocate_region_work,
    write_evidence,
)
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL
from pareto_core.transport.constrained_oracle import find_constrained_front
from pareto_core.transport.noise_partitions import (
    cheapest_wrong_partition_with_noise,
    enter_with_noise,
    free_dominated_with_noise,
)
from pareto_core.transport.noise_response import write_prices
from pareto_core.transport.partitions import (
    cheapest_wrong_partition,
    enter,
    free_dominated,
)

OPEN = -1  # label of an arm whose reason is still to be chosen
TOLERANCE = 1e-3  # relative difference between two partitions that does not matter
MOST_NODES = 256  # partial partitions that are examined


class PartitionSearch(NamedTuple):
    """Arrays of the search."""

    work: RegionWork
    labels: np.ndarray  # (K,) of the current node: a reason, or OPEN
    completed: np.ndarray  # (K,) the same labels, with the better reason for each open arm
    branches: np.ndarray  # (K,) arm whose reason was chosen at each depth
    flipped: np.ndarray  # (K,) whether the second reason is being examined
    counts: np.ndarray  # (K,) samples of each arm on the path of the rule
    best_counts: np.ndarray  # (K,) those of the largest cost on the path
    sums: np.ndarray  # (K,) sum of gradients
    gradient: np.ndarray  # (K,)


def allocate_partition_search(problem):
    """Allocate a `PartitionSearch`."""
    n = problem.n_arms
    return PartitionSearch(
        allocate_region_work(problem),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.bool_),
        *np.zeros((4, n)),
    )


@kernel
def _is_dominated(means, response, arm):
    """Whether an arm of the front is better than or equal to ``arm`` in every objective."""
    plain = response.plain
    for f in range(plain.found[0]["size"]):
        worst = np.inf
        for c in range(means.shape[1]):
            worst = min(worst, means[plain.front[f], c] - means[arm, c])
        if worst >= 0.0:
            return True
    return False


@kernel
def write_labels(means, region, preferred, response, labels):
    """Write a label for each arm: its only valid one, or that of ``preferred``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    region : Region
    preferred : ndarray of int, shape (K,)
        Label of an arm that is both infeasible and dominated; ``OPTIMAL`` counts as ``INFEASIBLE``.
    response : ConstrainedResponse
        For noise of unit variance. Modified in place.
    labels : ndarray of int, shape (K,)
        Modified in place.
    """
    find_constrained_front(means, region.normals, region.offsets, region.method, response)
    for k in range(means.shape[0]):
        if response.plain.optimal[k]:
            labels[k] = OPTIMAL
        elif response.feasible[k]:
            labels[k] = DOMINATED
        elif preferred[k] != OPTIMAL and _is_dominated(means, response, k):
            labels[k] = preferred[k]
        else:
            labels[k] = INFEASIBLE


@kernel
def find_refutation(means, weights, region, labels, work):
    """Cost of the cheapest alternative that refutes the labels.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    region : Region
    labels : ndarray of int, shape (K,)
        Those of a valid partition; a label may be `OPEN`.
    work : RegionWork
        Modified in place: the alternative.
    """
    normals, offsets, noise = region.normals, region.offsets, region.noise
    if region.noise_is_known:
        return cheapest_wrong_partition_with_noise(
            means, weights, noise, normals, offsets, labels, np.inf, work.response_to_noise
        )
    return cheapest_wrong_partition(
        means, weights, normals, offsets, labels, region.method, np.inf, work.response
    )


@part
def _price(counts, costs):
    """Cost of some samples."""
    total = 0.0
    for k in range(counts.shape[0]):
        total += counts[k] * costs[k]
    return total


@kernel
def _follow_rule(means, region, costs, steps, enough, search):
    """Approach the maximum of the cost of refuting ``search.labels``, per unit of money.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    region : Region
    costs : ndarray, shape (K,)
        Cost of a sample of each arm.
    steps : int
        Number of steps of the rule.
    enough : float
        Stop early if the maximum is below this.
    search : PartitionSearch
        Modified in place: ``best_counts``.

    Returns
    -------
    tuple of two floats
        Lower and upper bound on the maximum over the simplex.
    """
    counts, gradient = search.counts, search.gradient
    n_arms = means.shape[0]
    lower, upper, start, weight = 0.0, np.inf, 1, 0.0
    for k in range(n_arms):
        counts[k] = 1.0 / costs[k]
    copy_vector(search.best_counts, counts)
    search.sums[:] = 0.0
    for step in range(steps):
        total = _price(counts, costs)
        cost = find_refutation(means, counts, region, search.labels, search.work)
        if not 0.0 < cost < np.inf:
            return cost, cost
        write_evidence(means, counts, region, search.work, gradient)
        if cost / total > lower:
            lower = cost / total
            copy_vector(search.best_counts, counts)
        if step == 2 * start:  # average the gradients over the second half of the path only
            start, weight = step, 0.0
            search.sums[:] = 0.0
        weight += 1.0 / cost
        highest = 0.0
        for k in range(n_arms):
            gained = gradient[k] / (cost * costs[k])
            search.sums[k] += gained
            highest = max(highest, search.sums[k])
            counts[k] += counts[k] * gained
        upper = min(upper, highest / weight)
        if upper <= max(enough, (1.0 + TOLERANCE) * lower):
            break
    return lower, upper


@part
def _entry(means, counts, region, arm, work):
    """Cost at which ``arm`` enters the polyhedron, after `find_refutation`."""
    normals, offsets, noise = region.normals, region.offsets, region.noise
    if region.noise_is_known:
        response = work.response_to_noise
        return enter_with_noise(means, counts, noise, normals, offsets, arm, np.inf, response)
    return enter(means, counts, normals, offsets, arm, np.inf, work.response)


@part
def _addition(means, counts, region, arm, work):
    """Cost of an addition of ``arm``, after `find_refutation` and, with noise, `write_prices`."""
    if region.noise_is_known:
        return free_dominated_with_noise(
            means, counts, region.noise, arm, np.inf, work.response_to_noise
        )
    return free_dominated(means, counts, arm, np.inf, region.method, work.response)


@kernel
def _complete(means, region, costs, lower, search):
    """Choose the better reason of each open arm at ``best_counts``, after `_follow_rule`.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    region : Region
    costs : ndarray, shape (K,)
        Cost of a sample of each arm.
    lower : float
        Cost of refuting the labels chosen so far at these proportions.
    search : PartitionSearch
        Modified in place: ``completed``.

    Returns
    -------
    tuple of float and int
        The cost of refuting the completed partition at these proportions, and the open arm that
        limits it, or -1 if no open arm does.
    """
    counts, work = search.best_counts, search.work
    if region.noise_is_known:
        write_prices(counts, region.noise, work.response_to_noise.plain.prices)
    total = _price(counts, costs)
    least, limiting = lower, -1
    for k in range(means.shape[0]):
        search.completed[k] = search.labels[k]
        if search.labels[k] == OPEN:
            entry = _entry(means, counts, region, k, work)
            addition = _addition(means, counts, region, k, work)
            search.completed[k] = INFEASIBLE if entry >= addition else DOMINATED
            if max(entry, addition) / total < least:
                least, limiting = max(entry, addition) / total, k
    return least, limiting


@kernel
def write_easiest_partition(means, region, costs, steps, search, labels):
    """Write the labels of the partition that is the easiest to verify.

    Exact up to a relative difference of ``TOLERANCE`` if ``steps`` suffice and at most
    ``MOST_NODES`` nodes are examined; the best partition found otherwise.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    region : Region
    costs : ndarray, shape (K,)
        Cost of a sample of each arm.
    steps : int
        Number of steps of the rule in each node.
    search : PartitionSearch
        Modified in place.
    labels : ndarray of int, shape (K,)
        Modified in place.
    """
    search.completed[:] = OPEN
    write_labels(means, region, search.completed, search.work.response, search.labels)
    best, depth = -1.0, 0
    for _ in range(MOST_NODES):
        enough = (1.0 + TOLERANCE) * best
        lower, upper = _follow_rule(means, region, costs, steps, enough, search)
        limiting = -1
        if upper > enough:
            value, limiting = _complete(means, region, costs, lower, search)
            if value > best:
                best = value
                copy_vector(labels, search.completed)
        if limiting >= 0:
            search.branches[depth], search.flipped[depth] = limiting, False
            search.labels[limiting] = search.completed[limiting]
            depth += 1
            continue
        while depth > 0 and search.flipped[depth - 1]:
            depth -= 1
            search.labels[search.branches[depth]] = OPEN
        if depth == 0:
            return
        arm = search.branches[depth - 1]
        search.flipped[depth - 1] = True
        search.labels[arm] = INFEASIBLE if search.labels[arm] == DOMINATED else DOMINATED
