"""e-cAPE against Game-cPSI: samples, both kinds of errors, and the limit as the risk falls."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.kone2025constrained.contests import only_optimal
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of, rate_of, ratio_of
from pareto_core.simulation.results import Runs

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "at_risk",
    "draw_falling",
    "duel",
    "duels_table",
    "falling_table",
    "over_bound",
    "ratios_of_samples",
    "ratios_table",
]

LABELLED_RISKS = {1e-1: "0.1", 1e-4: "10⁻⁴", 1e-8: "10⁻⁸", 1e-100: "10⁻¹⁰⁰"}


def at_risk(
    algorithms: Mapping[str, Any],
    instance: pc.Instance,
    delta: float,
    runs: int,
    seed: int,
    n_jobs: int = 1,
) -> dict[str, Runs]:
    """Simulate algorithms at a risk, Game-cPSI without the reasons that it would add."""
    results = {}
    for name, algorithm in algorithms.items():
        changes = {"explained": False} if isinstance(algorithm, pc.GameCPSI) else {}
        changed = dataclasses.replace(algorithm, delta=float(delta), **changes)
        results[name] = pc.simulate(changed, instance, runs, seed, n_jobs, progress=False)
    return results


def duel(
    algorithms: Mapping[str, Any], instance: pc.Instance, runs: int, seed: int, n_jobs: int = 1
) -> dict[str, Runs]:
    """Simulate algorithms as they are."""
    return {
        name: pc.simulate(algorithm, instance, runs, seed, n_jobs)
        for name, algorithm in algorithms.items()
    }


def over_bound(runs: Runs, bound: float) -> Measurement:
    """Measure the mean samples in multiples of a bound."""
    return mean_of(runs.samples).times(1 / bound)


def ratios_of_samples(
    numerator: Mapping[str, Runs], denominator: Mapping[str, Runs]
) -> dict[str, Measurement]:
    """Measure the ratio of the samples of two algorithms on each instance."""
    return {
        title: ratio_of(runs.samples, denominator[title].samples)
        for title, runs in numerator.items()
    }


def ratios_table(ratios: Mapping[str, Measurement], caption: str) -> "HTML":
    """Make a table of ratios by instance, with 95 % intervals."""
    frame = pd.DataFrame({"instance": list(ratios), "ratio": list(ratios.values())})
    return show_table(frame, caption, ratio=".2f")


def without_tex(name: str) -> str:
    """The name of an algorithm as a table writes it, ``c_U = 8`` and not as a formula."""
    return name.replace("$c_U=", "c_U = ").replace("$", "")


def duels_table(results: Mapping[str, Mapping[str, Runs]], caption: str) -> "HTML":
    """Make a table of samples and both error rates, by instance and algorithm."""
    rows = [
        {
            "instance": title,
            "algorithm": without_tex(name),
            "mean samples": mean_of(runs.samples),
            "errors": rate_of(~only_optimal(runs)),
            "errors with reasons": rate_of(~runs.correct),
        }
        for title, algorithms in results.items()
        for name, runs in algorithms.items()
    ]
    formats = {"mean samples": ",.0f", "errors": ".3f", "errors with reasons": ".3f"}
    return show_table(pd.DataFrame(rows), caption, **formats)


def falling_table(
    rows: Iterable[tuple[str, float, float, Mapping[str, Runs]]], names: list[str], caption: str
) -> "HTML":
    """Make a table of samples over T* log(1/δ)."""
    frame = pd.DataFrame(
        [
            {"instance": title, "δ": risk}
            | {
                without_tex(name): over_bound(results[name], -unit * np.log(risk))
                for name in names
                if name in results
            }
            for title, unit, risk, results in rows
        ]
    )
    return show_table(frame, caption, δ=".0e", **dict.fromkeys(map(without_tex, names), ".2f"))


def draw_falling(results: Mapping[float, Mapping[str, Runs]], time: float) -> Figure:
    """Draw samples over T* log(1/δ) as the risk falls, e-cAPE left and Game-cPSI right."""
    risks = np.array(list(results))
    labelled = np.isin(risks, list(LABELLED_RISKS))  # so far apart that noise does not reverse them
    figure, panels = plots.new_figure(1, 2, height=3.0, sharey=True)
    colours = {"e-cAPE": plots.BLUE, "Game-cPSI": plots.ORANGE}
    styles = dict.fromkeys(colours, ("-", "--", ":"))
    for axes, (group, colour) in zip(panels, colours.items(), strict=True):
        names = [name for name in results[risks[0]] if name.startswith(group)]
        for name, style in zip(names, styles[group], strict=False):
            means = np.array([runs[name].samples.mean() for runs in results.values()])
            over_least = means / (-time * np.log(risks))
            plots.require((np.diff(over_least[labelled]) < 0).all(), "fall")
            axes.plot(-np.log(risks), over_least, style, marker="o", ms=4, color=colour)
            words = name.removeprefix(f"{group}, ")
            shift = {"dx": 6, "dy": -11 if over_least[-1] < 1.05 else 3}
            plots.label_line(axes, -np.log(risks[-1]), over_least[-1], words, colour, **shift)
        axes.axhline(1, lw=0.8, color="grey")
        axes.set(
            title=group, xscale="log", yscale="log", xlabel="δ", xlim=(1.8, 1500), ylim=(0.85, 4.3)
        )
        ticks = [LABELLED_RISKS[risk] for risk in risks[labelled]]
        axes.set_xticks(-np.log(risks[labelled]), ticks, fontsize=9)
        axes.set_yticks([1, 2, 4], ["1", "2", "4"])
        axes.minorticks_off()
    panels[0].set_ylabel("samples / T* log(1/δ)")
    return figure
