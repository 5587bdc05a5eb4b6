"""Elementary ways to be wrong: means at the border of a different answer."""

import itertools

import numpy as np

from pareto_core.geometry.dominance import pareto_set
from pareto_core.instances.instance import Instance
from pareto_core.questions import BEST_ARMS, OPTIMAL, PARETO_SET, Question
from pareto_core.transport.best_arms import write_confusion
from pareto_core.transport.metric import region_of, write_prices
from pareto_core.transport.moves import add, admit, enter, remove, write_move
from pareto_core.transport.oracle import allocate_oracle, label_answer

TIE = 0.01  # standard deviations: if arms are closer, a turn ends this far beyond the border


def wrong_turns(instance: Instance, question: Question, weights: np.ndarray) -> np.ndarray:
    """Means at the border of a different answer, one for each elementary change of the answer."""
    unit, means = np.sqrt(instance.variance), np.array(instance.means_standardised)
    if question is BEST_ARMS:
        turns = _confusions(means, weights)
    elif question is PARETO_SET:
        turns = _front_turns(means, weights)
    else:
        turns = _border_turns(means, weights, instance.standardised().polyhedron)
    return np.array(turns).reshape(-1, *means.shape) * unit


def _confusions(means, weights):
    """The best arm of an objective and another arm become equal in it."""
    turns = []
    for m, best in enumerate(means.argmax(axis=0)):
        for k in range(len(means)):
            if means[k, m] < means[best, m]:
                turns.append(np.empty_like(means))
                write_confusion(means, weights, None, (m, best, k), turns[-1], np.empty(len(means)))
    return turns


def _shifted(means, arm, step):
    shifted = means.copy()
    shifted[arm] += step
    return shifted


def _written(means, weights, oracle):
    """Means of the move found last."""
    moved = np.empty_like(means)
    write_move(means, weights, None, oracle, moved, np.empty(len(means)))
    return moved


def _cheapest(move, means, weights, *arms):
    """Means after the cheapest move of a kind, ``add`` or ``remove``."""
    oracle = allocate_oracle(*means.shape)
    label_answer(means, None, None, oracle)
    write_prices(weights, None, oracle.prices)
    move(means, weights, None, *arms, np.inf, oracle)
    return _written(means, weights, oracle)


def _removed(means, weights, loser, winner):
    """The winner becomes at least as good as the loser.

    If that costs the winner an objective in which it is ahead, there is a second turn without that
    objective, which can be continued beyond the border.
    """
    alternative = _cheapest(remove, means, weights, loser, winner)
    before, after = (each[winner] - each[loser] for each in (means, alternative))
    shrinks = (before >= 0) & (after < before)
    return [alternative, np.where(shrinks, means, alternative)] if shrinks.any() else [alternative]


def _removals(means, weights, front, winners):
    turns = []
    for loser, winner in itertools.product(front, winners):
        if winner != loser:
            is_tied = (means[loser] - means[winner]).max() < TIE
            apart = _shifted(means, loser, TIE if is_tied else 0.0)
            turns += [means + (turn - apart) for turn in _removed(apart, weights, loser, winner)]
    return turns


def _untied(means, arm, front):
    """The means, with a dominated arm lowered if it ties with an arm that dominates it."""
    leads = means[front] - means[arm]
    is_tied = (leads[(leads >= 0).all(axis=1)] < TIE).any()
    return _shifted(means, arm, -TIE if is_tied else 0.0)


def _liftings(means, weights, arm, front):
    """The arm becomes equal to all that dominate it, in one objective, in two, or in all."""
    rivals = [j for j in front if (means[j] >= means[arm]).all()]
    n_objectives = means.shape[1]
    turns = []
    for size in sorted({1, 2, n_objectives} if rivals else ()):
        for chosen in itertools.combinations(range(n_objectives), size):
            group = [arm, *rivals]
            turns.append(means.copy())
            for c in chosen:
                turns[-1][group, c] = np.average(means[group, c], weights=weights[group])
    return turns


def _front_turns(means, weights):
    front = pareto_set(means)
    turns = _removals(means, weights, front, range(len(means)))
    for k in np.setdiff1d(np.arange(len(means)), front):
        apart = _untied(means, k, front)
        escapes = [_cheapest(add, apart, weights, k), *_liftings(apart, weights, k, front)]
        turns += [means + (turn - apart) for turn in escapes]
    return turns


def _departures(means, arm, normals, offsets):
    """The arm leaves the polyhedron through each of its facets."""
    return [
        _shifted(means, arm, max(offset - normal @ means[arm], TIE) * normal)
        for normal, offset in zip(normals, offsets, strict=True)
    ]


def _border_turns(means, weights, polyhedron):
    region = region_of(polyhedron)
    oracle = allocate_oracle(*means.shape, region=region)
    label_answer(means, None, region, oracle)
    write_prices(weights, None, oracle.prices)
    optimal, feasible = oracle.labels == OPTIMAL, oracle.inside.room >= 0
    front = np.flatnonzero(optimal)
    turns = _removals(means, weights, front, np.flatnonzero(feasible))
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
            escapes = [cheapest, *_liftings(apart, weights, k, front)]
            turns += [means + (turn - apart) for turn in escapes]
    return turns
