"""The elementary ways to be wrong: means at the border of another answer."""

import itertools

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array
from pareto_core.instances.instance import Instance
from pareto_core.questions import BEST_ARMS, PARETO_SET, Question
from pareto_core.transport.best_arms import write_confusion
from pareto_core.transport.constrained_oracle import (
    admit_arm,
    allocate_constrained_response,
    find_constrained_front,
    write_constrained_alternative,
)
from pareto_core.transport.oracle import (
    allocate_response,
    find_front,
    free_arm,
    search_method,
    write_alternative,
)
from pareto_core.transport.partitions import enter
from pareto_core.transport.removal import write_removal

__all__ = ["wrong_turns"]

TIE = 0.01  # standard deviations: where arms are closer, a turn goes so far beyond the border


def wrong_turns(instance: Instance, question: Question, weights: ArrayLike) -> np.ndarray:
    """Means at the border of another answer, one for each elementary way to get there.

    For the Pareto set, an optimal arm is put below another arm, or a dominated arm is freed: in
    the cheapest way, and by meeting those that dominate it in one objective, in two or in all.
    For best arms, another arm catches up in one objective. With a feasible region a feasible arm
    also leaves it, through each facet, another enters it, and one that is not optimal is put
    where it would be. Where arms tie the border passes through the means themselves, and says
    nothing of where it leads: a turn then goes a hundredth of a standard deviation beyond.

    Parameters
    ----------
    instance : Instance
        With one variance per objective that is common to all arms.
    question : Question
        What is asked for, an algorithm's ``question``.
    weights : array_like, shape (K,)
        Samples of each arm, or their proportions: the means move where that is cheapest.

    Returns
    -------
    ndarray, shape (n, K, d)

    Raises
    ------
    ValueError
        If an argument does not fit.
    """
    whitened = instance.standardised()
    means = np.array(whitened.means)
    weights = check_array(weights, "weights")
    if weights.shape != means.shape[:1] or not (weights > 0).all():
        raise ValueError(f"weights = {weights!r}; expected {len(means)} positive numbers")
    if question is BEST_ARMS:
        turns = _confusions(means, weights)
    elif question is PARETO_SET:
        turns = _front_turns(means, weights)
    else:
        turns = _border_turns(means, weights, whitened.polyhedron)
    return np.array(turns).reshape(-1, *means.shape) * np.sqrt(instance.variance)


def _confusions(means, weights):
    turns = []
    for m, best in enumerate(means.argmax(axis=0)):
        for k in range(len(means)):
            if means[k, m] < means[best, m]:
                turns.append(np.empty_like(means))
                write_confusion(means, weights, m, best, k, turns[-1])
    return turns


def _moved(means, arm, step):
    moved = means.copy()
    moved[arm] += step
    return moved


def _removals(means, weights, front, winners):
    turns = []
    for loser in front:
        for winner in winners:
            if winner != loser:
                is_tied = (means[loser] - means[winner]).max() < TIE
                apart = _moved(means, loser, TIE if is_tied else 0.0)
                turn = apart.copy()
                write_removal(apart, weights, loser, winner, turn)
                turns.append(means + (turn - apart))
    return turns


def _untied(means, arm, front):
    """The means, with a dominated arm lower if it ties with one that dominates it."""
    leads = means[front] - means[arm]
    is_tied = (leads[(leads >= 0).all(axis=1)] < TIE).any()
    return _moved(means, arm, -TIE if is_tied else 0.0)


def _liftings(means, weights, arm, front):
    """The arm meets all that dominate it in one objective, in two, or in all at once."""
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
    method = search_method(means.shape[1])
    response = allocate_response(*means.shape)
    find_front(means, method, response)
    front = np.flatnonzero(response.optimal)
    turns = _removals(means, weights, front, range(len(means)))
    for k in np.flatnonzero(~response.optimal):
        apart = _untied(means, k, front)
        free_arm(apart, weights, k, np.inf, method, response)
        cheapest = np.empty_like(means)
        write_alternative(apart, weights, response, cheapest)
        escapes = [cheapest, *_liftings(apart, weights, k, front)]
        turns += [means + (turn - apart) for turn in escapes]
    return turns


def _departures(means, arm, normals, offsets):
    """The arm leaves the polyhedron through each of its facets."""
    turns = []
    for normal, offset in zip(normals, offsets, strict=True):
        turns.append(means.copy())
        turns[-1][arm] += max(offset - normal @ means[arm], TIE) * normal
    return turns


def _border_turns(means, weights, polyhedron):
    method = search_method(means.shape[1])
    rows = polyhedron.rows()
    response = allocate_constrained_response(len(rows[0]), *means.shape)
    find_constrained_front(means, *rows, method, response)
    optimal, feasible = response.plain.optimal, response.feasible
    front = np.flatnonzero(optimal)
    turns = _removals(means, weights, front, np.flatnonzero(feasible))
    for k in range(len(means)):
        if feasible[k]:
            turns += _departures(means, k, *rows)
        else:
            enter(means, weights, *rows, k, np.inf, response)
            turns.append(np.empty_like(means))
            write_constrained_alternative(means, weights, response, turns[-1])
        if not optimal[k]:
            apart = _untied(means, k, front)
            admit_arm(apart, weights, *rows, k, np.inf, method, response)
            cheapest = np.empty_like(means)
            write_constrained_alternative(apart, weights, response, cheapest)
            escapes = [cheapest, *_liftings(apart, weights, k, front)]
            turns += [means + (turn - apart) for turn in escapes]
    return turns
