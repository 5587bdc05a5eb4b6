r"""A time-uniform upper bound on an unknown variance.

The noise is Gaussian, with the same variance for all arms in an objective. With t samples, W the
sum of squares about the averages of the arms, and with probability at least :math:`1-\eta\delta`
for all objectives and times,

.. math::
    \sigma_c^2\le\frac{W_c}{v-q},\qquad
    v=\max_l\frac{\frac t2\ln(1+2u_l)-\ln\frac1{\pi_l\delta_1}}{u_l},\qquad
    q=\max_k\Bigl(1+\frac1{N_k}\Bigr)\Bigl(2\ln\frac1{\delta_1}+\sum_k\ln(1+N_k)\Bigr),

where :math:`\delta_1=\eta\delta/(2d)`, for a fixed grid of :math:`u_l` with weights
:math:`\pi_l`. If values are missing, :math:`N_k` and t are those of the objective. The theorems are
in the appendix *Proofs*.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part

VARIANCE_SHARE = 0.05  # share of delta for underestimated variances
GRID = 24  # number of points u, from 2 down by factors of 2
ROUNDED = 1e-12  # relative size of deviations that are rounding errors
LEAST_SCATTER = 1e-280  # a smaller sum of squares has lost digits


class VarianceGrid(NamedTuple):
    """The grid, and the terms that depend on delta."""

    points: np.ndarray  # (GRID,)
    log_risk: float  # ln(1 / delta_1)
    log_risk_each: float  # ln(1 / (pi delta_1)), the same for all points


def variance_grid(log_risk, n_objectives):
    """Grid for an error probability of exp(-log_risk) of all statements together."""
    own = float(log_risk + np.log(2 * n_objectives / VARIANCE_SHARE))
    return VarianceGrid(2.0 ** (1 - np.arange(GRID)), own, own + float(np.log(GRID)))


@kernel
def residual_degrees(grid, counts):
    """V - q; if positive, the variance is at most the sum of squares divided by this number."""
    samples, logs, worst = 0, 0.0, 0.0
    for n in counts:
        if n > 0:
            samples += n
            logs += np.log(1.0 + n)
            worst = max(worst, 1.0 + 1.0 / n)
    least = 0.0
    for u in grid.points:
        least = max(least, (0.5 * samples * np.log1p(2.0 * u) - grid.log_risk_each) / u)
    return least - worst * (2.0 * grid.log_risk + logs)


@part
def rounding_of(count, mean):
    """Sum of squares that rewards may have though they are equal."""
    return count * (ROUNDED * mean) ** 2 + LEAST_SCATTER


@kernel
def beyond_rounding(counts, means, total):
    """Sum of squares of all arms; 0 if it may be due to rounding."""
    rounding = 0.0
    for k in range(counts.shape[0]):
        if counts[k] > 0:
            rounding += rounding_of(counts[k], means[k])
    return total if total > rounding else 0.0


@kernel
def scale_of(grid, counts, squares):
    """Inverse of an upper bound on the standard deviation; 0 if no bound is known."""
    degrees = residual_degrees(grid, counts)
    return np.sqrt(degrees / squares) if degrees > 0.0 and squares > 0.0 else 0.0


@kernel
def write_scaled_means(grid, unknown, observed, means, scatter, scaled):
    """Write the means of objectives of unknown variance over its bounds; 0 without a bound."""
    for c in np.flatnonzero(unknown):
        squares = beyond_rounding(observed[:, c], means[:, c], scatter[:, c].sum())
        scale = scale_of(grid, observed[:, c], squares)
        for k in range(means.shape[0]):
            scaled[k, c] = means[k, c] * scale
