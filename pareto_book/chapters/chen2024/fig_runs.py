"""Figures of runs: arms that come closer, drawn instances, and values of the relaxation."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.chen2024.draws import LAW, DrawnRuns
from pareto_book.chapters.chen2024.evidence import BEST
from pareto_book.figures import plots
from pareto_book.records.measurements import mean_of

__all__ = [
    "as_arms_come_closer",
    "draw_closer_arms",
    "draw_relaxation",
    "draw_risks",
    "measure_closer_arms",
]

QUESTIONS = {"MO-BAI": (pc.MOBAI(), BEST), "Track-and-Stop": (pc.TrackAndStop(), "pareto_set")}
RELATIVE = "samples / c* log(1/δ)"
COLOURS = {
    "MO-BAI": plots.BLUE,
    "BASELINE (5)": plots.RED,
    "BASELINE (10)": plots.ORANGE,
    "BASELINE (20)": plots.BROWN,
    "D-Tracking, exact": plots.GREEN,
}
CLOSENESS = (2, 1, 0.5, 0.25, 0.125)
CLOSER_ARMS = {  # means by ε
    "Remark 2": lambda e: [[100, 0, 50], [0, 100, 50 + e]],
    "the reverse": lambda e: [[3, 0], [0, 3], [1.5, 1.5], [1.5 - e, 1.5 - e]],
}


def as_arms_come_closer(runs: int, seed: int, n_jobs: int | None = None) -> dict:
    """Samples and characteristic times of both questions by name of the instances, at each ε."""
    found = {}
    for name, make in CLOSER_ARMS.items():
        rows = []
        for number, epsilon in enumerate(CLOSENESS):
            instance = pc.Instance(make(epsilon), name=f"{name}, ε = {epsilon:g}")
            row = {"ε": epsilon}
            for label, (algorithm, problem) in QUESTIONS.items():
                runs_of = pc.simulate(algorithm, instance, runs, 1000 * seed + number, n_jobs)
                row[label] = runs_of.samples.mean()
                time = pc.characteristic_time(instance.means, problem=problem).time
                row[f"{label}, time"] = time
            rows.append(row)
        found[name] = pd.DataFrame(rows)
    return found


def measure_closer_arms(both: Mapping[str, pd.DataFrame]) -> dict[str, float]:
    """Measurements of Remark 2 and of its reverse, by claim."""
    times = both["Remark 2"]["MO-BAI, time"]
    exponent = np.polyfit(np.log(both["Remark 2"]["ε"]), np.log(times), 1)[0]
    printed = np.array(CLOSER_ARMS["Remark 2"](0.5))
    best, optimal = np.array([0, 1, 1]), {0, 1}  # in the paper, counted from 0
    return {
        "remark2_exponent": exponent,
        "remark2_best": np.sum(pc.best_arms(printed) != best),
        "remark2_front": len(optimal ^ set(map(int, pc.pareto_set(printed)))),
        "reverse_growth": _last_halving(both["the reverse"], "Track-and-Stop"),
        "easy_growth": max(
            _last_halving(both["Remark 2"], "Track-and-Stop"),
            _last_halving(both["the reverse"], "MO-BAI"),
        ),
    }


def _last_halving(table, question):
    """Growth of the characteristic time of a question as ε is halved for the last time."""
    least = table[f"{question}, time"].to_numpy()
    return least[-1] / least[-2]


def draw_closer_arms(both: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the samples of both questions as two arms come closer, a panel for each table."""
    figure, panels = plots.new_figure(1, 2, height=3.0, sharey=True)
    for axes, (name, table) in zip(panels, both.items(), strict=True):
        flat, rising = sorted(QUESTIONS, key=lambda question: table[question].iloc[-1])
        growth = table.iloc[-1] / table.iloc[0]
        plots.require(growth[rising] > 50, "in each, one curve rises")
        plots.require(0.5 < growth[flat] < 2, "the other stays flat")
        for label, colour in (("MO-BAI", plots.BLUE), ("Track-and-Stop", plots.RED)):
            axes.plot(table["ε"], table[label], "o-", color=colour, label=label)
        slope = table[rising].iloc[-1] * (table["ε"].iloc[-1] / table["ε"]) ** 2
        axes.plot(table["ε"], slope, ":", color="grey")
        axes.set(xscale="log", yscale="log", xlabel="ε", title=name)
        axes.set_xticks(table["ε"], [f"{e:g}" for e in table["ε"]])
        axes.minorticks_off()
        axes.invert_xaxis()
    panels[0].set(ylabel="samples")
    panels[0].legend()
    return figure


def draw_risks(runs: DrawnRuns) -> Figure:
    """Draw samples over c* log(1/δ): as δ falls, and at δ = 0.1 for all algorithms."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.3)
    for name, colour in COLOURS.items():
        known = [n for n in (LAW, 10, 20) if runs.has(name, n)]
        if len(known) > 1:
            measured = [mean_of(runs.relative(name, n)) for n in known]
            plots.curve(left, known, measured, colour, name)
            plots.require(measured[-1].value < measured[0].value, "fall as the risk falls")
    left.axhline(1, ls=":", color="grey")
    left.set(xlabel="log(1/δ)", ylabel=RELATIVE, ylim=(0, None))
    left.legend(fontsize=8)
    boxes = {name: runs.relative(name, LAW) for name in COLOURS}
    _box_plot(right, boxes, COLOURS.values())
    right.axvline(1, ls=":", color="grey")
    right.set(xlabel=RELATIVE, title="δ = 0.1", xlim=(0, None))
    medians = {name: np.median(values) for name, values in boxes.items()}
    plots.require(max(medians, key=medians.get) == "MO-BAI", "MO-BAI is the highest")
    return figure


def draw_relaxation(runs: DrawnRuns) -> Figure:
    """Draw samples of MO-BAI over c* log(1/δ) for four values of η, and what they tend to."""
    names = {0.1: "MO-BAI"} | {eta: f"η = {eta:g}" for eta in (0.5, 1.0, 2.0)}
    titles = {LAW: "δ = 0.1", 10: "log(1/δ) = 10"}
    colours = (plots.BLUE, plots.SKY, plots.ORANGE, plots.RED)
    limits = {eta: runs.limits(eta).mean() for eta in names}
    figure, panels = plots.new_figure(1, 2, height=3.0, sharey=True)
    for axes, (nats, title) in zip(panels, titles.items(), strict=True):
        boxes = {f"η = {eta:g}": runs.relative(name, nats) for eta, name in names.items()}
        _box_plot(axes, boxes, colours)
        for row, (limit, samples) in enumerate(zip(limits.values(), boxes.values(), strict=True)):
            axes.plot([limit, limit], [row - 0.4, row + 0.4], "--", color=plots.BLACK, lw=1)
            plots.require(limit < np.median(samples), "a dashed line below")
        axes.set(title=title, xlim=(0, None), xlabel=RELATIVE)
    return figure


def _box_plot(axes: Axes, samples, colours):
    """Horizontal box plots of named samples, with their means."""
    import seaborn as sns  # takes a second, and only this needs it

    sns.boxplot(
        samples,
        orient="h",
        palette=dict(zip(samples, colours, strict=True)),
        width=0.6,
        fliersize=3,
        showmeans=True,
        meanprops={"marker": "o", "markerfacecolor": "w", "markeredgecolor": "k"},
        ax=axes,
    )
