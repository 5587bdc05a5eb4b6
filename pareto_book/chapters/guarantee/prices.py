"""Samples of stopping rules with a proof over those of the stylised threshold."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.reading import read_instance
from pareto_book.records.measurements import Measurement, ratio_of

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "Prices",
    "data_set_numbers",
    "kept_prices",
    "price_table",
    "samples_at",
    "simulated_prices",
    "unknown_variance_prices",
    "unknown_variance_table",
    "wrong_answers",
]

MAX_SAMPLES = 3 * 10**6
THROTTLED = (
    "Track-and-Stop, throttled",
    "Track-and-Stop, throttled and proven",
    "TopTwoIDS, throttled and proven",
)
KEPT = {  # instance in the arena, and its entrants that play by the rules of `KEPT_RULES`
    "vaccines": (
        "COV-BOOST",
        ("Track-and-Stop", "Track-and-Stop, proven", "TopTwoIDS, proven"),
    ),
    "network on chip": ("NoC, without features", THROTTLED),
    "sorting networks": ("SNW", THROTTLED),
}
KEPT_RULES = ("stylised", "joint", "TopTwoIDS, joint")
PROVEN = (
    "joint",
    "pairs",
    "TopTwoIDS, joint",
)  # columns of the table, as far as they were measured


class Prices(NamedTuple):
    """Ratios of samples and wrong answers by rule and risk; samples of the first rule by risk."""

    ratios: dict[str, list[Measurement]]
    errors: dict[str, list[int]]
    baseline: Sequence[np.ndarray]


def samples_at(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> tuple[np.ndarray, list[int]]:
    """Samples of each run by risk, and numbers of wrong answers; refuses runs that were cut off."""
    settings = {"seed": seed, "n_jobs": n_jobs, "max_samples": MAX_SAMPLES}
    if algorithm.sampling_ignores_delta:
        found = pc.simulate_deltas(algorithm, instance, deltas, runs, **settings)
    else:
        found = [
            pc.simulate(algorithm.with_delta(delta), instance, runs, **settings) for delta in deltas
        ]
    for each in found:
        _check_stopped(each, instance)
    return np.array([e.samples for e in found]), [int((~e.correct).sum()) for e in found]


def _check_stopped(runs, instance):
    if not runs.stopped.all():
        raise RuntimeError(f"a run on {instance.name} was cut off at {MAX_SAMPLES:,} samples")


def simulated_prices(
    rules: Mapping[str, pc.Algorithm],
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Prices:
    """Measure what each rule costs over the first one, on the same seeds."""
    found = {
        name: samples_at(rule, instance, deltas, runs, seed, n_jobs) for name, rule in rules.items()
    }
    baseline = next(iter(found.values()))[0]
    ratios = {
        name: [ratio_of(*pair, paired=True) for pair in zip(samples, baseline, strict=True)]
        for name, (samples, _) in found.items()
    }
    return Prices(ratios, {name: errors for name, (_, errors) in found.items()}, baseline)


def kept_prices(deltas: Sequence[float]) -> dict[str, Prices]:
    """Read what each rule costs on the three data sets from the runs that the arena keeps."""
    return {name: _kept_prices(*case, deltas) for name, case in KEPT.items()}


def _kept_prices(case, entrants, deltas):
    """Prices of entrants on one instance of the arena, over those of the first one."""
    runs = {(each.name, each.delta): each for each in read_instance(case)}
    found = {
        rule: [runs[name, delta] for delta in deltas]
        for rule, name in zip(KEPT_RULES, entrants, strict=True)
    }
    baseline = found[KEPT_RULES[0]]
    ratios = {
        rule: [
            ratio_of(*_common_runs(*pair), paired=True) for pair in zip(each, baseline, strict=True)
        ]
        for rule, each in found.items()
    }
    errors = {rule: [int((~e.right).sum()) for e in each] for rule, each in found.items()}
    return Prices(ratios, errors, [each.samples for each in baseline])


def _common_runs(first, second):
    """Samples of the runs that both have."""
    n = min(first.samples.size, second.samples.size)
    return first.samples[:n].astype(float), second.samples[:n].astype(float)


def data_set_numbers(found: Mapping[str, Prices]) -> dict[str, Measurement]:
    """Prices on the three data sets that the chapter records, at the first and the last risk."""
    numbers = {}
    for key, rule in (("joint", "joint"), ("aimed", "TopTwoIDS, joint")):
        ratios = {name: each.ratios[rule] for name, each in found.items()}
        numbers[f"{key}_vaccines"] = ratios["vaccines"][0]
        for short, name in (("chip", "network on chip"), ("sorting", "sorting networks")):
            numbers[f"{short}_{key}"] = ratios[name][0]
            numbers[f"{short}_{key}_least"] = ratios[name][-1]
    aimed = [each.ratios["TopTwoIDS, joint"][0] for each in found.values()]
    remaining = [remaining_price(each.ratios["joint"]) for each in found.values()]
    return numbers | {"aimed_worst": max(aimed), "price_left": max(remaining)}


def remaining_price(prices: Sequence[Measurement]) -> Measurement:
    """Divide the price at the last risk by that at the first, with ends from both intervals."""
    first, last = prices[0], prices[-1]
    ends = (last.interval[0] / first.interval[1], last.interval[1] / first.interval[0])
    return Measurement(last.value / first.value, ends, first.runs)


def wrong_answers(found: Mapping[str, Prices]) -> dict[str, float]:
    """Wrong answers at the first risk, and the largest price, over all instances."""
    ratios = [each.ratios["joint"] for each in found.values()]
    return {
        "wrong_stylised": sum(each.errors["stylised"][0] for each in found.values()),
        "wrong_proven": sum(each.errors["joint"][0] for each in found.values()),
        "n_growing": sum(each[0].runs for each in ratios),
        "widest": max(ratio.value for each in ratios for ratio in each),
    }


def price_table(found: Mapping[str, Prices], deltas: Sequence[float]) -> "HTML":
    """Make the table of prices, with a row for each instance and risk."""
    caption = (
        "Mean samples with the stylised threshold, and how many times as many samples each proven "
        "rule needs. joint and pairs stop the same runs of Track-and-Stop, which computes a "
        "gradient at every sample on the vaccines, and at every tenth elsewhere; TopTwoIDS samples "
        "for the rule joint."
    )
    rows = []
    for name, (ratios, _, baseline) in found.items():
        for k, delta in enumerate(deltas):
            row = {"": name, "δ": delta, "stylised": baseline[k].mean()}
            rows.append(row | {r: ratios[r][k] if r in ratios else "" for r in PROVEN})
    formats = {"δ": "g", "stylised": ",.0f"} | dict.fromkeys(PROVEN, ".2f")
    return show_table(pd.DataFrame(rows), caption, **formats)


def unknown_variance_prices(
    instances: Sequence[pc.Instance],
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> dict[str, list[Measurement]]:
    """Measure samples of the rule joint without the variances over those with them, by instance."""
    rules = {
        variance: pc.Certified(pc.UniformSampling(), variance=variance)
        for variance in ("known", "unknown")
    }
    return {
        each.name: simulated_prices(rules, each, deltas, runs, seed, n_jobs).ratios["unknown"]
        for each in instances
    }


def unknown_variance_table(
    found: Mapping[str, Sequence[Measurement]], deltas: Sequence[float]
) -> "HTML":
    """Make a table of these ratios: a row for each instance, a column for each risk."""
    caption = (
        "Samples of the rule joint without the variances over those with them; the same runs of "
        "uniform sampling."
    )
    heads = [f"δ = {delta:g}" for delta in deltas]
    rows = [{"": name} | dict(zip(heads, each, strict=True)) for name, each in found.items()]
    return show_table(pd.DataFrame(rows), caption, **dict.fromkeys(heads, ".2f"))
