"""The figures of the chapter."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from pareto_book.error_rates.estimate import RiskEstimate
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement
from pareto_book.studies.rare_errors import is_known, over_delta

__all__ = ["draw_calibration", "draw_size"]

LOOKS = {  # colour, style and label of each curve; one colour for each instance
    "two arms": (plots.GREEN, "o-", "2 arms, 1 objective"),
    "wide, d = 3": (plots.SKY, "o-", "2 arms, 3 objectives"),
    "wide, d = 5": (plots.BLUE, "o-", "2 arms, 5 objectives"),
    "fan, K = 6": (plots.ORANGE, "o-", "6 arms, 3 objectives"),
    "fan, K = 12": (plots.RED, "o-", "12 arms, 3 objectives"),
    "wide, d = 3, Track-and-Stop": (plots.SKY, "s:", "3 objectives, Track-and-Stop"),
}
OFFSETS = {"wide, d = 3": 3, "wide, d = 3, Track-and-Stop": 8, "fan, K = 12": -6}  # of labels
Estimates = Mapping[str, Sequence[RiskEstimate]]


def draw_calibration(curves: Estimates, counted: Mapping[str, Sequence[Measurement]]) -> Figure:
    """Draw error rates over delta against delta.

    Parameters
    ----------
    curves : dict of str to sequence of RiskEstimate
        Estimates by name, which is one of `LOOKS`, in decreasing order of delta.
    counted : dict of str to sequence of Measurement
        Counted error rates over delta at the first risks, by the same names.

    Returns
    -------
    matplotlib.figure.Figure
    """
    known = {
        name: [over_delta(each) for each in found if is_known(each)]
        for name, found in curves.items()
    }
    plots.require(max(known["two arms"]).value < 1, "two arms stays below the line")
    hard = min(*known["wide, d = 5"], *known["fan, K = 12"])
    plots.require(hard.value > 1, "five objectives and of twelve arms lie above it")
    figure, axes = plots.new_figure(height=4.2)
    for name, found in curves.items():
        colour, style, label = LOOKS[name]
        deltas = [each.delta for each in found if is_known(each)]
        values = [each.value for each in known[name]]
        axes.plot(deltas, values, style, ms=4, color=colour)
        ends = np.transpose([each.interval for each in known[name]])
        axes.fill_between(deltas, *ends, color=colour, alpha=0.2, lw=0)
        for each, count in zip(found, counted[name], strict=False):
            axes.plot(each.delta, count.value, "x", color=colour)
        plots.label_line(axes, deltas[-1], values[-1], label, colour, dy=OFFSETS.get(name, 0))
    axes.axhline(1, color="grey", lw=1)
    corner = {"color": "grey", "fontsize": 9, "ha": "right", "transform": axes.transAxes}
    axes.text(1, 0.98, "above the line: errs more often than δ permits", va="top", **corner)
    axes.text(1, 0.02, "below the line: errs less often", va="bottom", **corner)
    axes.set(xscale="log", yscale="log", xlim=(0.2, 1e-13), ylim=(0.14, 20))
    axes.set_xticks(10.0 ** -np.arange(1, 10, 2))
    axes.set_yticks([0.2, 0.5, 1, 2, 5, 10, 20], ["0.2", "0.5", "1", "2", "5", "10", "20"])
    axes.minorticks_off()
    axes.set(xlabel=r"risk $\delta$", ylabel=r"error rate over $\delta$")
    return figure


def draw_size(
    by_objectives: Mapping[int, Measurement], by_arms: Mapping[int, Measurement]
) -> Figure:
    """Draw counted error rates over delta against the number of objectives, and of arms."""
    for found in (list(by_objectives.values()), list(by_arms.values())):
        plots.require(found[0].value < 1 < found[-1].value, "begin below, end above")
    figure, panels = plots.new_figure(1, 2, height=2.8, sharey=True)
    for axes, found, name in (
        (panels[0], by_objectives, "objectives d (wide)"),
        (panels[1], by_arms, "arms K (fan)"),
    ):
        plots.curve(axes, list(found), list(found.values()), plots.BLUE)
        axes.axhline(1, color="grey", ls=":")
        axes.set_xlabel(name)
    panels[1].set_xscale("log", base=2)
    for axes, found in zip(panels, (by_objectives, by_arms), strict=True):
        axes.set_xticks(list(found), [str(number) for number in found])
    panels[0].set_ylabel(r"error rate over $\delta$")
    return figure
