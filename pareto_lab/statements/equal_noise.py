r"""An anytime-valid test of whether unknown variances are the same for all arms.

The evidence of the n rewards of an arm against a variance :math:`\sigma^2`, with S the sum of
squares about their average, is the mixture over a precision :math:`\lambda\sim\Gamma(a,a)` in units
of :math:`\sigma^{-2}`,

.. math::
    E_n(\sigma)=\frac{a^a}{\Gamma(a)}\,\frac{\Gamma(a+\nu/2)}{(a+x)^{a+\nu/2}}\,e^x,\qquad
    x=\frac S{2\sigma^2},\quad\nu=n-1.

At the true variance it is a martingale along the rewards of the arm, whose residuals are a sequence
of independent normal variables, so that it ever exceeds z with probability at most 1/z; a sampling
rule only chooses how long the sequence is. The variances with less evidence are an interval. If
those of two arms are disjoint, their variances differ.
"""

import numpy as np
import scipy  # its parts are imported when they are used

LEVEL = 0.001  # probability that the test ever errs
SHAPE = 0.5  # of the prior of the precision
STEPS = 60


def deviation_intervals(counts, scatter, level=LEVEL):
    """Intervals of the standard deviations, shape (K, d, 2), right at all times at this level."""
    needed, degrees = np.log(counts.size / level), np.maximum(counts - 1, 0) / 2
    size = SHAPE + degrees
    constant = SHAPE * np.log(SHAPE) - scipy.special.gammaln(SHAPE) + scipy.special.gammaln(size)

    def crossing(inside, outside):
        """Where the evidence, small at one point and large at the other, is what is needed."""
        for _ in range(STEPS):
            middle = (inside + outside) / 2
            is_small = constant - size * np.log(SHAPE + middle) + middle < needed
            inside, outside = (
                np.where(is_small, middle, inside),
                np.where(is_small, outside, middle),
            )
        return outside

    least = crossing(degrees, np.zeros(counts.shape))
    most = crossing(degrees, 4 * (degrees + needed) + 10)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.sqrt(scatter[..., None] / 2 / np.stack([most, least], axis=-1))
    is_told = (scatter > 0) & (counts > 1)
    return np.where(is_told[..., None], ends, [0.0, np.inf])


def unequal_arms(counts, scatter, level=LEVEL):
    """Pairs of arms of certainly smaller and larger noise: one of each objective, or None."""
    low, high = np.moveaxis(deviation_intervals(counts, scatter, level), 2, 0)
    smallest, largest = high.argmin(axis=0), low.argmax(axis=0)
    return [
        (int(i), int(j)) if high[i, c] < low[j, c] else None
        for c, (i, j) in enumerate(zip(smallest, largest, strict=True))
    ]
