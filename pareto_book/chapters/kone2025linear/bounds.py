"""What Theorems 1 to 4 are worth: budgets at which bounds begin to guarantee something, Table 1."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy import stats

import pareto_core as pc
from pareto_book.chapters.kone2025linear.error_rates import COLOURS
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, ratio_of
from pareto_book.studies import linear_bounds

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "OrdersComparison",
    "begins",
    "both_lengths",
    "compare_with_orders",
    "draw_bounds",
    "first_useful_budgets",
    "growth_by_zero_arms",
    "orders_table",
    "samples_for_table_1",
    "two_arms_over_bound",
]

ALGORITHMS = ("PAL", "APE", "Kim et al.", "GEGE", "GEGE, printed")


class OrdersComparison(NamedTuple):
    """Samples of GEGE with the printed lengths, against Theorem 3.

    Attributes
    ----------
    scale_apart : Measurement
        Largest over smallest ratio of the mean samples to the sum of Theorem 3.
    sums_apart : float
        Largest over smallest sum.
    largest_share : float
        Most samples of a run, as a share of the bound with its constants.
    """

    scale_apart: Measurement
    sums_apart: float
    largest_share: float


def begins(bound: Callable[[int], float]) -> int:
    """Find the smallest budget from which a bound on an error rate is below 1, by bisection."""
    refused, accepted = 4000, 10**9
    while accepted - refused > 1:
        middle = (refused + accepted) // 2
        refused, accepted = (refused, middle) if bound(middle) < 1 else (middle, accepted)
    return accepted


def first_useful_budgets(
    instances: Mapping[str, tuple[pc.Instance, int]], variance: float
) -> dict[str, tuple[int, int]]:
    """Find the budgets from which the bounds of GEGE and of EGE-SH are below 1.

    Parameters
    ----------
    instances : dict of str to tuple
        Instances, each with the dimension of its features.
    variance : float
        Variance of the noise.

    Returns
    -------
    dict of str to tuple of int
    """
    return {
        name: (
            begins(partial(linear_bounds.gege_error_bound, each.means, h, variance=variance)),
            begins(partial(linear_bounds.ege_error_bound, each.means, variance=variance)),
        )
        for name, (each, h) in instances.items()
    }


def both_lengths(delta: float, variance: float) -> dict[str, pc.GEGE]:
    """Make GEGE with the rounds of the program, and with those printed, by name."""
    options = {"delta": delta, "variance_bound": variance}
    return {"GEGE": pc.GEGE(**options), "GEGE, printed": pc.GEGE(lengths="theory", **options)}


def draw_bounds(
    means: np.ndarray,
    dimension: int,
    variance: float,
    budgets: Mapping[str, np.ndarray],
    wrong: Mapping[str, Sequence[np.ndarray]],
) -> Figure:
    """Draw measured error rates with the lower and both upper bounds.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        Means.
    dimension : int
        Dimension of the features.
    variance : float
        Variance of the noise.
    budgets, wrong : dict of str to array, and to list of array
        Budgets, and whether each run errs at each of them, of "GEGE" and "EGE-SH".

    Returns
    -------
    matplotlib.figure.Figure
    """
    grid = np.unique(np.geomspace(100, 3e7, 80).astype(int))
    hardness = linear_bounds.gap_complexity(means, dimension).h2
    lower = [linear_bounds.error_lower_bound(hardness, int(t), variance) for t in grid]
    upper = {
        "GEGE": [linear_bounds.gege_error_bound(means, dimension, t, variance) for t in grid],
        "EGE-SH": [linear_bounds.ege_error_bound(means, t, variance) for t in grid],
    }
    words = {"GEGE": "Theorem 1", "EGE-SH": "bound of EGE-SH"}
    figure, axes = plots.new_figure(height=3.2)
    axes.loglog(grid, lower, ":", color=plots.BLACK, label="Theorem 2")
    for name, bound in upper.items():
        axes.loglog(grid, bound, color=COLOURS[name], label=words[name])
    for name, each in wrong.items():
        rates = [wrong_runs.mean() for wrong_runs in each]
        axes.loglog(budgets[name], rates, "o", color=COLOURS[name], label=name)
    axes.axhline(1, color="silver", lw=0.8)
    axes.set(xlabel="budget T", ylabel="error rate", ylim=(1e-4, 3e3))
    axes.legend(ncols=2, fontsize=8, loc="center left", bbox_to_anchor=(0, 0.7))
    useful = grid[np.minimum(*upper.values()) < 1].min()
    latest = max(each.max() for each in budgets.values())
    plots.require(useful > 10 * latest, "below one far to the right of the dots")
    return figure


def two_arms_over_bound(gap: float, variance: float, budgets: range) -> float:
    """Smallest ratio of the least possible error rate with two arms to Theorem 2.

    Parameters
    ----------
    gap : float
        The arms have means (gap, 0) and (0, gap): whichever is sampled, it tells them apart as
        well as the other.
    variance : float
        Variance of the noise.
    budgets : range
        Budgets.

    Returns
    -------
    float
        At least 1 if the theorem holds for these arms.
    """
    samples = np.arange(budgets.start, budgets.stop)
    signal = samples * gap**2 / variance
    exact = stats.norm.sf(np.sqrt(signal) / 2)
    lowest = [linear_bounds.error_lower_bound(2 / gap**2, t, variance) for t in budgets]
    return float((exact / lowest).min())


def growth_by_zero_arms(cases: int, draws: np.random.Generator) -> float:
    """Largest factor by which arms with zero features raise H1,lin (proof of Theorem 4).

    Parameters
    ----------
    cases : int
        Number of random sets of means in [1/4, 3/4], besides a fixed one.
    draws : numpy.random.Generator
        Source of the means.

    Returns
    -------
    float
    """
    instances = [np.array([[0.75, 0.25], [0.25, 0.75]])]
    for _ in range(cases):
        shape = int(draws.integers(2, 9)), int(draws.integers(2, 4))
        instances.append(draws.uniform(0.25, 0.75, shape))
    most = 0.0
    for means in instances:
        with_zeros = np.vstack([means, np.zeros((4, means.shape[1]))])
        complexity = linear_bounds.gap_complexity(with_zeros, len(means)).h1
        most = np.maximum(most, complexity / linear_bounds.gap_complexity(means).h1)
    return most


def samples_for_table_1(
    instances: Mapping[str, tuple[pc.Instance, int, float]],
    by_arms: Mapping[tuple[str, str, int], pc.Runs],
    on_noc: Mapping[str, pc.Runs],
    variance: float,
    runs: int,
    **common: Any,
) -> dict[tuple[str, str], np.ndarray]:
    """Collect the samples of all runs that Table 1 is compared with.

    Parameters
    ----------
    instances : dict of str to tuple
        See `orders_table`; those that no figure has used are simulated with both lengths.
    by_arms : dict of tuple to Runs
        Runs of Figure 2, by family, algorithm and number of arms.
    on_noc : dict of str to Runs
        Runs of Figure 4.
    variance : float
        Variance of the noise.
    runs : int
        Number of runs of the simulated instances.
    **common
        Further arguments of `pareto_core.simulate`.

    Returns
    -------
    dict of tuple of str to ndarray
        Samples by instance and algorithm.
    """
    found = {("NoC", name): result.samples for name, result in on_noc.items()}
    for (family, name, size), result in by_arms.items():
        found[f"{family}, K = {size}", name] = result.samples
    for which in ("energy efficiency", "SNW"):
        instance, _, risk = instances[which]
        for name, gege in both_lengths(risk, variance).items():
            found[which, name] = pc.simulate(gege, instance, runs=runs, **common).samples
    return found


def orders_table(
    instances: Mapping[str, tuple[pc.Instance, int, float]],
    measured: Mapping[tuple[str, str], np.ndarray],
    variance: float,
) -> "HTML":
    """Make a table of the bounds of Table 1 without constants, beside measured samples.

    Parameters
    ----------
    instances : dict of str to tuple
        Instance, dimension of its features, and risk.
    measured : dict of tuple of str to ndarray
        Samples of single runs, by instance and algorithm, as far as they are known.
    variance : float
        Variance of the noise, by which the bounds are multiplied.

    Returns
    -------
    IPython.display.HTML
    """
    rows = []
    for name, (instance, dimension, risk) in instances.items():
        orders = linear_bounds.sample_orders(instance.means, dimension, risk)
        for algorithm in ALGORITHMS:
            order = variance * orders[algorithm.split(",")[0]]
            samples = measured.get((name, algorithm), np.array([np.nan])).mean()
            rows.append(
                {
                    "instance": name,
                    "algorithm": algorithm,
                    "Table 1": order,
                    "measured": samples,
                    "measured / Table 1": samples / order,
                }
            )
    return show_table(
        pd.DataFrame(rows),
        "The bounds of Table 1 without constants, and measured mean samples.",
        **dict.fromkeys(("Table 1", "measured"), ",.0f"),
        **{"measured / Table 1": ".3g"},
    )


def compare_with_orders(
    instances: Mapping[str, tuple[pc.Instance, int, float]],
    measured: Mapping[tuple[str, str], np.ndarray],
    variance: float,
) -> OrdersComparison:
    """Compare the samples of GEGE with the printed lengths with Theorem 3; see `orders_table`."""
    sums, scales, largest_share = [], {}, 0.0
    for name, (instance, dimension, risk) in instances.items():
        samples = measured[name, "GEGE, printed"]
        sums.append(linear_bounds.sample_orders(instance.means, dimension, risk)["GEGE"])
        bound = linear_bounds.gege_sample_bound(instance.means, dimension, risk, variance)
        largest_share = np.maximum(largest_share, samples.max() / bound)
        scales[name] = samples / (variance * sums[-1])
    ascending = sorted(scales.values(), key=np.mean)
    apart = ratio_of(ascending[-1], ascending[0])
    fewest = min(each.size for each in scales.values())
    return OrdersComparison(
        apart._replace(runs=fewest), max(sums) / min(sums), float(largest_share)
    )
