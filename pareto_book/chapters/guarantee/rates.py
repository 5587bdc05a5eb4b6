"""Error rates over delta: counted, estimated, and read off curves."""

from collections.abc import Mapping, Sequence

import numpy as np

import pareto_core as pc
from pareto_book.error_rates.estimate import (
    RiskEstimate,
    error_probabilities,
    error_probability,
)
from pareto_book.error_rates.proposals import fit_proposals
from pareto_book.records.measurements import Measurement, rate_of, risk_of

__all__ = [
    "count_errors",
    "count_over_delta",
    "delta_for",
    "estimate_error_rates",
    "is_known",
    "kept_numbers",
    "known_risks",
    "over_delta",
    "quotient",
]

MAX_SAMPLES = 500  # later errors are not counted
FEWEST_ERRORS = 30  # effective; an estimate from fewer is an order of magnitude, no more


def estimate_error_rates(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
    max_samples: int = 500,
) -> list[RiskEstimate]:
    """Estimate error rates by importance sampling, with proposals fitted to other runs."""
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
    """Divide an estimated error rate and its interval by delta; NaN if it is not known."""
    return risk_of(estimate, FEWEST_ERRORS).times(1 / estimate.delta)


def count_errors(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> list[int]:
    """Count the runs that stop within 500 samples with a wrong answer, at each risk."""
    own = 10**6 + seed  # other runs than those of the estimates
    results = pc.simulate_deltas(algorithm, instance, deltas, runs, own, n_jobs, MAX_SAMPLES)
    return [int((each.stopped & ~each.correct).sum()) for each in results]


def count_over_delta(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> list[Measurement]:
    """Divide counted error rates and their exact intervals by delta; see `count_errors`."""
    errors = count_errors(algorithm, instance, deltas, runs, seed, n_jobs)
    return [
        rate_of(np.arange(runs) < number).times(1 / delta)
        for number, delta in zip(errors, deltas, strict=True)
    ]


def quotient(numerator: Measurement, denominator: Measurement) -> Measurement:
    """Divide two measurements, with an interval from the ends of both."""
    low, high = numerator.interval
    least, most = denominator.interval
    runs = min(numerator.runs, denominator.runs)
    value = numerator.value / denominator.value
    return Measurement(value, (low / most, high / least), runs)


def delta_for(estimates: Sequence[RiskEstimate], wanted: float) -> Measurement:
    """Read off the delta of an error rate, between the points of the curve on logarithmic axes."""

    def read_off(part):
        rates = np.log([getattr(each, part) for each in reversed(estimates)])
        deltas = np.log([each.delta for each in reversed(estimates)])
        return float(np.exp(np.interp(np.log(wanted), rates, deltas)))

    ends = read_off("high"), read_off("low")
    return Measurement(read_off("probability"), ends, estimates[0].runs)


def known_risks(estimates: Sequence[RiskEstimate]) -> list[RiskEstimate]:
    """Estimates that rest on enough effective errors to be shown."""
    return [each for each in estimates if is_known(each)]


def kept_numbers(
    risks: Mapping[str, Mapping[str, Sequence[RiskEstimate]]], hard: str
) -> tuple[Measurement, dict[str, float | Measurement]]:
    """The largest error rate over delta of a proven rule, and what the text says of both kinds."""
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
