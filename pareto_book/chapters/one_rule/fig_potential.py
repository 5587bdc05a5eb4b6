"""The picture of the proof: shares against weights, and the potential that falls at each step."""

from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from pareto_book.chapters.one_rule.cases import Case
from pareto_book.chapters.one_rule.fluid import FluidPath, divergence, fluid_path
from pareto_book.figures import plots

__all__ = ["PotentialPath", "draw_potential", "potential_path"]


class PotentialPath(NamedTuple):
    """The rule with known means, and its potential.

    Attributes
    ----------
    path : FluidPath
        Targets, shares and costs.
    best : ndarray, shape (K,)
        Optimal proportions.
    potential : ndarray, shape (n,)
        Divergence from them to the proportions of the targets.
    stated : ndarray, shape (n,)
        Bound on the potential that the steps so far give (Proposition 1): from its first value,
        less the relative distances over t, plus half the mean squares of the growth factors.
    """

    path: FluidPath
    best: np.ndarray
    potential: np.ndarray
    stated: np.ndarray


def potential_path(case: Case, horizon: int, start: int) -> PotentialPath:
    """Follow the potential with known means, after ``start`` samples of each arm."""
    path, optimum = fluid_path(case, horizon, start), case.optimum()
    best = optimum.weights
    potential = divergence(best, path.targets)
    distances = path.times / (optimum.time * path.costs) - 1
    growth = path.shares / path.targets
    steps = 0.5 * growth**2 @ best - distances / path.times
    stated = potential[0] + np.concatenate([[0.0], steps[:-1].cumsum()])
    return PotentialPath(path, best, potential, stated)


def draw_potential(found: PotentialPath, labels: tuple[str, ...], window: int) -> Figure:
    """Draw one step of the rule, and the potential along the path."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.3)
    _draw_shares(left, found, labels, window)
    _draw_fall(right, found)
    return figure


def _draw_shares(axes, found, labels, window):
    """Draw the first weights, the mean shares of the next steps, and the optimum."""
    weights = found.path.targets[0] / found.path.times[0]
    shares = found.path.shares[:window].mean(axis=0)
    far = np.abs(found.best - weights) > 0.01
    towards = (shares - weights) * (found.best - weights) > 0
    plots.require(towards[far].all(), "towards the optimal proportions")
    rows = np.arange(len(labels))
    for row in rows:
        axes.annotate(
            "",
            (shares[row], row),
            (weights[row], row),
            arrowprops={"arrowstyle": "-|>", "color": plots.BLUE, "shrinkA": 3, "shrinkB": 0},
        )
    axes.plot(weights, rows, "o", mfc="none", mec=plots.BLACK, ms=6)
    axes.plot(found.best, rows, "|", color=plots.ORANGE, ms=16, mew=2.5)
    top = {"va": "bottom", "ha": "center", "fontsize": 9}
    axes.text(weights[0], -0.35, "$w_k$", color=plots.BLACK, **top)
    axes.text(found.best[0], -0.45, r"$w^\star_k$", color=plots.ORANGE, **top)
    axes.set(
        yticks=rows, yticklabels=labels, ylim=(len(labels) - 0.5, -1), xlim=(0, 1.1 * shares.max())
    )
    axes.set(xlabel=f"proportions; arrows: shares of {window} steps", ylabel="arm")


def _draw_fall(axes, found):
    """Draw the potential and what the steps so far guarantee."""
    times, potential, stated = found.path.times, found.potential, found.stated
    plots.require((potential <= stated + 1e-9).all(), "never above it")
    plots.require((potential[-1] < 0.01) & (stated[-1] < 0.5 * stated[0]), "falls to nearly zero")
    drawn = np.unique(np.geomspace(1, len(times), 1000).astype(int)) - 1  # the axis is logarithmic
    times, potential, stated = times[drawn], potential[drawn], stated[drawn]
    axes.fill_between(times, potential, stated, color=plots.ORANGE, alpha=0.2, lw=0)
    axes.plot(times, stated, "--", color=plots.ORANGE)
    axes.plot(times, potential, color=plots.BLUE)
    corner = {"transform": axes.transAxes, "ha": "right", "fontsize": 9}
    axes.text(0.97, 0.88, "potential $V_t$", color=plots.BLUE, **corner)
    axes.text(0.97, 0.79, "what the steps so far guarantee", color=plots.ORANGE, **corner)
    axes.set(xscale="log", xlabel="samples $t$", ylabel="nats", ylim=(0, None))
