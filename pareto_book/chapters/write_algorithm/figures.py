"""The picture of the idea: the cheapest alternative, and which arm is drawn next."""

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots

__all__ = ["draw_idea"]


def draw_idea(instance: pc.Instance, counts: np.ndarray) -> Figure:
    """Draw how the cheapest alternative moves arms, and the probabilities of drawing them.

    Parameters
    ----------
    instance : Instance
        Two objectives; its means are taken to be the averages so far.
    counts : ndarray of int, shape (K,)
        Samples of each arm.

    Returns
    -------
    matplotlib.figure.Figure
    """
    means = instance.means
    cost = pc.transport_cost(means, counts)
    shares = cost.gradient / cost.gradient.sum()
    moved = np.flatnonzero(shares)
    few, many = moved[np.argsort(counts[moved])]
    plots.require(len(moved) == 2, "two arms move")
    plots.require(shares[few] > 4 * shares[many], "the arm with fewer samples moves further")
    figure, (left, right) = plots.new_figure(1, 2, height=3.2, width_ratios=(3, 2))
    plots.scatter_arms(left, means, instance.pareto_set, labels=False)
    for k, (label, point) in enumerate(zip(instance.labels, means, strict=True)):
        left.annotate(
            f"{label}: {counts[k]}", point, xytext=(7, 6), textcoords="offset points", fontsize=9
        )
    for k in moved:
        arrow = {"arrowstyle": "->", "color": plots.RED, "lw": 1.6, "shrinkA": 0, "shrinkB": 0}
        left.annotate("", cost.alternative[k], means[k], arrowprops=arrow)
    left.set(xlabel="objective 1, more is better", ylabel="objective 2, more is better")
    left.margins(0.15)
    right.barh(instance.labels, shares, color=plots.RED)
    right.invert_yaxis()
    right.set(xlabel="probability of the next sample", ylabel="arm", xlim=(0, 1))
    return figure
