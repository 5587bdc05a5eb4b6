r"""Betting against candidates of a mean, from either side (hedged capital).

Waudby-Smith & Ramdas 2024, Theorem 3. Against the candidate m in [0, 1], rewards :math:`x_i` make

.. math::
    K_t^\pm(m)=\prod_{i\le t}\{1\pm\lambda_i^\pm(x_i-m)\},\qquad
    \lambda_i^+=\min(\lambda_i,\tfrac1{2m}),\quad \lambda_i^-=\min(\lambda_i,\tfrac1{2(1-m)})

of a capital of one, and m is kept while :math:`\max(K_t^+,K_t^-)/2<1/\text{risk}`. Since
:math:`K_t^+` falls with m and :math:`K_t^-` rises, what is kept is an interval.

No reward is remembered. At 1001 candidates there are the logarithms of the capitals and their
derivatives. Between two of these, an end of the interval is taken from a lower bound of the
logarithm, so that an interval is never narrower than by its definition:

* Away from a place where a bet is cut off, the third derivative of the logarithm is negative in
  the direction from what is rejected to what is kept, for every reward: :math:`-2\lambda^3/g^3`
  of a bet with growth g that is not cut off, :math:`2/(m+x)^3-2/m^3` of one that is. Then the
  quadratic that agrees with it at both candidates, and in its slope at the rejected one, lies
  below it.
* Where the bet of one reward is cut off at a candidate :math:`m^*` between the two, the slope
  and the second derivative jump. `_loss_at_a_cut` bounds by how much the quadratic may then
  exceed the logarithm, and these bounds are added up for each cell.

In a cell without a cut the ends are those of the definition but for :math:`10^{-7}` or so; a cut
may widen an interval by :math:`2\cdot10^{-4}`. Candidates that were rejected once are never looked
at again.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part

BET_LIMIT = 0.5  # c of the cut-off c / m: the capital never more than halves
CELLS = 1000  # between candidates
RESOLUTION = 1e-9  # of the ends of an interval
ROUNDING = 1e-9  # nats: sums of logarithms are rounded, and what is rejected must be so for certain


@part
def _gain(stake, reward, place):
    """Growth of the logarithm of the upper capital at a candidate, and its derivative."""
    candidate = place / CELLS
    if stake * candidate <= BET_LIMIT:
        growth = 1.0 + stake * (reward - candidate)
        return np.log(growth), -stake / growth
    growth = 1.0 + BET_LIMIT * (reward / candidate - 1.0)
    return np.log(growth), -BET_LIMIT * reward / candidate**2 / growth


@part
def _cell_of_the_cut(stake):
    """The last candidate at which the bet is not cut off; CELLS if it never is."""
    if stake <= BET_LIMIT:
        return CELLS
    place = int(BET_LIMIT / stake * CELLS)
    while stake * (place / CELLS) > BET_LIMIT:
        place -= 1
    while stake * ((place + 1) / CELLS) <= BET_LIMIT:
        place += 1
    return place


@kernel
def _loss_at_a_cut(stake, reward, place):
    r"""By how much the quadratic may exceed the logarithm, because of the cut in one cell.

    With ends a and b, width h, :math:`m^*=c/\lambda` and growth g there, the slope jumps by
    :math:`J=\lambda(1-x/m^*)/g` and the second derivative, with c = 1/2, by :math:`D=1/m^{*2}`.
    The function :math:`J(m-m^*)_+` exceeds its own quadratic at most by
    :math:`J(b-m^*)(m^*-a)^2/h^2`, or by :math:`|J|(b-m^*)/4` if J is negative, and
    :math:`D(m-m^*)_+^2/2` by :math:`D(b-m^*)^2/2`.
    """
    cut, width = BET_LIMIT / stake, 1.0 / CELLS
    before = min(max(cut - place * width, 0.0), width)
    after = width - before
    jump = stake * (1.0 - reward / cut) / (1.0 - BET_LIMIT + stake * reward)
    bent = jump * after * (before / width) ** 2 if jump > 0.0 else -jump * after / 4.0
    return bent + 0.5 * (after / cut) ** 2


@kernel
def bet(wealth, slopes, losses, window, stake, reward):
    """Bet on a reward against every candidate in the window.

    Parameters
    ----------
    wealth, slopes : ndarray, shape (2, CELLS + 1)
        Logarithms of the capitals and their derivatives. Modified in place.
    losses : ndarray, shape (2, CELLS)
        What the quadratic may exceed the logarithm by in each cell. Modified in place.
    window : ndarray, shape (2,)
        First and last candidate that is still looked at.
    stake, reward : float
        The bet, before it is cut off, and what it is on.
    """
    for g in range(window[0], window[1] + 1):
        gain, slope = _gain(stake, reward, g)
        wealth[0, g] += gain
        slopes[0, g] += slope
        gain, slope = _gain(stake, 1.0 - reward, CELLS - g)
        wealth[1, g] += gain
        slopes[1, g] -= slope
    place = _cell_of_the_cut(stake)
    if place < CELLS:
        losses[0, place] += _loss_at_a_cut(stake, reward, place)
        losses[1, CELLS - 1 - place] += _loss_at_a_cut(stake, 1.0 - reward, place)


@kernel
def narrow_by_wealth(wealth, slopes, losses, window, log_level):
    """Lower and upper end of what is kept, on the side of what is rejected; narrow the window.

    Outside of the window nothing is kept. Of nothing at all, the lower end is the larger.
    """
    level = log_level + ROUNDING
    first, last = window[0], window[1]
    while first <= last and wealth[0, first] >= level:
        first += 1
    while last >= window[0] and wealth[1, last] >= level:
        last -= 1
    if first > window[1] or last < window[0]:
        return 1.0, 0.0
    low, high = 0.0, 1.0
    if first > window[0]:
        level_there = level + losses[0, first - 1]
        low = _edge(wealth[0], slopes[0], first - 1, first, level_there)
    if last < window[1]:
        high = _edge(wealth[1], slopes[1], last + 1, last, level + losses[1, last])
    if low <= high:
        window[0], window[1] = max(window[0], first - 1), min(window[1], last + 1)
    return low, high


@kernel
def _edge(values, slopes, outer, inner, level):
    """Where the quadratic from a rejected candidate to a kept one falls to the level."""
    step = (inner - outer) / CELLS
    value, drop = values[outer], values[inner] - values[outer]
    slope = slopes[outer] * step
    rejected, kept = 0.0, 1.0
    while kept - rejected > RESOLUTION * CELLS:
        middle = 0.5 * (rejected + kept)
        if value + middle * (slope + middle * (drop - slope)) >= level:
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
