"""Figures of the chapter *One rule*."""

from collections.abc import Mapping, Sequence

import numpy as np

import pareto_core as pc
from pareto_book.chapters.one_rule import (
    ORACLE,
    RULE,
    FluidPath,
    OracleRuns,
    fixed_bounds,
    pair_evidences,
)
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement
from pareto_book.studies.fixed_proportions import FixedProportions

CHAPTER = "one_rule"
WINDOW = 60  # steps whose shares are averaged
COLOURS = {ORACLE: plots.ORANGE, RULE: plots.BLUE}


def draw_potential(
    path: FluidPath, labels: Sequence[str], best: np.ndarray, potential, stated
) -> None:
    """Draw one step of the rule, and the potential along the path below what is stated of it."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.3)
    start, mean = path.targets[0] / path.times[0], path.shares[:WINDOW].mean(axis=0)
    rows = np.arange(len(labels))
    arrow = {"arrowstyle": "-|>", "color": plots.BLUE, "shrinkA": 3, "shrinkB": 0}
    for k in rows:
        left.annotate("", (mean[k], k), (start[k], k), arrowprops=arrow)
    left.plot(start, rows, "o", mfc="none", mec=plots.BLACK, ms=6)
    left.plot(best, rows, "|", color=plots.ORANGE, ms=16, mew=2.5)
    top = {"va": "bottom", "ha": "center", "fontsize": 9}
    left.text(start[0], -0.35, "$w_k$", **top)
    left.text(best[0], -0.45, r"$w^\star_k$", color=plots.ORANGE, **top)
    left.set(yticks=rows, yticklabels=labels, ylim=(len(labels) - 0.5, -1), ylabel="arm")
    left.set(xlim=(0, 1.1 * mean.max()), xlabel=f"proportions; arrows: shares of {WINDOW} steps")
    drawn = np.unique(np.geomspace(1, path.times.size, 1000).astype(int)) - 1
    times, lower, upper = path.times[drawn], potential[drawn], stated[drawn]
    right.fill_between(times, lower, upper, color=plots.ORANGE, alpha=0.2, lw=0)
    right.plot(times, upper, "--", color=plots.ORANGE)
    right.plot(times, lower, color=plots.BLUE)
    corner = {"transform": right.transAxes, "ha": "right", "fontsize": 9}
    right.text(0.97, 0.88, "potential $V_t$", color=plots.BLUE, **corner)
    right.text(0.97, 0.79, "what the steps so far guarantee", color=plots.ORANGE, **corner)
    right.set(xscale="log", xlabel="samples $t$", ylabel="nats", ylim=(0, None))
    plots.save(figure, CHAPTER, "potential")


def draw_oracle(runs: OracleRuns) -> None:
    """Draw samples of the rule over those of the oracle, and of both over T* ln(1/delta)."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.4)
    risks = runs.risks
    for name in runs.times:
        ratios = [runs.ratio(name, RULE, ORACLE, delta) for delta in risks]
        named = name in ("COV-BOOST", "five arms")
        plots.curve(left, risks, ratios, plots.BLUE if named else plots.SKY)
        if named:
            plots.label_line(left, risks[-1], ratios[-1].value, name, plots.BLUE)
    for entrant, colour in COLOURS.items():
        leading = np.outer(list(runs.times.values()), np.log(1 / np.array(risks)))
        over = [
            [runs.mean(name, entrant, delta) for delta in risks] for name in runs.times
        ] / leading
        middle = np.exp(np.log(over).mean(axis=0))
        right.plot(risks, over.T, color=colour, lw=0.8, alpha=0.6)
        right.plot(risks, middle, "o-", ms=4, lw=2.2, color=colour)
        plots.label_line(right, risks[-1], middle[-1], entrant, colour)
    left.set_ylabel("TopTwoIDS / oracle, samples")
    right.set_ylabel(r"samples / $T^\star\ln(1/\delta)$")
    for axes in (left, right):
        axes.axhline(1, color=plots.BLACK, lw=1)
        axes.set(xscale="log", xlim=(1.0, risks[-1] / 300), xlabel="risk δ")
        axes.set_xticks(risks, ["0.1", "", *(_power(each) for each in risks[2:])])
        axes.minorticks_off()
    plots.save(figure, CHAPTER, "oracle")


def _power(delta):
    return f"{delta:g}" if delta > 1e-3 else f"$10^{{{round(np.log10(delta))}}}$"


def draw_evidences(n_pairs: int, gap: float, delta: float, end: int, seed: int) -> None:
    """Draw the evidence of each pair in one run of the oracle, and in one of the rule."""
    never = pc.TopTwoIDS(delta=1e-200)
    rules = {ORACLE: FixedProportions(never, (1.0,) * (2 * n_pairs)), RULE: never}
    figure, panels = plots.new_figure(1, 2, height=3.2, sharex=True, sharey=True)
    for axes, (name, algorithm) in zip(panels, rules.items(), strict=True):
        times, evidence = pair_evidences(algorithm, n_pairs, gap, end, seed)
        least, enough = evidence.min(axis=1), np.log(np.log1p(times) / delta)
        stop, colour = int(times[(least >= enough).argmax()]), COLOURS[name]
        before = times <= stop
        axes.plot(times[before], evidence[before], color=colour, lw=0.8, alpha=0.6)
        axes.plot(times[before], least[before], color=colour, lw=2)
        axes.plot(times, enough, color=plots.BLACK, lw=1, ls="--")
        axes.plot(times, times * gap**2 / (8 * n_pairs), color=plots.BLACK, lw=0.8, ls=":")
        axes.axvline(stop, color=colour, lw=1)
        axes.set(title=f"{name}: stops after {stop} samples", xlabel="samples t")
    panels[0].set_ylabel("evidence of each pair, in nats")
    plots.label_line(panels[0], end, enough[-1], "threshold", plots.BLACK, dx=-56, dy=8)
    plots.save(figure, CHAPTER, "evidences")


def draw_toy(toy: Mapping[tuple[float, int], tuple[Measurement, float]]) -> None:
    """Draw ratios by risk and number of pairs, and the bounds of `fixed_bounds` at thresholds."""
    figure, axes = plots.new_figure(height=3.2)
    sizes = sorted({size for _, size in toy})
    risks = dict.fromkeys(delta for delta, _ in toy)
    for delta, colour in zip(risks, (plots.BLUE, plots.GREEN, plots.PURPLE), strict=True):
        bands = [toy[delta, n][1] / np.array(fixed_bounds(n, toy[delta, n][1])) for n in sizes]
        axes.fill_between(sizes, *np.transpose(bands), color=colour, alpha=0.2, lw=0)
        for size in sizes:
            point = toy[delta, size][0]
            axes.plot([size, size], point.interval, color=colour)
            axes.plot(size, point.value, "o", ms=4, color=colour)
        plots.label_line(axes, size, point.value, f"δ = {_power(delta)}", colour, dx=8)
    axes.axhline(1, color=plots.BLACK, lw=1)
    axes.set(xscale="log", xlabel="number of equally close wrong answers")
    axes.set(xlim=(sizes[0] / 1.15, sizes[-1] * 1.6), ylabel="TopTwoIDS / oracle, samples")
    axes.set_xticks(sizes, sizes)
    axes.minorticks_off()
    plots.save(figure, CHAPTER, "toy")
