"""As `constrained_search`, under noise of known covariance.

The search over assignments of optimal arms to objectives is that of `constrained_search`, with
these differences:

* arms have a price in each objective, W_ic = w_i / Sigma_i[c, c], because the other objectives of
  an arm that is lowered in one move by regression;
* the best point of a partial assignment comes from `noise_minimum`;
* away from that point x* the cost grows at least like its curvature, since the polyhedron is
  convex: by (x - x*)' P (x - x*) / 2, and by W_ic (x_c - x*_c)^2 / 2 for an arm assigned to
  objective c whose mean is no lower than that of a new arm, up to the mean of the new arm. The
  minimum of the first over the other coordinates is W_0c (x_c - x*_c)^2 / 2, with the target's
  price. This bounds what any arm adds if it is lowered in objective c;
* the bound by pooling holds for any shares of the arms. They are proportional to the prices;
* two objectives are searched like any number of them, because with different prices other
  assignments than those of the cuts can be best.
"""

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.addition import blocks
from pareto_core.transport.constrained_search import search_space
from pareto_core.transport.noise_minimum import (
    cheapest_point_with_noise,
    nearest_inside_with_noise,
    noise_minimum_space,
)
from pareto_core.transport.removal import meeting_weight


@kernel
def admission_space(n_rows, n_arms, n_objectives):
    """Allocate a `ConstrainedSpace` for known noise."""
    return search_space(n_arms, n_objectives, noise_minimum_space(n_rows, n_objectives))


@part
def _start(means, prices, precision, normals, offsets, front, size, target, space):
    """Set up the empty assignment; return the number of optimal arms of positive weight.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    front : ndarray of int, shape (K,)
        Optimal arms, the first ``size`` entries.
    size, target : int
    space : ConstrainedSpace
        Modified in place.
    """
    n = 0
    for f in range(size):
        if prices[front[f]].min() > 0.0:  # lowering any other arm costs nothing
            space.candidates[n] = front[f]
            n += 1
    space.values[0] = nearest_inside_with_noise(
        means, precision, normals, offsets, target, space.points[0], space.minimum
    )
    return n


@part
def _least_added(means, prices, target, space, depth, arm, c, price):
    """Lower bound on what ``price`` at the mean of ``arm`` adds if lowered in objective ``c``.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    target : int
    space : ConstrainedSpace
    depth : int
        Number of arms assigned.
    arm, c : int
    price : float
    """
    level = means[arm, c]
    gap = level - space.points[depth, c]
    held = prices[target, c]
    for i in range(depth):
        other = space.candidates[i]
        if space.objectives[i] == c and means[other, c] >= level:
            held += prices[other, c]
    return 0.5 * meeting_weight(held, price) * gap * gap


@part
def _cheapest_added(means, prices, target, space, depth, arm, share):
    """Minimum of `_least_added` over all objectives, at the prices of the arm over its share.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    target : int
    space : ConstrainedSpace
    depth : int
        Number of arms assigned.
    arm : int
    share : float
    """
    cheapest = np.inf
    for c in range(means.shape[1]):
        price = prices[arm, c] / share
        added = _least_added(means, prices, target, space, depth, arm, c, price)
        cheapest = min(cheapest, added)
    return cheapest


@part
def _total_price(prices, arm):
    """Sum of the prices of an arm."""
    total = 0.0
    for c in range(prices.shape[1]):
        total += prices[arm, c]
    return total


@kernel
def _choose_branch(means, prices, target, space, n, depth):
    """Move the costliest blocking arm to position ``depth``, with its costs.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    target : int
    space : ConstrainedSpace
        Modified in place.
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.

    Returns
    -------
    tuple of two floats
        The lower bound on what that arm adds, negative if no arm blocks the target; and the
        sum of the prices of all blocking arms.
    """
    costliest, chosen, pending = -1.0, depth, 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if blocks(means, arm, space.points[depth]):
            pending += _total_price(prices, arm)
            added = _cheapest_added(means, prices, target, space, depth, arm, 1.0)
            if added > costliest:
                costliest, chosen = added, k
    if costliest >= 0.0:
        arm = space.candidates[chosen]
        space.candidates[chosen] = space.candidates[depth]
        space.candidates[depth] = arm
        for c in range(means.shape[1]):
            added = _least_added(means, prices, target, space, depth, arm, c, prices[arm, c])
            space.branch_cost[depth, c] = added
    return costliest, pending


@kernel
def _pooled_bound(means, prices, target, space, n, depth, pending):
    """Mean lower bound on lowering each blocking arm, its prices divided by its share of all.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    target : int
    space : ConstrainedSpace
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.
    pending : float
        Sum of the prices of all blocking arms.
    """
    bound = 0.0
    for k in range(depth, n):
        arm = space.candidates[k]
        if blocks(means, arm, space.points[depth]):
            share = _total_price(prices, arm) / pending
            bound += share * _cheapest_added(means, prices, target, space, depth, arm, share)
    return bound


@part
def _open_node(means, prices, target, space, n, depth, best, point):
    """As `constrained_search._open_node`, with prices.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    target : int
    space : ConstrainedSpace
        Modified in place.
    n, depth : int
        The arms not yet assigned are ``space.candidates[depth:n]``.
    best : float
        The best value known.
    point : ndarray, shape (d,)
        Modified in place.
    """
    costliest, pending = _choose_branch(means, prices, target, space, n, depth)
    room = best - space.values[depth]
    closed = costliest >= room
    if costliest < 0.0:
        closed = True
        if room > 0.0:
            best = space.values[depth]
            copy_vector(point, space.points[depth])
    elif not closed:
        closed = _pooled_bound(means, prices, target, space, n, depth, pending) >= room
    if closed:
        space.branch_cost[depth, :] = np.inf
    return best


@kernel
def admit_target_with_noise(
    means, prices, precision, normals, offsets, front, size, target, upper, point, space
):
    """Cheapest cost below ``upper`` at which ``target`` is feasible and not dominated.

    Returns ``upper``, and does not modify ``point``, if no admission is cheaper.

    Parameters
    ----------
    means, prices : ndarray, shape (K, d)
    precision : ndarray, shape (d, d)
        Inverse covariance of the target's estimated mean, w Sigma^-1.
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    front : ndarray of int, shape (K,)
        Optimal arms, the first ``size`` entries.
    size : int
    target : int
        An arm of positive weight that is not optimal.
    upper : float
        Costs of at least this are not searched for.
    point : ndarray, shape (d,)
        Modified in place: the new mean of the target.
    space : ConstrainedSpace
        Modified in place.
    """
    n = _start(means, prices, precision, normals, offsets, front, size, target, space)
    best, depth, fresh = upper, np.int64(0), True
    while depth >= 0:
        if fresh:
            best = _open_node(means, prices, target, space, n, depth, best, point)
        c = space.branch_cost[depth].argmin()
        fresh = False
        if space.values[depth] + space.branch_cost[depth, c] >= best:
            depth -= 1
            continue
        space.branch_cost[depth, c] = np.inf
        space.objectives[depth] = c
        depth += 1
        copy_vector(space.points[depth], space.points[depth - 1])
        space.values[depth] = cheapest_point_with_noise(
            means,
            prices,
            precision,
            normals,
            offsets,
            target,
            space.candidates,
            space.objectives,
            depth,
            space.points[depth],
            space.minimum,
        )
        fresh = space.values[depth] < best
        depth -= not fresh
    return best
