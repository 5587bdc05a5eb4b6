"""Cheapest addition of one dominated arm under noise of known covariance.

A blocking arm i is lowered in one objective c, at the price of that objective's variance alone,
because its other objectives move by regression: w_i (mu_ic - x_c)_+^2 / (2 Sigma_i[c, c]). The
target pays in its own covariance, w_0 (x - mu_0)' Sigma_0^-1 (x - mu_0) / 2. The search over
assignments is that of `branch_and_bound`, with these differences:

* arms have weights per objective, W_ic = w_i / Sigma_i[c, c], their prices;
* if the target's objectives are correlated, its best point for a partial assignment comes from
  `joint_minimum`. It may move down, so that arms that did not dominate the target can block it;
* what one more arm adds is bounded at that point: the other objectives' penalties are replaced by
  their tangents there, which are below them. The minimum over the other coordinates leaves the
  problem of one objective, with the target's weight w_0 / Sigma_0[c, c]. The bound is exact if the
  target's objectives are uncorrelated;
* the bound by pooling holds for any shares of the arms. They are proportional to the prices.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.addition import blocks
from pareto_core.transport.branch_and_bound import (
    SearchSpace,
    added_cost,
    search_space,
    take_cheapest,
)
from pareto_core.transport.joint_minimum import refresh_tail, settle
from pareto_core.transport.removal import meeting_weight


class JointSearch(NamedTuple):
    """Arrays of one search, allocated once for up to ``n`` arms and ``d`` objectives."""

    space: SearchSpace  # its tails have the prices; its levels, what is not in the arrays below
    old_position: np.ndarray  # (n + 1, d) the position before the assignment of each level
    old_slope: np.ndarray  # (n + 1, d)
    old_first: np.ndarray  # (n + 1, d)
    factor: np.ndarray  # (d, d) Cholesky factor
    added: np.ndarray  # (d,) curvature of the penalties
    step: np.ndarray  # (d,) Newton's step
    trial: np.ndarray  # (d,) the point to which it leads
    trial_slope: np.ndarray  # (d,) the gradient there
    ranks: np.ndarray  # (d,) first arms above the point where the step begins


@kernel
def joint_search(n, d):
    """Allocate a `JointSearch`."""
    return JointSearch(
        search_space(n, d),
        np.empty((n + 1, d)),
        np.empty((n + 1, d)),
        np.empty((n + 1, d), np.int64),
        np.empty((d, d)),
        np.empty(d),
        np.empty(d),
        np.empty(d),
        np.empty(d),
        np.empty(d, np.int64),
    )


@part
def dominator_price_bound(means, prices, front, size, target, limit):
    """Lower bound on the cost of adding ``target``: that of its most expensive dominator.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    target : int
        The dominated arm.
    limit : float
        Once the bound reaches this value, the remaining arms are skipped.
    """
    bound = 0.0
    for f in range(size):
        arm = front[f]
        cheapest = np.inf
        for c in range(means.shape[1]):
            gap = means[arm, c] - means[target, c]
            if gap <= 0.0:
                cheapest = 0.0
                break
            cost = 0.5 * meeting_weight(prices[arm, c], prices[target, c]) * gap * gap
            cheapest = min(cheapest, cost)
        bound = max(bound, cheapest)
        if bound >= limit:
            break
    return bound


@kernel
def _insert(means, prices, own, space, depth, c):
    """Insert the arm of level ``depth`` among those assigned to objective ``c``.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    own : float
        Price of the target in objective ``c``.
    space : SearchSpace
        Modified in place.
    depth, c : int
    """
    arm = space.candidates[depth]
    side = space.sides[c]
    rank = side["count"]
    while rank > 0 and means[space.order[c, rank - 1], c] > means[arm, c]:
        space.order[c, rank] = space.order[c, rank - 1]
        rank -= 1
    space.order[c, rank] = arm
    space.levels[depth]["objective"] = c
    space.levels[depth]["rank"] = rank
    side["count"] += 1
    refresh_tail(prices, space, c, own)


@kernel
def _assign(means, prices, precision, coupled, target, search, depth, c):
    """Assign the arm of level ``depth`` to objective ``c``; return the cost of the assignment.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
        Inverse covariance of the target's estimated mean, if ``coupled``.
    coupled : bool
    target : int
    search : JointSearch
        Modified in place.
    depth, c : int
    """
    space = search.space
    for b in range(means.shape[1]):
        search.old_position[depth, b] = space.position[b]
        search.old_slope[depth, b] = space.slope[b]
        search.old_first[depth, b] = space.sides[b]["first"]
    arm, own = space.candidates[depth], prices[target, c]
    if coupled:
        _insert(means, prices, own, space, depth, c)
        return settle(means, prices, precision, target, search)
    cost, stop, first = added_cost(means, space, c, means[arm, c], prices[arm, c])
    _insert(means, prices, own, space, depth, c)
    space.position[c] = stop
    space.sides[c]["first"] = first
    slope = own * (stop - means[target, c])
    for i in range(first, space.sides[c]["count"]):
        other = space.order[c, i]
        slope -= prices[other, c] * (means[other, c] - stop)
    space.slope[c] = slope
    return space.levels[depth]["value"] + cost


@kernel
def _undo(prices, target, search, depth):
    """Undo the assignment made at ``depth``."""
    space = search.space
    undo = space.levels[depth]
    c = undo["objective"]
    side = space.sides[c]
    side["count"] -= 1
    for rank in range(undo["rank"], side["count"]):
        space.order[c, rank] = space.order[c, rank + 1]
    refresh_tail(prices, space, c, prices[target, c])
    for b in range(search.old_position.shape[1]):
        space.position[b] = search.old_position[depth, b]
        space.slope[b] = search.old_slope[depth, b]
        space.sides[b]["first"] = search.old_first[depth, b]


@kernel
def _start(means, prices, front, size, target, space):
    """Set up the empty assignment; return the number of arms that may block the target.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    target : int
        The dominated arm.
    space : SearchSpace
        Modified in place.
    """
    for c in range(means.shape[1]):
        space.sides[c]["count"] = 0
        space.sides[c]["first"] = 0
        space.position[c] = means[target, c]
        space.slope[c] = 0.0
        space.tail[c, 0] = prices[target, c]
    space.levels[0]["value"] = 0.0
    space.nodes[0] = 0
    n = 0
    for f in range(size):
        if prices[front[f]].min() > 0.0:  # lowering any other arm costs nothing
            space.candidates[n] = front[f]
            n += 1
    return n


@kernel
def _choose_branch(means, prices, space, n, depth):
    """As `branch_and_bound._choose_branch`, with prices; the second value is their sum.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    space : SearchSpace
        Modified in place.
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.
    """
    costliest = -1.0
    pending = 0.0
    chosen = depth
    costs = space.branch_cost[depth + 1]
    for k in range(depth, n):
        arm = space.candidates[k]
        if not blocks(means, arm, space.position):
            continue
        cheapest = np.inf
        for c in range(means.shape[1]):
            pending += prices[arm, c]
            costs[c], _, _ = added_cost(means, space, c, means[arm, c], prices[arm, c])
            cheapest = min(cheapest, costs[c])
        if cheapest > costliest:
            costliest = cheapest
            chosen = k
            for c in range(means.shape[1]):
                space.branch_cost[depth, c] = costs[c]
    if costliest >= 0.0:
        arm = space.candidates[chosen]
        space.candidates[chosen] = space.candidates[depth]
        space.candidates[depth] = arm
    return costliest, pending


@kernel
def _pooled_bound(means, prices, space, n, depth, pending):
    """Mean cost of lowering each blocking arm, its prices divided by its share of all prices.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    space : SearchSpace
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.
    pending : float
        Sum of the prices of all blocking arms.
    """
    bound = 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if not blocks(means, arm, space.position):
            continue
        total, cheapest = 0.0, np.inf
        for c in range(means.shape[1]):
            total += prices[arm, c]
        share = total / pending
        for c in range(means.shape[1]):
            cost, _, _ = added_cost(means, space, c, means[arm, c], prices[arm, c] / share)
            cheapest = min(cheapest, cost)
        bound += share * cheapest
    return bound


@kernel
def _open_node(means, prices, space, n, depth, best, point):
    """As `branch_and_bound._open_node`, with prices.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    space : SearchSpace
        Modified in place.
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.
    best : float
        The best value known.
    point : ndarray, shape (d,)
        Modified in place.
    """
    space.nodes[0] += 1
    room = best - space.levels[depth]["value"]
    closed = room <= 0.0
    if not closed:
        costliest, pending = _choose_branch(means, prices, space, n, depth)
        if costliest < 0.0:
            closed = True
            best = space.levels[depth]["value"]
            copy_vector(point, space.position)
        else:
            closed = costliest >= room
            closed = closed or _pooled_bound(means, prices, space, n, depth, pending) >= room
    if closed:
        space.branch_cost[depth, :] = np.inf
    return best


@kernel
def free_target_at_prices(
    means, prices, precision, coupled, front, size, target, upper, point, search
):
    """As `branch_and_bound.free_target`, with weights per objective and a known covariance.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    prices : ndarray, shape (K, d)
        Weight of each arm in each objective, w_k / Sigma_k[c, c].
    precision : ndarray, shape (d, d)
        Inverse covariance of the target's estimated mean, w Sigma^-1; read only if ``coupled``.
    coupled : bool
        Whether the objectives of the target are correlated.
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    target : int
        A dominated arm of positive weight.
    upper : float
        Costs of at least this are not searched for.
    point : ndarray, shape (d,)
        Modified in place: the new mean of the target, if the cost is below ``upper``.
    search : JointSearch
        Modified in place.
    """
    space = search.space
    n = _start(means, prices, front, size, target, space)
    depth = np.int64(0)
    best = _open_node(means, prices, space, n, depth, upper, point)
    while depth >= 0:
        c, cost = take_cheapest(space, depth)
        if space.levels[depth]["value"] + cost >= best:
            depth -= 1
            if depth >= 0:
                _undo(prices, target, search, depth)
            continue
        value = _assign(means, prices, precision, coupled, target, search, depth, c)
        depth += 1
        space.levels[depth]["value"] = value
        best = _open_node(means, prices, space, n, depth, best, point)
    return best
