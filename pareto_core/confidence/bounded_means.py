r"""Time-uniform confidence sequences for means of bounded rewards.

A reward :math:`x_t` is in [0, 1]. All three boundaries use the rewards before it through

.. math::
    \hat m_{t-1}=\frac{\frac12+\sum_{i<t}x_i}{t},\qquad
    \hat s_{t-1}^2=\frac{\frac14+\sum_{i<t}(x_i-\hat m_i)^2}{t},

and hold with probability at least 1 - risk at all times together (Waudby-Smith & Ramdas 2024,
"Estimating means of bounded random variables by betting", doi:10.1093/jrsssb/qkad009, Theorems 2
and 3, Proposition 1). The confidence set of a mean is the intersection of all intervals so far.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.betting import BET_LIMIT, CELLS, bet, grid_estimate, narrow_by_wealth

BOUNDARIES = ("betting", "empirical_bernstein", "hoeffding")
BETTING, EMPIRICAL_BERNSTEIN, HOEFFDING = range(3)


class BoundedMeans(NamedTuple):
    """Confidence sequences of n means; betting uses a grid of candidates."""

    counts: np.ndarray  # (n,) numbers of rewards so far
    sums: np.ndarray  # (n,) sums of the rewards
    squares: np.ndarray  # (n,) sums of squares about their running averages
    lower: np.ndarray  # (n,) lower ends of the intersections of all intervals so far
    upper: np.ndarray  # (n,) upper ends
    weights: np.ndarray  # (n,) sums of lambda
    weighted: np.ndarray  # (n,) sums of lambda times reward
    costs: np.ndarray  # (n,) sums of psi(lambda), which enter the half-width
    wealth: np.ndarray  # (n, 2, CELLS + 1) log-capital against each candidate, from either side
    slopes: np.ndarray  # (n, 2, CELLS + 1) derivatives of the log-capital
    losses: np.ndarray  # (n, 2, CELLS) bounds on the excess of interpolated log-capitals
    window: np.ndarray  # (n, 2) indices of the first and last candidate that is still examined


def bounded_means(n, boundary):
    """Allocate sequences before the first reward."""
    grids = n if boundary == BETTING else 0
    return BoundedMeans(
        np.zeros(n, np.int64),
        *np.zeros((3, n)),
        np.ones(n),
        *np.zeros((3, n)),
        *np.zeros((2, grids, 2, CELLS + 1)),
        np.zeros((grids, 2, CELLS)),
        np.tile([0, CELLS], (grids, 1)),
    )


@kernel
def add_reward(boundary, log_level, sequences, n, reward):
    """Update sequence n with its next reward; ``log_level`` is ln(2 / risk)."""
    time = sequences.counts[n] + 1
    if boundary == BETTING:
        stake = _stake(log_level, sequences, n)
        grid = sequences.wealth[n], sequences.slopes[n], sequences.losses[n], sequences.window[n]
        bet(*grid, stake, reward)
        edges = narrow_by_wealth(*grid, log_level)
    else:
        _weigh(boundary, log_level, sequences, n, reward)
        centre = sequences.weighted[n] / sequences.weights[n]
        half = (log_level + sequences.costs[n]) / sequences.weights[n]
        edges = centre - half, centre + half
    _intersect(sequences, n, edges[0], edges[1])
    sequences.counts[n] = time
    sequences.sums[n] += reward
    sequences.squares[n] += (reward - (0.5 + sequences.sums[n]) / (time + 1)) ** 2


@kernel
def estimate(boundary, sequences, n):
    """Point estimate: the candidate with the least capital, or the centre; 1/2 without rewards."""
    if sequences.counts[n] == 0:
        return 0.5
    if boundary == BETTING:
        return grid_estimate(sequences.wealth[n], sequences.window[n])
    return sequences.weighted[n] / sequences.weights[n]


@kernel
def _stake(log_level, sequences, n):
    """The predictable lambda of the next reward, before it is cut off."""
    time = sequences.counts[n] + 1
    variance = (0.25 + sequences.squares[n]) / time
    return np.sqrt(2.0 * log_level / (variance * time * np.log(time + 1.0)))


@kernel
def _weigh(boundary, log_level, sequences, n, reward):
    """Add a reward to the empirical Bernstein (Theorem 2) or Hoeffding's sums (Proposition 1)."""
    time = sequences.counts[n] + 1
    if boundary == EMPIRICAL_BERNSTEIN:
        stake = min(_stake(log_level, sequences, n), BET_LIMIT)
        expected = (0.5 + sequences.sums[n]) / time
        cost = (reward - expected) ** 2 * (-np.log1p(-stake) - stake)
    else:
        stake = min(np.sqrt(8.0 * log_level / (time * np.log(time + 1.0))), 1.0)
        cost = stake**2 / 8.0
    sequences.weights[n] += stake
    sequences.weighted[n] += stake * reward
    sequences.costs[n] += cost


@kernel
def _intersect(sequences, n, low, high):
    """Intersect with an interval, unless nothing is left."""
    low, high = max(low, sequences.lower[n]), min(high, sequences.upper[n])
    if low <= high:
        sequences.lower[n], sequences.upper[n] = low, high
