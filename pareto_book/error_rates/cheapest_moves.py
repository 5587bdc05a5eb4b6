"""The cheapest moves of the means that change the status of an arm, one kind for each noise.

Each kind has the same functions, so that `wrong_turns` can list the wrong answers without knowing
how a move is priced.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pareto_core.regression.design import feature_points
from pareto_core.transport.best_arms import write_confusion
from pareto_core.transport.linear_oracle import (
    allocate_linear_response,
    find_linear_front,
    free_linear_arm,
    linear_removal_cost,
    whiten_features,
    write_linear_alternative,
    write_linear_confusion,
    write_linear_removal,
)
from pareto_core.transport.metric import known_noise, write_prices
from pareto_core.transport.moves import add, remove, write_move
from pareto_core.transport.oracle import allocate_oracle, label_answer


class Moves(NamedTuple):
    """Functions that move means at the smallest cost; each returns a list of new means.

    Attributes
    ----------
    remove : callable
        ``remove(means, loser, winner)``: the winner becomes at least as good as the loser. If the
        cheapest move would cost the winner an objective in which it is ahead, the list also
        contains the move without that objective, which can be continued beyond the border.
    free : callable
        ``free(means, arm)``: nothing dominates the arm any more.
    confuse : callable
        ``confuse(means, objective, best, challenger)``: both become equal in the objective.
    prices : ndarray, shape (K, d), or None
        Weight of each mean; None if the means of arms cannot be moved one by one.
    """

    remove: Callable
    free: Callable
    confuse: Callable
    prices: np.ndarray | None


def moves_of_unit_noise(weights: np.ndarray, n_objectives: int) -> Moves:
    """Moves under independent noise of unit variance."""
    return _moves(weights, None, np.repeat(weights[:, None], n_objectives, axis=1))


def moves_of_known_noise(weights: np.ndarray, covariance: np.ndarray) -> Moves:
    """Moves under noise of known covariance, shape (K, d, d)."""
    noise = known_noise(covariance)
    return _moves(weights, noise, weights[:, None] / noise.variance)


def _moves(weights, noise, prices):
    """Moves of means that can be moved one by one."""

    def moved(move, means, *arms):
        oracle = allocate_oracle(*means.shape, noise)
        label_answer(means, None, None, oracle)
        write_prices(weights, noise, oracle.prices)
        move(means, weights, noise, *arms, np.inf, oracle)
        alternative = np.empty_like(means)
        write_move(means, weights, noise, oracle, alternative, np.empty(len(means)))
        return alternative

    def removed(means, loser, winner):
        alternative = moved(remove, means, loser, winner)
        before, after = (each[winner] - each[loser] for each in (means, alternative))
        shrinks = (before >= 0) & (after < before)
        return (
            [alternative, np.where(shrinks, means, alternative)] if shrinks.any() else [alternative]
        )

    def freed(means, arm):
        return [moved(add, means, arm)]

    def confused(means, *confusion):
        alternative = np.empty_like(means)
        write_confusion(means, weights, noise, confusion, alternative, np.empty(len(means)))
        return [alternative]

    return Moves(removed, freed, confused, prices)


def moves_in_linear_model(weights: np.ndarray, features: np.ndarray, n_objectives: int) -> Moves:
    """Moves of means that are linear in features, under independent noise of unit variance."""
    points = np.ascontiguousarray(feature_points(features))
    response = allocate_linear_response(*points.shape, n_objectives)
    whiten_features(points, weights, response)

    def written(means):
        moved = np.empty_like(means)
        write_linear_alternative(means, response, moved)
        return moved

    def remove(means, loser, winner):
        if linear_removal_cost(means, response.whitened, loser, winner) == np.inf:
            return []
        write_linear_removal(means, loser, winner, response)
        return [written(means)]

    def free(means, arm):
        find_linear_front(means, response)
        free_linear_arm(means, arm, np.inf, response)
        return [written(means)]

    def confused(means, objective, best, challenger):
        if linear_removal_cost(means, response.whitened, best, challenger) == np.inf:
            return []
        write_linear_confusion(means, objective, best, challenger, response)
        return [written(means)]

    return Moves(remove, free, confused, None)
