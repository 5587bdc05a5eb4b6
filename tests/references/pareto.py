"""Slow, transparent versions of fast computations in the package."""

import functools
import itertools

import numpy as np
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components


def dominates(better, worse):
    return bool((better >= worse).all() and (better > worse).any())


def pareto_set(means):
    arms = range(len(means))
    return [i for i in arms if not any(dominates(means[j], means[i]) for j in arms)]


def gaps(means, factor):
    """The formulas of Auer et al. (2016), Section 2; ``factor`` is theirs (2) or Kone's (1)."""
    arms = range(len(means))
    optimal = pareto_set(means)
    rest = [j for j in arms if j not in optimal]

    def m(i, j):
        return min(means[j] - means[i])

    def M(i, j):
        return max(means[i] - means[j])

    star = {j: max(m(j, i) for i in optimal) for j in rest}
    result = []
    for i in arms:
        if i in rest:
            result.append(star[i])
            continue
        plus = min((min(M(i, j), M(j, i)) for j in optimal if j != i), default=np.inf)
        minus = min((max(M(j, i), 0) + factor * star[j] for j in rest), default=np.inf)
        result.append(min(plus, minus))
    return np.array(result)


def cost_of(means, weights, alternative):
    return float(0.5 * weights @ ((means - alternative) ** 2).sum(axis=1))


def best_place(own, start, levels, weights):
    """Minimise own/2 (x - start)^2 + sum_i w_i/2 (levels_i - x)_+^2: (cost, x).

    The minimiser is the weighted mean of the start and of all levels above the
    minimiser, which are the highest ones: the best of all such means.
    """
    if own == 0:
        return 0.0, max(start, *levels) if len(levels) else start
    above = levels - start
    highest_first = np.argsort(-above)
    highest_first = highest_first[above[highest_first] > 0]
    masses = own + np.cumsum(weights[highest_first])
    pulls = np.cumsum(weights[highest_first] * above[highest_first])
    moves = np.append(0.0, pulls / masses)
    left = np.maximum(above - moves[:, None], 0)
    costs = 0.5 * own * moves**2 + 0.5 * (weights * left**2).sum(axis=1)
    best = costs.argmin()
    return float(costs[best]), float(start + moves[best])


@functools.cache
def assignments(p, d):
    """All d^p assignments of p arms to d objectives."""
    return np.array(list(itertools.product(range(d), repeat=p)), np.int64).reshape(-1, p)


def free_arm(means, weights, front, target):
    """Cheapest way to free ``target``: (cost, alternative), by trying all d^p assignments."""
    front = np.array(front)
    p, d = front.size, means.shape[1]
    bits = 2 ** np.arange(p)
    cost, place = np.empty((d, 2**p)), np.empty((d, 2**p))
    for c, subset in itertools.product(range(d), range(2**p)):
        arms = front[subset & bits > 0]
        cost[c, subset], place[c, subset] = best_place(
            weights[target], means[target, c], means[arms, c], weights[arms]
        )
    subsets = [(assignments(p, d) == c) @ bits for c in range(d)]
    total = sum(cost[c, subsets[c]] for c in range(d))
    best = total.argmin()
    alternative = means.copy()
    for c in range(d):
        alternative[target, c] = place[c, subsets[c][best]]
        for k in front[assignments(p, d)[best] == c]:
            alternative[k, c] = min(means[k, c], alternative[target, c])
    return float(total[best]), alternative


def remove_arm(means, weights, loser, winner):
    """Cheapest way to put ``loser`` at or below ``winner``: (cost, alternative)."""
    a, b = weights[loser], weights[winner]
    alternative = means.copy()
    lead = np.maximum(means[loser] - means[winner], 0)
    ahead = lead > 0
    if a == 0:
        alternative[loser, ahead] = means[winner, ahead]
        return 0.0, alternative
    down = b / (a + b) * lead
    alternative[loser, ahead] = alternative[winner, ahead] = (means[loser] - down)[ahead]
    return float(0.5 * (a * down**2 + b * (lead - down) ** 2).sum()), alternative


def transport(means, weights):
    """Cheapest alternative: (value, alternative)."""
    front = pareto_set(means)
    ways = [remove_arm(means, weights, i, j) for i in front for j in front if i != j]
    rest = [k for k in range(len(means)) if k not in front]
    ways += [free_arm(means, weights, front, k) for k in rest]
    return min(ways, key=lambda way: way[0])


def cell_margin(points, assignment):
    """Largest t <= 1 such that a point x satisfies all inequalities of a cell with margin t.

    The cell is empty if t is negative, and has interior points if t is positive.
    """
    p, d = points.shape
    rows, bounds = [], []
    for k, j in itertools.product(range(p), range(d)):
        c = assignment[k]
        if j != c:
            row = np.zeros(d + 1)  # x_j - x_c + t <= mu_kj - mu_kc
            row[j], row[c], row[d] = 1, -1, 1
            rows.append(row)
            bounds.append(points[k, j] - points[k, c])
    if not rows:
        return 1.0
    goal = np.append(np.zeros(d), -1.0)
    free = [(None, None)] * d + [(None, 1)]
    return -linprog(goal, A_ub=np.array(rows), b_ub=np.array(bounds), bounds=free).fun


def best_arm_time(means):
    """T* and w* of best-arm identification (Garivier & Kaufmann 2016, Theorem 5).

    With x_a = w_a / w_1, all challengers cost the same y = x_a / (1 + x_a) gap_a^2 / 2,
    and y is such that sum_a x_a^2 = 1 for Gaussians.
    """
    best = int(np.argmax(means))
    gap = np.delete(means[best] - means, best)
    low, high = 0.0, gap.min() ** 2 / 2
    for _ in range(200):
        y = 0.5 * (low + high)
        ratio = 2 * y / (gap**2 - 2 * y)
        low, high = (y, high) if (ratio**2).sum() < 1 else (low, y)
    weights = np.insert(ratio, best, 1.0)
    weights /= weights.sum()
    return 1 / (y * weights[best]), weights


def excess(means):
    """Matrix of M(i, j) of Auer et al. (2016), Section 2."""
    arms = range(len(means))
    return np.array([[max(0.0, max(means[i] - means[j])) for j in arms] for i in arms])


def distances_to_front(means):
    front = pareto_set(means)
    return np.array([max(max(0.0, min(means[j] - y)) for j in front) for y in means])


def estimation_distance(means, answer):
    M, star = excess(means), distances_to_front(means)
    if not len(answer):
        return np.inf
    holes = [min(M[i, j] for j in answer) for i in pareto_set(means)]
    return max(max(star[i] for i in answer), max(holes))


def success_condition_1(means, answer, epsilon):
    star = distances_to_front(means)
    return set(pareto_set(means)) <= set(answer) and all(star[i] <= epsilon for i in answer)


def success_condition_2(means, answer, epsilon, tolerance):
    M, star = excess(means), distances_to_front(means)
    return (
        all(any(M[i, j] <= epsilon for j in answer) for i in pareto_set(means))
        and all(star[i] <= epsilon for i in answer)
        and all(M[i, j] >= epsilon / 2 - tolerance for i in answer for j in answer if i != j)
    )


def f1_score(means, answer, epsilon):
    star = distances_to_front(means)
    right = sum(star[i] <= epsilon for i in answer)
    missed = 0
    for i in pareto_set(means):
        ahead = [
            sum(max(means[i, c] - means[j, c], 0) ** 2 for c in range(means.shape[1]))
            for j in answer
        ]
        missed += not any(each <= epsilon**2 for each in ahead)
    return 2 * right / (len(answer) + right + missed)


def on_cycles(edges):
    """Vertices in a strongly connected component of at least two."""
    _, component = connected_components(edges, connection="strong")
    return np.flatnonzero(np.bincount(component)[component] >= 2)


def sparse_cover(edges):
    """Algorithm 3 of Auer et al. (2016), the lowest index first."""
    edges = edges.copy()
    left = list(range(len(edges)))

    def remove(j):
        left.remove(j)
        edges[j, :] = edges[:, j] = False

    while len(on_cycles(edges)):
        i = on_cycles(edges)[0]
        for j in np.flatnonzero(edges[i]):
            if j in on_cycles(edges):
                remove(j)
    while edges.any():
        i = next(i for i in left if edges[i].any() and not edges[:, i].any())
        for j in np.flatnonzero(edges[i]):
            remove(j)
    return left
