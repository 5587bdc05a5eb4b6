"""Run times of GEGE on instances of the shapes of the paper's Table 2."""

import time

import numpy as np

import pareto_core as pc
from pareto_book.records.published import read_published
from pareto_book.records.scorecard import Scorecard
from pareto_core.instances.generators import linear_family

__all__ = ["record_run_times"]


def record_run_times(card: Scorecard, variance: float, seed: int, runs: int = 50) -> None:
    """Record the mean CPU time of a run with fixed confidence, and with a fixed budget.

    Parameters
    ----------
    card : Scorecard
        Modified in place.
    variance : float
        Variance of the noise.
    seed : int
        Seed of the instances and of the runs.
    runs : int, default 50
        Number of runs, on one thread, after one for compiling.
    """
    algorithms = {
        "confidence": pc.GEGE(delta=0.1, variance_bound=variance),
        "budget": pc.GEGE(budget=500, variance_bound=variance),
    }
    shapes = read_published("kone2025linear_table2").astype(int)
    longest = 0.0
    for row in shapes.itertuples(index=False):
        draws = np.random.default_rng(seed)
        base = -draws.random((row.features, row.objectives))
        instance = linear_family(base, row.arms, draws, np.full(row.objectives, variance))
        for regime, algorithm in algorithms.items():
            options = {"seed": seed, "n_jobs": 1, "progress": False}
            pc.simulate(algorithm, instance, runs=1, **options)
            start = time.thread_time()
            pc.simulate(algorithm, instance, runs=runs, **options)
            seconds = (time.thread_time() - start) / runs
            card.record(f"table2_{regime}_{row.arms}", 1000 * seconds, runs=runs)
            longest = max(longest, seconds)
    card.record("runtime", longest, runs=runs)
