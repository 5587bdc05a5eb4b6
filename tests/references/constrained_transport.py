"""Slow, transparent version of the cheapest alternative with a feasible region.

An admitted arm moves to some x in the polyhedron, and each optimal arm is lowered to it in the
objective where that is cheapest:

    f(x) = w_i/2 |x - mu_i|^2 + sum_j w_j/2 min_c ((mu_j^c - x^c)_+)^2.

At the minimum some optimal arms move, each in one objective, and some rows of the polyhedron
hold with equality. There x minimises the quadratic of those arms on the planes of those rows.
The minimisers for all choices of arms, objectives and rows are the candidates; f is evaluated at
each candidate in the polyhedron.
"""

import itertools

import numpy as np
from references import pareto as reference

INSIDE = 1e-11  # by how much a candidate may violate a row, relative to the size of the numbers


def constrained_front(means, polyhedron):
    """Feasible arms that no feasible arm dominates, and all feasible arms."""
    feasible = np.flatnonzero((means @ polyhedron.normals.T <= polyhedron.offsets).all(axis=1))
    front = [
        i for i in feasible if not any(reference.dominates(means[j], means[i]) for j in feasible)
    ]
    return front, feasible


def point_costs(means, weights, front, target, points):
    """f at many points, shape (n, d)."""
    squares = ((points - means[target]) ** 2).sum(axis=1)
    aside = np.maximum(means[front] - points[:, None], 0).min(axis=2, initial=np.inf)
    return 0.5 * weights[target] * squares + 0.5 * aside**2 @ weights[front]


def quadratics(means, weights, front, target):
    """Metric and centre of the quadratic for every choice of moving arms and objectives."""
    d = means.shape[1]
    choices = np.array(list(itertools.product(range(d + 1), repeat=len(front))), int)
    moves = choices.reshape(len(choices), len(front), 1) == np.arange(d)  # d: does not move
    pull = moves * weights[front][:, None]
    metric = weights[target] + pull.sum(axis=1)
    shift = (pull * (means[front] - means[target])).sum(axis=1) / metric
    return metric, means[target] + shift


def on_planes(metric, centre, rows, offsets):
    """Minimisers of the quadratics on the planes of some rows; None if the rows are dependent."""
    if len(rows) == 0:
        return centre
    if np.linalg.matrix_rank(rows, tol=1e-9) < len(rows):
        return None
    scaled = rows / np.sqrt(metric)[:, None, :]
    missing = offsets - centre @ rows.T
    step = (np.linalg.pinv(scaled, rcond=1e-14) @ missing[:, :, None])[:, :, 0]
    return centre + step / np.sqrt(metric)


def nearest_inside(point, polyhedron):
    """Projection of a point: an admission without optimal arms."""
    return admit(point[None], np.ones(1), polyhedron, [], 0)[1][0]


def admit(means, weights, polyhedron, front, target):
    """Cheapest admission of ``target``: (cost, alternative)."""
    front = np.array(front, int)
    d, normals, offsets = means.shape[1], polyhedron.normals, polyhedron.offsets
    if weights[target] == 0:
        point = means[front[0]] if len(front) else nearest_inside(means[target], polyhedron)
    else:
        metric, centre = quadratics(means, weights, front, target)
        subsets = [s for n in range(d + 1) for s in itertools.combinations(range(len(offsets)), n)]
        found = [on_planes(metric, centre, normals[list(s)], offsets[list(s)]) for s in subsets]
        points = np.vstack([f for f in found if f is not None])
        size = max(np.abs(offsets).max(initial=0), np.abs(means).max())
        points = points[(points @ normals.T <= offsets + INSIDE * size).all(axis=1)]
        costs = point_costs(means, weights, front, target, points)
        point = points[costs.argmin()]
    alternative = means.copy()
    alternative[target] = point
    for j in front:
        if (means[j] > point).all():
            c = (means[j] - point).argmin()
            alternative[j, c] = point[c]
    return reference.cost_of(means, weights, alternative), alternative


def depart(means, weights, polyhedron, arm):
    """Cheapest departures of ``arm``, one for each facet: (cost, alternative)."""
    for normal, offset in zip(polyhedron.normals, polyhedron.offsets, strict=True):
        alternative = means.copy()
        alternative[arm] += (offset - normal @ means[arm]) * normal
        yield reference.cost_of(means, weights, alternative), alternative


def front_alternatives(means, weights, polyhedron, front):
    """All departures and removals."""
    removals = [reference.remove_arm(means, weights, i, j) for i in front for j in front if i != j]
    return removals + [found for i in front for found in depart(means, weights, polyhedron, i)]


def constrained_transport(means, weights, polyhedron):
    """Cheapest alternative to the constrained Pareto set: (value, alternative)."""
    front, _ = constrained_front(means, polyhedron)
    found = front_alternatives(means, weights, polyhedron, front)
    rest = [k for k in range(len(means)) if k not in front]
    found += [admit(means, weights, polyhedron, front, k) for k in rest]
    return min(found, key=lambda each: each[0])


def partition_transport(means, weights, polyhedron, partition):
    """Cheapest alternative to a partition: (value, alternative)."""
    front = list(partition.optimal)
    found = front_alternatives(means, weights, polyhedron, front)
    found += [reference.free_arm(means, weights, front, k) for k in partition.dominated]
    for k in partition.infeasible:
        alternative = means.copy()
        alternative[k] = nearest_inside(means[k], polyhedron)
        found.append((reference.cost_of(means, weights, alternative), alternative))
    return min(found, key=lambda each: each[0])
