"""Figures of the idea: the closest wrong answers, the proportions of MO-BAI, and one run of it."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.chen2024.evidence import BEST, evidence, pair_evidence
from pareto_book.chapters.chen2024.steps import mobai_steps, noiseless_shares
from pareto_book.figures import plots
from pareto_core.confidence.thresholds import iterated_logarithm_threshold

__all__ = ["TOY", "draw_proportions", "draw_run", "draw_two_questions", "two_questions"]

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
SHOWN = np.array([3, 4, 5, 10, 20, 400])  # samples after which the average is a dot
SHIFTS = ((-8, 4), (8, 4), (9, 0), (11, -3))  # of the numbers beside the first dots
TOY = np.array([[1.0, 0.1], [0.7, 1.2], [-0.5, -0.2]])  # three arms, two objectives
ENDLESS = {  # algorithms that go on, and their colours
    "MO-BAI, η = 0.1": (pc.MOBAI(delta=1e-300), plots.BLUE),
    "MO-BAI, η = 1": (pc.MOBAI(delta=1e-300, eta=1), plots.SKY),
    "D-Tracking, 5 programs": (pc.DTracking(1e-300, iterations=5), plots.RED),
    "D-Tracking, exact": (pc.DTracking(1e-300), plots.GREEN),
}


def two_questions(
    instance: pc.Instance, best: pc.CharacteristicTime, front: pc.CharacteristicTime
) -> dict[str, float]:
    """Numbers of the text about both questions on the six arms."""
    arm_d = instance.labels.index("D")
    return {
        "front_over_best": front.time / best.time,
        "share_best": 100 * best.weights[arm_d],
        "share_front": 100 * front.weights[arm_d],
    }


def draw_two_questions(
    instance: pc.Instance, best_weights: np.ndarray, front_weights: np.ndarray
) -> Figure:
    """Draw the arms with the closest wrong answer of each objective, and both questions' shares."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.0, width_ratios=(1, 1.15))
    means, labels = instance.means, instance.labels
    plots.scatter_arms(left, means, instance.pareto_set, labels=False)
    for label, point in zip(labels, means, strict=True):
        beside = (-14, 2) if label == "E" else (7, 4)  # the line to C is on its right
        left.annotate(label, point, xytext=beside, textcoords="offset points")
    d = labels.index("D")
    plots.require(front_weights[d] > 5 * best_weights[d], "D has far fewer samples")
    costs = pair_evidence(means, best_weights)
    for m, (colour, shift) in enumerate(((plots.ORANGE, (8, -12)), (plots.GREEN, (6, 12)))):
        ends = means[[costs[:, m].argmin(), means[:, m].argmax()]]
        left.plot(*ends.T, "--", color=colour, lw=1.5, zorder=1)
        left.annotate(
            f"objective {m + 1}",
            ends.mean(axis=0),
            xytext=shift,
            textcoords="offset points",
            color=colour,
            fontsize=9,
        )
    left.set(xlabel="objective 1", ylabel="objective 2", xlim=(0, 3.1), ylim=(0, 3))
    _draw_shares(right, labels, best_weights, front_weights)
    return figure


def _draw_shares(axes: Axes, labels, best_weights, front_weights):
    at = np.arange(len(labels))
    axes.bar(at - 0.2, 100 * best_weights, 0.38, color=plots.BLUE)
    axes.bar(at + 0.2, 100 * front_weights, 0.38, color=plots.RED)
    highest = 100 * front_weights.max()
    for height, text, colour in (
        (1.28, "the best arm of each objective", plots.BLUE),
        (1.14, "the Pareto set", plots.RED),
    ):
        axes.text(-0.4, height * highest, text, color=colour, fontsize=9)
    axes.set_xticks(at, labels)
    axes.set(ylabel="best share of the samples, %", ylim=(0, 1.4 * highest))


def draw_proportions(means: np.ndarray) -> Figure:
    """Draw MO-BAI's proportions on three arms, and the evidence of several rules without noise."""
    optimum = pc.characteristic_time(means, problem=BEST)
    figure, (left, right) = plots.new_figure(1, 2, height=3.2, width_ratios=(1.1, 1))
    _draw_triangle(left, means, optimum)
    for label, (algorithm, colour) in ENDLESS.items():
        shares = noiseless_shares(algorithm, means, 600)
        values = [evidence(means, w) * optimum.time for w in shares]
        right.plot(np.arange(3, 601), values, color=colour, label=label, lw=1.2)
        plots.require(values[-1] > values[0], "curves that rise as the run goes on")
    right.set(xscale="log", xlabel="samples", ylabel="evidence / the best", ylim=(0.6, 1.02))
    right.legend(fontsize=8)
    return figure


def _draw_triangle(axes: Axes, means, optimum):
    grid = np.arange(1, 60) / 60
    shares = np.array([(a, b, 1 - a - b) for a in grid for b in grid if a + b < 0.999])
    heights = [evidence(means, w) * optimum.time for w in shares]
    axes.tricontourf(*(shares @ CORNERS).T, heights, levels=12, cmap="Blues")
    steps = mobai_steps(means, 0.1, 401)
    arrow = {"arrowstyle": "->", "color": plots.RED, "lw": 1.2}
    for now, target in zip(steps.averages[:3], steps.proportions[:3], strict=True):
        axes.annotate("", target @ CORNERS, now @ CORNERS, arrowprops=arrow)
    path = steps.averages[SHOWN - 3] @ CORNERS
    axes.plot(*path.T, "o-", color=plots.ORANGE, lw=1, ms=4)
    beside = {"textcoords": "offset points", "ha": "center"}
    for number, point, shift in zip(SHOWN[:4], path[:4], SHIFTS, strict=True):
        ground = {"boxstyle": "round,pad=0.1", "fc": "w", "ec": "none", "alpha": 0.8}
        axes.annotate(f"{number}", point, shift, fontsize=8, bbox=ground, **beside)
    axes.plot(*(optimum.weights @ CORNERS), "x", color=plots.BLACK, ms=8, mew=2)
    for k, (corner, shift) in enumerate(zip(CORNERS, ((-8, -12), (8, -12), (0, 6)), strict=True)):
        axes.annotate(f"only arm {k}", corner, shift, **beside)
    axes.set(aspect="equal", xlim=(-0.12, 1.12), ylim=(-0.12, 1.0))
    axes.axis("off")


def draw_run(found: pc.Trajectory, labels: tuple, delta: float = 0.1) -> Figure:
    """Draw the evidence in each objective and the samples of each arm along one run."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.0)
    thresholds = np.array([iterated_logarithm_threshold(t, delta) for t in found.times])
    pairs = zip(found.means, found.counts.astype(float), strict=True)
    nats = np.array([pair_evidence(means, counts).min(axis=0) for means, counts in pairs])
    lowest = nats.min(axis=1)
    plots.require(lowest[-1] >= thresholds[-1], "ends where the lower curve is above")
    plots.require((lowest < thresholds)[:-1].all(), "crosses the threshold at the end")
    for m, colour in enumerate((plots.ORANGE, plots.GREEN)):
        left.plot(found.times, nats[:, m], color=colour, lw=1.2)
        plots.label_line(left, found.times[-1], nats[-1, m], f"objective {m + 1}", colour)
    left.plot(found.times, thresholds, ":", color="grey")
    left.text(found.times[-1] / 4, thresholds[-1] + 0.15, "threshold", color="grey", fontsize=9)
    left.set(xlabel="samples", ylabel="evidence, nats", xlim=(0, 1.4 * found.times[-1]))
    _draw_counts(right, found, labels)
    return figure


def _draw_counts(axes: Axes, found, labels):
    """Samples of each arm; arms that end close to each other share a label."""
    best = found.means[-1].argmax(axis=0)
    ends, written = found.counts[-1], np.full(len(labels), False)
    for k in ends.argsort():
        colour = plots.BLUE if k in best else plots.BLACK
        axes.plot(found.times, found.counts[:, k], color=colour, lw=1)
        together = (np.abs(ends - ends[k]) < 4) & ~written
        if together.any():
            text = ", ".join(labels[arm] for arm in np.flatnonzero(together))
            plots.label_line(axes, found.times[-1], ends[together].mean(), text, "grey")
        written |= together
    axes.set(xlabel="samples", ylabel="samples of each arm", xlim=(0, 1.15 * found.times[-1]))
