"""The optimal proportions on COV-BOOST against those that the paper prints (Table 2)."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.claims.published import published_number, read_published
from pareto_book.figures.tables import show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "misprinted",
    "misprints_table",
    "proportions_table",
    "rows_of_data",
    "rows_of_proportions",
    "time_of",
    "weights_that_fit",
    "with_corrections",
]


def printed_weights() -> np.ndarray:
    """The proportions of the paper's Table 2."""
    return read_published("crepon2024_table2")["weight"].astype(float).to_numpy()


def weights_that_fit(weights: np.ndarray) -> int:
    """Count the proportions that round to the digits that the paper prints."""
    texts = read_published("crepon2024_table2")["weight"]
    digits = [len(text.partition(".")[2]) for text in texts]
    return int(sum(map(np.equal, map(round, weights, digits), printed_weights())))


def time_of(means: np.ndarray, variance: np.ndarray) -> float:
    """Characteristic time of means and variances."""
    instance = pc.Instance(means, variance=variance)
    return pc.characteristic_time(instance.means_standardised, relative_gap=1e-6).time


def other_times(printed: pc.Instance, full: pc.Instance, found: float) -> dict[str, Any]:
    """Compute the characteristic time under other readings of the data."""
    weights = printed_weights()
    cost = pc.transport_cost(printed.means_standardised, weights / weights.sum()).value
    full_time = pc.characteristic_time(full.means_standardised, relative_gap=1e-7).time
    difference = published_number("crepon2024", "tstar") / found - 1
    return {
        "reason": "the certified interval excludes it: the relative difference is "
        f"{difference:.1e}",
        "others": {
            "variances in full precision": time_of(printed.means, full.variance),
            "means in full precision": time_of(full.means, printed.variance),
            "means and variances in full precision": full_time,
            "printed proportions, normalised": 1 / cost,
        },
    }


def proportions_table(
    instance: pc.Instance, weights: np.ndarray, full_weights: np.ndarray
) -> "HTML":
    """Make a table of the arms with the printed and the computed proportions."""
    frame = pd.DataFrame(
        {
            "arm": range(instance.n_arms),
            "regimen": instance.labels,
            **dict(zip(instance.objectives, instance.means.T, strict=True)),
            "w* printed": printed_weights(),
            "w* here": weights,
            "w*, full precision": full_weights,
        }
    )
    caption = (
        "Means and optimal proportions of the arms (Table 2 of the paper). Arms 8 and 18 are "
        "optimal; arm 14 is the one that is hard to tell from them."
    )
    formats = {"w* printed": "g", "w* here": ".5f", "w*, full precision": ".5f"}
    means = dict.fromkeys(instance.objectives, ".2f")
    return show_table(frame, caption, **formats, **means)


def rows_of_proportions(
    printed: pc.Instance,
    full: pc.Instance,
    optimum: pc.CharacteristicTime,
    optimum_full: pc.CharacteristicTime,
) -> dict[str, Any]:
    """Compare T* and the proportions with Table 2 of the paper."""
    return {
        "tstar": {"value": optimum.time, **other_times(printed, full, optimum.time)},
        "tstar_line": math.ceil(np.log(10) * optimum.time),
        "pareto": len(printed.pareto_set),
        **{f"table2_w{k}": weight for k, weight in enumerate(optimum.weights)},
        "weights_printed": weights_that_fit(optimum.weights),
        "weights_full": weights_that_fit(optimum_full.weights),
    }


def misprinted(printed: pc.Instance, full: pc.Instance) -> np.ndarray:
    """Flag the printed means that no rounding of the data in full precision explains."""
    return np.abs(printed.means - full.means) > 0.0051


def with_corrections(printed: pc.Instance, full: pc.Instance) -> pc.Instance:
    """Replace the misprinted means by the rounded means of the data."""
    means, wrong = np.array(printed.means), misprinted(printed, full)
    means[wrong] = full.means[wrong].round(2)
    return pc.Instance(means, printed.variance, name="cov_boost, corrected")


def rows_of_data(printed: pc.Instance, full: pc.Instance) -> dict[str, Any]:
    """Compare the means and variances of Tables 2 and 3 with the data."""
    wrong, found = misprinted(printed, full), {}
    for k, c in np.argwhere(wrong):
        value = full.means[k, c]
        reason = f"the data are the logarithm of {np.exp(value):,.0f}, a whole number"
        found[f"table2_mean{k}"] = {"value": value, "reason": reason}
    unequal = (printed.means != full.means.round(2)) & ~wrong
    found["table2_means"] = {"value": unequal.sum(), "runs": int((~wrong).sum())}
    for c, variance in enumerate(full.variance):
        found[f"table3_{c}"] = variance
    return found


def misprints_table(printed: pc.Instance, full: pc.Instance) -> "HTML":
    """Make a table of the printed means that are not those of the data."""
    rows = [
        {
            "arm": k,
            "regimen": printed.labels[k],
            "response": printed.objectives[c],
            "printed": printed.means[k, c],
            "data": full.means[k, c],
            "its exp": np.exp(full.means[k, c]),
        }
        for k, c in np.argwhere(misprinted(printed, full))
    ]
    formats = {"printed": ".2f", "data": ".3f", "its exp": ",.1f"}
    caption = "The printed means that are not those of the data."
    return show_table(pd.DataFrame(rows), caption, **formats)
