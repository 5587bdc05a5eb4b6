"""The cheapest alternative to an answer: the best response that every algorithm calls.

A walk over all moves against the labels of an answer finds the cheapest, or all that are nearly as
cheap: their gradients are cutting planes, as the cost of one alternative is linear in the weights,
and an upper bound on the transportation cost.
"""

import numpy as np

from pareto_core.compiling.kernels import inner, kernel, part
from pareto_core.compiling.lending import lend
from pareto_core.questions import DOMINATED, INFEASIBLE, REJECTED
from pareto_core.transport.metric import is_weightless, write_prices
from pareto_core.transport.moves import (
    admit,
    bound,
    depart,
    enter,
    refute,
    removal_cost,
    remove,
    write_move,
)
from pareto_core.transport.oracle import NOTHING, REMOVE, label, label_answer, record
from pareto_core.transport.removal import meeting_weight

NEAR = 2.0  # alternatives that cost less than this multiple of the minimum add their bound


@inner
def weightless_arm(weights, labels):
    """First rejected arm of weight 0, whose admission costs nothing; -1 without such an arm."""
    for k in range(labels.shape[0]):
        if labels[k] == REJECTED and is_weightless(weights, k):
            return k
    return -1


@inner
def cheapest_adjacent_removal(means, weights, upper, oracle):
    """The cheapest removal on a staircase, where only neighbours meet (Appendix D.1). O(p)."""
    best, front = upper, oracle.front
    for f in range(oracle.found[0]["size"] - 1):
        left, right = front[f], front[f + 1]
        half = 0.5 * meeting_weight(weights[left], weights[right])
        ahead = half * (means[right, 0] - means[left, 0]) ** 2
        behind = half * (means[left, 1] - means[right, 1]) ** 2
        if ahead < best:
            best = ahead
            record(oracle, REMOVE, right, left)
        if behind < best:
            best = behind
            record(oracle, REMOVE, left, right)
    return best


@inner
def cheapest_removal(means, weights, prices, noise, upper, rows, oracle):
    """The cheapest removal. O(p^2 d), or O(p) on a staircase."""
    if rows.ndim == 2:
        return cheapest_adjacent_removal(means, weights, upper, oracle)
    else:
        best, front, size, pair = upper, oracle.front, oracle.found[0]["size"], oracle.pair
        for f in range(size):
            for g in range(size):
                if f == g:
                    continue
                cost = removal_cost(means, weights, prices, noise, front[f], front[g], best, pair)
                if cost < best:
                    best = cost
                    record(oracle, REMOVE, front[f], front[g])
        return best


@part
def _may_become_optimal(label):
    return label == REJECTED or label == DOMINATED


@part
def _most_promising(means, weights, region, limit, oracle):
    """Write the bounds of arms that may become optimal; return that of the lowest one, or -1."""
    labels, bounds, lowest = oracle.labels, oracle.bounds, -1
    for k in range(means.shape[0]):
        if _may_become_optimal(labels[k]):
            bounds[k] = bound(means, weights, region, k, limit, oracle)
            if lowest < 0 or bounds[k] < bounds[lowest]:
                lowest, limit = k, min(limit, bounds[k])
    return lowest


@kernel
def cheapest_move(means, weights, noise, region, upper, oracle):
    """Cost below ``upper`` of the cheapest move that refutes the labels, recorded; or ``upper``."""
    labels, bounds, prices, rows = oracle.labels, oracle.bounds, oracle.prices, oracle.rows
    record(oracle, NOTHING, -1, -1)
    write_prices(weights, noise, prices)
    weightless = weightless_arm(weights, labels)
    if upper > 0.0 and weightless >= 0:
        return admit(means, weights, noise, region, weightless, upper, oracle)
    best = cheapest_removal(means, weights, prices, noise, upper, rows, oracle)
    if region is not None:
        for f in range(oracle.found[0]["size"]):
            best = depart(means, weights, noise, region, oracle.front[f], best, oracle)
        for k in range(means.shape[0]):
            if labels[k] == INFEASIBLE:
                best = enter(means, weights, noise, region, k, best, oracle)
    lowest = _most_promising(means, weights, region, best, oracle)
    if lowest < 0 or bounds[lowest] >= best:
        return best
    for attempt in range(-1, means.shape[0]):
        k = lowest if attempt < 0 else attempt
        if attempt != lowest and _may_become_optimal(labels[k]) and bounds[k] < best:
            if attempt < 0 or bound(means, weights, region, k, best, oracle) < best:
                best = refute(means, weights, noise, region, k, best, oracle)
    return best


@part
def cheapest_alternative(means, weights, noise, region, upper, oracle):
    """`cheapest_move` against the answer of the means."""
    label_answer(means, noise, region, oracle)
    return cheapest_move(means, weights, noise, region, upper, oracle)


@kernel
def near_moves(means, weights, noise, region, slack, oracle, alternative, gradients):
    """Write gradients of moves below `NEAR` times, and ``slack`` above, the least; return both."""
    value = cheapest_move(means, weights, noise, region, np.inf, oracle)
    write_move(means, weights, noise, oracle, alternative, gradients[0])
    limit, count = min(NEAR * value, value + slack), 1
    front, size = oracle.front, oracle.found[0]["size"]
    for f in range(size):
        for g in range(size):
            if f == g or count == gradients.shape[0]:
                continue
            if remove(means, weights, noise, front[f], front[g], limit, oracle) < limit:
                write_move(means, weights, noise, oracle, alternative, gradients[count])
                count += 1
    for k in range(means.shape[0]):
        if count == gradients.shape[0]:
            break
        may_be_near = not _may_become_optimal(oracle.labels[k])
        if may_be_near or bound(means, weights, region, k, limit, oracle) < limit:
            if refute(means, weights, noise, region, k, limit, oracle) < limit:
                write_move(means, weights, noise, oracle, alternative, gradients[count])
                count += 1
    return value, count


@kernel
def near_gradients(means, weights, noise, region, labels, oracle, alternative, gradients):
    """`near_moves` against the answer of the means, or against the labels of a partition."""
    means, weights, noise, region = lend(means), lend(weights), lend(noise), lend(region)
    oracle, alternative, gradients = lend(oracle), lend(alternative), lend(gradients)
    label(means, noise, region, lend(labels), oracle)
    return near_moves(means, weights, noise, region, np.inf, oracle, alternative, gradients)
