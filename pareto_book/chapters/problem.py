"""Pictures and measurements of the first chapter, on the six arms with which the book begins."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pareto_book.figures import plots
from pareto_book.figures.movable_arms import movable_arms
from pareto_book.figures.race import draw_boxes
from pareto_book.studies.race import OPEN, WAITS, Race, box_radii, evidence_along
from pareto_core.confidence.thresholds import stylised_threshold
from pareto_core.geometry import pareto_set
from pareto_core.instances.instance import Instance


class Wait(NamedTuple):
    """An optimal arm that stays in the race."""

    arm: int
    time: int  # samples of all arms before the arm leaves the race or is open again
    since: int  # samples at which its wait began
    needed_for: list  # open arms that it may still dominate


def longest_wait(race: Race, name: str) -> Wait:
    """Find the longest time during which a rule keeps an arm that is certainly optimal."""
    waits = [(until - since, k, since, until) for k, since, until in _waits(race.runs[name])]
    if not waits:
        raise ValueError(f"no arm waits in the run of {name}; expected one, at another seed")
    _, arm, since, until = max(waits)
    return Wait(arm, until - 1, since, _needed_for(race, name, arm, until - 1))


def _waits(run):
    """Arm, beginning and end of each wait."""
    ends = [since for since, _ in run.statuses[1:]] + [len(run.arms)]
    found, began = [], {}
    for (since, statuses), until in zip(run.statuses, ends, strict=True):
        for k, status in enumerate(statuses):
            if status == WAITS:
                began.setdefault(k, since)
            if k in began and (status != WAITS or until == len(run.arms)):
                found.append((k, began.pop(k), since if status != WAITS else until))
    return found


def _needed_for(race, name, arm, time):
    """Open arms that are not certainly undominated by an arm."""
    counts, means = race.seen(name, time)
    radii = box_radii(counts, race.delta)
    statuses = next(found for since, found in reversed(race.runs[name].statuses) if since <= time)
    return [
        k
        for k, status in enumerate(statuses)
        if status == OPEN and (means[k] - means[arm]).max() <= np.hypot(radii[k], radii[arm])
    ]


OBJECTIVES = {"xlabel": "objective 1", "ylabel": "objective 2"}


def draw_arms(instance: Instance) -> tuple[Figure, Axes]:
    """Draw arms with their names, optimal ones filled."""
    figure, axes = plots.new_figure(height=3.4)
    axes.set_aspect("equal")
    plots.scatter_arms(axes, instance.means, instance.pareto_set, labels=False)
    for mean, label in zip(instance.means, instance.labels, strict=True):
        axes.annotate(label, mean, xytext=(6, 5), textcoords="offset points", fontweight="bold")
    low, high = instance.means.min(axis=0) - 0.5, instance.means.max(axis=0) + 0.6
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), **OBJECTIVES)
    return figure, axes


def movable(name: str, instance: Instance, **more: Any) -> Any:
    """Make a figure whose arms a reader can move, or of which a reader can move the samples."""
    optimal = ", ".join(instance.labels[k] for k in instance.pareto_set)
    words = f"{instance.n_arms} arms in two objectives, of which {optimal} are optimal"
    figure, _ = draw_arms(instance)
    square = ([0, 0], [3, 3], 1)
    return movable_arms(name, figure, words, instance.means, instance.labels, axes=square, **more)


def draw_dominance(instance: Instance, dominated: Sequence[int]) -> Figure:
    """Draw arms, and for some dominated ones the corner in which an arm dominates them."""
    figure, axes = draw_arms(instance)
    right, top = axes.get_xlim()[1], axes.get_ylim()[1]
    for arm in dominated:
        x, y = instance.means[arm]
        axes.fill_between([x, right], y, top, color=plots.SKY, alpha=0.2, lw=0)
        axes.plot([x, x, right], [top, y, y], color=plots.SKY, lw=1)
    return figure


def draw_noise(instance: Instance, numbers: Sequence[int], delta: float, seed: int) -> Figure:
    """Draw samples of two arms, then the boxes of all arms after some numbers of samples."""
    figure, panels = plots.new_figure(1, 1 + len(numbers), height=2.9, sharex=True, sharey=True)
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((max(numbers), *instance.means.shape))
    rewards = instance.means + noise
    for arm, colour in ((1, plots.BLUE), (3, plots.BLACK)):
        panels[0].scatter(*rewards[: numbers[0], arm].T, s=9, color=colour, alpha=0.6, lw=0)
        end = instance.labels[arm], instance.means[arm]
        panels[0].annotate(*end, color=colour, fontweight="bold", ha="center", va="center")
    panels[0].set_title(f"{numbers[0]} samples of B and of D")
    for axes, number in zip(panels[1:], numbers, strict=True):
        means = rewards[:number].mean(axis=0)
        optimal = np.isin(np.arange(len(means)), pareto_set(means))
        radii = box_radii(np.full(len(means), number), delta)
        draw_boxes(axes, means, radii, optimal, instance.labels)
        axes.set_title(f"boxes, {number} of each arm")
    for axes in panels:
        axes.set(xlabel="objective 1", aspect="equal", xlim=(-1.9, 4.9), ylim=(-1.9, 4.9))
    panels[0].set_ylabel("objective 2")
    return figure


def draw_wait(race: Race, name: str, wait: Wait) -> Figure:
    """Draw all boxes at the end of a wait, and which open arm the waiting one may dominate."""
    figure, axes = plots.new_figure(height=3.6)
    axes.set_aspect("equal")
    counts, means = race.seen(name, wait.time)
    optimal = np.isin(np.arange(len(means)), pareto_set(means))
    draw_boxes(axes, means, box_radii(counts, race.delta), optimal, race.labels)
    for other in wait.needed_for:
        arrow = {"arrowstyle": "->", "color": plots.RED, "shrinkA": 8, "shrinkB": 14, "lw": 1.6}
        axes.annotate("", means[other], means[wait.arm], arrowprops=arrow)
    axes.autoscale_view()
    axes.set(**OBJECTIVES)
    return figure


def draw_evidence(race: Race, name: str, deltas: Sequence[float]) -> Figure:
    """Draw the evidence along a run, and the thresholds of several risks."""
    figure, axes = plots.new_figure(height=3.0)
    times, evidence = evidence_along(race, name)
    axes.plot(times, evidence, color=plots.BLUE, lw=1.5)
    for delta in deltas:
        needed = np.array([stylised_threshold(int(time), delta) for time in times])
        axes.plot(times, needed, color=plots.RED, ls="--", lw=1.2)
        words = rf"$\delta=10^{{{round(np.log10(delta))}}}$"
        plots.label_line(axes, times[-1], needed[-1], words, plots.RED)
        crossed = np.argmax(evidence >= needed)
        axes.scatter(times[crossed], evidence[crossed], color=plots.RED, s=30, zorder=4)
    axes.set(
        xlabel="samples", ylabel="evidence in nats", xlim=(0, 1.12 * times[-1]), ylim=(0, None)
    )
    return figure
