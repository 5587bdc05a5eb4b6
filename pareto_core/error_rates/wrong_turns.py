"""Elementary ways to be wrong: means at the border of a different answer."""

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

TIE = 0.01  # standard deviations: if arms are closer, a turn ends this far beyond the border


def wrong_turns(instance: Instance, question: Question, weights: ArrayLike) -> np.ndarray:
    """Means at the border of a different answer, one for each elementary change of the answer.

    For the Pareto set, an optimal arm is moved below a different arm, or a dominated arm is freed:
    at the smallest cost, and by making it equal to the arms that dominate it in one objective, in
    two, or in all. For best arms, a different arm catches up in one objective. With a feasible
    region, a feasible arm also leaves it through each facet, an infeasible arm enters it, and an
    arm that is not optimal becomes optimal. If arms tie, the border passes through the means
    themselves and determines no direction; a turn then ends a hundredth of a standard deviation
    beyond it.

    Parameters
    ----------
    instance : Instance
        With noise whose variance in an objective is the same for all arms.
    question : Question
        The ``question`` of an algorithm.
    weights : array_like, shape (K,)
        Samples of each arm, or their proportions, which determine the cost of moving a mean.

    Returns
    -------
    ndarray, shape (n, K, d)

    Raises
    ------
    ValueError
        If ``weights`` is not one positive number per arm.
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
    """The means, with a dominated arm lowered if it ties with an arm that dominates it."""
    leads = means[front] - means[arm]
    is_tied = (leads[(leads >= 0).all(axis=1)] < TIE).any()
    return _moved(means, arm, -TIE if is_tied else 0.0)


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
