"""One arm above many equal ones: equal shares against Track-and-Stop (Section 4)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import ratio_of
from pareto_core.instances import generators

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["draw_leads", "leads_frame", "leads_table", "ratio_of_bounds", "rows"]

MANY = 10_000  # arms at which the ratio in the bound is almost its limit
BOUND, GAINS = "ratio of times", "gain at δ = "


def ratio_of_bounds(n_arms: int) -> float:
    """Ratio of the times in the lower bound, of equal shares over the optimal shares."""
    means = generators.one_dominates_all(n_arms).means
    leader = 1 / (1 + np.sqrt(n_arms - 1))
    shares = np.full(n_arms, (1 - leader) / (n_arms - 1))
    shares[0] = leader
    equal = np.full(n_arms, 1 / n_arms)
    return pc.transport_cost(means, shares).value / pc.transport_cost(means, equal).value


def leads_frame(
    runs: Mapping[int, tuple[Sequence[pc.Runs], Sequence[pc.Runs]]], deltas: Sequence[float]
) -> pd.DataFrame:
    """Compare the ratio in the lower bound with that of simulated runs."""
    rows = []
    for K, (even, tracked) in runs.items():
        means = even[0].instance.means
        best = pc.characteristic_time(means).time
        equal = 1 / pc.transport_cost(means, np.full(K, 1 / K)).value
        row = {"K": K, "T*": best, "T, equal shares": equal, BOUND: equal / best}
        for delta, theirs, ours in zip(deltas, even, tracked, strict=True):
            row[f"{GAINS}{delta:.0e}"] = ratio_of(theirs.samples, ours.samples)
        rows.append(row)
    return pd.DataFrame(rows)


def rows(frame: pd.DataFrame) -> dict[str, Any]:
    """Measure the gain with the most arms at the largest risk, and the limit of the bound."""
    first = next(column for column in frame if column.startswith(GAINS))
    return {"adaptive_gain": frame[first].iloc[-1], "almost_two": ratio_of_bounds(MANY)}


def leads_table(frame: pd.DataFrame, runs: int) -> "HTML":
    """Make a table of `leads_frame`, whose caption states the number of runs."""
    caption = (
        "Equal shares against Track-and-Stop: ratio of the times in the lower bound, and of the "
        f"mean stopping times in {runs} runs, with 95 % intervals."
    )
    formats = {"T*": ".1f", "T, equal shares": ".1f"} | dict.fromkeys(frame.columns[3:], ".2f")
    return show_table(frame, caption, **formats)


def draw_leads(frame: pd.DataFrame) -> Figure:
    """Draw how many times more samples equal shares need, by the number of arms."""
    arms, bound = frame["K"], frame[BOUND].to_numpy()
    gains = [column for column in frame if column.startswith(GAINS)]
    ends = [frame[column].iloc[-1].value for column in gains]
    plots.require((np.diff(bound) > 0).all(), "rising curves")
    plots.require(min(ends) > max(2, bound[-1]), "end above that of the lower bound")
    figure, axes = plots.new_figure(height=3.0)
    axes.plot(arms, bound, "-", color=plots.BLACK)
    plots.label_line(axes, arms.iloc[-1], bound[-1], "lower bound", plots.BLACK)
    for column, colour in zip(gains, (plots.BLUE, plots.ORANGE), strict=True):
        plots.curve(axes, arms, list(frame[column]), colour)
        power = round(np.log10(float(column.removeprefix(GAINS))))
        text = rf"$\delta = 10^{{{power}}}$"
        plots.label_line(axes, arms.iloc[-1], frame[column].iloc[-1].value, text, colour, dx=8)
    axes.axhline(2, color="grey", ls=":", lw=1)
    axes.set(xscale="log", xlabel="arms K", ylabel="ratio of samples", xlim=(1.8, 220))
    return figure
