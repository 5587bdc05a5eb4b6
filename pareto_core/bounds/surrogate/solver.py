"""Dual simplex method for surrogate proportions.

The basis has as many rows as variables; rows are exchanged for violated rows until no row is
violated. It starts from the rows of the last optimum, with the coefficients of the new
program. The result is certified: the duals, however imprecise, give an upper bound on the level,
and the level that the leaders' proportions attain is a lower bound. In one call in a thousand the
first attempt is not precise enough: the basis is inverted again, then the search starts anew, and
at last with shifted duals, each way needed by some programs of dozens of rows.

`average_surrogates` gives the approximate oracle weights of the baseline of Chen et al. (2024).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.bounds.surrogate.basis import (
    BOX,
    CUT,
    PAIR,
    ROW,
    Basis,
    allocate_basis,
    entering_excess,
    exchange,
    invert_basis,
)
from pareto_core.bounds.surrogate.program import (
    NEGLIGIBLE,
    Program,
    add_up,
    allocate_program,
    total_need,
    write_means,
    write_weights,
)
from pareto_core.bounds.surrogate.rows import start_at_box, write_cut, write_pair, write_violated
from pareto_core.compiling.kernels import kernel, part

PRECISE = 1e-12  # relative gap at which an attempt is accepted
SHIFTS = (0.0, 0.0, 1e-7, 1e-13, 1e-9, 1e-12, 1e-11, 1e-10, 1e-8)  # of the duals, by attempt
GIVE_UP = 20_000  # largest number of exchanges in one attempt


class SurrogateSpace(NamedTuple):
    """Arrays for programs of K arms and M objectives, allocated once per run."""

    program: Program
    basis: Basis
    last_names: np.ndarray  # (N,) ROW: rows of the last optimum
    last_pieces: np.ndarray  # (N, K) pieces of the rows that are cuts
    sums: np.ndarray  # (M + 1, 2) work array


@kernel
def surrogate_space(n_arms, n_objectives):
    """Allocate a `SurrogateSpace` without a last optimum."""
    n = min(n_arms, n_objectives) + 1
    return SurrogateSpace(
        allocate_program(n_arms, n_objectives),
        allocate_basis(n_arms, n_objectives),
        np.zeros(n, ROW),
        np.zeros((n, n_arms), np.int64),
        np.zeros((n_objectives + 1, 2)),
    )


@kernel
def write_surrogate(means, weights, eta, space, proportions):
    """Fill ``proportions`` with the surrogate proportions; return their relative gap."""
    copy_rows(space.basis.names, space.basis.pieces, space.last_names, space.last_pieces)
    write_means(means, space.program)
    return solve_from(space.last_names, space.last_pieces, weights, eta, space, proportions)


@kernel
def solve_from(names, pieces, weights, eta, space, proportions):
    """Fill ``proportions`` for the means that the program has; return their relative gap."""
    program, basis = space.program, space.basis
    basis.state[0]["pivots"] = 0
    if program.numbers[0]["smallest"] == 0.0:
        for i in range(proportions.shape[0]):
            proportions[i] = 1.0 / proportions.shape[0]
        return 0.0
    write_weights(weights, eta, program)
    for k in range(names.shape[0]):
        basis.names[k]["kind"] = BOX
    bound, gap = np.inf, np.inf
    for attempt in range(len(SHIFTS)):
        start_at_box(attempt, SHIFTS[attempt], program, basis)
        if attempt == 0:
            _enter(names, pieces, space)
        for _ in range(2):
            bound, gap = _run(bound, space, proportions)
            if gap <= PRECISE:
                return gap
            invert_basis(basis)
    return gap


@part
def copy_rows(names, pieces, to_names, to_pieces):
    """Copy the names of rows, and the pieces of the rows that are cuts."""
    for k in range(min(names.shape[0], to_names.shape[0])):
        to_names[k] = names[k]
        if names[k]["kind"] == CUT:
            for i in range(pieces.shape[1]):
                to_pieces[k, i] = pieces[k, i]


@kernel
def _enter(names, pieces, space):
    """Enter those of these rows that are violated."""
    program, basis = space.program, space.basis
    last = basis.point.shape[0]
    for k in range(last):
        name = names[k]
        if name["kind"] == CUT:
            for i in range(pieces.shape[1]):
                basis.pieces[last, i] = pieces[k, i]
            write_cut(space.sums, program, basis)
        elif name["kind"] == PAIR:
            arm, objective = name["arm"], name["objective"]
            if program.column[arm] == 0 or program.best[objective] == arm:
                continue  # no longer a pair of leaders
            write_pair(arm, objective, program, basis)
        else:
            continue
        if entering_excess(basis) > 0.0:
            exchange(basis)


@kernel
def _run(bound, space, proportions):
    """Exchange rows as long as a row is violated; return upper bound and relative gap."""
    program, basis = space.program, space.basis
    limit = basis.state[0]["pivots"] + GIVE_UP
    while basis.state[0]["pivots"] < limit and write_violated(space.sums, program, basis):
        if not exchange(basis):
            break
    bound = min(bound, _bound(basis))
    level = _spend(bound, program, basis, proportions)
    return bound, max(bound / level - 1.0, 0.0) if level > 0.0 else np.inf


@part
def _bound(basis):
    """Upper bound on the level from the duals, whatever the errors of the inverse."""
    size = basis.state[0]["size"]
    bound, own = 0.0, 0.0
    for k in range(size):
        dual = max(basis.inverse[k, 0], 0.0)
        bound += dual * basis.limits[k]
        own += dual * basis.rows[k, 0]
    for j in range(1, size):
        rest = 0.0
        for k in range(size):
            rest += max(basis.inverse[k, 0], 0.0) * basis.rows[k, j]
        bound += max(-rest, 0.0)
    return bound / own


@kernel
def _spend(bound, program, basis, proportions):
    """Fill ``proportions``; return the level that they reach."""
    floor, room = program.numbers[0]["floor"], program.numbers[0]["room"]
    size, need, n_arms = basis.state[0]["size"], program.need, program.need.shape[0]
    spent = _clip_leaders(program, basis)
    level = _reach_level(min(bound, _level_of_leaders(program, basis)), spent, program, basis)
    for k in range(1, size):
        need[program.leader[k]] = basis.point[k]
    above = add_up(need) - n_arms * floor
    if above <= 0.0:
        for i in range(n_arms):
            proportions[i] = 1.0 / n_arms
        return level
    for i in range(n_arms):
        proportions[i] = floor + (need[i] - floor) * (room / above)
    return level * (1.0 - max(above - room, 0.0) / (floor + above))


@part
def _clip_leaders(program, basis):
    """Make the leaders' proportions feasible; return their sum above the floors."""
    floor, room, point = program.numbers[0]["floor"], program.numbers[0]["room"], basis.point
    spent = 0.0
    for k in range(1, basis.state[0]["size"]):
        point[k] = max(point[k], floor)
        spent += point[k] - floor
    if spent > room:
        for k in range(1, basis.state[0]["size"]):
            point[k] = floor + (point[k] - floor) * (room / spent)
    return min(spent, room)


@part
def _level_of_leaders(program, basis):
    """The level that the pairs of leaders reach."""
    level, point = np.inf, basis.point
    for m in range(program.best.shape[0]):
        best = program.column[program.best[m]]
        for k in range(1, basis.state[0]["size"]):
            if k != best:
                lent = program.leader_help[m, k] * point[best]
                level = min(level, (point[k] + lent) / program.leader_reach[m, k])
    return level


@part
def _reach_level(level, spent, program, basis):
    """Fill ``need`` for the highest feasible level up to ``level``; return that level."""
    pieces = basis.pieces[basis.point.shape[0]]
    for step in range(60):
        excess = total_need(level, basis.point, pieces, program) + spent - 1.0
        slope = 0.0
        if excess <= NEGLIGIBLE * program.numbers[0]["room"]:
            break
        for i in range(pieces.shape[0]):
            slope += program.reach[pieces[i], i]
        if slope == 0.0:
            break
        level -= excess / slope + level * 1e-16 * step
    return level


class IterationMemory(NamedTuple):
    """Rows of the last optimum of every iteration, from which it starts in the next call."""

    names: np.ndarray  # (iterations, N) ROW
    pieces: np.ndarray  # (iterations, N, K)


@kernel
def iteration_memory(iterations, n_arms, n_objectives):
    """Allocate an empty `IterationMemory`."""
    n = min(n_arms, n_objectives) + 1
    return IterationMemory(
        np.zeros((iterations, n), ROW), np.zeros((iterations, n, n_arms), np.int64)
    )


@kernel
def average_surrogates(means, weights, space, memory):
    """Replace ``weights`` by the average of iterated proportions (Algorithm 3); return the gap."""
    names, pieces = memory.names, memory.pieces
    proportions = np.empty(weights.shape[0])
    total = np.zeros(weights.shape[0])
    largest = 0.0
    write_means(means, space.program)
    for k in range(names.shape[0]):
        gap = solve_from(names[k], pieces[k], weights, 0.0, space, proportions)
        copy_rows(space.basis.names, space.basis.pieces, names[k], pieces[k])
        largest = max(largest, gap)
        for i in range(weights.shape[0]):
            total[i] += proportions[i]
            weights[i] = total[i] / (k + 1)
    return largest
