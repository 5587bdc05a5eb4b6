r"""Smallest sum of 1 / x under limits on sums of two of the x, by an interior-point method.

.. math::
    \min\Bigl\{\sum_i\frac1{x_i}:x_i+x_l\le r_{li}\text{ for all leaders }l\text{ and all }
    i\Bigr\}

Dual prices :math:`\lambda\ge0` of the limits certify x. Let the load :math:`\ell_i` be
the sum of the prices of the limits that contain arm i. Then the minimum is at least
:math:`(\sum_i\sqrt{\ell_i})^2/\sum\lambda r`. This bound is attained if
:math:`x_i\sqrt{\ell_i}=1` for all arms and slack times price is 0 for all limits.

Newton's method is applied to these equations with a positive target instead of 0, which
decreases from step to step, and with second-order terms from a predictor step
(Mehrotra 1992, doi:10.1137/0802028). Each step costs O(K) for each pair of leaders: the matrix
is diagonal except for their rows, so that all other arms are eliminated first.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_matrix
from pareto_core.compiling.kernels import kernel

START = 0.495  # first variances, in units of an arm's smallest limit: slightly below 1/2
FAR = 100.0  # limits much larger than 1 enter the first variances through FAR times their root
AWAY = 0.99  # largest share of the distance to the boundary in one step
HALF = 0.5  # largest share by which one step reduces a variance
ROUNDING = 1e-13  # relative gap due to rounding errors

SIZES = np.dtype([("leaders", np.int64), ("rows", np.int64)], align=True)


class PairSpace(NamedTuple):
    """Arrays of the solver: one row of limits for each leader, then one for the cap."""

    sizes: np.ndarray  # (1,) SIZES: number of rows in use, without and with the cap
    leaders: np.ndarray  # (L + 1,) leader of each row
    row_of: np.ndarray  # (K,) row that an arm leads, or -1
    limits: np.ndarray  # (L + 1, K) limits on the sum of the leader's and an arm's variance
    slacks: np.ndarray  # (L + 1, K) slacks of the limits
    prices: np.ndarray  # (L + 1, K) dual prices of the limits
    stiffness: np.ndarray  # (L + 1, K) prices over slacks
    changes: np.ndarray  # (L + 1, K) relative changes of the slacks, then of the prices
    terms: np.ndarray  # (L + 1, K) work array
    variances: np.ndarray  # (K + 1,) x, variances of the estimated means
    loads: np.ndarray  # (K + 1,) sum of the prices of an arm's limits
    moves: np.ndarray  # (K + 1,) changes of the variances
    residuals: np.ndarray  # (K + 1,) right-hand side of Newton's equations
    own: np.ndarray  # (K + 1,) diagonal of Newton's matrix without the leaders' limits
    pivots: np.ndarray  # (K,) inverse of the whole diagonal, 0 for a leader
    matrix: np.ndarray  # (L, L) Schur complement of the matrix for the leaders
    reduced: np.ndarray  # (L,) its right-hand side, then the moves of the leaders


def pair_space(n_arms, n_objectives):
    """Allocate a `PairSpace`, for any number of calls."""
    most_leaders = min(n_arms, n_objectives)
    return PairSpace(
        np.zeros(1, SIZES),
        np.zeros(most_leaders + 1, np.int64),
        np.zeros(n_arms, np.int64),
        *np.zeros((6, most_leaders + 1, n_arms)),
        *np.zeros((5, n_arms + 1)),
        np.zeros(n_arms),
        np.zeros((most_leaders, most_leaders)),
        np.zeros(most_leaders),
    )


@kernel
def start_inside(space, cap):
    """Write variances well inside the limits and below ``cap``, and matching prices."""
    variances, limits = space.variances, space.limits
    n_arms, size = space.pivots.shape[0], space.sizes[0]["leaders"]
    variances[:n_arms] = cap
    for row in range(size):
        leader = space.leaders[row]
        for i in range(n_arms):
            variances[i] = min(variances[i], limits[row, i])
            variances[leader] = min(variances[leader], limits[row, i])
    for i in range(n_arms):
        variances[i] = START * min(variances[i], FAR * np.sqrt(variances[i]))
    rows = size
    if cap < np.inf:
        space.leaders[size] = n_arms
        limits[size] = cap
        rows += 1
    space.sizes[0]["rows"] = rows
    total = 0.0
    for row in range(rows):
        other = variances[space.leaders[row]]
        for i in range(n_arms):
            used = variances[i] + other
            space.slacks[row, i] = limits[row, i] - used
            total += used / space.slacks[row, i]
    target = (1.0 / variances[:n_arms]).sum() / total
    copy_matrix(space.prices[:rows], target / space.slacks[:rows])
    _gather(space, space.prices, space.loads)


@kernel
def _gather(space, terms, totals):
    """Sum the terms of all limits that contain an arm, for each arm."""
    totals[:] = 0.0
    for row in range(space.sizes[0]["rows"]):
        total = 0.0
        for i in range(space.pivots.shape[0]):
            totals[i] += terms[row, i]
            total += terms[row, i]
        totals[space.leaders[row]] += total


@kernel
def worth(space, rows):
    """Sum of prices times limits."""
    total = 0.0
    for row in range(rows):
        for i in range(space.pivots.shape[0]):
            total += space.prices[row, i] * space.limits[row, i]
    return total


@kernel
def follow_path(space, tolerance, most_steps):
    """Take Newton steps until the prices certify the variances; return their number."""
    for step in range(most_steps):
        if _is_solved(space, tolerance):
            return step
        _condense(space)
        target, trust = _predict(space)
        _correct(space, target, trust)
        if not np.isfinite(space.moves.sum()):
            return step
        _advance(space, target, trust)
    return most_steps


@kernel
def _is_solved(space, tolerance):
    """Whether the relative gap is below ``tolerance``, or as small as rounding allows."""
    cost, root = 0.0, 0.0
    for i in range(space.pivots.shape[0]):
        cost += 1.0 / space.variances[i]
        root += np.sqrt(space.loads[i])
    total = worth(space, space.sizes[0]["rows"])
    gap = cost * total / root**2 - 1.0
    return gap <= ROUNDING or gap * total <= tolerance * worth(space, space.sizes[0]["leaders"])


@kernel
def _condense(space):
    """Newton's matrix, with all arms except the leaders eliminated, in triangular form."""
    # The diagonal is a sum of positive terms: no cancellation where the stiffness is large.
    n_arms, size = space.pivots.shape[0], space.sizes[0]["leaders"]
    stiffness, own, pivots, matrix = space.stiffness, space.own, space.pivots, space.matrix
    for row in range(space.sizes[0]["rows"]):
        for i in range(n_arms):
            stiffness[row, i] = space.prices[row, i] / space.slacks[row, i]
    for i in range(n_arms):
        own[i] = 2.0 * space.loads[i] / space.variances[i]
        if space.sizes[0]["rows"] > size:
            own[i] += stiffness[size, i]
        pivots[i] = own[i]
    for row in range(size):
        for i in range(n_arms):
            pivots[i] += stiffness[row, i]
    for row in range(size):
        matrix[row, row] = pivots[space.leaders[row]]
    for i in range(n_arms):
        pivots[i] = 1.0 / pivots[i] if space.row_of[i] < 0 else 0.0
    for row in range(size):
        for i in range(n_arms):
            share = own[i] * pivots[i] if space.row_of[i] < 0 else 1.0
            matrix[row, row] += stiffness[row, i] * share
    for row in range(size):
        for other in range(row + 1, size):
            common = 0.0
            for i in range(n_arms):
                common += stiffness[row, i] * stiffness[other, i] * pivots[i]
            matrix[row, row] += common
            matrix[other, other] += common
            mutual = stiffness[row, space.leaders[other]] + stiffness[other, space.leaders[row]]
            matrix[row, other] = mutual - common
    for row in range(size):
        for other in range(row + 1, size):
            share = matrix[row, other] / matrix[row, row]
            for column in range(other, size):
                matrix[other, column] -= share * matrix[row, column]


@kernel
def _solve(space):
    """Solve Newton's equations for the moves."""
    n_arms, size = space.pivots.shape[0], space.sizes[0]["leaders"]
    stiffness, pivots, matrix = space.stiffness, space.pivots, space.matrix
    moves, reduced = space.moves, space.reduced
    for i in range(n_arms):
        moves[i] = pivots[i] * space.residuals[i]
    for row in range(size):
        reduced[row] = space.residuals[space.leaders[row]]
        for i in range(n_arms):
            reduced[row] -= stiffness[row, i] * moves[i]
    for row in range(size):
        for other in range(row + 1, size):
            reduced[other] -= matrix[row, other] / matrix[row, row] * reduced[row]
    for row in range(size - 1, -1, -1):
        for other in range(row + 1, size):
            reduced[row] -= matrix[row, other] * reduced[other]
        reduced[row] /= matrix[row, row]
    for row in range(size):
        for i in range(n_arms):
            moves[i] -= pivots[i] * stiffness[row, i] * reduced[row]
    for row in range(size):
        moves[space.leaders[row]] = reduced[row]


@kernel
def _predict(space):
    """Write the moves for target 0; return an attainable target, and trust in the second order."""
    n_arms, rows = space.pivots.shape[0], space.sizes[0]["rows"]
    variances, moves = space.variances, space.moves
    for i in range(n_arms):
        load = space.loads[i]
        space.residuals[i] = 2.0 * np.sqrt(load) / variances[i] - load
    _solve(space)
    down, up = 1.0, 0.0
    for i in range(n_arms):
        down = max(down, -moves[i] / (HALF * variances[i]))
    now, linear, square = 0.0, 0.0, 0.0  # sums of products times powers of the change
    for row in range(rows):
        other = moves[space.leaders[row]]
        for i in range(n_arms):
            change = -(moves[i] + other) / space.slacks[row, i]
            product = space.slacks[row, i] * space.prices[row, i]
            space.changes[row, i] = change
            down = max(down, -change)
            up = max(up, change)
            now += product
            linear += product * change
            square += product * change * change
    along, off = 1.0 / down, 1.0 / (1.0 + up)  # longest steps of the slacks, of the prices
    after = (1.0 - off) * (now + along * linear) - off * (linear + along * square)
    share = max(after / now, 0.0) ** 3
    return share * now / (rows * n_arms), 1.0 - share


@kernel
def _correct(space, target, trust):
    """Write the moves for ``target``, with the second-order terms of the prediction."""
    n_arms, rows = space.pivots.shape[0], space.sizes[0]["rows"]
    residuals = space.residuals
    for row in range(rows):
        for i in range(n_arms):
            space.terms[row, i] = -space.prices[row, i] * (1.0 + space.changes[row, i])
    _gather(space, space.terms, residuals)
    for i in range(n_arms):
        load, change = space.loads[i], residuals[i]
        curve = change * (space.moves[i] / space.variances[i] - 0.25 * change / load)
        residuals[i] = 2.0 * np.sqrt(load) / space.variances[i] - load - trust * curve
    for row in range(rows):
        for i in range(n_arms):
            change = space.changes[row, i]
            curve = space.prices[row, i] * change * (1.0 + change)
            space.terms[row, i] = target / space.slacks[row, i] + trust * curve
    _gather(space, space.terms, space.own)
    for i in range(n_arms):
        residuals[i] -= space.own[i]
    _solve(space)


@kernel
def _advance(space, target, trust):
    """Step along the corrected direction, as far as slacks, prices and variances stay positive."""
    n_arms, rows = space.pivots.shape[0], space.sizes[0]["rows"]
    variances, moves = space.variances, space.moves
    down, drop = AWAY, AWAY
    for i in range(n_arms):
        down = max(down, -moves[i] / variances[i] * (AWAY / HALF))
    for row in range(rows):
        other = moves[space.leaders[row]]
        for i in range(n_arms):
            slack, predicted = space.slacks[row, i], space.changes[row, i]
            change = -(moves[i] + other) / slack
            aim = target / (slack * space.prices[row, i]) + trust * predicted * (1.0 + predicted)
            space.changes[row, i] = aim - 1.0 - change
            down = max(down, -change)
            drop = max(drop, -space.changes[row, i])
    along, off = AWAY / down, AWAY / drop
    for row in range(rows):
        other = moves[space.leaders[row]]
        for i in range(n_arms):
            space.slacks[row, i] -= along * (moves[i] + other)
            space.prices[row, i] *= 1.0 + off * space.changes[row, i]
    for i in range(n_arms):
        variances[i] += along * moves[i]
    _gather(space, space.prices, space.loads)
