"""Slow, transparent projections, distances, constrained Pareto sets and valid partitions."""

import itertools
import math

import numpy as np
from references import pareto as reference
from references.design import eliminate, exact


def project(normals, offsets, metric, start):
    """(half the squared distance, point) of the closest feasible point, in exact arithmetic.

    It satisfies some independent rows with equality and is the closest such point: the best of
    the feasible points among the closest ones for all choices of rows; (inf, None) if none is.
    For each choice, the move x - s and the multipliers u solve M (x - s) + A'u = 0 and
    A (x - s) = b - A s, where M is the metric, a matrix or its diagonal.
    """
    rows, offsets, start = exact(normals).reshape(-1, len(start)), exact(offsets), exact(start)
    matrix, d = exact(np.diag(metric) if np.ndim(metric) == 1 else metric), len(start)
    best = math.inf, None
    for size in range(d + 1):
        for chosen in map(list, itertools.combinations(range(len(rows)), size)):
            some = rows[chosen]
            system = exact(np.zeros((d + size, d + size)))
            system[:d, :d], system[:d, d:], system[d:, :d] = matrix, some.T, some
            right = np.append(exact(np.zeros(d)), offsets[chosen] - some @ start)
            found, pivots = eliminate(np.column_stack([system, right]), d + size)
            move = found[:d, -1]
            if len(pivots) < d + size or (rows @ (start + move) > offsets).any():
                continue
            distance = move @ matrix @ move / 2
            if distance < best[0]:
                best = distance, start + move
    return float(best[0]), best[1] if best[1] is None else best[1].astype(float).tolist()


def contains(A, b, point):
    return bool((exact(A).reshape(-1, len(point)) @ exact(point) <= exact(b)).all())


def boundary_distance(A, b, point):
    """Distance to the nearest facet's plane from inside, to the polyhedron from outside."""
    if not contains(A, b, point):
        return math.sqrt(2 * project(A, b, np.ones(len(point)), point)[0])
    room = exact(b) - exact(A).reshape(-1, len(point)) @ exact(point)
    lengths = [math.hypot(*row) for row in A]
    return min((float(r) / h for r, h in zip(room, lengths, strict=True) if h), default=math.inf)


def feasible_arms(means, polyhedron):
    return [i for i, mean in enumerate(means) if contains(polyhedron.A, polyhedron.b, mean)]


def constrained_pareto_set(means, polyhedron):
    feasible = feasible_arms(means, polyhedron)
    return [
        i for i in feasible if not any(reference.dominates(means[j], means[i]) for j in feasible)
    ]


def valid_partitions(means, polyhedron):
    """All labellings of the arms by O, S and I that agree with the definitions."""
    feasible = feasible_arms(means, polyhedron)
    optimal = constrained_pareto_set(means, polyhedron)
    allowed = [
        {
            "O": i in optimal,
            "S": any(reference.dominates(means[j], means[i]) for j in feasible),
            "I": i not in feasible,
        }
        for i in range(len(means))
    ]
    return {
        labels
        for labels in itertools.product("OSI", repeat=len(means))
        if all(own[label] for own, label in zip(allowed, labels, strict=True))
        and [i for i, label in enumerate(labels) if label == "O"] == optimal
    }


def gaps_among(means, arms):
    """Gap of each of some arms, ignoring other arms; infinite for a single arm."""
    return dict(zip(arms, reference.gaps(means[list(arms)], 1), strict=True)) if arms else {}


def samples(variance, gap):
    return math.inf if gap == 0 else variance / gap**2


def partition_complexity(means, polyhedron, labels, variance, norm_variance):
    """Equation (11) of Kone et al. (2025, constrained), arm by arm."""
    gap = gaps_among(means, [i for i, label in enumerate(labels) if label in "OS"])
    total = 0.0
    for i, label in enumerate(labels):
        far = samples(norm_variance, boundary_distance(polyhedron.A, polyhedron.b, means[i]))
        if label == "O":
            total += max(far, samples(variance, gap[i]))
        elif label == "S":
            total += samples(variance, gap[i])
        else:
            total += far
    return total


def two_stage_complexity(means, polyhedron, variance, norm_variance):
    gap = gaps_among(means, feasible_arms(means, polyhedron))
    total = sum(samples(variance, value) for value in gap.values())
    for mean in means:
        distance = boundary_distance(polyhedron.A, polyhedron.b, mean)
        total += samples(norm_variance, distance)
    return total
