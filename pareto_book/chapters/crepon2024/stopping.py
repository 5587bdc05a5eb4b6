"""The stopping times on COV-BOOST: histograms, quantiles, settings, and the ratio to the bound."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of, rate_of
from pareto_book.records.published import published_number, read_published
from pareto_core.simulation.statistics import homogeneity_test

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "EDGES",
    "draw_by_risk",
    "draw_stopping_times",
    "misprinted",
    "quantiles_table",
    "ratios_by_risk",
    "settings_table",
    "shares_of_times",
    "with_corrections",
]

EDGES = np.linspace(0, 60609.25, 51)  # of the bins of the paper's Figure 3
PUBLISHED_RUNS = 2000


def published_counts() -> np.ndarray:
    """Runs in each bin of the paper's Figure 3."""
    return read_published("crepon2024_fig3").astype(int)["count"].to_numpy()


def draw_stopping_times(runs: Mapping[str, tuple[pc.Runs, float]], delta: float) -> Figure:
    """Draw histograms of our stopping times, each with the published one over it.

    Parameters
    ----------
    runs : dict of str to (Runs, float)
        Runs and the characteristic time, by the name of the means.
    delta : float
        The risk of the runs.

    Returns
    -------
    matplotlib.figure.Figure
    """
    theirs = published_number("crepon2024", "fig3_mean")
    figure, panels = plots.new_figure(len(runs), 1, height=2.3, sharex=True)
    for axes, (name, (found, best)) in zip(panels, runs.items(), strict=True):
        counts = published_counts()
        plots.histogram_with_published(axes, found.samples, EDGES, counts, "published")
        axes.axvline(found.samples.mean(), color=plots.BLUE, lw=1.6)
        axes.axvline(theirs, color=plots.BLACK, alpha=0.5, lw=1.6)
        axes.axvline(np.log(1 / delta) * best, color=plots.BLACK, ls="--", lw=1.2)
        axes.set(title=f"means {name}", yticks=[], ylabel="density")
        axes.legend()
    plots.plain_thousands(panels[-1].xaxis)
    panels[-1].set(xlabel="samples until it stops", xlim=(0, 60610))
    return figure


def quantiles_table(columns: Mapping[str, np.ndarray], caption: str) -> "HTML":
    """Make a table of the published quantiles of the stopping time, and of ours.

    Parameters
    ----------
    columns : dict of str to ndarray
        Stopping times, by the heading of their column.
    caption : str
        Plain text.

    Returns
    -------
    IPython.display.HTML
    """
    theirs = read_published("crepon2024_fig3_quantiles").astype(float)
    levels = theirs["probability"]
    ours = {name: np.quantile(samples, levels) for name, samples in columns.items()}
    frame = pd.DataFrame({"quantile": levels, "published": theirs["samples"], **ours})
    return show_table(frame, caption, **dict.fromkeys(frame.columns[1:], ",.0f"))


def shares_of_times(
    full: np.ndarray, printed: np.ndarray
) -> dict[str, tuple[Measurement, Measurement]]:
    """Measure the shares of runs that stop before some bins of Figure 3, or beyond the last.

    Parameters
    ----------
    full, printed : ndarray
        Stopping times on the means in full precision, and on the printed means.

    Returns
    -------
    dict of str to (Measurement, Measurement)
        Both shares, by the claim that they are about.
    """

    def both(event):
        return rate_of(event(full)), rate_of(event(printed))

    early = {f"fig3_bins{n}": both(lambda samples, n=n: samples < EDGES[n]) for n in (10, 20, 30)}
    return early | {"fig3_tail": both(lambda samples: samples > EDGES[-1])}


def settings_table(results: Mapping[str, pc.Runs], caption: str) -> "HTML":
    """Make a table of what each choice of the reproduction changes.

    Parameters
    ----------
    results : dict of str to Runs
        Runs by the name of the choice.
    caption : str
        Plain text.

    Returns
    -------
    IPython.display.HTML
    """
    counts = published_counts()
    beyond = np.append(counts, PUBLISHED_RUNS - counts.sum())
    rows = [
        {
            "choice": name,
            "runs": len(found.samples),
            "mean": mean_of(found.samples),
            "median": np.median(found.samples),
            "deviation": found.samples.std(ddof=1),
            "test": homogeneity_test(found.samples, EDGES, beyond),
        }
        for name, found in results.items()
    ]
    formats = dict.fromkeys(("mean", "median", "deviation"), ",.0f")
    return show_table(pd.DataFrame(rows), caption, **formats, test=".2g")


def misprinted(printed: pc.Instance, full: pc.Instance) -> np.ndarray:
    """Flag the printed means that no rounding of the data in full precision explains."""
    return np.abs(printed.means - full.means) > 0.0051


def with_corrections(printed: pc.Instance, full: pc.Instance) -> pc.Instance:
    """Replace the misprinted means by the rounded means of the data.

    Parameters
    ----------
    printed, full : Instance
        COV-BOOST as the paper prints it, and in full precision.

    Returns
    -------
    Instance
    """
    means, wrong = np.array(printed.means), misprinted(printed, full)
    means[wrong] = full.means[wrong].round(2)
    return pc.Instance(means, printed.variance, name="cov_boost, corrected")


def ratios_by_risk(
    deltas: Sequence[float], by_risk: Sequence[pc.Runs], best: float
) -> pd.DataFrame:
    """Compare mean stopping times with the lower bound and with the threshold.

    Parameters
    ----------
    deltas : sequence of float
        Risks.
    by_risk : sequence of Runs
        Runs at each risk.
    best : float
        The characteristic time.

    Returns
    -------
    pandas.DataFrame
        A row for each risk: ``delta``, ``mean``, the `Measurement` ``over the bound`` and
        ``over the threshold``.
    """
    rows: list[dict[str, Any]] = []
    for delta, found in zip(deltas, by_risk, strict=True):
        mean = mean_of(found.samples)
        threshold = np.log(np.log(1 + mean.value) / delta) * best
        rows.append(
            {
                "δ": delta,
                "mean samples": mean.value,
                "over the bound": mean.times(1 / (np.log(1 / delta) * best)),
                "over the threshold": mean.value / threshold,
            }
        )
    return pd.DataFrame(rows)


def draw_by_risk(table: pd.DataFrame) -> Figure:
    """Draw the ratio to the bound, and to the threshold, as the risk falls.

    Parameters
    ----------
    table : pandas.DataFrame
        From `ratios_by_risk`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    to_bound = np.array([ratio.value for ratio in table["over the bound"]])
    to_threshold = table["over the threshold"].to_numpy()
    plots.require((np.diff([to_bound, to_threshold]) < 0).all(), "falling curves")
    plots.require((to_threshold < to_bound).all(), "below the other")
    figure, axes = plots.new_figure(height=2.8)
    decades = np.log10(1 / table["δ"])
    plots.curve(axes, decades, list(table["over the bound"]), plots.BLUE)
    axes.plot(decades, to_threshold, "s-", color=plots.ORANGE)
    plots.label_line(axes, 2.2, 3.2, r"over $\ln(1/\delta)\,T^\star$", plots.BLUE)
    plots.label_line(axes, 1.15, 1.35, r"over $\beta(t,\delta)\,T^\star$", plots.ORANGE)
    axes.axhline(1, color=plots.BLACK, ls="--", lw=1)
    axes.set(xscale="log", xticks=decades, xlabel=r"risk $\delta$", ylabel="ratio", ylim=(0, None))
    axes.set_xticklabels([f"$10^{{-{n:.0f}}}$" for n in decades])
    axes.minorticks_off()
    return figure
