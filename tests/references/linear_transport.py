"""The cheapest alternative in a linear model, in rational arithmetic, by trying everything.

All inputs are taken as the exact numbers that the floats are. A projection on half-spaces is the
cheapest of the projections on intersections of their boundaries that lies in all of them.
"""

import itertools
from fractions import Fraction

import numpy as np
from references.design import eliminate, exact
from references.pareto import pareto_set


def solution(matrix, right):
    """Solution of a square system; None if the matrix is singular."""
    rows, pivots = eliminate(np.column_stack([matrix, right]), len(matrix))
    return rows[:, -1] if len(pivots) == len(matrix) else None


def closest_on(information, normals, gaps):
    """Shortest move, in the norm of ``information``, onto the intersection of hyperplanes."""
    h, n = len(information), len(normals)
    system = exact(np.zeros((h + n, h + n)))
    system[:h, :h] = information
    if n:
        system[:h, h:] = -normals.T
        system[h:, :h] = normals
    found = solution(system, np.concatenate([exact(np.zeros(h)), gaps]))
    return None if found is None else found[:h]


def freeing_cost(information, features, means, front, target):
    """Cost of freeing ``target``: all assignments of optimal arms to objectives."""
    normals = features[target] - features[front]
    sets = range(len(front))
    groups = [
        group
        for size in range(min(len(front), len(information)) + 1)
        for group in itertools.combinations(sets, size)
    ]
    costs = []  # by objective: (the arms whose half-spaces a move reaches, its cost)
    for c in range(means.shape[1]):
        gaps = means[front, c] - means[target, c]
        moves = [closest_on(information, normals[list(g)], gaps[list(g)]) for g in groups]
        costs.append(
            [
                (
                    frozenset(i for i in sets if normals[i] @ move >= gaps[i]),
                    move @ information @ move,
                )
                for move in moves
                if move is not None
            ]
        )
    best = None
    for assignment in itertools.product(range(means.shape[1]), repeat=len(front)):
        total = Fraction(0)
        for c, found in enumerate(costs):
            needed = {i for i in sets if assignment[i] == c}
            total += min((cost for reached, cost in found if needed <= reached), default=np.inf)
        best = total if best is None else min(best, total)
    return best / 2


def linear_transport(means, weights, features):
    """Cost of the cheapest alternative; ``means`` are linear in ``features``, exactly."""
    means, weights, features = exact(means), exact(weights), exact(features)
    features = features[:, eliminate(features, features.shape[1])[1]]
    information = (features * weights[:, None]).T @ features
    if len(eliminate(information, len(information))[1]) < len(information):
        return 0.0
    front = pareto_set(means)
    costs = []
    for k, j in itertools.permutations(front, 2):
        step = features[k] - features[j]
        if (step != 0).any():
            lead = np.maximum(means[k] - means[j], 0)
            costs.append((lead**2).sum() / (step @ solution(information, step)) / 2)
    for target in set(range(len(means))) - set(front):
        costs.append(freeing_cost(information, features, means, front, target))
    return float(min(costs))
