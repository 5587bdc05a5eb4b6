"""Rows of the program of surrogate proportions: floors, pairs of leaders, and cuts.

Each row is written as the last row of the basis, the entering row. `write_violated` finds the
row that is violated most.
"""

import numpy as np

from pareto_core.bounds.surrogate.basis import BOX, CUT, FLOOR, PAIR, entering_excess
from pareto_core.bounds.surrogate.program import NEGLIGIBLE, total_need
from pareto_core.compiling.kernels import kernel, part

SLACK = 1e-13  # tolerated violation of rows, relative to the level
HIGHEST = 3.0  # limit of the row that bounds the level
GOLDEN = 0.6180339887498949  # the fractional parts of its multiples give each dual a distinct shift


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
def write_floor(arm, program, basis):
    """Write the floor of a leader."""
    last = basis.point.shape[0]
    name, row = basis.names[last], basis.rows[last]
    name["kind"], name["arm"] = FLOOR, arm
    for j in range(row.shape[0]):
        row[j] = 0.0
    row[program.column[arm]] = -1.0
    basis.limits[last] = -program.numbers[0]["floor"]


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
        write_floor(program.leader[column], program, basis)
    elif kind == PAIR:
        write_pair(program.leader[column], objective, program, basis)
    return kind != BOX and entering_excess(basis) > 0.0
