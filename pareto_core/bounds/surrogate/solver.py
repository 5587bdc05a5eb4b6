"""Dual simplex method for surrogate proportions.

The basis has as many rows as variables: rows that are tight at a point. They are exchanged for
violated rows, floors, pairs of leaders or cuts, until no row is violated. The method starts from
the rows of the last optimum, with the coefficients of the new program. The result is certified: the
duals, however imprecise, give an upper bound on the level, and the level that the leaders'
proportions attain is a lower bound.

The duals of a degenerate program, for example with equal weights, are often 0. If the duals of
several rows reach 0 almost together, the row with the best pivot leaves. If a pivot may be a
rounding error, the basis is inverted again. In one call in a thousand the first attempt is not
precise enough: the basis is inverted again, then the search starts anew, and at last with duals
shifted away from 0, which changes the path to the optimum but not its value. Each way is needed by
some programs of dozens of rows.

`average_surrogates` gives the approximate oracle weights of the baseline of Chen et al. (2024).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.bounds.surrogate.program import (
    NEGLIGIBLE,
    Program,
    add_up,
    allocate_program,
    total_need,
    write_means,
    write_weights,
)
from pareto_core.compiling.kernels import kernel, part
from pareto_core.compiling.lending import lend

BOX, FLOOR, PAIR, CUT = 0, 1, 2, 3  # kinds of rows
ROUNDING = 2e-16  # share of a row's terms that counts as a rounding error
PIVOT = 1e-6  # least ratio of a pivot to its terms; below it the basis is inverted again
FRESH_PIVOT = 1e-14  # least ratio right after an inversion
TIE = 1e-14  # tolerance below 0 for a dual, to allow a better pivot
SLACK = 1e-13  # tolerated violation of rows, relative to the level
HIGHEST = 3.0  # limit of the row that bounds the level
GOLDEN = 0.6180339887498949  # the fractional parts of its multiples give each dual a distinct shift
PRECISE = 1e-12  # relative gap at which an attempt is accepted
SHIFTS = (0.0, 0.0, 1e-7, 1e-13, 1e-9, 1e-12, 1e-11, 1e-10, 1e-8)  # of the duals, by attempt
GIVE_UP = 20_000  # largest number of exchanges in one attempt

ROW = np.dtype([("kind", np.int64), ("arm", np.int64), ("objective", np.int64)], align=True)
STATE = np.dtype(
    [
        ("size", np.int64),  # rows
        ("fresh", np.bool_),  # whether the basis was just inverted
        ("pivots", np.int64),  # exchanges so far
    ],
    align=True,
)


class Basis(NamedTuple):
    """Up to N rows, followed by the entering row."""

    state: np.ndarray  # (1,) STATE
    rows: np.ndarray  # (N + 1, N) the rows
    limits: np.ndarray  # (N + 1,) their right-hand sides
    names: np.ndarray  # (N + 1,) ROW: kind, arm and objective of each row
    pieces: np.ndarray  # (N + 1, K) pieces of the rows that are cuts
    point: np.ndarray  # (N,) point at which the rows are tight
    inverse: np.ndarray  # (N, N) inverse of the rows, transposed; column 0 holds the true duals
    duals: np.ndarray  # (N,) duals, shifted away from 0 if the first attempts fail
    along: np.ndarray  # (N,) coefficients of the entering row on the other rows; work array
    noise: np.ndarray  # (N,) sums of the absolute terms of these coefficients


def allocate_basis(n_arms, n_objectives):
    """Allocate a `Basis`."""
    n = min(n_arms, n_objectives) + 1
    return Basis(
        np.zeros(1, STATE),
        np.zeros((n + 1, n)),
        np.zeros(n + 1),
        np.zeros(n + 1, ROW),
        np.zeros((n + 1, n_arms), np.int64),
        np.zeros(n),
        np.zeros((n, n)),
        *np.zeros((3, n)),
    )


@part
def entering_excess(basis):
    """Violation of the entering row; 0 if it may be rounding."""
    last = basis.point.shape[0]
    excess, terms = -basis.limits[last], abs(basis.limits[last])
    for j in range(basis.state[0]["size"]):
        term = basis.rows[last, j] * basis.point[j]
        excess += term
        terms += abs(term)
    return excess if excess > ROUNDING * terms else 0.0


@kernel
def exchange(basis):
    """Exchange a row of the basis for the last row; return whether that is possible."""
    state = basis.state[0]
    leaving = -1
    while leaving < 0:
        leaving = _leaving_row(basis)
        if leaving < 0 and state["fresh"]:
            return False
        if leaving < 0:
            invert_basis(basis)
    _move(leaving, basis)
    _replace(leaving, basis)
    state["pivots"] += 1
    state["fresh"] = False
    return True


@part
def _leaving_row(basis):
    """Row whose dual reaches 0 first, by the best pivot among near-ties; or -1."""
    size, along, noise, duals = basis.state[0]["size"], basis.along, basis.noise, basis.duals
    row = basis.rows[basis.point.shape[0]]
    ratio = np.inf
    for k in range(size):
        total, terms = 0.0, 0.0
        for j in range(size):
            term = row[j] * basis.inverse[k, j]
            total += term
            terms += abs(term)
        along[k], noise[k] = total, terms
        if total > FRESH_PIVOT * terms:
            ratio = min(ratio, (duals[k] + TIE) / total)
    leaving = -1
    for k in range(size):
        if along[k] > FRESH_PIVOT * noise[k] and duals[k] <= ratio * along[k]:
            if leaving < 0 or along[k] > along[leaving]:
                leaving = k
    share = FRESH_PIVOT if basis.state[0]["fresh"] else PIVOT
    if leaving >= 0 and along[leaving] <= share * noise[leaving]:
        return -1
    return leaving


@part
def _move(leaving, basis):
    """Update all arrays except the inverse when the last row replaces the leaving row."""
    size, last = basis.state[0]["size"], basis.point.shape[0]
    excess = -basis.limits[last]
    for j in range(size):
        excess += basis.rows[last, j] * basis.point[j]
        basis.rows[leaving, j] = basis.rows[last, j]
    step = excess / basis.along[leaving]
    for j in range(size):
        basis.point[j] -= step * basis.inverse[leaving, j]
    step = basis.duals[leaving] / basis.along[leaving]
    for k in range(size):
        basis.duals[k] = max(basis.duals[k] - step * basis.along[k], 0.0)
    basis.duals[leaving] = step
    basis.limits[leaving] = basis.limits[last]
    basis.names[leaving] = basis.names[last]
    if basis.names[last]["kind"] == CUT:
        for i in range(basis.pieces.shape[1]):
            basis.pieces[leaving, i] = basis.pieces[last, i]


@part
def _replace(leaving, basis):
    """Update the inverse when the row with coefficients ``along`` replaces the leaving row."""
    size, inverse, along = basis.state[0]["size"], basis.inverse, basis.along
    pivot = along[leaving]
    for j in range(size):
        inverse[leaving, j] /= pivot
    for k in range(size):
        if k != leaving:
            for j in range(size):
                inverse[k, j] -= along[k] * inverse[leaving, j]


@kernel
def invert_basis(basis):
    """Invert the basis from scratch: its rows replace unit vectors, best pivots first."""
    state, inverse, along = basis.state[0], basis.inverse, basis.along
    size = state["size"]
    for k in range(size):
        for j in range(size):
            inverse[k, j] = 1.0 if j == k else 0.0
    for k in range(size):
        best = k
        for i in range(size):
            along[i] = 0.0
            for j in range(size):
                along[i] += basis.rows[k, j] * inverse[i, j]
            if i > k and abs(along[i]) > abs(along[best]):
                best = i
        along[k], along[best] = along[best], along[k]
        for j in range(size):
            inverse[k, j], inverse[best, j] = inverse[best, j], inverse[k, j]
        if along[k] != 0.0:
            _replace(k, basis)
    state["fresh"] = True
    _correct(basis)
    for k in range(size):
        basis.duals[k] = max(inverse[k, 0], 0.0)


@kernel
def _correct(basis):
    """Correct the duals and the point by the residuals of the rows of the basis."""
    size = basis.state[0]["size"]
    rows, inverse, point, rest = basis.rows, basis.inverse, basis.point, basis.along
    for _ in range(2):
        for j in range(size):
            rest[j] = 1.0 if j == 0 else 0.0
            for k in range(size):
                rest[j] -= inverse[k, 0] * rows[k, j]
        for k in range(size):
            change = 0.0
            for j in range(size):
                change += rest[j] * inverse[k, j]
            inverse[k, 0] += change
        for k in range(size):
            rest[k] = basis.limits[k]
            for j in range(size):
                rest[k] -= rows[k, j] * point[j]
        for k in range(size):
            for j in range(size):
                point[j] += rest[k] * inverse[k, j]


@kernel
def start_at_box(attempt, shift, program, basis):
    """Set the basis to the floors and a row that bounds the level."""
    size, floor = program.numbers[0]["size"], program.numbers[0]["floor"]
    basis.state[0]["size"], basis.state[0]["fresh"] = size, False
    for k in range(size):
        for j in range(size):
            basis.rows[k, j], basis.inverse[k, j] = 0.0, 0.0
    basis.names[0]["kind"], basis.limits[0] = BOX, HIGHEST
    basis.rows[0, 0], basis.inverse[0, 0], basis.duals[0] = 1.0, 1.0, 1.0
    basis.point[0] = HIGHEST
    for k in range(1, size):
        basis.names[k]["kind"], basis.names[k]["arm"] = FLOOR, program.leader[k]
        basis.limits[k], basis.point[k] = -floor, floor
        basis.rows[k, k], basis.inverse[k, k] = -1.0, -1.0
        slope = 1.0 + k / size
        basis.rows[0, k], basis.inverse[k, 0] = slope, slope
        basis.duals[k] = slope + shift * (0.5 + GOLDEN * k * attempt % 1.0)
        basis.point[0] -= slope * floor


@part
def write_pair(arm, objective, program, basis):
    """Write the row of a leader and an objective with a different best arm, of length 1."""
    last = basis.point.shape[0]
    name, row = basis.names[last], basis.rows[last]
    name["kind"], name["arm"], name["objective"] = PAIR, arm, objective
    k, best = program.column[arm], program.column[program.best[objective]]
    reach, help_ = program.leader_reach[objective, k], program.leader_help[objective, k]
    length = np.sqrt(reach * reach + 1.0 + help_ * help_)
    for j in range(row.shape[0]):
        row[j] = 0.0
    row[0], row[k], row[best] = reach / length, -1.0 / length, -help_ / length
    basis.limits[last] = 0.0


@part
def write_cut(sums, program, basis):
    """Write the cut with the last row's pieces, of length 1."""
    n_objectives, n_arms = program.ease.shape
    size, last = basis.state[0]["size"], basis.point.shape[0]
    row, pieces = basis.rows[last], basis.pieces[last]
    basis.names[last]["kind"] = CUT
    for m in range(n_objectives + 1):
        sums[m, 0], sums[m, 1] = 0.0, 0.0
    reach, at_floor = 0.0, 1 - size
    for i in range(n_arms):
        m = pieces[i]
        reach += program.reach[m, i]
        sums[m, i & 1] += program.help[m, i]
        at_floor += m == n_objectives
    for j in range(row.shape[0]):
        row[j] = 1.0
    row[0] = reach
    for m in range(n_objectives):
        row[program.column[program.best[m]]] -= sums[m, 0] + sums[m, 1]
    squares = 0.0
    for j in range(size):
        squares += row[j] * row[j]
    length = np.sqrt(squares)
    for j in range(size):
        row[j] /= length
    basis.limits[last] = (1.0 - at_floor * program.numbers[0]["floor"]) / length


@kernel
def write_violated(sums, program, basis):
    """Write the row that is violated most; return whether a row is violated."""
    size, point, last = basis.state[0]["size"], basis.point, basis.point.shape[0]
    floor, room = program.numbers[0]["floor"], program.numbers[0]["room"]
    level = (1.0 - SLACK) * point[0]
    worst, kind, column, objective = 0.0, BOX, 0, 0
    spent = 0.0
    for k in range(1, size):
        spent += point[k] - floor
        if floor - point[k] > max(worst, NEGLIGIBLE * room):
            worst, kind, column = floor - point[k], FLOOR, k
    for m in range(program.best.shape[0]):
        best = program.column[program.best[m]]
        for k in range(1, size):
            reach, help_ = program.leader_reach[m, k], program.leader_help[m, k]
            excess = reach * level - point[k] - help_ * point[best]
            if k != best and excess > worst * (reach + 1.0 + help_):
                worst, kind, column, objective = excess / (reach + 1.0 + help_), PAIR, k, m
    if total_need(level, point, basis.pieces[last], program) + spent > 1.0:
        write_cut(sums, program, basis)
        if entering_excess(basis) > worst:
            return True
    if kind == FLOOR:
        basis.names[last]["kind"], basis.names[last]["arm"] = FLOOR, program.leader[column]
        basis.rows[last, :], basis.limits[last] = 0.0, -floor
        basis.rows[last, column] = -1.0
    elif kind == PAIR:
        write_pair(program.leader[column], objective, program, basis)
    return kind != BOX and entering_excess(basis) > 0.0


class SurrogateSpace(NamedTuple):
    """Arrays for programs of K arms and M objectives, allocated once per run."""

    program: Program
    basis: Basis
    last_names: np.ndarray  # (N,) ROW: rows of the last optimum
    last_pieces: np.ndarray  # (N, K) pieces of the rows that are cuts
    sums: np.ndarray  # (M + 1, 2) work array


def surrogate_space(n_arms: int, n_objectives: int) -> SurrogateSpace:
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
    means, weights, space, proportions = lend(means), lend(weights), lend(space), lend(proportions)
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
