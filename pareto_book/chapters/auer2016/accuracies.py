"""Runs of an algorithm over a grid of accuracies, and figures of what they find."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.studies import front_criteria

__all__ = ["Grid", "draw_bounds", "join", "over_bounds", "over_grid", "racing", "worst_of_ten"]


class Grid(NamedTuple):
    """What was found at each accuracy.

    Attributes
    ----------
    epsilons : ndarray, shape (n,)
        Accuracies.
    distance : ndarray, shape (n, runs)
        Estimation distance of the answer of each run.
    finds_all : ndarray of bool, shape (n, runs)
        Whether the answer has all optimal arms.
    samples : ndarray of int, shape (n, runs)
    finished : ndarray of bool, shape (n, runs)
        Whether the run stopped before the observations were used up.
    """

    epsilons: np.ndarray
    distance: np.ndarray
    finds_all: np.ndarray
    samples: np.ndarray
    finished: np.ndarray

    @property
    def late(self) -> np.ndarray:
        """Whether the distance of an answer is above the accuracy, shape (n, runs)."""
        return self.distance > self.epsilons[:, None]


def racing(variance_bound: float, **options: str) -> Callable[[float], pc.Racing]:
    """Racing with a given bound on the variance, as a function of the accuracy."""
    return lambda epsilon: pc.Racing(epsilon=epsilon, variance_bound=variance_bound, **options)


def over_grid(
    make: Callable[[float], pc.Algorithm],
    instance: pc.Instance,
    epsilons: ArrayLike,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Grid:
    """Run an algorithm at each accuracy."""
    epsilons = np.asarray(epsilons, dtype=float)
    results = [
        pc.simulate(make(epsilon), instance, runs=runs, seed=seed, n_jobs=n_jobs)
        for epsilon in epsilons.tolist()
    ]
    means, front = instance.means, instance.pareto_set
    return Grid(
        epsilons,
        np.array([front_criteria.estimation_distance(means, each.answers) for each in results]),
        np.array([each.answers[:, front].all(axis=1) for each in results]),
        np.array([each.samples for each in results]),
        np.array([each.stopped for each in results]),
    )


def over_bounds(
    bounds: Mapping[str, float],
    instances: Sequence[pc.Instance],
    epsilons: ArrayLike,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> dict[tuple[str, str], Grid]:
    """Run Racing with each bound on the variance at each accuracy."""
    return {
        (instance.name, name): over_grid(racing(bound), instance, epsilons, runs, seed, n_jobs)
        for instance in instances
        for name, bound in bounds.items()
    }


def join(grids: list[Grid]) -> Grid:
    """Join the runs of several grids with the same accuracies."""
    return Grid(grids[0].epsilons, *map(np.hstack, list(zip(*grids, strict=True))[1:]))


def worst_of_ten(distance: np.ndarray) -> np.ndarray:
    """Largest values in batches of ten runs, shape (accuracies, batches)."""
    return distance.reshape(len(distance), -1, 10).max(axis=2)


def draw_bounds(found: Mapping[tuple[str, str], Grid], bounds: Mapping[str, float]) -> Figure:
    """Draw what a bound on the variance does to Racing."""
    names = list(dict.fromkeys(name for name, _ in found))
    figure, panels = plots.new_figure(2, len(names), height=2.4, sharex=True, sharey="row")
    for column, name in enumerate(names):
        above, below = panels[:, column]
        for colour, (label, bound) in zip(plots.COLOURS, bounds.items(), strict=False):
            grid = found[name, label]
            style = {"ms": 3, "color": colour, "label": f"{label}: {bound:.2g}"}
            above.plot(grid.epsilons, grid.finished.mean(axis=1), "o-", **style)
            below.plot(grid.epsilons, grid.distance.mean(axis=1), "o-", **style)
        below.plot([0, 0.6], [0, 0.6], ":", color="grey")
        above.set(title=name)
        below.set(xlabel=r"accuracy $\epsilon_0$")
    panels[0, 0].set(ylabel="runs that finish")
    panels[1, 0].set(ylabel=r"distance $\Delta_A$")
    entries = panels[0, 0].get_legend_handles_labels()
    figure.legend(*entries, title=r"$\bar V$", loc="outside upper center", ncols=4)
    return figure
