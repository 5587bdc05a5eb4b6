"""G-optimal designs by two methods, and three ways to round them to samples."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import say
from pareto_book.records.scorecard import Scorecard
from pareto_core.instances.generators import linear_family
from pareto_core.regression import design, rounding

if TYPE_CHECKING:
    from IPython.display import HTML

    from pareto_core.regression.design import Design

__all__ = [
    "both_methods",
    "designs_table",
    "farthest_from_dimension",
    "largest_variance",
    "random_features",
    "record_designs",
    "rounding_rows",
    "rounding_table",
    "worst_rounding",
]

METHODS = ("apportionment", "regret", "ceiling")


def both_methods(
    features: Mapping[str, np.ndarray],
) -> tuple[dict[str, "Design"], dict[str, "Design"]]:
    """Find the design of each set of features by both methods of the package.

    Parameters
    ----------
    features : dict of str to ndarray, shape (K, h)
        Features of each instance.

    Returns
    -------
    exact, rough : dict of str to Design
        By exchange of vertices up to 1e-9, and by mirror descent up to 1 %.
    """
    exact = {name: design.g_optimal_design(each, tolerance=1e-9) for name, each in features.items()}
    rough = {
        name: design.g_optimal_design(each, tolerance=0.01, method="mirror_descent")
        for name, each in features.items()
    }
    return exact, rough


def random_features(seed: int) -> dict[str, np.ndarray]:
    """Draw two sets of features with eight dimensions, by name."""
    draws = np.random.default_rng(seed)
    gaussian = draws.normal(size=(500, 8))
    family = linear_family(-draws.random((8, 2)), 100, draws)
    return {
        "500 Gaussian vectors": gaussian,
        "the canonical basis and 92 combinations": family.features,
    }


def largest_variance(features: np.ndarray, weights: np.ndarray) -> float:
    """Largest variance of an estimate, with unit noise."""
    return float(design.prediction_variances(features, weights).max())


def farthest_from_dimension(
    features: Mapping[str, np.ndarray], exact: Mapping[str, "Design"]
) -> float:
    """Largest ratio of the largest variance of a design to the dimension (Theorem 7).

    Parameters
    ----------
    features : dict of str to ndarray, shape (K, h)
        Features of each instance.
    exact : dict of str to Design
        Their G-optimal designs.

    Returns
    -------
    float
        1 if the theorem holds and the designs are optimal, but for rounding.
    """
    ratios = [
        largest_variance(each, exact[name].weights) / exact[name].dimension
        for name, each in features.items()
    ]
    return np.max([1.0, *ratios])


def record_designs(card: Scorecard, features: Mapping[str, np.ndarray]) -> "HTML":
    """Record Theorem 7 on the designs of all sets of features.

    Parameters
    ----------
    card : Scorecard
        Where to record.
    features : dict of str to ndarray, shape (K, h)
        Features of each instance.

    Returns
    -------
    IPython.display.HTML
        Table of the designs.
    """
    exact, rough = both_methods(features)
    farthest = farthest_from_dimension(features, exact)
    card.record("theorem7", farthest, runs=len(features))
    return designs_table(features, exact, rough)


def designs_table(
    features: Mapping[str, np.ndarray], exact: Mapping[str, "Design"], rough: Mapping[str, "Design"]
) -> "HTML":
    """Make a table of designs.

    Parameters
    ----------
    features : dict of str to ndarray, shape (K, h)
        Features of each instance.
    exact, rough : dict of str to Design
        By exchange of vertices, and by mirror descent.

    Returns
    -------
    IPython.display.HTML
    """
    rows = [
        {
            "features": name,
            "K": len(each),
            "columns": each.shape[1],
            "dimension": exact[name].dimension,
            "arms sampled": int((exact[name].weights > 0).sum()),
            "exchanges for a gap of 1e-9": exact[name].iterations,
            "certified gap": exact[name].relative_gap,
            "steps of Algorithm 4 for 1 %": rough[name].iterations,
        }
        for name, each in features.items()
    ]
    return show_table(
        pd.DataFrame(rows),
        "G-optimal designs: size, and steps of the two methods.",
        **{"certified gap": ".1e"},
    )


def rounding_rows(features: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Round the design of each set of features to 1, 5 and 45 samples per dimension.

    Parameters
    ----------
    features : dict of str to ndarray, shape (K, h)
        Features of each instance.

    Returns
    -------
    pandas.DataFrame
        Largest variances over the optimum h / N, a column for each way of rounding.
    """
    rows = []
    for name, each in features.items():
        best = design.g_optimal_design(each)
        for multiple in (1, 5, 45):
            number = multiple * best.dimension
            row = {"features": name, "N / h": multiple}
            for method in METHODS:
                pulls = rounding.round_design(each, best.weights, number, method)
                row[method] = largest_variance(each, pulls) * multiple
            row["samples it takes / N"] = pulls.sum() / number
            rows.append(row)
    return pd.DataFrame(rows)


def worst_rounding(rows: pd.DataFrame) -> float:
    """Largest variance with 45 samples per dimension, over the optimum; without rounding up."""
    many = rows["N / h"] == 45
    return float(rows.loc[many, ["apportionment", "regret"]].to_numpy().max())


def rounding_table(rows: pd.DataFrame) -> "HTML":
    """Make a table of the results of `rounding_rows`; the text gets the worst in per cent."""
    say("worst_rounding", np.ceil(100 * (worst_rounding(rows) - 1)))
    return show_table(
        rows,
        "Largest variance after rounding, over the optimum h / N, for the package's "
        "rounding, that of Theorem 8, and rounding up.",
        **dict.fromkeys(METHODS, ".3f"),
        **{"samples it takes / N": ".2f"},
    )
