"""Transportation costs of each question under known noise.

Each alternative is a quadratic program over the means of all arms (`references.noise`): a departure
for each optimal arm and facet, a removal for each pair of optimal arms, and an admission for each
other arm and each assignment of the optimal arms to objectives, in which the arm satisfies all rows
of the polyhedron. A partition is refuted by departures, removals, an arm called infeasible that
satisfies all rows, or an arm called dominated that the optimal arms no longer dominate. The best
arm of an objective is confused with another one that meets it.
"""

import numpy as np
from references import pareto
from references.noise import additions, closest, removals


def constrained_front(means, polyhedron):
    """Feasible arms that no feasible arm dominates."""
    feasible = np.flatnonzero((means @ polyhedron.normals.T <= polyhedron.offsets).all(axis=1))
    return [i for i in feasible if not any(pareto.dominates(means[j], means[i]) for j in feasible)]


def rounding(means, weights, covariance, polyhedron, alternative=None):
    """How much the cost may change because numbers are rounded to floats."""
    far = means if alternative is None else alternative
    size = max(np.abs(means).max(), np.abs(far).max(), np.abs(polyhedron.offsets).max(initial=0))
    precision = np.abs(np.linalg.inv(covariance)).sum(axis=(1, 2))
    return weights @ precision * (1e-14 * size) ** 2


def departures(front, polyhedron):
    """Constraints of each departure: an optimal arm is beyond a facet."""
    return [
        ([], [(arm, -normal, -offset)])
        for arm in front
        for normal, offset in zip(polyhedron.normals, polyhedron.offsets, strict=True)
    ]


def removed(front, d):
    """Constraints of each removal."""
    return [(removal, []) for removal in removals(front, d)]


def rows_of(polyhedron, arm):
    """Constraints under which an arm is in the polyhedron."""
    rows = zip(polyhedron.normals, polyhedron.offsets, strict=True)
    return [(arm, normal, offset) for normal, offset in rows]


def admissions(front, d, polyhedron, target):
    """Constraints of each admission of an arm."""
    inside = rows_of(polyhedron, target)
    return [(addition, inside) for addition in additions(front, d, target)]


def alternatives(means, polyhedron):
    """Constraints of every alternative."""
    front = constrained_front(means, polyhedron)
    d, rest = means.shape[1], [k for k in range(len(means)) if k not in front]
    found = departures(front, polyhedron) + removed(front, d)
    return found + [each for k in rest for each in admissions(front, d, polyhedron, k)]


def confusions(means):
    """Constraints of each confusion: another arm meets the best arm of an objective."""
    best = means.argmax(axis=0)
    return [
        ([(best[c], i, c)], [])
        for c in range(means.shape[1])
        for i in range(len(means))
        if i != best[c]
    ]


def cheapest(means, weights, covariance, candidates):
    """Cheapest of some alternatives: (cost, means)."""
    found = [closest(means, weights, covariance, *each) for each in candidates]
    return min(found, key=lambda each: each[0], default=(np.inf, means))


def admit(means, weights, covariance, polyhedron, front, target):
    """Cheapest admission of ``target`` past the arms of ``front``: (cost, means)."""
    candidates = admissions(list(front), means.shape[1], polyhedron, target)
    return cheapest(means, weights, covariance, candidates)


def refutations(d, polyhedron, partition):
    """Constraints of every alternative that refutes a partition."""
    front = list(partition.optimal)
    found = departures(front, polyhedron) + removed(front, d)
    found += [([], rows_of(polyhedron, k)) for k in partition.infeasible]
    return found + [(each, []) for k in partition.dominated for each in additions(front, d, k)]
