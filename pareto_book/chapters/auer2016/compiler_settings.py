"""The compiler settings of SW-LLVM: features, directions, gaps, and the margin of a variance."""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy import stats

import pareto_core as pc
from pareto_book.figures import plots

__all__ = [
    "by_direction",
    "draw_all_gaps",
    "draw_settings",
    "margin_needed",
    "rank_of_features",
    "unexplained",
]


def unexplained(features: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Share of the variance that a linear regression leaves.

    Parameters
    ----------
    features : ndarray, shape (n, h)
        Features, without the constant.
    values : ndarray, shape (n, d)
        Objectives.

    Returns
    -------
    ndarray, shape (d,)
        In per cent.
    """
    design = np.column_stack([np.ones(len(features)), features])
    fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
    return 100 * (values - fitted).var(axis=0) / values.var(axis=0)


def rank_of_features(features: np.ndarray, values: np.ndarray, chosen: Sequence[int]) -> tuple:
    """Rank of some features among all choices of as many, by what they leave unexplained.

    Parameters
    ----------
    features : ndarray, shape (n, h)
        All features.
    values : ndarray, shape (n,)
        One objective.
    chosen : sequence of int
        The features.

    Returns
    -------
    rank : int
        One if no other choice leaves less.
    count : int
        Number of choices.
    """
    left = [
        unexplained(features[:, list(each)], values[:, None])[0]
        for each in itertools.combinations(range(features.shape[1]), len(chosen))
    ]
    own = unexplained(features[:, list(chosen)], values[:, None])[0]
    return 1 + sum(each < own - 1e-9 for each in left), len(left)


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
        plots.scatter_arms(axes, instance.means, instance.pareto_set)
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


def margin_needed(n_means: int, sizes: np.ndarray, delta: float = 0.1) -> np.ndarray:
    """Constant in place of 4 with which the margin of the variance would just suffice.

    Parameters
    ----------
    n_means : int
        Number K d of means.
    sizes : ndarray of int, shape (n,)
        Numbers of Gaussian observations, at least two.
    delta : float, default 0.1
        Risk.

    Returns
    -------
    ndarray, shape (n,)
        From the distribution of the variance itself.
    """
    log_term = np.log(n_means * sizes / delta)
    shortfall = 1 - stats.chi2.ppf(np.exp(-log_term), sizes - 1) / (sizes - 1)
    return shortfall**2 * sizes / log_term
