"""What the chapter on Track-and-Stop measures and tabulates, where that is no lesson."""

import math
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from IPython.display import HTML
from matplotlib.figure import Figure
from scipy.ndimage import distance_transform_edt

import pareto_core as pc
from pareto_book.claims.published import read_published
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.studies.cost_batches import cell_costs, sweep_costs
from pareto_core.geometry.cells import count_nodes
from pareto_core.instances import generators

EDGES = np.linspace(0, 60609.25, 51)  # of the bins of the paper's Figure 3
MOST_OBJECTIVES, MOST_ARMS = 5, 64  # of which Figure 4 enumerates the cells


# The optimal proportions, and the printed data


def published_weights() -> pd.Series:
    """The proportions of the paper's Table 2, with the digits printed."""
    return read_published("crepon2024_table2")["weight"]


def weights_that_fit(weights: np.ndarray) -> int:
    """Count the proportions that round to the digits that the paper prints."""
    return sum(
        round(weight, len(text.partition(".")[2])) == float(text)
        for weight, text in zip(weights, published_weights(), strict=True)
    )


def time_of(means: np.ndarray, variance: np.ndarray) -> float:
    """Characteristic time of means and variances."""
    instance = pc.Instance(means, variance=variance)
    return pc.characteristic_time(instance.means_standardised, relative_gap=1e-6).time


def misprinted(printed: pc.Instance, full: pc.Instance) -> np.ndarray:
    """Flag the printed means that no rounding of the data in full precision explains."""
    return np.abs(printed.means - full.means) > 0.0051


def with_corrections(printed: pc.Instance, full: pc.Instance) -> pc.Instance:
    """Replace the misprinted means by the rounded means of the data."""
    means, wrong = np.array(printed.means), misprinted(printed, full)
    means[wrong] = full.means[wrong].round(2)
    return pc.Instance(means, printed.variance, name="cov_boost, corrected")


def proportions_table(printed: pc.Instance, weights: np.ndarray, in_full: np.ndarray) -> HTML:
    """Make a table of the arms with the printed and the computed proportions."""
    frame = pd.DataFrame(
        {
            "arm": range(printed.n_arms),
            "regimen": printed.labels,
            **dict(zip(printed.objectives, printed.means.T, strict=True)),
            "w* printed": published_weights().astype(float),
            "w* here": weights,
            "w*, full precision": in_full,
        }
    )
    caption = "Means and optimal proportions of the arms (Table 2 of the paper)."
    formats = {"w* printed": "g", "w* here": ".5f", "w*, full precision": ".5f"}
    return show_table(frame, caption, **formats, **dict.fromkeys(printed.objectives, ".2f"))


# Cells


def cell_bound(p: int, d: int) -> int:
    """The bound of Lemma 5: binomial(p + d - 1, d - 1)."""
    return math.comb(p + d - 1, d - 1)


def cell_labels(arms: np.ndarray, across: np.ndarray, reach: float) -> dict[str, tuple]:
    """Where to label the cells of a plane, by the objective in which each arm is lowered."""
    u, v = np.meshgrid(*2 * [np.linspace(-reach, reach, 400)])
    freed = u[..., None] * across[0] + v[..., None] * across[1]
    lowered = np.stack([(arm - freed).argmin(-1) for arm in arms], axis=-1)
    found, cell = np.unique(lowered.reshape(-1, len(arms)), axis=0, return_inverse=True)
    labels = {}
    for index, assignment in enumerate(found):
        inside = np.pad(cell.reshape(u.shape) == index, 1)
        depth = distance_transform_edt(inside)[1:-1, 1:-1]
        deepest = np.unravel_index(depth.argmax(), depth.shape)
        labels["".join(str(c + 1) for c in assignment)] = u[deepest], v[deepest]
    return labels


def count_prefixes(largest: Mapping[int, int], seed: int) -> dict[int, np.ndarray]:
    """Cells of the first 0, 1, ..., p arms of a random front, for each number d of objectives."""
    rng = np.random.default_rng(seed)
    fronts = {d: generators.spherical_front(p, d, rng).means[:p] for d, p in largest.items()}
    return {d: count_nodes(np.array(front)) for d, front in fronts.items()}


def exponents(cells: Mapping[int, np.ndarray]) -> dict[int, float]:
    """Fit the exponent of the cells in p to the three largest sizes, for each d."""
    found = {}
    for d, counts in cells.items():
        p = (len(counts) - 1) // 2 ** np.arange(3)
        found[d] = float(np.polyfit(np.log(p), np.log(counts[p]), 1)[0])
    return found


def draw_cells(cells: Mapping[int, np.ndarray]) -> Figure:
    """Draw cells against their bound, and the number of all assignments."""
    figure, axes = plots.new_figure(height=3.6)
    for d, counts in cells.items():
        most = len(counts) - 1
        p = np.unique(np.geomspace(1, most, 16).astype(int))
        axes.plot(p, [cell_bound(n, d) for n in p.tolist()], color=plots.BLACK, lw=1)
        axes.plot(p, counts[p], "o", color=plots.BLUE, ms=3.5)
        text, dy = (f"d = {d}", 0) if d == 2 else (f"{d}", 8)
        plots.label_line(axes, most, counts[most], text, plots.BLUE, dx=3, dy=dy)
        if d in (2, 6):
            n = np.linspace(1, 24, 50)
            axes.plot(n, float(d) ** n, "--", color=plots.RED, lw=1.2)
    plots.label_line(axes, 9.5, 6.0**9, r"$6^p$", plots.RED, dx=-22)
    plots.label_line(axes, 23, 2.0**23, r"$2^p$", plots.RED)
    axes.set(xscale="log", yscale="log", ylim=(1, 3e7), xlim=(1, 3000))
    axes.set(xlabel="optimal arms p", ylabel="cells", xticks=[1, 10, 100, 1000])
    return figure


# Run times (Figure 4, Table 1)


def random_weights(rng: np.random.Generator, n_arms: int) -> np.ndarray:
    """Draw proportions of the arms."""
    weights = rng.random(n_arms)
    return weights / weights.sum()


def measure_growth(
    objectives: Sequence[int], arms: Sequence[int], instances: int, seed: int
) -> pd.DataFrame:
    """Measure the mean time of one transportation cost on random fronts."""
    rng = np.random.default_rng(seed)
    for method in ("cells", "branch_and_bound"):  # compile
        pc.transport_cost([[0.0, 0.0], [1.0, 1.0]], [1.0, 1.0], method)
    rows = []
    for d in objectives:
        for p in arms:
            fronts = [generators.spherical_front(p, d, rng) for _ in range(instances)]
            row = {"d": d, "p": p, "branch and bound": _mean(rng, fronts, "branch_and_bound")}
            if d <= MOST_OBJECTIVES and p <= MOST_ARMS:
                number = instances // 5 if p == MOST_ARMS else instances
                row["cells"] = _mean(rng, fronts[:number], "cells")
            rows.append(row)
    return pd.DataFrame(rows)


def _mean(rng, fronts, method):
    """Mean time of one transportation cost with random weights."""
    seconds = []
    for front in fronts:
        weights = random_weights(rng, front.n_arms)
        start = time.thread_time()
        pc.transport_cost(front.means, weights, method)
        seconds.append(time.thread_time() - start)
    return np.mean(seconds)


def batch_size(p: int) -> int:
    """Instances that are timed in one call."""
    return max(5, min(100, 1280 // p))


def measure_speed_up(arms: Sequence[int], batches: int, seed: int) -> dict[int, np.ndarray]:
    """Time sweep and enumeration on the same staircases: by p, the best seconds of each batch."""
    rng, programs = np.random.default_rng(seed), (sweep_costs, cell_costs)
    seconds = {}
    for p in arms:
        instances = [_staircases(rng, p, batch_size(p)) for _ in range(batches)]
        repeats = [seconds_side_by_side(programs, instances) for _ in range(3)]
        seconds[p] = np.min(repeats, axis=0) / batch_size(p)
    return seconds


def seconds_side_by_side(programs: Sequence[Callable], batches: Sequence[tuple]) -> np.ndarray:
    """Measure the run times of several programs, in turn, after one warm-up call of each."""
    seconds = np.empty((len(batches), len(programs)))
    for program in programs:
        program(*batches[0])
    for arguments, row in zip(batches, seconds, strict=True):
        for k, program in enumerate(programs):
            start = time.thread_time()
            program(*arguments)
            row[k] = time.thread_time() - start
    return seconds


def _staircases(rng, p, size):
    """Random instances with random weights, and room for their costs."""
    means = [generators.staircase_front(p, rng).means for _ in range(size)]
    weights = [random_weights(rng, p + 1) for _ in range(size)]
    return np.array(means), np.array(weights), np.empty(size)


# Two objectives


def diagonal_profile(
    means: np.ndarray, weights: np.ndarray, s: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tents of the optimal arms along the diagonal; best height and cost of the last arm."""
    front = pc.pareto_set(means)
    own, start = 2 * weights[-1], means[-1].mean()
    across = (means[:, 0] - means[:, 1]) / np.sqrt(2)
    tents = means[front].mean(axis=1)[:, None] - np.abs(s - across[front, None]) / np.sqrt(2)
    height = np.array([_height(own, start, column, weights[front]) for column in tents.T])
    above = np.maximum(tents - height, 0)
    cost = 0.5 * weights[-1] * (s - across[-1]) ** 2 + 0.5 * own * (height - start) ** 2
    return tents, height, cost + 0.5 * weights[front] @ above**2


def _height(own, start, levels, weights):
    """Minimise own/2 (t - start)^2 + sum_k w_k/2 (levels_k - t)_+^2 over t."""
    mass, pull, height = own, own * start, start
    for k in np.argsort(-levels):
        if levels[k] <= height:
            break
        mass += weights[k]
        pull += weights[k] * levels[k]
        height = pull / mass
    return height
