"""One run on the six arms: which arms it samples, and its evidence against the threshold."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement, mean_of
from pareto_core.confidence.thresholds import stylised_threshold

__all__ = ["DescribedRun", "describe_run", "draw_run", "over_bound"]

AREA = 2400  # of a circle for an arm with all samples, in square points


class DescribedRun(NamedTuple):
    """Evidence along one run, in nats.

    Attributes
    ----------
    times, evidence, threshold : ndarray, shape (n,)
        Samples; their number times the transportation cost; what it has to exceed.
    counts, means : ndarray, shape (K,) and (K, 2)
        Samples of each arm, and their averages, at the end.
    optimum : CharacteristicTime
        The game on the true means.
    delta : float
        The risk.
    """

    times: np.ndarray
    evidence: np.ndarray
    threshold: np.ndarray
    counts: np.ndarray
    means: np.ndarray
    optimum: pc.CharacteristicTime
    delta: float

    @property
    def bound(self) -> float:
        """The lower bound of samples at small risks, ln(1/delta) T*."""
        return np.log(1 / self.delta) * self.optimum.time

    @property
    def no_learning(self) -> float:
        """Samples after which evidence at the rate 1/T* would exceed the threshold."""
        times = np.arange(1, 10 * self.times[-1])
        needed = np.log(np.log(1 + times) / self.delta)
        return float(times[np.argmax(times / self.optimum.time >= needed)])

    def numbers(self) -> dict[str, float]:
        """What the text says of the run."""
        return {
            "six_time": self.optimum.time,
            "six_bound": self.bound,
            "six_no_learning": self.no_learning,
            "six_stop": int(self.times[-1]),
        }


def describe_run(runs: pc.Runs, run: int | None = None) -> DescribedRun:
    """Follow one run of Track-and-Stop until it stops, sample by sample."""
    if run is None:
        run = int(np.argsort(runs.samples, kind="stable")[len(runs.samples) // 2])
    algorithm, instance = runs.algorithm, runs.instance
    times = np.arange(instance.n_arms, runs.samples[run] + 1)
    seen = pc.trajectory(algorithm, instance, times, run, runs.seed)
    evidence = [
        pc.transport_cost(means, counts).value
        for counts, means in zip(seen.counts, seen.means, strict=True)
    ]
    return DescribedRun(
        seen.times,
        np.array(evidence),
        np.array([stylised_threshold(int(time), algorithm.delta) for time in seen.times]),
        seen.counts[-1],
        seen.means[-1],
        pc.characteristic_time(instance.means),
        algorithm.delta,
    )


def draw_run(run: DescribedRun, instance: pc.Instance) -> Figure:
    """Draw the samples of each arm at the end, and the evidence along the run."""
    plots.require(run.evidence[-1] >= run.threshold[-1], "stops where it meets")
    plots.require(run.bound < run.no_learning < run.times[-1], "later than both")
    figure, (plane, axes) = plots.new_figure(1, 2, height=3.5, width_ratios=(1, 1.25))
    _draw_samples(plane, run, instance)
    times = run.times
    axes.plot(times, run.threshold, "--", color=plots.BLACK, lw=1.2)
    axes.plot(times, times / run.optimum.time, color=plots.ORANGE, lw=1.4)
    axes.plot(times, run.evidence, color=plots.BLUE, lw=1.6)
    needed = np.log(1 / run.delta)
    axes.plot([0, times[-1]], [needed, needed], ":", color=plots.BLACK, lw=1.2)
    axes.plot(run.bound, needed, "o", color=plots.ORANGE, ms=5)
    axes.plot(times[-1], run.evidence[-1], "o", color=plots.BLUE, ms=6)
    end = times[-1]
    plots.label_line(axes, 0.5 * end, run.threshold[-1], "threshold", plots.BLACK, dy=8)
    plots.label_line(axes, 0, needed, r"$\ln(1/\delta)$", plots.BLACK, dy=9)
    near = 0.75 * end
    rate = near / run.optimum.time
    plots.label_line(axes, near, rate, r"rate $1/T^\star$", plots.ORANGE, dx=-58, dy=-4)
    plots.label_line(axes, end, run.evidence[-1], "stops", plots.BLUE, dx=-36, dy=8)
    top = 1.2 * max(run.threshold[-1], run.evidence.max())
    axes.set(xlabel="samples", ylabel="evidence, nats", ylim=(0, top), xlim=(0, 1.04 * end))
    return figure


def over_bound(by_risk: Sequence[pc.Runs], best: float) -> dict[str, float | Measurement]:
    """Compare mean samples with the lower bound, at a risk of a tenth and at a small one."""
    tenth, small = (
        mean_of(found.samples).times(1 / (np.log(1 / found.algorithm.delta) * best))
        for found in by_risk
    )
    return {"six_runs": tenth.runs, "six_tenth": tenth, "six_small": small}


def _draw_samples(axes, run, instance):
    """Draw the arms, with their shares of the samples as areas."""
    optimal = np.isin(np.arange(instance.n_arms), instance.pareto_set)
    shares = run.counts / run.counts.sum()
    for k, place in enumerate(instance.means):
        colour = plots.BLUE if optimal[k] else plots.BLACK
        axes.scatter(*place, s=AREA * shares[k], color=colour, alpha=0.25, lw=0)
        axes.scatter(
            *place, s=AREA * run.optimum.weights[k], facecolor="none", edgecolor=colour, lw=1.2
        )
        axes.annotate(instance.labels[k], place, ha="center", va="center", fontsize=9)
    axes.set(xlabel="objective 1", ylabel="objective 2", aspect="equal")
    axes.set(xlim=(-0.1, 3.0), ylim=(-0.2, 3.1))
