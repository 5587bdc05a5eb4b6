"""The labels of an answer, the cheapest move against it, and the work arrays of the search.

An answer labels the arms. The Pareto set and that of the feasible arms label all other arms
``REJECTED``; a partition states the reason, ``DOMINATED`` or ``INFEASIBLE``.

The sweep applies to two objectives and unit variance only: under other metrics, the objective in
which an arm is lowered depends on its own prices, so the assignments are not those of a staircase.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import inner, kernel, part
from pareto_core.geometry.dominance import _pareto_set
from pareto_core.geometry.staircase import sorted_front
from pareto_core.questions import OPTIMAL, REJECTED
from pareto_core.transport.admission import ConstrainedSpace, admission_space
from pareto_core.transport.branch_and_bound import SearchSpace, search_space
from pareto_core.transport.coupled import JointSearch, joint_search
from pareto_core.transport.metric import facet_room, noise_of
from pareto_core.transport.sweep import SWEEP_ROWS

SWEEP, BRANCH_AND_BOUND = 0, 1
METHODS = {"cells": BRANCH_AND_BOUND, "branch_and_bound": BRANCH_AND_BOUND, "sweep": SWEEP}
OPEN = -2  # label of an arm that no move refutes
NOTHING, REMOVE, DEPART, ADD, ENTER = range(5)  # moves; an admission is recorded as an addition
FOUND = np.dtype(
    [("size", np.int64), ("move", np.int64), ("arm", np.int64), ("rival", np.int64)], align=True
)


class Inside(NamedTuple):
    """Work arrays for a region."""

    room: np.ndarray  # (K,) to the nearest facet's plane, in standard deviations; below 0 outside
    trial: np.ndarray  # (d,) candidate for the new mean of an arm
    chosen: np.ndarray  # (K,) the arms from which the front is computed
    chosen_means: np.ndarray  # (K, d) their means
    search: ConstrainedSpace


class Pair(NamedTuple):
    """Work arrays for known noise."""

    lead: np.ndarray  # (d,) of the loser of two arms that meet
    held: np.ndarray  # (d,) bool: whether they meet in an objective
    forces: np.ndarray  # (d,) the loser moves by -share Sigma forces, the winner by its share
    matrix: np.ndarray  # (d, d) covariance of their difference, or precision of a mean
    factor: np.ndarray  # (d, d)
    search: JointSearch


class Oracle(NamedTuple):
    """The labels, the cheapest move found last, and the work arrays of the search."""

    labels: np.ndarray  # (K,) of the answer to refute
    front: np.ndarray  # (K,) arms labelled optimal: the first ``found[0]["size"]`` entries
    found: np.ndarray  # (1,) FOUND: ``arm`` falls below ``rival``, or moves to ``point`` (rival -1)
    point: np.ndarray  # (d,)
    bounds: np.ndarray  # (K,) lower bounds on the cost of refuting arms that are not optimal
    prices: np.ndarray  # (K,) or (K, d)
    rows: np.ndarray  # (SWEEP_ROWS, K + 1) work array of the sweep; (0,) for branch and bound
    search: SearchSpace | None  # of branch and bound
    pair: Pair | None  # for known noise
    inside: Inside | None  # for a region


def oracle_of(problem, region=None):
    """Allocate an `Oracle` for the noise of a problem."""
    size = problem.n_arms, problem.n_objectives
    return allocate_oracle(*size, noise=noise_of(problem), region=region)


def allocate_oracle(n_arms, n_objectives, noise=None, region=None, separate=False, method=None):
    """Allocate an `Oracle`, whose types select the code of the kernels that it is given to."""
    d, is_priced = n_objectives, separate or noise is not None
    if method is None:
        method = SWEEP if d == 2 and not is_priced else BRANCH_AND_BOUND
    search, pair, inside = None, None, None
    if noise is not None:
        joint, vector = joint_search(n_arms, d), np.empty(d)
        search, matrix = joint.space, np.empty((d, d))
        pair = Pair(vector, np.empty(d, np.bool_), vector.copy(), matrix, matrix.copy(), joint)
    elif method != SWEEP:
        search = search_space(n_arms, d)
    if region is not None:
        inside = Inside(
            np.empty(n_arms),
            np.empty(d),
            np.empty(n_arms, np.int64),
            np.empty((n_arms, d)),
            admission_space(region.normals.shape[0], n_arms, d, noise is not None),
        )
    return Oracle(
        np.zeros(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.zeros(1, FOUND),
        np.zeros(d),
        np.empty(n_arms),
        np.empty((n_arms, d) if is_priced else n_arms),
        np.empty((SWEEP_ROWS, n_arms + 1) if method == SWEEP else 0),
        search,
        pair,
        inside,
    )


@inner
def _find_front(means, rows, front):
    """Write the Pareto set, sorted by the first objective for the sweep; return its size."""
    if rows.ndim == 1:
        return _pareto_set(means, front)
    else:
        return sorted_front(means, front)


@kernel
def _find_front_among(means, chosen, n, oracle):
    """As `_find_front`, among the ``n`` arms of ``chosen``."""
    chosen_means, front = oracle.inside.chosen_means, oracle.front
    for i in range(n):
        for c in range(means.shape[1]):
            chosen_means[i, c] = means[chosen[i], c]
    size = _find_front(chosen_means[:n], oracle.rows, front)
    for f in range(size):
        front[f] = chosen[front[f]]
    return size


@kernel
def _write_room(means, noise, region, room):
    """Measure the distance of each arm from the planes of the facets."""
    for k in range(means.shape[0]):
        room[k] = np.inf
        for facet in range(region.normals.shape[0]):
            room[k] = min(room[k], facet_room(means, noise, region, k, facet))


@inner
def label_answer(means, noise, region, oracle):
    """Label the Pareto set of the (feasible) arms as optimal and all others as rejected."""
    if region is None:
        size = _find_front(means, oracle.rows, oracle.front)
    else:
        inside, n = oracle.inside, 0
        _write_room(means, noise, region, inside.room)
        for k in range(means.shape[0]):
            if inside.room[k] >= 0.0:
                inside.chosen[n] = k
                n += 1
        size = _find_front_among(means, inside.chosen, n, oracle)
    oracle.labels[:] = REJECTED
    for f in range(size):
        oracle.labels[oracle.front[f]] = OPTIMAL
    oracle.found[0]["size"] = size
    return size


@kernel
def label_partition(means, noise, region, labels, oracle):
    """Take the labels of a valid partition; some may be `OPEN`."""
    inside, n = oracle.inside, 0
    _write_room(means, noise, region, inside.room)
    for k in range(means.shape[0]):
        oracle.labels[k] = labels[k]
        if labels[k] == OPTIMAL:
            inside.chosen[n] = k
            n += 1
    oracle.found[0]["size"] = _find_front_among(means, inside.chosen, n, oracle)


@inner
def label(means, noise, region, labels, oracle):
    """Label the answer of the means, or take the labels of a partition if they are given."""
    if labels is None:
        label_answer(means, noise, region, oracle)
    else:
        label_partition(means, noise, region, labels, oracle)


@part
def record(oracle, move, arm, rival):
    """Record a move."""
    found = oracle.found[0]
    found["move"], found["arm"], found["rival"] = move, arm, rival
