"""Readings of the paper's two data sets, and how hard each of them is."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.studies import linear_bounds
from pareto_core.instances.datasets import read_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["buildings_table", "front_with_intercept", "load_buildings", "noc_readings_table"]


def noc_readings_table(fit: np.ndarray, measured: np.ndarray) -> "HTML":
    """Make a table of four readings of the network on chip."""
    rows = []
    for name, means in {
        "linear fit, both negated": fit,
        "as measured, both negated": measured,
        "linear fit, only energy negated": fit * [1, -1],
        "as measured, only energy negated": measured * [1, -1],
    }.items():
        whole = linear_bounds.gap_complexity(means)
        linear = linear_bounds.gap_complexity(means, 4)
        rows.append(
            {
                "means": name,
                "optimal": len(pc.pareto_set(means)),
                "gaps of zero": int((pc.gaps(means) == 0).sum()),
                "H1": whole.h1,
                "H2": whole.h2,
                "H1,lin": linear.h1,
                "H2,lin": linear.h2,
            }
        )
    formats = dict.fromkeys(("H1", "H2", "H1,lin", "H2,lin"), ",.2f")
    return show_table(pd.DataFrame(rows), "Readings of NoC, and how hard they are.", **formats)


def load_buildings() -> dict[str, pc.Instance]:
    """Load the four readings of the buildings: low or high loads, fitted or as measured."""
    return {
        f"{loads}, {means}": pc.load_instance(f"energy_efficiency{direction}{data}")
        for loads, direction in (("low", ""), ("high", "_reversed"))
        for means, data in (("linear fit", ""), ("as measured", "_misspecified"))
    }


def buildings_table(
    readings: Mapping[str, pc.Instance],
    wrong: Mapping[tuple[str, str], np.ndarray],
) -> "HTML":
    """Make a table of readings of the buildings, with the error rates of algorithms."""
    algorithms = list(dict.fromkeys(name for _, name in wrong))
    rows = [
        {
            "loads should be": reading,
            "optimal": len(instance.pareto_set),
            "smallest gap": pc.gaps(instance.means).min(),
            "H2,lin": linear_bounds.gap_complexity(instance.means, 7).h2,
            **{name: wrong[reading, name].mean() for name in algorithms},
        }
        for reading, instance in readings.items()
    ]
    formats = {"smallest gap": ".3f", "H2,lin": ",.0f"} | dict.fromkeys(algorithms, ".3f")
    counts = ", ".join(f"{wrong[next(iter(readings)), name].size} of {name}" for name in algorithms)
    caption = (
        "Readings of the energy efficiency data, and error rates at T = 10000. "
        f"Runs for each reading: {counts}."
    )
    return show_table(pd.DataFrame(rows), caption, **formats)


def front_with_intercept(means: np.ndarray) -> int:
    """Count the optimal buildings in a linear fit with an intercept."""
    settings = read_table("energy_efficiency")[:, :-2]
    centred = settings - settings.mean(axis=0)
    absolute = centred / abs(centred).sum(axis=1, keepdims=True)
    with_intercept = np.column_stack([np.ones(len(absolute)), absolute])
    coefficients = np.linalg.lstsq(with_intercept, means, rcond=None)[0]
    return len(pc.pareto_set(with_intercept @ coefficients))
