"""The shares that maximise the transportation cost of a Pareto set, from compiled code.

`characteristic_time` computes them to any accuracy; the kernel here is for algorithms that need
them again and again, to a percent. Both use cutting planes: every alternative bounds the cost
from above by its gradient. Here the next shares are those on the central path of the linear program
of all bounds so far (`covering`), at a distance from its solution that suits the accuracy.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.bounds.covering import Covering, allocate_covering, cover
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.near_alternatives import near_gradients_within
from pareto_core.transport.near_with_noise import near_gradients_with_noise
from pareto_core.transport.oracle import Response, allocate_response

MOST_QUERIES = 60  # weights at which alternatives are searched for
LEAST_ROWS, ROWS_PER_ARM = 64, 8  # of the program
MIXED_IN = 0.1  # share of equal weights in the first weights
RAISED = 1.2  # factor by which first amounts exceed what is needed, beside equal amounts of 0.2


class SharesWork(NamedTuple):
    """Work arrays."""

    program: Covering
    response: Response
    alternative: np.ndarray  # (K, d)
    query: np.ndarray  # (K,) weights at which alternatives are searched for
    order: np.ndarray  # (n,) rows of the program by slack


@kernel
def allocate_shares_work(n_arms, n_objectives):
    """Allocate a `SharesWork`."""
    most = max(LEAST_ROWS, ROWS_PER_ARM * n_arms)
    return SharesWork(
        allocate_covering(most, n_arms),
        allocate_response(n_arms, n_objectives),
        np.empty((n_arms, n_objectives)),
        np.empty(n_arms),
        np.empty(most, np.int64),
    )


@kernel
def _forget(program):
    """Keep the half of the rows with the smallest slacks, if more than half are in use."""
    most = program.rows.shape[0] // 2
    size = program.size[0]
    if size <= most:
        return
    kept = np.sort(np.argsort(program.slacks[:size])[:most])
    for i in range(most):
        copy_vector(program.rows[i], program.rows[kept[i]])
    program.size[0] = most


@kernel
def _search(means, method, noise, work):
    """Cost at ``work.query``; its alternative and those that are nearly as cheap are added."""
    program = work.program
    _forget(program)
    rows = program.rows[program.size[0] :]
    if noise.variance.shape[0] > 0:
        value, found = near_gradients_with_noise(means, work.query, noise, rows)
    else:
        value, found = near_gradients_within(
            means, work.query, method, np.inf, work.response, work.alternative, rows
        )
    program.size[0] += found
    return value, found


@kernel
def write_optimal_shares(means, method, noise, tolerance, work, shares):
    r"""Write shares whose transportation cost is within ``tolerance`` of the maximum.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    method : int
        ``SWEEP`` or ``BRANCH_AND_BOUND``.
    noise : KnownNoise
        With empty arrays for independent noise of unit variance.
    tolerance : float
        Largest relative difference between the cost and the bound.
    work : SharesWork
        Modified in place.
    shares : ndarray, shape (K,)
        The shares to begin with: not negative, with sum 1. Modified in place. They become equal if
        an alternative costs nothing at any shares, as that of two equal arms.

    Returns
    -------
    tuple of two floats
        Cost of the shares, and an upper bound on the cost of any shares. The bound is further away
        than ``tolerance`` if the search ends after `MOST_QUERIES`.
    """
    n_arms, program, query = means.shape[0], work.program, work.query
    program.size[0] = 0
    for k in range(n_arms):
        query[k] = (1.0 - MIXED_IN) * shares[k] + MIXED_IN / n_arms
    lower, upper, unit = 0.0, np.inf, 0.0
    for number in range(MOST_QUERIES):
        value, found = _search(means, method, noise, work)
        if not 0.0 < value < np.inf:
            shares[:] = 1.0 / n_arms
            return 0.0, 0.0
        if number == 0:
            unit = value
        for i in range(program.size[0] - found, program.size[0]):
            for k in range(n_arms):
                program.rows[i, k] /= unit
        if value > lower:
            lower = value
            copy_vector(shares, query)
        if upper <= lower * (1.0 + tolerance):
            break
        for k in range(n_arms):
            program.amounts[k] = (RAISED * shares[k] + 0.2 / n_arms) * unit / lower
        upper = min(upper, unit / cover(0.25 * tolerance, program))
        if upper <= lower * (1.0 + tolerance):
            break
        total = program.amounts.sum()
        for k in range(n_arms):
            query[k] = program.amounts[k] / total
    return lower, upper
