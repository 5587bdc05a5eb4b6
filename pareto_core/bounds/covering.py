r"""Covering linear programs: the smallest sum of amounts that gives every row at least 1.

.. math::
    \min\Bigl\{\sum_ku_k:u\ge0,\ \sum_kg_{ik}u_k\ge1\text{ for all rows }i\Bigr\}

with :math:`g\ge0`. Prices :math:`\lambda\ge0` of the rows with :math:`\sum_i\lambda_ig_{ik}\le1`
for all k certify the amounts: the minimum is at least :math:`\sum_i\lambda_i`. Both are kept
inside their limits, and Newton's method moves them along the central path, where slack times price
has one value for all limits, which decreases to 0 (Wright 1997, Primal-dual interior-point methods,
Chapter 1). The proportions that maximise the smallest of several linear functions are such amounts,
divided by their sum, which is the inverse of that maximum.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel

CENTRING = 0.1  # factor by which a step aims to reduce slack times price
AWAY = 0.95  # largest share of the distance to the boundary in one step
MOST_STEPS = 60


class Covering(NamedTuple):
    """A program, its solution, and work arrays."""

    rows: np.ndarray  # (n, K) g, of which the first ``size[0]`` rows are in use
    size: np.ndarray  # (1,)
    amounts: np.ndarray  # (K,) u
    slacks: np.ndarray  # (n,) of the rows
    prices: np.ndarray  # (n,) of the rows
    reduced: np.ndarray  # (K,) reduced costs: 1 minus the value of an arm at the prices
    moves: np.ndarray  # (K,) changes of the amounts
    matrix: np.ndarray  # (K, K) of Newton's equations, lower triangle


@kernel
def allocate_covering(most_rows, n_arms):
    """Allocate a `Covering`."""
    return Covering(
        np.zeros((most_rows, n_arms)),
        np.zeros(1, np.int64),
        np.zeros(n_arms),
        np.zeros(most_rows),
        np.zeros(most_rows),
        np.zeros(n_arms),
        np.zeros(n_arms),
        np.zeros((n_arms, n_arms)),
    )


@kernel
def write_slacks(space):
    """Write what the amounts give to each row, minus 1; return the smallest of these."""
    smallest = np.inf
    for i in range(space.size[0]):
        given = 0.0
        for k in range(space.amounts.shape[0]):
            given += space.rows[i, k] * space.amounts[k]
        space.slacks[i] = given - 1.0
        smallest = min(smallest, space.slacks[i])
    return smallest


@kernel
def _value_arms(space):
    """Write 1 minus the value of each arm at the prices; return the largest value."""
    space.reduced[:] = 1.0
    for i in range(space.size[0]):
        for k in range(space.reduced.shape[0]):
            space.reduced[k] -= space.prices[i] * space.rows[i, k]
    return 1.0 - space.reduced.min()


@kernel
def _start(space):
    """Write prices in inverse proportion to the slacks, at which no arm is worth more than 1/2."""
    for i in range(space.size[0]):
        space.prices[i] = 1.0 / space.slacks[i]
    largest = _value_arms(space)
    for i in range(space.size[0]):
        space.prices[i] *= 0.5 / largest
    _value_arms(space)


@kernel
def _write_equations(target, space):
    """Write the matrix of Newton's equations, and their right-hand side to ``moves``."""
    rows, amounts, reduced = space.rows, space.amounts, space.reduced
    matrix, moves = space.matrix, space.moves
    n_arms = amounts.shape[0]
    for k in range(n_arms):
        moves[k] = target / amounts[k] - 1.0
        for j in range(k + 1):
            matrix[k, j] = 0.0
        matrix[k, k] = reduced[k] / amounts[k]
    for i in range(space.size[0]):
        pull = target / space.slacks[i]
        stiffness = space.prices[i] / space.slacks[i]
        for k in range(n_arms):
            if rows[i, k] == 0.0:
                continue
            moves[k] += pull * rows[i, k]
            scaled = stiffness * rows[i, k]
            for j in range(k + 1):
                matrix[k, j] += scaled * rows[i, j]


@kernel
def _solve(matrix, moves):
    """Solve with the Cholesky factor of a positive definite matrix; both are modified in place."""
    n_arms = moves.shape[0]
    for k in range(n_arms):
        for j in range(k + 1):
            rest = matrix[k, j]
            for i in range(j):
                rest -= matrix[k, i] * matrix[j, i]
            matrix[k, j] = np.sqrt(rest) if j == k else rest / matrix[j, j]
    for k in range(n_arms):
        for j in range(k):
            moves[k] -= matrix[k, j] * moves[j]
        moves[k] /= matrix[k, k]
    for k in range(n_arms - 1, -1, -1):
        for j in range(k + 1, n_arms):
            moves[k] -= matrix[j, k] * moves[j]
        moves[k] /= matrix[k, k]


@kernel
def _row_move(space, i):
    """Change of what a row is given."""
    move = 0.0
    for k in range(space.moves.shape[0]):
        move += space.rows[i, k] * space.moves[k]
    return move


@kernel
def _advance(target, space):
    """Move amounts and prices, each as far as all of them and their slacks stay positive."""
    amounts, reduced, moves = space.amounts, space.reduced, space.moves
    slacks, prices = space.slacks, space.prices
    along, off = AWAY, AWAY  # inverse step lengths, which are then divided into AWAY
    for k in range(amounts.shape[0]):
        along = max(along, -moves[k] / amounts[k])
        change = (target / reduced[k] - amounts[k] - moves[k]) / amounts[k]
        off = max(off, -change)
    for i in range(space.size[0]):
        move = _row_move(space, i)
        along = max(along, -move / slacks[i])
        off = max(off, -(target / prices[i] - slacks[i] - move) / slacks[i])
    along, off = AWAY / along, AWAY / off
    for i in range(space.size[0]):
        move = _row_move(space, i)
        prices[i] += off * prices[i] * (target / prices[i] - slacks[i] - move) / slacks[i]
    for k in range(amounts.shape[0]):
        amounts[k] += along * moves[k]


@kernel
def cover(tolerance, space):
    """Reduce the amounts until their sum is within ``tolerance`` of the minimum; return a bound.

    Parameters
    ----------
    tolerance : float
        Largest relative difference between the sum and the bound.
    space : Covering
        With rows, and amounts that are positive and give every row more than 1. Modified in place.

    Returns
    -------
    float
        Lower bound on the minimum. The amounts stay inside the limits.
    """
    write_slacks(space)
    _start(space)
    bound = 0.0
    for _ in range(MOST_STEPS):
        total = space.amounts.sum()
        prices = 0.0
        for i in range(space.size[0]):
            prices += space.prices[i]
        bound = max(bound, prices / (1.0 - space.reduced.min()))
        if not total - prices > tolerance * prices:
            break
        target = CENTRING * (total - prices) / (space.size[0] + space.amounts.shape[0])
        _write_equations(target, space)
        _solve(space.matrix, space.moves)
        if not np.isfinite(space.moves.sum()):
            break
        _advance(target, space)
        write_slacks(space)
        _value_arms(space)
    return bound
