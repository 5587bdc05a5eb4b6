"""Error probabilities of fixed-confidence algorithms, including errors too rare to count.

The runs are drawn under different means, for which a wrong answer is correct, and weighted by their
likelihood ratio under the means of the instance (importance sampling). `proposals` finds such
means.
"""

import dataclasses
from collections.abc import Callable

import numpy as np
import scipy  # its parts are imported when they are used
from numpy.typing import ArrayLike

from pareto_book.error_rates.proposals import Proposals, draw, levels_of
from pareto_core.checks.arguments import check_array, check_positive, check_probability
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm

__all__ = ["RiskEstimate", "error_probabilities", "error_probability", "weighted_count_interval"]


@dataclasses.dataclass(frozen=True, eq=False)
class RiskEstimate:
    """An estimated error probability, and the wrong runs that it is computed from.

    Attributes
    ----------
    delta : float
        Risk of the algorithm.
    probability : float
        Unbiased estimate.
    low, high : float
        Confidence interval, see `weighted_count_interval`.
    runs : int
        Number of runs under all proposals.
    contributions : ndarray, shape (e,)
        Term of each wrong run in the estimate.
    samples : ndarray of int, shape (e,)
        Stopping time of each wrong run.
    answers : ndarray, shape (e, ...)
        Answer of each wrong run, as in `Runs`.

    See Also
    --------
    pareto_book.error_rates.estimate.error_probability : computes it.

    Examples
    --------
    >>> import numpy as np
    >>> import pareto_core as pc
    >>> from pareto_book.error_rates import Proposals, error_probability
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> counting = Proposals(instance.means[None], np.ones(1))
    >>> estimate = error_probability(pc.TrackAndStop(delta=0.1), instance, counting, runs=10)
    >>> estimate.probability, estimate.runs, estimate.high < 1
    (0.0, 10, True)
    """

    delta: float
    probability: float
    low: float
    high: float
    runs: int
    contributions: np.ndarray
    samples: np.ndarray
    answers: np.ndarray

    @property
    def effective_errors(self) -> float:
        """Number of equally weighted errors with the same precision; 0 without errors."""
        total = self.contributions.sum()
        return float(total**2 / (self.contributions**2).sum()) if total > 0 else 0.0

    @property
    def largest_share(self) -> float:
        """Largest contribution as a proportion of the estimate; NaN without errors."""
        total = self.contributions.sum()
        return float(self.contributions.max() / total) if total > 0 else np.nan


def error_probability(
    algorithm: Algorithm,
    instance: Instance,
    proposals: Proposals,
    runs: int,
    seed: int = 0,
    judge: Callable | None = None,
    confidence: float = 0.95,
    max_samples: int = 10**6,
    n_jobs: int | None = None,
) -> RiskEstimate:
    r"""Estimate the probability that an algorithm stops with a wrong answer.

    .. math::
        \hat p=\frac1n\sum_{i=1}^n\frac{\mathbb 1\{\text{run }i\text{ stopped, wrong}\}}
        {\sum_j\frac{n_j}n\frac{dP_{\lambda_j}}{dP_\mu}(\text{run }i)},\qquad
        \ln\frac{dP_\lambda}{dP_\mu}=\sum_kN_k(\lambda_k-\mu_k)^\top\Sigma_k^{-1}
        \Bigl(\bar X_k-\frac{\lambda_k+\mu_k}2\Bigr)

    with the covariance :math:`\Sigma_k` of the noise of arm k, and :math:`n_j` of the n runs drawn
    under each proposal :math:`\lambda_j` (the balance heuristic of Veach & Guibas 1995; Owen & Zhou
    2000). The estimate is unbiased if the proposals do not depend on these runs, so fit them with a
    different seed. It may miss a type of error that is rare under every proposal. Because the means
    of the instance are one of the proposals, it does not miss frequent errors.

    Parameters
    ----------
    algorithm : Algorithm
        The algorithm and its hyper-parameters.
    instance : Instance
        With Gaussian noise of positive variance.
    proposals : Proposals
        From `fit_proposals`.
    runs : int
        Number n of runs; the share of each proposal is rounded up.
    seed : int, default 0
        Seed of the runs.
    judge : callable, optional
        Returns whether an answer, in the layout of `Runs`, is correct. By default
        `Algorithm.judge` decides, as in `Runs`.
    confidence : float, default 0.95
        Confidence level of the interval.
    max_samples : int, default 10**6
        Largest number of samples of a run; runs that have not stopped by then are not errors.
    n_jobs : int, optional
        Number of threads; all cores by default.

    Returns
    -------
    RiskEstimate

    Raises
    ------
    ValueError
        If an argument is out of range, the noise is not Gaussian, a variance is 0, or the shapes of
        the proposals do not match the instance.

    See Also
    --------
    pareto_book.error_rates.proposals.fit_proposals : the proposals.
    pareto_book.error_rates.estimate.error_probabilities : several risks from the same runs.

    References
    ----------
    Owen & Zhou 2000, Safe and effective importance sampling, doi:10.1080/01621459.2000.10473909.

    Examples
    --------
    >>> import pareto_core as pc
    >>> from pareto_book.error_rates import error_probability, fit_proposals
    >>> instance = pc.Instance([[0.0], [1.0]])
    >>> algorithm = pc.TrackAndStop(delta=0.1)
    >>> proposals = fit_proposals(algorithm, instance, runs=20, seed=1)
    >>> estimate = error_probability(algorithm, instance, proposals, runs=30)
    >>> 0 < estimate.probability < 0.1
    True
    """
    check_probability(confidence, "confidence")
    draws = draw([algorithm], instance, proposals, runs, seed, judge, max_samples, n_jobs)[0]
    return _estimate(getattr(algorithm, "delta", np.nan), draws, confidence)


def error_probabilities(
    algorithm: Algorithm,
    instance: Instance,
    proposals: Proposals,
    deltas: ArrayLike,
    runs: int,
    seed: int = 0,
    judge: Callable | None = None,
    confidence: float = 0.95,
    max_samples: int = 10**6,
    n_jobs: int | None = None,
) -> list[RiskEstimate]:
    """Estimate the error probability at several risks from the same runs.

    Parameters
    ----------
    algorithm : Algorithm
        An algorithm whose sampling does not depend on delta; its own ``delta`` is not used.
    deltas : array_like, shape (m,)
        Risks, each in (0, 1).
    instance, proposals, runs, seed, judge, confidence, max_samples, n_jobs
        See `error_probability`.

    Returns
    -------
    list of RiskEstimate
        One for each delta, in the order of ``deltas``. They are statistically dependent.

    Raises
    ------
    ValueError
        If the algorithm's sampling depends on delta; also see `error_probability`.

    See Also
    --------
    pareto_book.error_rates.estimate.error_probability : a single risk.

    Examples
    --------
    >>> import pareto_core as pc
    >>> from pareto_book.error_rates import error_probabilities, fit_proposals
    >>> instance = pc.Instance([[0.0], [1.0]])
    >>> algorithm = pc.TrackAndStop()
    >>> proposals = fit_proposals(algorithm, instance, runs=20, seed=1)
    >>> found = error_probabilities(algorithm, instance, proposals, [0.1, 0.01], runs=30)
    >>> [each.delta for each in found]
    [0.1, 0.01]
    """
    check_probability(confidence, "confidence")
    levels = levels_of(algorithm, deltas)
    draws = draw(levels, instance, proposals, runs, seed, judge, max_samples, n_jobs)
    return [
        _estimate(level.delta, each, confidence) for level, each in zip(levels, draws, strict=True)
    ]


def weighted_count_interval(
    contributions: ArrayLike, largest: float, confidence: float = 0.95
) -> tuple[float, float]:
    r"""Confidence interval of the mean of a sum of unequal contributions of rare events.

    With the sum y of the contributions and the sum v of their squares, the limits at
    :math:`\alpha` are quantiles of Gamma variables,

    .. math::
        \frac v{2y}\chi^2_{2y^2/v}(\alpha/2),\qquad
        \frac{v+w^2}{2(y+w)}\chi^2_{2(y+w)^2/(v+w^2)}(1-\alpha/2),

    where w is the largest contribution (Fay & Feuer 1997). For equal contributions, these are the
    exact limits of a Poisson count. For unequal contributions, nothing is proven. In simulations,
    the coverage is as stated with at least about 30 effective errors (`RiskEstimate`). With fewer,
    and one contribution of at least a third of the sum, the upper limit may be far too low, because
    the largest contributions may not have been observed.

    Parameters
    ----------
    contributions : array_like, shape (e,)
        Non-negative numbers.
    largest : float
        The value of w if there are no positive contributions.
    confidence : float, default 0.95
        Confidence level.

    Returns
    -------
    low, high : float

    Raises
    ------
    ValueError
        If a contribution is negative or not finite, ``largest`` is not positive, or ``confidence``
        is not in (0, 1).

    References
    ----------
    Fay & Feuer 1997, Statistics in Medicine 16, 791-801.
    """
    values = check_array(contributions, "contributions")
    if values.ndim != 1 or not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError(f"contributions = {contributions!r}; expected non-negative numbers")
    check_positive(largest, "largest")
    tail = (1 - check_probability(confidence, "confidence")) / 2
    scale = values.max(initial=0.0)
    if scale == 0.0:
        return 0.0, float(largest * scipy.special.gammainccinv(1.0, tail))
    values = values / scale
    total, squares = values.sum(), (values**2).sum()
    low = squares / total * scipy.special.gammaincinv(total**2 / squares, tail)
    total, squares = total + 1.0, squares + 1.0
    high = squares / total * scipy.special.gammainccinv(total**2 / squares, tail)
    return float(scale * low), float(scale * high)


def _estimate(delta, draws, confidence):
    found = draws.contributions[draws.wrong]
    own_runs = np.exp(draws.log_shares[0]) * draws.wrong.size
    low, high = weighted_count_interval(found, 1.0 / own_runs, confidence)
    return RiskEstimate(
        delta,
        float(found.sum()),
        low,
        min(high, 1.0),
        draws.wrong.size,
        found,
        draws.samples[draws.wrong],
        draws.answers[draws.wrong],
    )
