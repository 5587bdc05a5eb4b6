"""Error rates of algorithms at several risks, however rare the errors are."""

from collections.abc import Sequence

from pareto_book.error_rates.estimate import (
    RiskEstimate,
    error_probabilities,
    error_probability,
)
from pareto_book.error_rates.proposals import fit_proposals
from pareto_book.records.measurements import Measurement, risk_of
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm

__all__ = ["FEWEST_ERRORS", "estimate_error_rates", "is_known", "over_delta"]

FEWEST_ERRORS = 30  # effective; an estimate from fewer is an order of magnitude, no more


def estimate_error_rates(
    algorithm: Algorithm,
    instance: Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
    max_samples: int = 500,
) -> list[RiskEstimate]:
    """Estimate error rates by importance sampling, with proposals fitted to other runs.

    Parameters
    ----------
    algorithm : Algorithm
        Its own ``delta`` is ignored.
    instance : Instance
        With Gaussian noise.
    deltas : sequence of float
        Risks.
    runs : int
        Number of runs for the fit, and again for the estimate.
    seed : int, default 0
        Seeds of different numbers share no runs.
    n_jobs : int, optional
        See `simulate`.
    max_samples : int, default 500
        Later errors are not counted.

    Returns
    -------
    list of RiskEstimate
        In the order of `deltas`.

    Raises
    ------
    ValueError
        See `fit_proposals` and `error_probability`.

    Examples
    --------
    >>> import pareto_core as pc
    >>> from pareto_book.studies.near_ties import wide_instance
    >>> (found,) = estimate_error_rates(pc.UniformSampling(), wide_instance(1), [0.1], runs=50)
    >>> 0 < found.low < found.probability < found.high < 0.2
    True
    """
    settings = {"max_samples": max_samples, "n_jobs": n_jobs}
    fit, estimate = 2 * seed + 1, 2 * seed
    if algorithm.sampling_ignores_delta:
        proposals = fit_proposals(algorithm, instance, runs, fit, deltas=deltas, **settings)
        return error_probabilities(
            algorithm, instance, proposals, deltas, runs, estimate, **settings
        )
    found = []
    for delta in deltas:
        level = algorithm.with_delta(float(delta))
        proposals = fit_proposals(level, instance, runs, fit, **settings)
        found.append(error_probability(level, instance, proposals, runs, estimate, **settings))
    return found


def is_known(estimate: RiskEstimate) -> bool:
    """Whether an estimate rests on enough effective errors to be shown."""
    return estimate.effective_errors >= FEWEST_ERRORS


def over_delta(estimate: RiskEstimate) -> Measurement:
    """Divide an estimated error rate and its interval by delta.

    Parameters
    ----------
    estimate : RiskEstimate
        Result of `error_probability`.

    Returns
    -------
    Measurement
        NaN if the estimate rests on too few effective errors; see `is_known`.
    """
    return risk_of(estimate, FEWEST_ERRORS).times(1 / estimate.delta)
