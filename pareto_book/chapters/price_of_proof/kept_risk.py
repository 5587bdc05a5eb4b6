"""How often proven rules err on instances that are made to deceive."""

from collections.abc import Mapping, Sequence

import pareto_core as pc
from pareto_book.error_rates.estimate import RiskEstimate, error_probabilities
from pareto_book.error_rates.proposals import fit_proposals
from pareto_book.records.measurements import Measurement
from pareto_book.studies.rare_errors import is_known, over_delta

__all__ = ["KeptRisks", "known_risks", "numbers", "uniform_risks"]

LONGEST = 500  # samples; later errors are not counted
THRESHOLDS = {"stylised": "stylised", "joint": "proven", "pairs": "proven_correlated"}

KeptRisks = Mapping[str, Mapping[str, Sequence[RiskEstimate]]]  # by instance and rule


def uniform_risks(
    instances: Sequence[pc.Instance],
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> KeptRisks:
    """Estimate the error rates of uniform sampling with each rule, at several risks.

    The proposals are fitted to other runs than the estimates.
    """
    settings = {"max_samples": LONGEST, "n_jobs": n_jobs}

    def estimates(algorithm, instance):
        proposals = fit_proposals(
            algorithm, instance, runs, 2 * seed + 1, deltas=deltas, **settings
        )
        return error_probabilities(
            algorithm, instance, proposals, deltas, runs, 2 * seed, **settings
        )

    return {
        instance.name: {
            rule: estimates(pc.UniformSampling(check_every=5, threshold=threshold), instance)
            for rule, threshold in THRESHOLDS.items()
        }
        for instance in instances
    }


def known_risks(estimates: Sequence[RiskEstimate]) -> list[RiskEstimate]:
    """Estimates that rest on enough effective errors to be shown."""
    return [each for each in estimates if is_known(each)]


def numbers(risks: KeptRisks, hard: str) -> tuple[Measurement, dict[str, float | Measurement]]:
    """Error rates over delta that the chapter states.

    Parameters
    ----------
    risks : dict of str to dict of str to sequence of RiskEstimate
        Result of `uniform_risks`.
    hard : str
        Name of the instance on which the stylised threshold errs.

    Returns
    -------
    worst : Measurement
        That of a proven rule with the largest upper end.
    said : dict of str to number or Measurement
        Its upper end, and that of the stylised threshold at the smallest delta with an estimate.
    """
    proven = [
        each
        for by_rule in risks.values()
        for rule in ("joint", "pairs")
        for each in known_risks(by_rule[rule])
    ]
    worst = over_delta(max(proven, key=lambda each: each.high / each.delta))
    last = known_risks(risks[hard]["stylised"])[-1]
    said = {"stylised_kept": over_delta(last), "stylised_asked": last.delta}
    return worst, said | {"largest_kept": worst.interval[1]}
