r"""Betting against candidates of a mean, from either side (hedged capital).

Waudby-Smith & Ramdas 2024, Theorem 3. Against the candidate m in [0, 1], rewards :math:`x_i` make

.. math::
    K_t^\pm(m)=\prod_{i\le t}\{1\pm\lambda_i^\pm(x_i-m)\},\qquad
    \lambda_i^+=\min(\lambda_i,\tfrac1{2m}),\quad \lambda_i^-=\min(\lambda_i,\tfrac1{2(1-m)})

of a capital of one, and m is kept while :math:`\max(K_t^+,K_t^-)/2<1/\text{risk}`. Because
:math:`K_t^+` falls with m and :math:`K_t^-` rises, the kept candidates form an interval.

Rewards are not stored. The logarithms of the capitals and their derivatives are, at 1001
candidates. Between two candidates, an end of the interval is computed from a lower bound of the
logarithm, so that the interval always contains the interval of the definition:

* Away from points where a bet is cut off, the third derivative of the logarithm is negative in
  the direction from the rejected to the kept candidate, for every reward:
  :math:`-2\lambda^3/g^3` for a bet with growth g that is not cut off, :math:`2/(m+x)^3-2/m^3`
  for a bet that is. Then the quadratic that agrees with the logarithm at both candidates, and in
  its slope at the rejected candidate, lies below it.
* Where the bet of one reward is cut off at a point :math:`m^*` between the two candidates, the
  slope and the second derivative jump. `_loss_at_a_cut` bounds by how much the quadratic may then
  exceed the logarithm, and these bounds are summed for each cell.

In a cell without a cut the ends differ from the definition by about :math:`10^{-7}`; a cut may
widen an interval by :math:`2\cdot10^{-4}`. Rejected candidates are never examined again.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part

BET_LIMIT = 0.5  # c of the cut-off c / m: the capital never more than halves
CELLS = 1000  # between candidates
RESOLUTION = 1e-9  # of the ends of an interval
ROUNDING = 1e-9  # nats; margin for rounded sums of logarithms, so that rejections are certain


@part
def _gain(stake, reward, index):
    """Growth of the logarithm of the upper capital at a candidate, and its derivative."""
    candidate = index / CELLS
    if stake * candidate <= BET_LIMIT:
        growth = 1.0 + stake * (reward - candidate)
        return np.log(growth), -stake / growth
    growth = 1.0 + BET_LIMIT * (reward / candidate - 1.0)
    return np.log(growth), -BET_LIMIT * reward / candidate**2 / growth


@part
def _cell_of_the_cut(stake):
    """Index of the last candidate at which the bet is not cut off; CELLS if it never is."""
    if stake <= BET_LIMIT:
        return CELLS
    cell = int(BET_LIMIT / stake * CELLS)
    while stake * (cell / CELLS) > BET_LIMIT:
        cell -= 1
    while stake * ((cell + 1) / CELLS) <= BET_LIMIT:
        cell += 1
    return cell


@kernel
def _loss_at_a_cut(stake, reward, cell):
    r"""Bound on the excess of the quadratic over the logarithm, because of the cut in one cell.

    With ends a and b, width h, :math:`m^*=c/\lambda` and growth g there, the slope jumps by
    :math:`J=\lambda(1-x/m^*)/g` and the second derivative, with c = 1/2, by :math:`D=1/m^{*2}`.
    The function :math:`J(m-m^*)_+` exceeds its own quadratic by at most
    :math:`J(b-m^*)(m^*-a)^2/h^2`, or by :math:`|J|(b-m^*)/4` if J is negative, and
    :math:`D(m-m^*)_+^2/2` by :math:`D(b-m^*)^2/2`.
    """
    cut, width = BET_LIMIT / stake, 1.0 / CELLS
    before = min(max(cut - cell * width, 0.0), width)
    after = width - before
    jump = stake * (1.0 - reward / cut) / (1.0 - BET_LIMIT + stake * reward)
    bent = jump * after * (before / width) ** 2 if jump > 0.0 else -jump * after / 4.0
    return bent + 0.5 * (after / cut) ** 2


@kernel
def bet(wealth, slopes, losses, window, stake, reward):
    """Bet on a reward against every candidate in the window."""
    for g in range(window[0], window[1] + 1):
        gain, slope = _gain(stake, reward, g)
        wealth[0, g] += gain
        slopes[0, g] += slope
        gain, slope = _gain(stake, 1.0 - reward, CELLS - g)
        wealth[1, g] += gain
        slopes[1, g] -= slope
    cell = _cell_of_the_cut(stake)
    if cell < CELLS:
        losses[0, cell] += _loss_at_a_cut(stake, reward, cell)
        losses[1, CELLS - 1 - cell] += _loss_at_a_cut(stake, 1.0 - reward, cell)


@kernel
def narrow_by_wealth(wealth, slopes, losses, window, log_level):
    """Ends of the interval of kept candidates, in reverse order if empty; narrow the window."""
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
    """Point at which the quadratic from a rejected to a kept candidate falls to the level."""
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
    """The candidate with the least capital."""
    best, least = window[0], np.inf
    for g in range(window[0], window[1] + 1):
        capital = max(wealth[0, g], wealth[1, g])
        if capital < least:
            best, least = g, capital
    return best / CELLS
