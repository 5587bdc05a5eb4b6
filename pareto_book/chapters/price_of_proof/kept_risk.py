"""How often proven rules err on instances that are made to deceive."""

from collections.abc import Sequence

import pareto_core as pc
from pareto_core.error_rates.estimate import RiskEstimate, error_probabilities
from pareto_core.error_rates.proposals import fit_proposals

__all__ = ["LONGEST", "known_risks", "uniform_risks"]

LONGEST = 500  # samples; later errors are not counted
FEWEST = 30  # effective errors, below which an estimate is not shown


def uniform_risks(
    threshold: str,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> list[RiskEstimate]:
    """Estimate the error rates of uniform sampling, from proposals fitted to other runs."""
    algorithm = pc.UniformSampling(check_every=5, threshold=threshold)
    settings = {"max_samples": LONGEST, "n_jobs": n_jobs}
    proposals = fit_proposals(algorithm, instance, runs, 2 * seed + 1, deltas=deltas, **settings)
    return error_probabilities(algorithm, instance, proposals, deltas, runs, 2 * seed, **settings)


def known_risks(estimates: Sequence[RiskEstimate]) -> list[RiskEstimate]:
    """Estimates that rest on enough effective errors to be shown."""
    return [each for each in estimates if each.effective_errors >= FEWEST]
