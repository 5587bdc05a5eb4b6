r"""An anytime-valid test of stated standard deviations against the scatter of the data.

The null hypothesis: given the past, the noise of every reward is sub-Gaussian with at most the
stated standard deviation. The evidence against it after N rewards with the sum T of squares is

.. math::
    M=\int_0^1(1-\lambda)^{N/2}e^{\lambda T/2}\,d\lambda
      =e^{T/2}\,(T/2)^{-c}\,\Gamma(c)\,P(c,T/2),\qquad c=N/2+1,

with the regularised lower incomplete gamma function P; the appendix *Proofs* has the theorem.
"""

import dataclasses

import numpy as np
import scipy  # its parts are imported when they are used

__all__ = ["VarianceTest"]

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
        return self.log_evidence >= np.log(self.log_evidence.size / self.level)


def variance_test(counts, squares, level=LEVEL, tested=True):
    """Test the stated standard deviations of some objectives; valid however often you repeat it."""
    n_arms, n_objectives = squares.shape
    squares = np.minimum(squares, LARGEST / squares.size)
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
    is_telling = (expected >= np.log(n_objectives / level)) | ~np.asarray(tested)
    ratios = _ratios(residuals, squares, arms)
    return VarianceTest(ratios, arms, evidence, level, bool(is_telling.all()))


def log_variance_evidence(samples, squares):
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


def _ratios(residuals, squares, arms):
    """Root mean square of the residuals, of all arms or of the arm in ``arms``."""
    objectives = np.arange(arms.size)
    degrees = np.where(arms >= 0, residuals[arms, objectives], residuals.sum(axis=0))
    sums = np.where(arms >= 0, squares[arms, objectives], squares.sum(axis=0))
    return np.sqrt(np.divide(sums, degrees, out=np.full(arms.size, np.nan), where=degrees > 0))
