r"""One-sided mixtures: evidence of an empirical mean against a hypothetical mean.

After N samples of unit variance, a mean that lies below the empirical one by a is contradicted
by the factor

.. math::
    f(N,a)=1-q+q\,\mathbb E\,e^{uNa-u^2N/2}
    =1-q+\frac{2q}{\sqrt{1+N\rho}}\,e^{rNa^2/2}\,\Phi\bigl(a\sqrt{rN}\bigr),
    \qquad u\sim|\mathcal N(0,\rho)|,\quad r=\frac{N\rho}{1+N\rho},

the average likelihood ratio of shifts u of the mean, with an atom 1 - q at zero (Robbins 1970,
doi:10.1214/aoms/1177696786; Howard et al. 2021, Section 5, doi:10.1214/20-AOS1991, for the
half-normal mixture without an atom). Under the true means, products of such factors over distinct
means are martingales that start at 1, whatever rule chooses the arms. All numbers here are
logarithms, because a factor such as e^1000 overflows.
"""

import math
from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part

LARGE = 25.0  # beyond this, the complementary error function needs its asymptotic series
TOLERANCE = 1e-3  # nats by which the lower bound on an infimum may be too low
MOST_STEPS = 100
ROUNDING = 1e-13  # relative rounding error of a logarithm
ROOT = np.sqrt(2.0 / np.pi)
ROOT_OF_PI = np.sqrt(np.pi)


class Bets(NamedTuple):
    """The prior of one product of mixtures."""

    scale: float
    lower: float  # mass of the upward shifts of the arm with the low average
    upper: float  # mass of the downward shifts of the arms with high averages


@part
def _log_half_normal(z):
    """ln(2 exp(z^2 / 2) Phi(z)) and its derivative."""
    y = -z / np.sqrt(2.0)
    if y < LARGE:
        tail = math.erfc(y)
        return 0.5 * z * z + np.log(tail), z + ROOT * np.exp(-0.5 * z * z) / tail
    inverse = 1.0 / y
    square = inverse * inverse
    series = 1.0 - square * (0.5 - square * (0.75 - 1.875 * square))
    slope = 1.0 - square * (1.0 - square * (2.5 - 9.25 * square))
    return np.log(series * inverse / ROOT_OF_PI), inverse * slope / np.sqrt(2.0)


@kernel
def log_factor(count, deviation, scale, mass):
    """Ln f(N, a), and its derivative in the deviation a; infinite counts are free of noise."""
    if count == 0.0:
        return 0.0, 0.0
    if count == np.inf:
        return np.inf if deviation > 0.0 else 0.0, 0.0
    spread = 1.0 + count * scale
    slope = count * np.sqrt(scale / spread)
    value, derivative = _log_half_normal(deviation * slope)
    moved = value - 0.5 * np.log(spread) + np.log(mass)
    unmoved = np.log1p(-mass)
    both = max(moved, unmoved) + np.log1p(np.exp(-abs(moved - unmoved)))
    return both, np.exp(moved - both) * slope * derivative


@part
def _log_product(information, means, c, arm, group, size, x, bets):
    """Logarithm of the product that `log_infimum` minimises, and its derivative in x."""
    value, slope = log_factor(information[arm, c], x - means[arm, c], bets.scale, bets.lower)
    for g in range(size):
        i = group[g]
        more, steeper = log_factor(information[i, c], means[i, c] - x, bets.scale, bets.upper)
        value += more
        slope -= steeper
    return value, slope


@part
def _log_atoms(information, c, group, size, mass):
    """Logarithm of the product of the atoms of the sampled arms of a group, and their number."""
    sampled = 0
    for g in range(size):
        if information[group[g], c] > 0.0:
            sampled += 1
    return sampled * np.log1p(-mass), sampled


@part
def _log_without_noise(information, means, c, arm, group, size):
    """Infinite if a sampled arm of the group is at least as good as ``arm``, and 0 otherwise."""
    for g in range(size):
        i = group[g]
        if information[i, c] > 0.0 and means[i, c] >= means[arm, c]:
            return np.inf
    return 0.0


@kernel
def log_infimum(information, means, c, arm, group, size, bets):
    r"""Lower bound on the infimum over a common mean x, and an upper bound on its minimiser.

    .. math::
        \ln\inf_x f(N_k,x-m_k)\prod_i f(N_i,m_i-x)

    The logarithm is convex in x, so that at any point the slope times the width of a bracket
    bounds the error, which is at most `TOLERANCE`.

    Without noise the information is infinite, and equal averages are equal means. The infimum is
    then over means of which the arm's is *strictly* above that of an arm i.
    """
    atoms, sampled = _log_atoms(information, c, group, size, bets.upper)
    if information[arm, c] == 0.0:
        return atoms, np.inf
    if sampled == 0:
        return np.log1p(-bets.lower), -np.inf
    if information[arm, c] == np.inf:
        return _log_without_noise(information, means, c, arm, group, size), means[arm, c]
    total, centre = information[arm, c], information[arm, c] * means[arm, c]
    for g in range(size):
        total += information[group[g], c]
        centre += information[group[g], c] * means[group[g], c]
    x = centre / total
    slope = _log_product(information, means, c, arm, group, size, x, bets)[1]
    step = -np.sign(slope) / np.sqrt(total)
    far, far_slope = x, slope
    while far_slope * slope > 0.0:
        x, slope = far, far_slope
        far = x + step
        step *= 2.0
        far_slope = _log_product(information, means, c, arm, group, size, far, bets)[1]
    return _narrow(information, means, c, arm, group, size, x, slope, far, far_slope, bets)


@part
def _narrow(information, means, c, arm, group, size, first, first_slope, last, last_slope, bets):
    """Narrow a bracket of the minimiser until the lower bound is tight (the Illinois method)."""
    bound = -np.inf
    kept = 0
    for _ in range(MOST_STEPS):
        x = (first * last_slope - last * first_slope) / (last_slope - first_slope)
        if not min(first, last) < x < max(first, last):
            x = 0.5 * (first + last)
        value, slope = _log_product(information, means, c, arm, group, size, x, bets)
        if slope * last_slope > 0.0:
            last, last_slope = x, slope
            first_slope = 0.5 * first_slope if kept == 1 else first_slope
            kept = 1
        else:
            first, first_slope = x, slope
            last_slope = 0.5 * last_slope if kept == 2 else last_slope
            kept = 2
        missing = abs(slope * (last - first)) + ROUNDING * abs(value)
        bound = max(bound, value - missing)
        if missing < TOLERANCE + ROUNDING * abs(value):
            break
    return bound, max(first, last)


@part
def least_of_two(information, means, c, low, high, bets):
    r"""Lower bound on the infimum of `log_infimum` for two arms, in closed form.

    No factor is below 1 - q. With :math:`h=N^2\rho/(1+N\rho)`, the factor of a deviation
    :math:`a\ge0` is at least :math:`q\,e^{ha^2/2}/\sqrt{1+N\rho}`. This bounds the product for a
    common mean between the averages, where the two parabolas meet, and beyond either average.
    """
    gap = means[high, c] - means[low, c]
    atom, other_atom = np.log1p(-bets.lower), np.log1p(-bets.upper)
    count, other = information[low, c], information[high, c]
    if count == np.inf and other == np.inf:
        return np.inf if gap >= 0.0 else 0.0
    if gap <= 0.0 or count == 0.0 or other == 0.0:
        return atom + other_atom
    spread, other_spread = 1.0 + count * bets.scale, 1.0 + other * bets.scale
    steep = count * count * bets.scale / spread
    other_steep = other * other * bets.scale / other_spread
    moved = np.log(bets.lower) - 0.5 * np.log(spread)
    other_moved = np.log(bets.upper) - 0.5 * np.log(other_spread)
    square = 0.5 * gap * gap
    between = moved + other_moved + square * (steep * other_steep / (steep + other_steep))
    beyond = min(moved + other_atom + square * steep, other_moved + atom + square * other_steep)
    return max(atom + other_atom, min(between, beyond))
