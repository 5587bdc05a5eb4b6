r"""Shares that maximise the smallest of several rates, by an interior-point method.

The rates f_n are concave in the weights, and proportional to them if all weights are. Hence the
maximum over the shares is 1 over the smallest sum of weights with :math:`f_n(w)\ge1` for all n. The
weights are those of *variables*: several arms with fixed proportions are one variable.

Prices :math:`y_n\ge0` certify the result: as :math:`f_n(v)\le\nabla f_n(w)'v` for all weights v,
no shares attain more than the largest entry of :math:`\sum_ny_n\nabla f_n(w)/\sum_ny_n`. Newton's
method is applied to the equations :math:`\sum_ny_n\nabla f_n(w)=1`, :math:`s_n=f_n(w)-1` and
:math:`s_ny_n=\mu`, with slacks s and a positive target :math:`\mu`, which decreases from step to
step, and with second-order terms from a predictor step (Mehrotra 1992, doi:10.1137/0802028).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.allocations.rates import rate_of, write_parts
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel

START = 2.0  # the first weights reach at least this multiple of the limits
LARGEST_GAP = 1e-6  # of shares that the public functions return
PATIENCE = 30  # steps without a smaller gap after which rounding errors prevail
LEAST_TARGET = 1e-4  # of the products of slacks and prices, relative to their mean
LEAST_WEIGHT = 0.1  # factor of a weight in one step
MOST_WEIGHT = 4.0
FLAT = 1e-15  # a pivot that is smaller, relative to its diagonal, is a rounding error
WALL = 1e150  # takes its place, so that the variable does not move
AWAY = 0.99  # largest share of the distance to the boundary in one step


class Program(NamedTuple):
    """Work arrays for m rates and q variables."""

    values: np.ndarray  # (m,) rates
    slacks: np.ndarray  # (m,)
    prices: np.ndarray  # (m,)
    changes: np.ndarray  # (m,) of the rates, then of the prices
    counts: np.ndarray  # (m,) number of derivatives of each rate
    members: np.ndarray  # (m, d + 1) the arms, then the variables in which a rate has them
    slopes: np.ndarray  # (m, d + 1)
    vectors: np.ndarray  # (d + 1, d)
    amounts: np.ndarray  # (K,) weights of the arms
    weights: np.ndarray  # (q,) of the variables
    best: np.ndarray  # (q,) those of the smallest gap
    pull: np.ndarray  # (q,) gradient of the rates at their prices, relative
    moves: np.ndarray  # (q,) relative changes of the weights
    matrix: np.ndarray  # (q, q)


@kernel
def allocate_program(m, q, n_arms, n_objectives):
    """Allocate a `Program`."""
    d = n_objectives
    return Program(
        np.empty(m),
        np.empty(m),
        np.empty(m),
        np.empty(m),
        np.empty(m, np.int64),
        np.empty((m, d + 1), np.int64),
        np.empty((m, d + 1)),
        np.empty((d + 1, d)),
        np.empty(n_arms),
        np.empty(q),
        np.empty(q),
        np.empty(q),
        np.empty(q),
        np.empty((q, q)),
    )


@kernel
def maximise_least_rate(covariance, rates, variable, share, program, tolerance, most_steps):
    """Find the weights of the variables; return their relative gap and the number of steps.

    If a rate is 0 at all weights, all arms have equal amounts, and the gap is 0.

    Parameters
    ----------
    covariance : ndarray, shape (K, d, d)
    rates : Rates
        Each variable occurs in one of them. Modified in place: the work arrays.
    variable : ndarray of int, shape (K,)
        Variable of each arm.
    share : ndarray, shape (K,)
        Weight of each arm as a share of its variable.
    program : Program
        For exactly these rates and variables. Modified in place: ``amounts`` are the shares of
        the arms, with sum 1.
    tolerance : float
        Largest relative gap.
    most_steps : int
    """
    if not _start(covariance, rates, variable, share, program):
        program.amounts[:] = 1.0 / program.amounts.shape[0]
        return 0.0, 0
    copy_vector(program.best, program.weights)
    best, best_step = np.inf, 0
    for step in range(most_steps):
        _assemble(covariance, rates, variable, share, program)
        gap = _gap(program)
        if gap < best:
            best, best_step = gap, step
            copy_vector(program.best, program.weights)
        if best <= tolerance or step - best_step > PATIENCE:
            break
        _factorise(program.matrix)
        _correct(program, _predict(program))
        if not _advance(program):
            break
    _write_amounts(variable, share, program.best, program.amounts)
    program.amounts[:] /= program.amounts.sum()
    return best, step


@kernel
def _write_amounts(variable, share, weights, amounts):
    for k in range(amounts.shape[0]):
        amounts[k] = share[k] * weights[variable[k]]


@kernel
def _start(covariance, rates, variable, share, program):
    """Write weights well inside the limits, and matching prices; whether all rates are positive.

    If all weights of a rate are at least START over its value at unit weights, it is START or more.
    """
    _write_amounts(variable, share, np.ones(program.weights.shape[0]), program.amounts)
    program.weights[:] = 0.0
    for n in range(program.values.shape[0]):
        value = rate_of(covariance, program.amounts, rates, n)
        if not value > 0.0:
            return False
        least = START / value
        k = variable[rates.mover[n]]
        program.weights[k] = max(program.weights[k], least)
        for c in range(rates.targets.shape[1]):
            if rates.targets[n, c] >= 0:
                k = variable[rates.targets[n, c]]
                program.weights[k] = max(program.weights[k], least)
    _write_amounts(variable, share, program.weights, program.amounts)
    total = 0.0
    for n in range(program.values.shape[0]):
        program.values[n] = rate_of(covariance, program.amounts, rates, n)
        program.slacks[n] = program.values[n] - 1.0
        total += program.values[n] / program.slacks[n]
    for n in range(program.values.shape[0]):
        program.prices[n] = program.weights.sum() / total / program.slacks[n]
    return True


@kernel
def _assemble(covariance, rates, variable, share, program):
    """Write the rates, their derivatives, and Newton's matrix in relative changes of the weights.

    Parameters
    ----------
    covariance : ndarray, shape (K, d, d)
    rates : Rates
    variable : ndarray of int, shape (K,)
    share : ndarray, shape (K,)
    program : Program
        Modified in place.
    """
    _write_amounts(variable, share, program.weights, program.amounts)
    matrix, vectors = program.matrix, program.vectors
    matrix[:] = 0.0
    program.pull[:] = 0.0
    for n in range(program.values.shape[0]):
        value = rate_of(covariance, program.amounts, rates, n)
        members, slopes = program.members[n], program.slopes[n]
        count = write_parts(covariance, program.amounts, rates, n, members, slopes, vectors)
        program.values[n], program.counts[n] = value, count
        price = program.prices[n]
        stiffness = price / program.slacks[n]
        for a in range(count):
            members[a] = variable[members[a]]
            k = members[a]
            program.pull[k] += price * slopes[a]
            matrix[k, k] += 2.0 * price * slopes[a]
            for b in range(a + 1):
                common = 0.0
                for c in range(vectors.shape[1]):
                    common += vectors[a, c] * vectors[b, c]
                entry = stiffness * slopes[a] * slopes[b] - price * common
                matrix[k, members[b]] += entry
                if a != b:
                    matrix[members[b], k] += entry


@kernel
def _gap(program):
    """Relative difference between the rate of the weights and the bound of the prices."""
    value = program.values.min() / program.weights.sum()
    bound = 0.0
    for k in range(program.weights.shape[0]):
        bound = max(bound, program.pull[k] / program.weights[k])
    return bound / program.prices.sum() / value - 1.0


@kernel
def _factorise(matrix):
    """Replace the lower triangle of a positive definite matrix by its Cholesky factor."""
    for k in range(matrix.shape[0]):
        for i in range(k + 1):
            entry = matrix[k, i]
            for j in range(i):
                entry -= matrix[k, j] * matrix[i, j]
            if i < k:
                matrix[k, i] = entry / matrix[i, i]
            elif entry > FLAT * matrix[k, k]:
                matrix[k, k] = np.sqrt(entry)
            else:
                matrix[k, k] = WALL


@kernel
def _solve(matrix, vector):
    """Solve for a vector in place, with the Cholesky factor of the matrix."""
    size = vector.shape[0]
    for k in range(size):
        for i in range(k):
            vector[k] -= matrix[k, i] * vector[i]
        vector[k] /= matrix[k, k]
    for k in range(size - 1, -1, -1):
        for i in range(k + 1, size):
            vector[k] -= matrix[i, k] * vector[i]
        vector[k] /= matrix[k, k]


@kernel
def _change_of(program, n):
    """Change of slack ``n`` that makes it right to first order."""
    change = program.values[n] - 1.0 - program.slacks[n]
    for a in range(program.counts[n]):
        change += program.slopes[n, a] * program.moves[program.members[n, a]]
    return change


@kernel
def _write_moves(program, target):
    """Write the moves of the weights for a target of the products of slacks and prices.

    The second-order terms are read from ``changes``.
    """
    moves = program.moves
    for k in range(moves.shape[0]):
        moves[k] = -program.weights[k]
    for n in range(program.values.shape[0]):
        slack = program.slacks[n]
        missing = program.values[n] - 1.0 - slack
        force = (target - program.changes[n] - program.prices[n] * missing) / slack
        for a in range(program.counts[n]):
            moves[program.members[n, a]] += force * program.slopes[n, a]
    _solve(program.matrix, moves)


@kernel
def _predict(program):
    """Solve for the target 0; return an attainable target and write the second-order terms."""
    m = program.values.shape[0]
    program.changes[:] = 0.0
    _write_moves(program, 0.0)
    down, up = 1.0, 1.0
    for k in range(program.moves.shape[0]):
        down = max(down, -program.moves[k])
    now, linear, mixed, square = 0.0, 0.0, 0.0, 0.0
    for n in range(m):
        slack, price = program.slacks[n], program.prices[n]
        change = _change_of(program, n)
        raised = -price - price / slack * change
        down = max(down, -change / slack)
        up = max(up, -raised / price)
        now += slack * price
        linear += change * price
        mixed += slack * raised
        square += change * raised
        program.changes[n] = change * raised
    after = now + linear / down + mixed / up + square / (down * up)
    for n in range(m):
        program.changes[n] /= down * up
    return now / m * max(min(max(after, 0.0) / now, 1.0) ** 3, LEAST_TARGET)


@kernel
def _correct(program, target):
    """Write the moves for a target, and the changes of the prices."""
    _write_moves(program, target)
    for n in range(program.values.shape[0]):
        slack, price = program.slacks[n], program.prices[n]
        change = _change_of(program, n)
        program.changes[n] = (target - program.changes[n] - price * change) / slack - price


@kernel
def _advance(program):
    """Go along the moves, as far as all numbers remain positive; whether they are finite."""
    m, q = program.values.shape[0], program.weights.shape[0]
    down, up = 1.0, 1.0
    for k in range(q):
        down = max(down, -program.moves[k] / (1.0 - LEAST_WEIGHT))
        down = max(down, program.moves[k] / (MOST_WEIGHT - 1.0))
    for n in range(m):
        down = max(down, -_change_of(program, n) / (AWAY * program.slacks[n]))
        up = max(up, -program.changes[n] / (AWAY * program.prices[n]))
    if not np.isfinite(program.moves.sum() + down + up):
        return False
    for n in range(m):
        program.slacks[n] += _change_of(program, n) / down
        program.prices[n] += program.changes[n] / up
    for k in range(q):
        program.weights[k] *= 1.0 + program.moves[k] / down
    return True


def certified(shares, gap):
    """Return shares whose relative gap is at most `LARGEST_GAP`.

    Raises
    ------
    RuntimeError
        If the gap is larger.
    """
    if not gap <= LARGEST_GAP:
        raise RuntimeError(
            f"the rate of the shares is certified to a relative gap of {gap:.1e} only; "
            f"expected at most {LARGEST_GAP}"
        )
    return shares
