"""Slow, transparent projections, distances, constrained Pareto sets and valid partitions."""

import itertools
import math
from fractions import Fraction

from references import pareto as reference


def solve(matrix, right):
    """Exact solution of a square system, or None if it is singular."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i] != 0), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for k in range(len(rows)):
            if k != i and rows[k][i] != 0:
                factor = rows[k][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


def exact(array):
    return [[Fraction(float(entry)) for entry in row] for row in array]


def dot(u, v):
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def on_borders(rows, right, metric, start):
    """Closest point that satisfies these rows with equality; None if they are dependent."""
    scaled = [[a / h for a, h in zip(row, metric, strict=True)] for row in rows]
    products = [[dot(row, other) for other in scaled] for row in rows]
    excess = [dot(row, start) - b for row, b in zip(rows, right, strict=True)]
    forces = solve(products, excess)
    if forces is None:
        return None
    return [
        x - sum(u * row[c] for u, row in zip(forces, scaled, strict=True))
        for c, x in enumerate(start)
    ]


def project(normals, offsets, metric, start):
    """(half the squared distance, point) of the closest feasible point, in exact arithmetic.

    It satisfies some independent rows with equality and is the closest such point: the best of
    the feasible points among the closest ones for all choices of rows; (inf, None) if none is.
    """
    rows, (right, metric, start) = exact(normals), exact([offsets, metric, start])
    best = math.inf, None
    for size in range(len(start) + 1):
        for chosen in itertools.combinations(range(len(rows)), size):
            point = on_borders([rows[k] for k in chosen], [right[k] for k in chosen], metric, start)
            if point is None or any(dot(a, point) > b for a, b in zip(rows, right, strict=True)):
                continue
            moves = [x - s for x, s in zip(point, start, strict=True)]
            best = min(best, (dot(metric, [move**2 for move in moves]) / 2, point))
    return float(best[0]), best[1] and [float(x) for x in best[1]]


def project_in_metric(normals, offsets, metric, start):
    """As `project`, in a metric that is a positive definite matrix.

    For each choice of rows, the move x - s and the multipliers u solve M (x - s) + A'u = 0 and
    A (x - s) = b - A s.
    """
    rows, matrix, (right, start) = exact(normals), exact(metric), exact([offsets, start])
    best = math.inf, None
    for size in range(len(start) + 1):
        for chosen in itertools.combinations(range(len(rows)), size):
            some = [rows[k] for k in chosen]
            upper = [[*line, *(row[c] for row in some)] for c, line in enumerate(matrix)]
            lower = [[*row, *([Fraction(0)] * size)] for row in some]
            missing = [right[k] - dot(rows[k], start) for k in chosen]
            found = solve(upper + lower, [Fraction(0)] * len(start) + missing)
            if found is None:
                continue
            move = found[: len(start)]
            point = [s + m for s, m in zip(start, move, strict=True)]
            if any(dot(a, point) > b for a, b in zip(rows, right, strict=True)):
                continue
            best = min(best, (dot(move, [dot(line, move) for line in matrix]) / 2, point))
    return float(best[0]), best[1] and [float(x) for x in best[1]]


def contains(A, b, point):
    right, point = exact([b, point])
    return all(dot(row, point) <= limit for row, limit in zip(exact(A), right, strict=True))


def boundary_distance(A, b, point):
    """Distance to the nearest facet's plane from inside, to the polyhedron from outside."""
    ones = [1.0] * len(point)
    if not contains(A, b, point):
        return math.sqrt(2 * project(A, b, ones, point)[0])
    start = exact([point])[0]
    ways = [
        on_borders([row], [right], ones, start)
        for row, right in zip(exact(A), exact([b])[0], strict=True)
        if any(row)
    ]
    return min((math.dist(point, [float(x) for x in way]) for way in ways), default=math.inf)


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
