r"""Betting against candidates of a mean, from either side (hedged capital).

Waudby-Smith & Ramdas 2024, Theorem 3. Against the candidate m in [0, 1], rewards :math:`x_i` make

.. math::
    K_t^\pm(m)=\prod_{i\le t}\{1\pm\lambda_i^\pm(x_i-m)\},\qquad
    \lambda_i^+=\min(\lambda_i,\tfrac1{2m}),\quad \lambda_i^-=\min(\lambda_i,\tfrac1{2(1-m)})

of a capital of one, and m is kept while :math:`\max(K_t^+,K_t^-)/2<1/\text{risk}`. Since
:math:`K_t^+` falls with m and :math:`K_t^-` rises, what is kept is an interval.

No reward is remembered. At 1001 candidates there are the logarithms of the capitals and their
derivatives, and between two of these the cubic that has them. It is as good as exact, unless a
bet is cut off between the two: then an end may be off by a few per cent of their distance, that
is :math:`5\cdot10^{-5}` among the first ten rewards and :math:`10^{-6}` after a hundred.
Candidates that were rejected once are never looked at again.
"""

import numpy as np

from pareto_core._kernels import kernel, part

BET_LIMIT = 0.5  # c of the cut-off c / m: the capital never more than halves
CELLS = 1000  # between candidates
RESOLUTION = 1e-9  # of the ends of an interval


@part
def _gain(stake, reward, candidate):
    """Growth of the logarithm of the upper capital, and its derivative."""
    if stake * candidate <= BET_LIMIT:
        growth = 1.0 + stake * (reward - candidate)
        return np.log(growth), -stake / growth
    growth = 1.0 + BET_LIMIT * (reward / candidate - 1.0)
    return np.log(growth), -BET_LIMIT * reward / candidate**2 / growth


@kernel
def bet(wealth, slopes, window, stake, reward):
    """Bet on a reward against every candidate in the window."""
    for g in range(window[0], window[1] + 1):
        candidate = g / CELLS
        gain, slope = _gain(stake, reward, candidate)
        wealth[0, g] += gain
        slopes[0, g] += slope
        gain, slope = _gain(stake, 1.0 - reward, 1.0 - candidate)
        wealth[1, g] += gain
        slopes[1, g] -= slope


@kernel
def narrow_by_wealth(wealth, slopes, window, log_level):
    """Lower and upper end of what is kept, on the side of what is rejected; narrow the window.

    Outside of the window nothing is kept. Of nothing at all, the lower end is the larger.
    """
    first, last = window[0], window[1]
    while first <= last and wealth[0, first] >= log_level:
        first += 1
    while last >= window[0] and wealth[1, last] >= log_level:
        last -= 1
    if first > window[1] or last < window[0]:
        return 1.0, 0.0
    low, high = 0.0, 1.0
    if first > window[0]:
        low = _edge(wealth[0], slopes[0], first - 1, first, log_level)
    if last < window[1]:
        high = _edge(wealth[1], slopes[1], last + 1, last, log_level)
    if low <= high:
        window[0], window[1] = max(window[0], first - 1), min(window[1], last + 1)
    return low, high


@kernel
def _edge(values, slopes, outer, inner, level):
    """Where the cubic between a rejected candidate and a kept one falls to the level."""
    step = (inner - outer) / CELLS
    value, drop = values[outer], values[inner] - values[outer]
    start, end = slopes[outer] * step, slopes[inner] * step
    square, cube = 3.0 * drop - 2.0 * start - end, start + end - 2.0 * drop
    rejected, kept = 0.0, 1.0
    while kept - rejected > RESOLUTION * CELLS:
        middle = 0.5 * (rejected + kept)
        if value + middle * (start + middle * (square + middle * cube)) >= level:
            rejected = middle
        else:
            kept = middle
    return outer / CELLS + rejected * step


@kernel
def grid_estimate(wealth, window):
    """The candidate of least capital."""
    best, least = window[0], np.inf
    for g in range(window[0], window[1] + 1):
        capital = max(wealth[0, g], wealth[1, g])
        if capital < least:
            best, least = g, capital
    return best / CELLS
