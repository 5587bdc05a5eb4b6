"""Lower bounds with and without reasons, and the complexities of the paper's theory."""

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.studies.constrained_complexity import lowest_complexity, two_stage_complexity
from pareto_core.bounds.complexity import easiest_partition
from pareto_core.geometry.partition import valid_partitions

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "price_frame",
    "price_numbers",
    "price_table",
    "six_arms_numbers",
    "times_without_and_with_reasons",
    "with_gaussian_noise",
]


def times_without_and_with_reasons(instance: pc.Instance) -> tuple[float, float]:
    """Compute the characteristic times of the answer alone, and of the easiest with reasons."""
    white = instance.standardised()
    plain = pc.characteristic_time(
        white.means, problem="constrained_pareto_set", polyhedron=white.polyhedron
    )
    return plain.time, easiest_partition(white.means, white.polyhedron)[1].time


def six_arms_numbers(six: pc.Instance, pulls: np.ndarray) -> dict[str, float]:
    """Characteristic times of the six arms with and without their limit, and the share of arm D."""
    return {
        "six_share": 100 * pulls[:, 3].sum() / pulls.sum(),
        "six_time": times_without_and_with_reasons(six)[0],
        "six_free_time": pc.characteristic_time(six.means).time,
    }


def with_gaussian_noise(instance: pc.Instance) -> pc.Instance:
    """Bernoulli rewards replaced by Gaussian ones with the bound on the variance."""
    return dataclasses.replace(
        instance,
        noise="gaussian",
        variance=instance.n_objectives * [pc.BERNOULLI_VARIANCE_BOUND],
        name=f"{instance.name}, Gaussian",
    )


def price_frame(instances: Mapping[str, pc.Instance]) -> pd.DataFrame:
    """Compute what answers with and without reasons cost, a row for each instance."""
    rows = []
    for title, instance in instances.items():
        white = instance.standardised()
        plain, explained = times_without_and_with_reasons(instance)
        easiest = lowest_complexity(white.means, white.polyhedron)[0]
        stages = two_stage_complexity(white.means, white.polyhedron)
        rows.append(
            {
                "instance": title,
                "K": instance.n_arms,
                "right answers": len(valid_partitions(white.means, white.polyhedron)),
                "T*": plain,
                "T* with reasons": explained,
                "price of reasons": explained / plain,
                "C*": easiest,
                "T* with reasons / C*": explained / easiest,
                "two stages / C*": stages / easiest,
            }
        )
    return pd.DataFrame(rows).set_index("instance", drop=False)


def price_numbers(prices: pd.DataFrame) -> dict[str, float]:
    """Least and largest prices of reasons, and bounds over C*, from the result of `price_frame`."""
    of_reasons, to_least = prices["price of reasons"], prices["T* with reasons / C*"]
    return {
        "price_most": of_reasons.max(),
        "price_least": of_reasons.min(),
        "price_vaccines": of_reasons["vaccines"],
        "near_low": to_least.min(),
        "near_high": to_least.max(),
    }


def price_table(prices: pd.DataFrame) -> "HTML":
    """Make a table of the result of `price_frame`."""
    return show_table(
        prices,
        "Characteristic times per nat, certified to 0.01 %, of both questions; the complexity C* "
        "of e-cAPE in the paper's theory, and that of two stages.",
        **dict.fromkeys(("T*", "T* with reasons", "C*"), ",.1f"),
        **{"price of reasons": ".3f"},
        **dict.fromkeys(("T* with reasons / C*", "two stages / C*"), ".2f"),
    )
