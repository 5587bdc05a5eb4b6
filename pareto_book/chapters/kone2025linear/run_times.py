"""Run times of GEGE on instances of the shapes of the paper's Table 2."""

import time
from typing import TYPE_CHECKING

import numpy as np

import pareto_core as pc
from pareto_book.claims.published import read_published
from pareto_book.figures.tables import show_table
from pareto_core.instances.generators import linear_family

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["run_times_table"]


def run_times_table(variance: float, seed: int, runs: int = 50) -> "HTML":
    """Make a table of the mean CPU time of a run with fixed confidence, and with a fixed budget."""
    regimes = {
        "confidence": ("δ = 0.1", pc.GEGE(delta=0.1, variance_bound=variance)),
        "budget": ("T = 500", pc.GEGE(budget=500, variance_bound=variance)),
    }
    shapes = read_published("kone2025linear_table2").astype(int)
    table = shapes[["arms", "features", "objectives"]].copy()
    for regime, (words, algorithm) in regimes.items():
        table[f"{words}: printed"] = shapes[regime]
        table[f"{words}: ours"] = [
            1000 * _seconds(algorithm, shape, variance, seed, runs)
            for shape in table.itertuples(index=False)
        ]
    ours = [name for name in table if name.endswith("ours")]
    caption = "Milliseconds per run (Table 2), ours on one thread; not judged."
    return show_table(table, caption, **dict.fromkeys(ours, ".2f"))


def _seconds(algorithm, shape, variance, seed, runs):
    """Mean CPU time of a run on an instance of this shape."""
    draws = np.random.default_rng(seed)
    base = -draws.random((shape.features, shape.objectives))
    instance = linear_family(base, shape.arms, draws, np.full(shape.objectives, variance))
    options = {"seed": seed, "n_jobs": 1, "progress": False}
    pc.simulate(algorithm, instance, runs=1, **options)
    start = time.thread_time()
    pc.simulate(algorithm, instance, runs=runs, **options)
    return (time.thread_time() - start) / runs
