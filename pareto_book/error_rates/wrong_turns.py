"""Elementary ways to be wrong: means at the border of a different answer."""

import itertools

import numpy as np
from numpy.typing import ArrayLike

from pareto_book.error_rates.cheapest_moves import (
    moves_in_linear_model,
    moves_of_known_noise,
    moves_of_unit_noise,
)
from pareto_core.checks.arguments import check_array
from pareto_core.geometry.dominance import pareto_set
from pareto_core.instances.instance import Instance
from pareto_core.questions import BEST_ARMS, OPTIMAL, PARETO_SET, Question
from pareto_core.transport.metric import checked_noise, region_of, write_prices
from pareto_core.transport.moves import admit, enter, write_move
from pareto_core.transport.oracle import allocate_oracle, label_answer

__all__ = ["wrong_turns"]

TIE = 0.01  # standard deviations: if arms are closer, a turn ends this far beyond the border


def wrong_turns(
    instance: Instance, question: Question, weights: ArrayLike, linear: bool = False
) -> np.ndarray:
    """Means at the border of a different answer, one for each elementary change of the answer."""
    is_known = question in (BEST_ARMS, PARETO_SET) and not linear
    is_known = is_known and (instance.variance.ndim == 2 or instance.is_correlated)
    unit = _typical_deviation(instance) if is_known else np.sqrt(instance.variance)
    means = np.array(instance.means / unit) if is_known else np.array(instance.means_standardised)
    weights = check_array(weights, "weights")
    if weights.shape != means.shape[:1] or not (weights > 0).all():
        raise ValueError(f"weights = {weights!r}; expected {len(means)} positive numbers")
    if question not in (BEST_ARMS, PARETO_SET):
        turns = _border_turns(means, weights, instance.standardised().polyhedron)
        return np.array(turns).reshape(-1, *means.shape) * unit
    if is_known:
        moves = moves_of_known_noise(weights, _covariance_of(instance) / np.outer(unit, unit))
    elif linear:
        moves = moves_in_linear_model(weights, instance.features, means.shape[1])
    else:
        moves = moves_of_unit_noise(weights, means.shape[1])
    turns = _confusions(means, moves) if question is BEST_ARMS else _front_turns(means, moves)
    return np.array(turns).reshape(-1, *means.shape) * unit


def _covariance_of(instance):
    """Covariance of each arm's rewards, shape (K, d, d)."""
    given = (
        (instance.variance, None) if instance.covariance is None else (None, instance.covariance)
    )
    return checked_noise(*given, *instance.means.shape)


def _typical_deviation(instance):
    """Largest standard deviation of each objective, shape (d,)."""
    return np.sqrt(np.atleast_2d(instance.variance).max(axis=0))


def _confusions(means, moves):
    turns = []
    for m, best in enumerate(means.argmax(axis=0)):
        for k in range(len(means)):
            if means[k, m] < means[best, m]:
                turns += moves.confuse(means, m, best, k)
    return turns


def _moved(means, arm, step):
    moved = means.copy()
    moved[arm] += step
    return moved


def _removals(means, moves, front, winners):
    turns = []
    for loser, winner in itertools.product(front, winners):
        if winner != loser:
            is_tied = (means[loser] - means[winner]).max() < TIE
            apart = _moved(means, loser, TIE if is_tied else 0.0)
            turns += [means + (turn - apart) for turn in moves.remove(apart, loser, winner)]
    return turns


def _untied(means, arm, front):
    """The means, with a dominated arm lowered if it ties with an arm that dominates it."""
    leads = means[front] - means[arm]
    is_tied = (leads[(leads >= 0).all(axis=1)] < TIE).any()
    return _moved(means, arm, -TIE if is_tied else 0.0)


def _liftings(means, prices, arm, front):
    """The arm becomes equal to all that dominate it, in one objective, in two, or in all."""
    rivals = [j for j in front if (means[j] >= means[arm]).all()]
    n_objectives = means.shape[1]
    turns = []
    for size in sorted({1, 2, n_objectives} if rivals else ()):
        for chosen in itertools.combinations(range(n_objectives), size):
            group = [arm, *rivals]
            turns.append(means.copy())
            for c in chosen:
                turns[-1][group, c] = np.average(means[group, c], weights=prices[group, c])
    return turns


def _front_turns(means, moves):
    front = pareto_set(means)
    turns = _removals(means, moves, front, range(len(means)))
    for k in np.setdiff1d(np.arange(len(means)), front):
        apart = _untied(means, k, front)
        escapes = moves.free(apart, k)
        if moves.prices is not None:
            escapes += _liftings(apart, moves.prices, k, front)
        turns += [means + (turn - apart) for turn in escapes]
    return turns


def _departures(means, arm, normals, offsets):
    """The arm leaves the polyhedron through each of its facets."""
    turns = []
    for normal, offset in zip(normals, offsets, strict=True):
        turns.append(means.copy())
        turns[-1][arm] += max(offset - normal @ means[arm], TIE) * normal
    return turns


def _written(means, weights, oracle):
    """Means of the move found last."""
    moved = np.empty_like(means)
    write_move(means, weights, None, oracle, moved, np.empty(len(means)))
    return moved


def _border_turns(means, weights, polyhedron):
    region = region_of(polyhedron)
    oracle = allocate_oracle(*means.shape, region=region)
    label_answer(means, None, region, oracle)
    write_prices(weights, None, oracle.prices)
    optimal, feasible = oracle.labels == OPTIMAL, oracle.inside.room >= 0
    front = np.flatnonzero(optimal)
    moves = moves_of_unit_noise(weights, means.shape[1])
    turns = _removals(means, moves, front, np.flatnonzero(feasible))
    for k in range(len(means)):
        if feasible[k]:
            turns += _departures(means, k, *region)
        else:
            enter(means, weights, None, region, k, np.inf, oracle)
            turns.append(_written(means, weights, oracle))
        if not optimal[k]:
            apart = _untied(means, k, front)
            admit(apart, weights, None, region, k, np.inf, oracle)
            cheapest = _written(apart, weights, oracle)
            escapes = [cheapest, *_liftings(apart, moves.prices, k, front)]
            turns += [means + (turn - apart) for turn in escapes]
    return turns
