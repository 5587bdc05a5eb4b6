"""Upper tails of the normal distribution and of Student's t, in kernels."""

import math

import numpy as np

from pareto_core.compiling.kernels import kernel, part

MOST_TERMS = 10_000  # of a continued fraction; it needs about the root of the degrees of freedom
ACCURACY = 1e-15
TINY = 1e-300  # in place of a denominator of 0


@part
def normal_tail(z):
    """Probability that a standard normal variable exceeds ``z``."""
    return 0.5 * math.erfc(z * math.sqrt(0.5))


@kernel
def _beta_fraction(a, b, x):
    """Continued fraction of the incomplete beta function (DLMF 8.17.22, by Lentz's algorithm)."""
    numerator, denominator = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    denominator = 1.0 / (denominator if denominator != 0.0 else TINY)
    value = denominator
    for m in range(1, MOST_TERMS):
        for coefficient in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            denominator = 1.0 + coefficient * denominator
            numerator = 1.0 + coefficient / numerator
            denominator = 1.0 / (denominator if denominator != 0.0 else TINY)
            numerator = numerator if numerator != 0.0 else TINY
            factor = denominator * numerator
            value *= factor
        if abs(factor - 1.0) <= ACCURACY:
            break
    return value


@kernel
def student_tail(z, freedom):
    """Probability that Student's t with ``freedom`` degrees of freedom exceeds ``z``.

    It is half the regularised incomplete beta function of ``freedom / (freedom + z * z)``, with
    the parameters ``freedom / 2`` and 1/2, if z is not negative.
    """
    square = z * z
    if square == 0.0:
        return 0.5
    if not square < np.inf:
        return 0.0 if z > 0.0 else 1.0
    a, b = 0.5 * freedom, 0.5
    x, rest = freedom / (freedom + square), square / (freedom + square)
    log_power = b * math.log(rest) - a * math.log1p(square / freedom)
    front = 0.5 * math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + log_power)
    if x < (a + 1.0) / (a + b + 2.0):
        tail = front * _beta_fraction(a, b, x) / a
    else:
        tail = 0.5 - front * _beta_fraction(b, a, rest) / b
    return tail if z > 0.0 else 1.0 - tail
