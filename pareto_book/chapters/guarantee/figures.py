"""The figures of the chapter."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.guarantee.certainty import Certain
from pareto_book.chapters.guarantee.evidence import EvidencePath
from pareto_book.chapters.guarantee.rates import is_known, known_risks, over_delta
from pareto_book.error_rates.estimate import RiskEstimate
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement

__all__ = [
    "draw_calibration",
    "draw_certain",
    "draw_evidence",
    "draw_growth",
    "draw_kept",
    "draw_size",
]

NO_PROOF, JOINT, PAIRS = plots.BLUE, plots.ORANGE, plots.GREEN  # colours of the rules
RISK_COLOURS = (plots.BLUE, plots.GREEN, plots.ORANGE, plots.RED)
LOOKS = {  # colour, style and label of each curve; one colour for each instance
    "two arms": (plots.GREEN, "o-", "2 arms, 1 objective"),
    "wide, d = 3": (plots.SKY, "o-", "2 arms, 3 objectives"),
    "wide, d = 5": (plots.BLUE, "o-", "2 arms, 5 objectives"),
    "fan, K = 6": (plots.ORANGE, "o-", "6 arms, 3 objectives"),
    "fan, K = 12": (plots.RED, "o-", "12 arms, 3 objectives"),
    "wide, d = 3, Track-and-Stop": (plots.SKY, "s:", "3 objectives, Track-and-Stop"),
}
OFFSETS = {"wide, d = 3": 3, "wide, d = 3, Track-and-Stop": 8, "fan, K = 12": -6}  # of labels


def draw_calibration(
    curves: Mapping[str, Sequence[RiskEstimate]], counted: Mapping[str, Sequence[Measurement]]
) -> Figure:
    """Draw error rates over delta against delta, estimated and counted, by the names of `LOOKS`."""
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


def draw_evidence(path: EvidencePath) -> Figure:
    """Draw evidence along one run, what it has to exceed, and where two rules stop."""
    cost, proven, times = path.cost, path.proven, path.times
    gap = cost - proven
    plots.require(4 < gap.min() and gap.max() < 10, "four to ten nats below")
    plots.require(path.all_means.min() > 10 * max(cost.max(), proven.max()), "above both")
    plots.require(cost[-1] > cost[:60].max() and proven[-1] > 0 > proven[0], "rise")
    stops = path.first_times()
    plots.require(stops["stylised"] < stops["joint"], "stops later")
    figure, axes = plots.new_figure(height=3.4)
    needed = np.full(times.size, np.log(1 / path.delta))
    for values, style, colour, name in (
        (path.all_means, "--", "grey", "threshold of all means"),
        (cost, "-", NO_PROOF, "transportation cost"),
        (proven, "-", JOINT, "proven evidence"),
        (path.stylised, "--", NO_PROOF, "stylised threshold"),
        (needed, "--", JOINT, "ln(1/δ)"),
    ):
        axes.plot(times, np.maximum(values, 0.05), style, color=colour)
        plots.label_line(axes, times[-1], values[-1], name, colour)
    for rule, heights, colour in (
        ("stylised", path.stylised, NO_PROOF),
        ("joint", needed, JOINT),
    ):
        height = heights[times == stops[rule]].item()
        axes.plot(stops[rule], height, "o", ms=7, color=colour, zorder=4)
        where = {"xytext": (0, 8), "textcoords": "offset points", "ha": "center"}
        axes.annotate("stops", (stops[rule], height), color=colour, fontsize=9, **where)
    axes.set(yscale="log", ylim=(0.3, 1000), xlim=(0, 1.3 * times[-1]))
    axes.set(xlabel="samples", ylabel="nats")
    return figure


def draw_growth(
    families: Mapping[str, Sequence[pc.Instance]],
    prices: Mapping[str, Sequence[Measurement]],
    deltas: Sequence[float],
) -> Figure:
    """Draw prices by instance and risk; the names of the instances end in their size."""
    values = np.array([[each.value for each in found] for found in prices.values()])
    plots.require(values.min() > 1 and values.max() < 3, "between one and three")
    plots.require((values[:, 0] > values[:, -1]).all(), "fall with the risk")
    figure, panels = plots.new_figure(1, len(families), height=3.2, sharey=True)
    for axes, (letter, family) in zip(panels, families.items(), strict=True):
        sizes = [float(instance.name.split("=")[1]) for instance in family]
        for k, (delta, colour) in enumerate(zip(deltas, RISK_COLOURS, strict=True)):
            found = [prices[instance.name][k] for instance in family]
            label = rf"$\delta = 10^{{{round(np.log10(delta))}}}$"
            plots.curve(axes, sizes, found, colour, label)
        axes.set(xlabel=f"${letter}$ ({family[0].name.split(',')[0]})")
    panels[0].set(ylabel="samples, joint over stylised", ylim=(0.9, None))
    _legend_below(figure, panels[0])
    return figure


def draw_kept(risks: Mapping[str, Mapping[str, Sequence[RiskEstimate]]]) -> Figure:
    """Draw error rates over delta, by instance and rule."""
    drawn = {"stylised": [], "joint": [], "pairs": []}
    for by_rule in risks.values():
        for rule, found in by_rule.items():
            drawn[rule] += [each.probability / each.delta for each in known_risks(found)]
    plots.require(max(drawn["stylised"]) > 1, "exceeds one")
    plots.require(max(drawn["joint"] + drawn["pairs"]) < 0.1, "an order of magnitude below it")
    figure, panels = plots.new_figure(1, len(risks), height=3.2, sharey=True)
    for axes, (name, by_rule) in zip(panels, risks.items(), strict=True):
        for (rule, found), colour in zip(by_rule.items(), (NO_PROOF, JOINT, PAIRS), strict=True):
            deltas = np.array([each.delta for each in found])
            plots.curve(axes, deltas, list(map(over_delta, found)), colour, rule)
        axes.axhline(1, ls=":", color="grey")
        axes.set(xscale="log", yscale="log", title=name, xlabel=r"promised: $\delta$")
        axes.set(xlim=(1.5 * deltas.max(), deltas.min() / 1.5))
    panels[0].set(ylabel="error rate over δ")
    _legend_below(figure, panels[0])
    return figure


def draw_certain(certain: Mapping[str, Certain]) -> Figure:
    """Draw how many arms are certainly optimal and certainly dominated along runs."""
    figure, axes = plots.new_figure(height=3.4)
    halfway = []
    for (name, found), colour in zip(certain.items(), plots.COLOURS, strict=False):
        means = found.arms.mean(axis=0)
        halves = 1.96 * found.arms.std(axis=0, ddof=1) / np.sqrt(len(found.arms))
        plots.require((np.diff(means[:, 1]) >= 0).all(), "rising")
        halfway.append(found.moments[np.argmax(means[:, 1] >= 9)])
        for k, style in enumerate(("--", "-")):
            mean, half = means[:, k], halves[:, k]
            label = name if style == "-" else None
            axes.plot(found.moments, mean, style, color=colour, label=label)
            band = {"color": colour, "alpha": 0.2, "lw": 0}
            axes.fill_between(found.moments, mean - half, mean + half, **band)
    plots.require(min(halfway) < 8000, "a few thousand samples")
    axes.set(xscale="log", xlabel="samples", ylabel="arms", ylim=(0, 19))
    axes.set_yticks([0, 5, 10, 15])
    _legend_below(figure, axes)
    return figure


def _legend_below(figure, axes):
    """Explain the lines of one panel below the figure."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=9)
