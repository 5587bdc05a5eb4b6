r"""An anytime-valid test of stated standard deviations against the scatter of the data.

The null hypothesis: given the past, the noise of every reward is sub-Gaussian with at most the
stated standard deviation :math:`\sigma`. After N rewards whose squared noise has the sum
:math:`\sigma^2T`,

.. math::
    M=\int_0^1(1-\lambda)^{N/2}e^{\lambda T/2}\,d\lambda
      =e^{T/2}\,(T/2)^{-c}\,\Gamma(c)\,P(c,T/2),\qquad c=N/2+1,

is a supermartingale that starts at 1, whatever rule chooses the arms (P is the regularised lower
incomplete gamma function). It increases in T, and the sum of squares about the arms' *averages* is
at most T, so that M at this sum ever exceeds :math:`1/\alpha` with probability at most
:math:`\alpha`; see the appendix *Proofs*. Residuals of the arms would not do: the average of an arm
decides whether it is sampled again, and an exceptional first reward makes the next residual large.
"""

import dataclasses

import numpy as np
import scipy  # its parts are imported when they are used
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_counts, check_probability, shown

__all__ = ["VarianceTest", "variance_test"]

LEVEL = 0.001
NOTICEABLE = 3.0  # ratio of true to stated standard deviation that the test should detect
SMALLEST, LARGEST = 1e-300, 1e300  # sums of squares, whose logarithms are finite


@dataclasses.dataclass(frozen=True, eq=False)
class VarianceTest:
    """Result of comparing the scatter of the rewards with the stated standard deviations."""

    ratios: np.ndarray
    arms: np.ndarray
    log_evidence: np.ndarray
    level: float
    is_telling: bool

    @property
    def is_refuted(self) -> np.ndarray:
        """Objectives in which the stated standard deviation is too small, shape (d,) of bool."""
        return self.log_evidence >= _needed(self.level, self.log_evidence.size)


def variance_test(counts: ArrayLike, squares: ArrayLike, level: float = LEVEL) -> VarianceTest:
    """Test stated standard deviations; valid however often you repeat the test."""
    check_probability(level, "level")
    counts, squares = _checked(counts, squares)
    n_arms, n_objectives = squares.shape
    common = log_variance_evidence(counts.sum(axis=0), squares.sum(axis=0))
    each = log_variance_evidence(counts, squares)
    evidence = np.logaddexp(
        common, scipy.special.logsumexp(each, axis=0) - np.log(n_arms)
    ) - np.log(2.0)
    is_of_one_arm = each.max(axis=0) - np.log(n_arms) > np.maximum(common, 0)
    arms = np.where(is_of_one_arm, each.argmax(axis=0), -1)
    residuals = np.maximum(counts - 1, 0)
    noticeable = NOTICEABLE**2 * residuals.sum(axis=0)
    expected = log_variance_evidence(counts.sum(axis=0), noticeable) - np.log(2.0)
    return VarianceTest(
        _ratios(residuals, squares, arms),
        arms,
        evidence,
        float(level),
        bool((expected >= _needed(level, n_objectives)).all()),
    )


def log_variance_evidence(samples: ArrayLike, squares: ArrayLike) -> np.ndarray:
    """Logarithm of the mixture M, from numbers of samples and sums of squares."""
    half = 0.5 * np.clip(squares, SMALLEST, LARGEST)
    shape = 0.5 * np.asarray(samples) + 1.0
    with np.errstate(divide="ignore"):
        return (
            half
            - shape * np.log(half)
            + scipy.special.gammaln(shape)
            + np.log(scipy.special.gammainc(shape, half))
        )


def _needed(level, n_objectives):
    """Logarithm of the evidence that refutes a statement."""
    return np.log(n_objectives / level)


def _checked(counts, squares):
    """Counts and sums of squares as arrays; refuse invalid ones."""
    counts, squares = check_counts(counts, "counts"), check_array(squares, "squares")
    if counts.ndim not in (1, 2):
        raise ValueError(
            f"counts = {shown(counts)}; expected the number of rewards of each arm, or of values "
            "of each arm and objective"
        )
    if squares.ndim != 2 or len(squares) != len(counts) or not (squares >= 0).all():
        raise ValueError(
            f"squares = {shown(squares)}; expected {len(counts)} rows of sums of squares"
        )
    own = counts[:, None] if counts.ndim == 1 else counts
    if counts.ndim == 2 and counts.shape != squares.shape:
        raise ValueError(
            f"counts = {shown(counts)} has shape {counts.shape}; expected {squares.shape}"
        )
    return np.broadcast_to(own, squares.shape).copy(), np.minimum(squares, LARGEST / squares.size)


def _ratios(residuals, squares, arms):
    """Root mean square of the residuals, of all arms or of the arm in ``arms``."""
    objectives = np.arange(arms.size)
    degrees = np.where(arms >= 0, residuals[arms, objectives], residuals.sum(axis=0))
    sums = np.where(arms >= 0, squares[arms, objectives], squares.sum(axis=0))
    return np.sqrt(np.divide(sums, degrees, out=np.full(arms.size, np.nan), where=degrees > 0))
