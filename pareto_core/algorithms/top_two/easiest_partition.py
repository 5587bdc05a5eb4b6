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

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL
from pareto_core.transport.metric import write_prices
from pareto_core.transport.moves import add, enter, write_move
from pareto_core.transport.oracle import OPEN, Oracle, label_answer, label_partition, oracle_of
from pareto_core.transport.walk import cheapest_move

TOLERANCE = 1e-3  # relative difference between two partitions that does not matter
MOST_NODES = 256  # partial partitions that are examined


class PartitionSearch(NamedTuple):
    """Arrays of the search."""

    oracle: Oracle
    alternative: np.ndarray  # (K, d)
    labels: np.ndarray  # (K,) of the current node: a reason, or OPEN
    completed: np.ndarray  # (K,) the same labels, with the better reason for each open arm
    branches: np.ndarray  # (K,) arm whose reason was chosen at each depth
    flipped: np.ndarray  # (K,) whether the second reason is being examined
    counts: np.ndarray  # (K,) samples of each arm on the path of the rule
    best_counts: np.ndarray  # (K,) those of the largest cost on the path
    sums: np.ndarray  # (K,) sum of gradients
    gradient: np.ndarray  # (K,)


def allocate_partition_search(problem, region):
    """Allocate a `PartitionSearch`."""
    n = problem.n_arms
    return PartitionSearch(
        oracle_of(problem, region),
        np.empty((n, problem.n_objectives)),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.bool_),
        *np.zeros((4, n)),
    )


@kernel
def _is_dominated(means, oracle, arm):
    """Whether an arm of the front is better than or equal to ``arm`` in every objective."""
    for f in range(oracle.found[0]["size"]):
        worst = np.inf
        for c in range(means.shape[1]):
            worst = min(worst, means[oracle.front[f], c] - means[arm, c])
        if worst >= 0.0:
            return True
    return False


@kernel
def write_labels(means, noise, region, preferred, oracle, labels):
    """Write the only valid label of each arm, or that of ``preferred`` (OPTIMAL as INFEASIBLE)."""
    label_answer(means, noise, region, oracle)
    for k in range(means.shape[0]):
        if oracle.labels[k] == OPTIMAL:
            labels[k] = OPTIMAL
        elif oracle.inside.room[k] >= 0.0:
            labels[k] = DOMINATED
        elif preferred[k] != OPTIMAL and _is_dominated(means, oracle, k):
            labels[k] = preferred[k]
        else:
            labels[k] = INFEASIBLE


@part
def _price(counts, costs):
    """Cost of some samples."""
    total = 0.0
    for k in range(counts.shape[0]):
        total += counts[k] * costs[k]
    return total


@kernel
def _follow_rule(means, noise, region, costs, steps, enough, search):
    """Bounds on the largest cost of refuting ``search.labels``, per unit of money."""
    counts, gradient, oracle = search.counts, search.gradient, search.oracle
    n_arms = means.shape[0]
    lower, upper, start, weight = 0.0, np.inf, 1, 0.0
    for k in range(n_arms):
        counts[k] = 1.0 / costs[k]
    copy_vector(search.best_counts, counts)
    search.sums[:] = 0.0
    for step in range(steps):
        total = _price(counts, costs)
        label_partition(means, noise, region, search.labels, oracle)
        cost = cheapest_move(means, counts, noise, region, np.inf, oracle)
        if not 0.0 < cost < np.inf:
            return cost, cost
        write_move(means, counts, noise, oracle, search.alternative, gradient)
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


@kernel
def _complete(means, noise, region, costs, lower, search):
    """Choose reasons of the open arms at ``best_counts``; their cost, and the limiting arm."""
    counts, oracle = search.best_counts, search.oracle
    write_prices(counts, noise, oracle.prices)
    total = _price(counts, costs)
    least, limiting = lower, -1
    for k in range(means.shape[0]):
        search.completed[k] = search.labels[k]
        if search.labels[k] == OPEN:
            entry = enter(means, counts, noise, region, k, np.inf, oracle)
            addition = add(means, counts, noise, k, np.inf, oracle)
            search.completed[k] = INFEASIBLE if entry >= addition else DOMINATED
            if max(entry, addition) / total < least:
                least, limiting = max(entry, addition) / total, k
    return least, limiting


@kernel
def write_easiest_partition(means, noise, region, costs, steps, search, labels):
    """Write the labels of the easiest partition to verify, or of the best that is found."""
    search.completed[:] = OPEN
    write_labels(means, noise, region, search.completed, search.oracle, search.labels)
    best, depth = -1.0, 0
    for _ in range(MOST_NODES):
        enough = (1.0 + TOLERANCE) * best
        lower, upper = _follow_rule(means, noise, region, costs, steps, enough, search)
        limiting = -1
        if upper > enough:
            value, limiting = _complete(means, noise, region, costs, lower, search)
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
