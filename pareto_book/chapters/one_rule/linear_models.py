"""Our rule with features, beside the algorithms for linear models."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.kone2025linear import first_arms, with_combinations
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of, rate_of
from pareto_book.rivals import LinearPAL

__all__ = ["least_ratio", "linear_entrants", "linear_instances", "linear_table", "show_linear"]

RULE = "TopTwoIDS"
SYNTHETIC_ARMS = 32


def linear_instances() -> dict[str, pc.Instance]:
    """Instances of Kone et al. (2025, linear): two data sets, and the two synthetic families."""
    noc = pc.load_instance("noc")
    synthetic = {
        f"synthetic, {name}": with_combinations(arms, SYNTHETIC_ARMS, noc.variance[0])
        for name, arms in first_arms().items()
    }
    return {
        "NoC": noc,
        "energy efficiency": pc.load_instance("energy_efficiency_reversed"),
        **synthetic,
    }


def linear_entrants(instance: pc.Instance) -> dict[str, pc.Algorithm]:
    """Algorithms for linear models, with the noise of the instance if they ask for it."""
    variance = float(np.max(instance.variance))
    return {
        RULE: pc.TopTwoIDS(linear=True),
        "GEGE": pc.GEGE(delta=0.1, variance_bound=variance),
        "PAL": LinearPAL(),
        "PAL, wide": LinearPAL(bonus_scale=2 * variance),
    }


def linear_table(
    instances: Mapping[str, pc.Instance],
    deltas: Sequence[float],
    **settings: int,
) -> pd.DataFrame:
    """Tabulate the samples and the error rates of the algorithms for linear models."""
    rows = []
    for name, instance in instances.items():
        means, features = instance.means_standardised, instance.features
        time = pc.characteristic_time(means, 0.01, features=features).time
        for algorithm_name, algorithm in linear_entrants(instance).items():
            for delta, found in zip(
                deltas, _runs(algorithm, instance, deltas, settings), strict=True
            ):
                samples = mean_of(found.samples)
                rows.append(
                    {
                        "instance": name,
                        "delta": delta,
                        "algorithm": algorithm_name,
                        "samples": samples,
                        "over T* ln(1/δ)": samples.times(1 / (time * np.log(1 / delta))),
                        "errors": rate_of(~found.correct),
                        "stopped": found.stopped.mean(),
                    }
                )
    order = ["instance", "delta"]
    return pd.DataFrame(rows).sort_values(order, ascending=[True, False], kind="stable")


def _runs(algorithm, instance, deltas, settings):
    """Runs at each risk; the same runs if the samples do not depend on it."""
    settings = {"progress": False, **settings}
    if algorithm.sampling_ignores_delta:
        return pc.simulate_deltas(algorithm, instance, deltas, **settings)
    return [pc.simulate(algorithm.with_delta(each), instance, **settings) for each in deltas]


def least_ratio(frame: pd.DataFrame) -> Measurement:
    """Find the smallest ratio of the mean samples of another algorithm to those of our rule."""
    quotients = []
    for _, rows in frame.groupby("instance"):
        samples = rows.set_index("algorithm")["samples"]
        ours = samples.pop(RULE)
        quotients += [
            (
                each.value / ours.value,
                each.interval[0] / ours.interval[1],
                each.interval[1] / ours.interval[0],
                min(each.runs, ours.runs),
            )
            for each in samples
        ]
    value, low, high, runs = (min(column) for column in zip(*quotients, strict=True))
    return Measurement(value, (low, high), runs)


def show_linear(frame: pd.DataFrame):
    """Make the table of `linear_table` at one risk, without the share of runs that stopped."""
    if not (frame["stopped"] == 1).all():
        raise RuntimeError("a run did not stop: its samples are not those until an answer")
    (delta,) = set(frame["delta"])
    caption = (
        f"Mean samples with features at δ = {delta:g}, the same over the lower bound of the linear "
        "model, and the rate of wrong answers, with 95 % intervals."
    )
    formats = {"samples": ",.0f", "over T* ln(1/δ)": ".1f", "errors": ".2f"}
    return show_table(frame.drop(columns=["delta", "stopped"]), caption, **formats)
