"""What the chapter on the constrained Pareto set calls: drawings of arms and runs, and bounds."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, rate_of, ratio_of
from pareto_book.studies.constrained_complexity import lowest_complexity, two_stage_complexity
from pareto_core.algorithms.constrained.partition_evidence import write_cases
from pareto_core.geometry.partition import valid_partitions
from pareto_core.instances.noise import make_source
from pareto_core.loop.run import CompiledRun
from pareto_core.simulation.results import Runs

if TYPE_CHECKING:
    from IPython.display import HTML

ROLE_COLOURS = {"optimal": plots.BLUE, "dominated": plots.BLACK, "infeasible": plots.RED}
Reading = tuple[float, float]  # constant of the radius, and risk
Contests = Mapping[Reading, Mapping[str, Runs]]  # by reading and algorithm


def ratios(top: Contests, numerator: str, bottom: Contests, denominator: str) -> dict:
    """Measure a ratio of samples in each reading in which both algorithms ran."""
    return {
        reading: ratio_of(results[numerator].samples, bottom[reading][denominator].samples)
        for reading, results in top.items()
        if numerator in results and denominator in bottom.get(reading, {})
    }


def errors_of(*results: Runs) -> Measurement:
    """Error rate in the runs of several algorithms together."""
    return rate_of(~np.concatenate([runs.correct for runs in results]))


def reasons_of(
    means: np.ndarray, region: pc.Polyhedron
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which arms are optimal, which are feasible, and which an optimal arm dominates."""
    optimal = np.isin(np.arange(len(means)), pc.constrained_pareto_set(means, region))
    leads = (means[optimal] - means[:, None]).min(axis=2)
    return optimal, region.contains(means), (leads > 0).any(axis=1)


def draw_arm(axes: Axes, point: ArrayLike, optimal: bool, feasible: bool, dominated: bool) -> None:
    """Draw an arm: infeasible ones are squares, dominated ones are hollow."""
    colour = ROLE_COLOURS["optimal" if optimal else "dominated" if feasible else "infeasible"]
    axes.plot(
        *point,
        "o" if feasible else "s",
        markeredgecolor=colour,
        markerfacecolor="none" if dominated else colour,
        markersize=7,
        markeredgewidth=1.4,
        zorder=3,
    )


def draw_arms(
    axes: Axes,
    instance: pc.Instance,
    names: Sequence[str] | None = None,
    shifts: Mapping[int, tuple[float, float]] | None = None,
) -> None:
    """Draw all arms by what they are, in their first two objectives."""
    what = np.transpose(reasons_of(instance.means, instance.polyhedron))
    for k, point in enumerate(instance.means[:, :2]):
        draw_arm(axes, point, *what[k])
        if names is not None and names[k]:
            shift = (shifts or {}).get(k, (7, 4))
            axes.annotate(names[k], point, shift, textcoords="offset points", fontsize=9)


def draw_triangle(means: ArrayLike, limits: tuple[float, float, float]) -> Figure:
    """Draw arms and a triangle: two least values, and a largest sum of both objectives."""
    first, second, total = limits
    region = pc.Polyhedron([[-1, 0], [0, -1], [1, 1]], [-first, -second, total])
    corners = [first, total - second, first], [second, second, total - first]
    figure, axes = plots.new_figure(height=3.2)
    axes.fill(*corners, color=plots.SKY, alpha=0.3, lw=0)
    draw_arms(axes, pc.Instance(means, polyhedron=region), [f"{k}" for k in range(len(means))])
    axes.set(xlim=(0, 120), ylim=(0, 100), aspect="equal")
    axes.set(xlabel="objective 1", ylabel="objective 2")
    return figure


def run_until(
    instance: pc.Instance, algorithm: pc.ECAPE, certain: int
) -> tuple[CompiledRun, np.ndarray]:
    """Sample until some verdicts are certain; the run, and the case for each verdict."""
    run = algorithm.begin(instance.problem, np.random.default_rng(0))
    source, rng, case = make_source(instance), np.random.default_rng(1), np.zeros(instance.n_arms)
    while (case > 0).sum() < certain:
        run.advance(source, rng, int(run.record.time[0]) + 1)
        if run.record.counts.min() > 0:
            write_cases(run.parameters, run.state.evidence, run.record, case)
    return run, case


def draw_idea(algorithm: pc.ECAPE) -> Figure:
    """Draw a moment of a run: means, and around each the region in which it certainly is."""
    left, low, deviation = 0.3, 0.35, 0.1
    region = pc.Polyhedron([[-1.0, 0.0], [0.0, -1.0]], [-left / deviation, -low / deviation])
    arms = np.divide([[0.75, 0.8], [0.33, 0.55], [0.95, 0.12], [0.6, 0.62]], deviation)
    run, case = run_until(pc.Instance(arms, polyhedron=region), algorithm, certain=3)
    means, evidence = run.record.means, run.state.evidence.arms
    radii = deviation * (region.boundary_distance(means) - evidence.margin)
    answer, called = algorithm.question.read(run.answer()), np.empty(len(arms), object)
    for role in ROLE_COLOURS:
        called[getattr(answer, role)] = role
    figure, axes = plots.new_figure(height=3.2)
    axes.fill_between([left, 1.25], low, 1.1, color=plots.SKY, alpha=0.15, lw=0)
    for arm, (mean, role) in enumerate(zip(deviation * means, called, strict=True)):
        axes.add_patch(Circle(mean, radii[arm], fc=ROLE_COLOURS[role], alpha=0.12, lw=0))
        draw_arm(axes, mean, role == "optimal", role != "infeasible", role == "dominated")
        words = f"{arm}: {role}" + ("" if case[arm] > 0 else "?")
        axes.annotate(words, mean, (8, 5), textcoords="offset points", fontsize=9)
    axes.text(1.23, low + 0.02, "feasible", ha="right", color=plots.BLUE)
    axes.set(xlim=(-0.05, 1.25), ylim=(-0.12, 1.1), aspect="equal")
    axes.set(xlabel="efficacy", ylabel="safety")
    return figure


def draw_boxes(axes: Axes, results: Mapping[str, Runs]) -> None:
    """Draw a box of the samples of each algorithm, those of e-cAPE in blue."""
    lines = {name: name.replace(", " if "," in name else " ", "\n", 1) for name in results}
    sns.boxplot(
        {lines[name]: runs.samples for name, runs in results.items()},
        palette=[plots.BLUE if name.startswith("e-cAPE") else "grey" for name in results],
        saturation=1,
        whis=(0, 100),
        width=0.55,
        linecolor=".15",
        boxprops={"alpha": 0.6},
        ax=axes,
    )
    axes.set(yscale="log")
    axes.tick_params("x", labelsize=8)


def stages_over_least(instance: pc.Instance) -> float:
    """Complexity of two stages over that of e-cAPE."""
    least = lowest_complexity(instance.means, instance.polyhedron)[0]
    return two_stage_complexity(instance.means, instance.polyhedron) / least


def with_gaussian_noise(instance: pc.Instance) -> pc.Instance:
    """Bernoulli rewards replaced by Gaussian ones with the bound on the variance."""
    return dataclasses.replace(
        instance,
        noise="gaussian",
        variance=instance.n_objectives * [pc.BERNOULLI_VARIANCE_BOUND],
        name=f"{instance.name}, Gaussian",
    )


def price_frame(instances: Mapping[str, pc.Instance]) -> pd.DataFrame:
    """Compute what answers with and without reasons cost, a row for each instance."""
    rows = []
    for title, instance in instances.items():
        white = instance.standardised()
        means, region = white.means, white.polyhedron
        plain = pc.characteristic_time(
            means, problem="constrained_pareto_set", polyhedron=region
        ).time
        explained = pc.easiest_partition(means, region)[1].time
        easiest = lowest_complexity(means, region)[0]
        rows.append(
            {
                "instance": title,
                "K": instance.n_arms,
                "right answers": len(valid_partitions(means, region)),
                "T*": plain,
                "T* with reasons": explained,
                "price of reasons": explained / plain,
                "C*": easiest,
                "T* with reasons / C*": explained / easiest,
                "two stages / C*": two_stage_complexity(means, region) / easiest,
            }
        )
    return pd.DataFrame(rows).set_index("instance", drop=False)


def price_table(prices: pd.DataFrame) -> "HTML":
    """Make a table of the result of `price_frame`."""
    return show_table(
        prices,
        "Characteristic times per nat, certified to 0.01 %, of both questions; the complexity C* "
        "of e-cAPE in the paper's theory, and that of two stages.",
        **dict.fromkeys(("T*", "T* with reasons", "C*"), ",.1f"),
        **{"price of reasons": ".3f"},
        **dict.fromkeys(("T* with reasons / C*", "two stages / C*"), ".2f"),
    )
