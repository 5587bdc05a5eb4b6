"""Time of a sample as the number of arms grows, and its figure."""

import time
from collections.abc import Mapping, Sequence

import matplotlib.ticker
import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.timing import shortest_time
from pareto_core.instances import generators

__all__ = ["crowd", "draw_growth", "gradient_step", "time_samples"]

SHOWN = (("Track-and-Stop", "e-cAPE"), ("Pareto set", "gaps", "transport cost"))
COMPILING = 100  # arms of the first instance, whose times are not kept


def crowd(
    n_arms: int, n_objectives: int, n_infeasible: int, margin: float, seed: int = 0
) -> pc.Instance:
    """Twenty optimal arms and a crowd of dominated or infeasible ones."""
    rng = np.random.default_rng(seed)
    return generators.dominated_cloud(n_arms, n_objectives, 20, rng, margin, n_infeasible)


def gradient_step(n_arms: int) -> int:
    """Samples between gradients: Hedge then moves a weight by about a factor e."""
    return max(round(np.sqrt(n_arms / np.log(n_arms))), 1)


def time_samples(sizes: Mapping[int, Sequence[int]], seed: int = 0) -> pd.DataFrame:
    """Time one run of two algorithms, and three operations that they rest on.

    Parameters
    ----------
    sizes : dict of int to sequence of int
        Numbers of arms, by the number of objectives.
    seed : int, default 0
        Seed of the instances and of the runs.

    Returns
    -------
    pandas.DataFrame
        Columns ``d``, ``K``, and microseconds of a sample or of a call.
    """
    rows = [
        _time_on(n_arms, d, seed) for d, ladder in sizes.items() for n_arms in [COMPILING, *ladder]
    ]
    frame = pd.DataFrame(rows)
    return frame[frame["K"] > COMPILING]


def _time_on(n_arms, d, seed):
    plain = crowd(n_arms, d, 0, 4.0, seed)
    bounded = crowd(n_arms, d, n_arms // 4, 2.0, seed)
    tracker = pc.TrackAndStop(gradient_every=gradient_step(n_arms), check_every=n_arms // 10)
    weights = np.full(n_arms, 1 / n_arms)
    return {
        "d": d,
        "K": n_arms,
        "Track-and-Stop": _time_run(tracker, plain, seed),
        "e-cAPE": _time_run(pc.ECAPE(), bounded, seed),
        "Pareto set": _time_call(pc.pareto_set, plain.means),
        "gaps": _time_call(pc.gaps, plain.means),
        "transport cost": _time_call(pc.transport_cost, plain.means, weights),
    }


def _time_run(algorithm, instance, seed):
    """Microseconds for each sample of a run."""
    pc.simulate(algorithm, instance, 1, max_samples=10, n_jobs=1, progress=False)
    begin = time.thread_time()
    result = pc.simulate(algorithm, instance, 1, seed=seed, n_jobs=1)
    return 1e6 * (time.thread_time() - begin) / int(result.samples[0])


def _time_call(function, *arguments):
    """Microseconds of a call, the quickest of three."""
    return 1e6 * shortest_time(function, *arguments, repeats=3)[0]


def draw_growth(growth: pd.DataFrame) -> dict[tuple[str, int], float]:
    """Draw times against the number of arms, and fit an exponent to each line.

    Parameters
    ----------
    growth : pandas.DataFrame
        Result of `time_samples`.

    Returns
    -------
    dict of (str, int) to float
        Exponents by algorithm or operation, and number of objectives.
    """
    figure, panels = plots.new_figure(1, 2, height=4.2)
    exponents = {}
    for axes, shown in zip(panels, SHOWN, strict=True):
        for name, colour in zip(shown, (plots.BLUE, plots.ORANGE, plots.GREEN), strict=False):
            for d, style in ((2, "o-"), (3, "x--")):
                part = growth[growth["d"] == d]
                exponents[name, d] = np.polyfit(np.log(part["K"]), np.log(part[name]), 1)[0]
                label = f"{name}, d = {d}: {exponents[name, d]:.2f}"
                axes.plot(part["K"], part[name], style, color=colour, ms=4, label=label)
        axes.set(xscale="log", yscale="log", xlabel="arms K")
        axes.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
        axes.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
        axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.2))
    panels[0].set_ylabel("microseconds per sample")
    panels[1].set_ylabel("microseconds per call")
    plots.save(figure, "arena", "growth")
    return exponents
