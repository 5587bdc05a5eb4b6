"""Figure: what each newcomer looks at, on the same estimates of the six arms."""

import matplotlib.patches
import numpy as np

import pareto_core as pc
from pareto_book.figures import plots

__all__ = ["draw_ideas"]

NEXT = plots.ORANGE  # what may be sampled next
RADIUS = 1.5  # of boxes and balls, in standard deviations of an average
N_DRAWS = 30
MOST_DRAWS = 10_000


def draw_ideas(instance: pc.Instance, samples: np.ndarray, seed: int) -> None:
    """Draw a panel of estimates and one for each idea; what may be sampled next in orange."""
    rng = np.random.default_rng(seed)
    scale = 1 / np.sqrt(samples)[:, None]
    noise = rng.standard_normal((1 + MOST_DRAWS, *instance.means.shape))
    estimates = instance.means + scale * noise[0]
    draws = estimates + scale * noise[1:]
    figure, panels = plots.new_figure(2, 3, height=2.5, sharex=True, sharey=True)
    first, boxes, posterior, fronts, balls, steps = panels.flat
    first.set_title("estimates")
    plots.scatter_arms(first, estimates, pc.pareto_set(estimates), labels=False)
    _boxes(boxes, estimates, RADIUS * scale[:, 0])
    _posterior(posterior, estimates, draws)
    _fronts(fronts, estimates, draws)
    _balls(balls, estimates, RADIUS * scale.mean())
    _step(steps, estimates, samples)
    for axes in panels.flat:
        for label, point in zip(instance.labels, estimates, strict=True):
            axes.annotate(label, point, xytext=(4, 6), textcoords="offset points", fontsize=8)
        axes.set(xticks=[], yticks=[], aspect="equal")
        axes.title.set_fontsize(10)
    plots.save(figure, "newcomers", "ideas")


def _dots(axes, estimates, chosen=()):
    """The estimates as small dots, those of chosen arms in orange."""
    for k, point in enumerate(estimates):
        axes.plot(*point, "o", ms=4, color=NEXT if k in chosen else plots.BLACK, zorder=3)


def _boxes(axes, estimates, half):
    """A box for each arm; the widest of the undecided arms is sampled."""
    axes.set_title("boxes: the widest undecided")
    lower, upper = estimates - half[:, None], estimates + half[:, None]
    beaten = np.array([(upper[k] < lower).all(axis=1).any() for k in range(len(half))])
    safe = np.array(
        [(np.delete(upper, k, 0) < lower[k]).any(axis=1).all() for k in range(len(half))]
    )
    widest = int(np.where(beaten | safe, 0, half).argmax())
    for k, corner in enumerate(lower):
        colour = NEXT if k == widest else plots.BLACK
        style = {"edgecolor": colour, "fill": False, "lw": 2 if k == widest else 1}
        axes.add_patch(matplotlib.patches.Rectangle(corner, 2 * half[k], 2 * half[k], **style))
    _dots(axes, estimates, [widest])


def _posterior(axes, estimates, draws):
    """Draws, and the first one whose Pareto set is different."""
    axes.set_title("PSIPS: a draw that disagrees")
    axes.plot(*draws[:N_DRAWS].reshape(-1, 2).T, ".", ms=2, color=plots.SKY)
    front = set(pc.pareto_set(estimates))
    other = next(draw for draw in draws if set(pc.pareto_set(draw)) != front)
    for begin, end in zip(estimates, other, strict=True):
        _arrow(axes, begin, end)
    _dots(axes, estimates)


def _fronts(axes, estimates, draws):
    """One draw, its front, and the front behind it."""
    axes.set_title("TTPFTS: both fronts of a draw")
    draw = draws[0]
    first = pc.pareto_set(draw)
    rest = np.setdiff1d(np.arange(len(draw)), first)
    second = rest[pc.pareto_set(draw[rest])]
    for part, style in ((first, "-"), (second, "--")):
        order = part[np.argsort(draw[part, 0])]
        axes.plot(*draw[order].T, style, marker="D", ms=5, color=NEXT, zorder=2)
    _dots(axes, estimates)


def _balls(axes, estimates, radius):
    """Balls of a round; one that is certainly below another is discarded."""
    axes.set_title("PaVeBa: all unsettled balls")
    lead = (estimates[None] - estimates[:, None]).min(axis=2)  # of the second over the first
    beaten = (lead >= 2 * radius).any(axis=1)
    for k, point in enumerate(estimates):
        style = {"edgecolor": plots.BLACK if beaten[k] else NEXT, "fill": False}
        axes.add_patch(matplotlib.patches.Circle(point, radius, lw=1.2, **style))
    _dots(axes, estimates, np.flatnonzero(~beaten))


def _step(axes, estimates, samples):
    """The closest alternative: the arms that it moves gain weight."""
    axes.set_title("Frank-Wolfe: nearest change")
    alternative = pc.transport_cost(estimates, samples.astype(float)).alternative
    moved = np.flatnonzero((alternative != estimates).any(axis=1))
    for k in moved:
        _arrow(axes, estimates[k], alternative[k])
    _dots(axes, estimates, moved)


def _arrow(axes, begin, end):
    style = {"arrowstyle": "->", "color": NEXT, "shrinkA": 0, "shrinkB": 0, "lw": 1.6}
    axes.annotate("", end, begin, arrowprops={**style, "mutation_scale": 7}, zorder=4)
