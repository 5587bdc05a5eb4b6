"""The compiler settings of SW-LLVM: features, directions and gaps."""

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement
from pareto_book.records.recording import Row
from pareto_core.instances.datasets import read_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "by_direction",
    "compare_gaps",
    "directions_table",
    "draw_all_gaps",
    "draw_settings",
    "identify",
    "measure_directions",
    "rank_of_features",
    "read_settings",
    "regression_table",
    "unexplained",
]

FOUR = (6, 7, 8, 9)  # features that define the operating points
CROWDED, BELOW = 3, (-2, -14)  # point 3 nearly coincides with point 5; label offset in points


def read_settings() -> tuple[np.ndarray, np.ndarray]:
    """Read the features and the objectives of all settings, shape (1024, 10) and (1024, 2)."""
    table = read_table("sw_llvm")
    return table[:, 1:11], table[:, 11:]


def unexplained(features: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Share of the variance that a linear regression leaves."""
    design = np.column_stack([np.ones(len(features)), features])
    fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
    return 100 * (values - fitted).var(axis=0) / values.var(axis=0)


def rank_of_features(features: np.ndarray, values: np.ndarray, chosen: Sequence[int]) -> tuple:
    """Rank of some features among all choices of as many, by what they leave unexplained."""
    left = [
        unexplained(features[:, list(each)], values[:, None])[0]
        for each in itertools.combinations(range(features.shape[1]), len(chosen))
    ]
    own = unexplained(features[:, list(chosen)], values[:, None])[0]
    return 1 + sum(each < own - 1e-9 for each in left), len(left)


def identify(features: np.ndarray, objectives: np.ndarray) -> dict[str, Measurement]:
    """Measure what the paper says of its data."""
    n_points = len(np.unique(features[:, FOUR], axis=0))
    rank, n_choices = rank_of_features(features, objectives[:, 0], FOUR)
    values = {
        "settings": len(features),
        "features": features.shape[1],
        "operating_points": n_points,
        "observations": len(features) / n_points,
        "unexplained_four": unexplained(features[:, FOUR], objectives)[0],
        "unexplained_ten": unexplained(features, objectives)[0],
    }
    found = {name: Measurement(value, None, None) for name, value in values.items()}
    return found | {"informative": Measurement(rank, None, n_choices)}


def regression_table(features: np.ndarray, objectives: np.ndarray) -> "HTML":
    """Make a table of what a linear regression leaves unexplained."""
    left = {
        "four": unexplained(features[:, FOUR], objectives),
        "all ten": unexplained(features, objectives),
        "four, without the setting that has none of the features": unexplained(
            features[1:, FOUR], objectives[1:]
        ),
    }
    columns = ("first objective", "second objective")
    rows = [{"features": name} | dict(zip(columns, two, strict=True)) for name, two in left.items()]
    return show_table(
        pd.DataFrame(rows),
        "Variance that a linear regression leaves, in per cent.",
        **dict.fromkeys(columns, ".2f"),
    )


def directions_table(directions: pd.DataFrame) -> "HTML":
    """Make a table of the result of `by_direction`."""
    return show_table(
        directions,
        "Pareto optimal operating points for each choice of directions.",
        **{"smallest gap": ".3f"},
    )


def measure_directions(directions: pd.DataFrame) -> dict[str, Row]:
    """Count the optimal points that the paper's directions give, and those that others give."""
    taken, maximised, minimised, reverse = directions["how many"]
    others = {
        "the reverse": reverse,
        "both maximised": maximised,
        "both minimised": minimised,
    }
    return {"optimal_points": Row(taken, others=others)}


def compare_gaps(instance: pc.Instance, reverse: pc.Instance) -> dict[str, float]:
    """Compare the gaps of the operating points with both directions."""
    gaps, reversed_gaps = (pc.gaps(each.means, "auer") for each in (instance, reverse))
    return {
        "hardness_ratio": (1 / reversed_gaps**2).sum() / (1 / gaps**2).sum(),
        "crowded_gap": reversed_gaps[:8].max(),
    }


def by_direction(means: np.ndarray) -> pd.DataFrame:
    """Pareto optimal arms for each choice of directions of two objectives."""
    rows = []
    for signs in itertools.product((1, -1), repeat=2):
        front = pc.pareto_set(means * signs)
        rows.append(
            {
                "first objective": "maximised" if signs[0] > 0 else "minimised",
                "second objective": "minimised" if signs[1] > 0 else "maximised",
                "how many": len(front),
                "Pareto optimal": ", ".join(str(k) for k in front),
                "smallest gap": pc.gaps(means * signs, "auer").min(),
            }
        )
    return pd.DataFrame(rows)


def draw_settings(instances: Sequence[pc.Instance]) -> Figure:
    """Draw the arms of each instance, with the standard deviation of their noise."""
    figure, panels = plots.new_figure(1, len(instances), height=3.4)
    for axes, instance in zip(panels, instances, strict=True):
        across, up = np.sqrt(instance.variance).T
        bars = {"fmt": "none", "ecolor": "silver", "elinewidth": 1}
        axes.errorbar(*instance.means.T, xerr=across, yerr=up, **bars)
        plots.scatter_arms(axes, instance.means, instance.pareto_set, labels=False)
        for arm, mean in enumerate(instance.means):
            beside = BELOW if arm == CROWDED else (6, 5)
            axes.annotate(str(arm), mean, beside, textcoords="offset points", fontsize=9)
        axes.set(title=instance.name, xlabel=instance.objectives[0])
    panels[0].set(ylabel="second objective")
    return figure


def draw_all_gaps(instances: Sequence[pc.Instance]) -> Figure:
    """Draw the gap of each arm, by the definition of the paper and by that of later papers."""
    figure, panels = plots.new_figure(1, len(instances), height=2.8)
    for axes, instance in zip(panels, instances, strict=True):
        arms = np.arange(instance.n_arms)
        optimal = np.isin(arms, instance.pareto_set)
        colours = np.where(optimal, plots.BLUE, "none")
        axes.bar(arms, pc.gaps(instance.means, "auer"), color=colours, edgecolor=plots.BLACK)
        axes.plot(arms, pc.gaps(instance.means, "kone"), "_", color=plots.RED, ms=11, mew=2)
        axes.set(title=instance.name, xlabel="operating point", xticks=arms[::3])
    panels[0].set(ylabel="gap (std. dev.)")
    return figure
