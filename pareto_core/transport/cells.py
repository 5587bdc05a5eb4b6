"""Cheapest addition of a dominated arm, by enumerating cells (Crepon et al. 2024, Lemma 3)."""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.cells import cell_walk, next_cell
from pareto_core.questions import REJECTED
from pareto_core.transport.metric import write_prices
from pareto_core.transport.moves import admit
from pareto_core.transport.oracle import ADD, NOTHING, label_answer, record
from pareto_core.transport.walk import cheapest_removal, weightless_arm


class CellSpace(NamedTuple):
    """Arrays of one enumeration for ``p`` arms and ``d`` objectives."""

    ranked: np.ndarray  # (d, p) arms by descending mean in each objective
    ranked_levels: np.ndarray  # (d, p) their means
    ranked_weights: np.ndarray  # (d, p) their weights
    levels: np.ndarray  # (d, p + 1) means of the arms assigned to an objective, descending
    weights: np.ndarray  # (d, p + 1) their weights
    count: np.ndarray  # (d,) their number


@kernel
def _cell_space(points, weights):
    """Allocate a `CellSpace` and rank the points."""
    n_points, n_objectives = points.shape
    ranked = np.empty((n_objectives, n_points), np.int64)
    ranked_levels = np.empty((n_objectives, n_points))
    ranked_weights = np.empty((n_objectives, n_points))
    for c in range(n_objectives):
        copy_vector(ranked[c], np.argsort(-points[:, c]))
        for rank in range(n_points):
            ranked_levels[c, rank] = points[ranked[c, rank], c]
            ranked_weights[c, rank] = weights[ranked[c, rank]]
    return CellSpace(
        ranked,
        ranked_levels,
        ranked_weights,
        np.empty((n_objectives, n_points + 1)),
        np.empty((n_objectives, n_points + 1)),
        np.empty(n_objectives, np.int64),
    )


@kernel
def _split_by_objective(assignment, space):
    """List the arms of each objective by descending mean, without branches."""
    n_objectives, n_points = space.ranked.shape
    for c in range(n_objectives):
        n = 0
        for rank in range(n_points):
            space.levels[c, n] = space.ranked_levels[c, rank]
            space.weights[c, n] = space.ranked_weights[c, rank]
            n += assignment[space.ranked[c, rank]] == c
        space.count[c] = n


@kernel
def _cell_minimum(own, start, levels, weights, count):
    """Minimise own/2 (x - start)^2 + sum_i w_i/2 (levels_i - x)_+^2; return (cost, x)."""
    mass = own
    pull = 0.0
    active = 0
    while active < count and (levels[active] - start) * mass > pull:
        mass += weights[active]
        pull += weights[active] * (levels[active] - start)
        active += 1
    x = start + pull / mass
    cost = 0.5 * own * (x - start) ** 2
    for i in range(active):
        cost += 0.5 * weights[i] * max(levels[i] - x, 0.0) ** 2
    return cost, x


@kernel
def cheapest_addition_by_cells(means, weights, front, targets, upper, point, walk):
    """Cheapest addition of a target below ``upper`` and that target, or ``upper`` and -1."""
    points = means[front]
    n_objectives = means.shape[1]
    space = _cell_space(points, weights[front])
    position = np.empty(n_objectives)
    best = upper
    best_target = -1
    while next_cell(points, False, walk):
        _split_by_objective(walk.assignment, space)
        for target in targets:
            total = 0.0
            for c in range(n_objectives):
                cost, position[c] = _cell_minimum(
                    weights[target],
                    means[target, c],
                    space.levels[c],
                    space.weights[c],
                    space.count[c],
                )
                total += cost
                if total >= best:
                    break
            if total < best:
                best = total
                best_target = target
                copy_vector(point, position)
    return best, best_target


@kernel
def cheapest_alternative_by_cells(means, weights, oracle):
    """As `walk.cheapest_alternative`, with all additions found by enumerating cells."""
    size = label_answer(means, None, None, oracle)
    record(oracle, NOTHING, -1, -1)
    write_prices(weights, None, oracle.prices)
    weightless = weightless_arm(weights, oracle.labels)
    if weightless >= 0:
        return admit(means, weights, None, None, weightless, np.inf, oracle)
    best = cheapest_removal(means, weights, weights, None, np.inf, oracle.rows, oracle)
    targets = np.flatnonzero(oracle.labels == REJECTED)
    walk = cell_walk(size, means.shape[1])
    best, target = cheapest_addition_by_cells(
        means, weights, oracle.front[:size], targets, best, oracle.point, walk
    )
    if target >= 0:
        record(oracle, ADD, target, -1)
    return best
