"""What a million runs would take, from a few measured ones."""

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_core.simulation.scheduling import batches

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["Plan", "cores_table", "plan_runs"]


class Plan(NamedTuple):
    """What planned runs take: runs a second of one thread, core hours, gigabytes and files."""

    rate: float
    hours: float
    gigabytes: float
    files: int


def plan_runs(
    algorithm: pc.Algorithm, instance: pc.Instance, planned: int, measured: int, seed: int = 0
) -> Plan:
    """Reckon the time and the storage of many runs from a few.

    Parameters
    ----------
    algorithm : Algorithm
        The algorithm.
    instance : Instance
        The instance.
    planned, measured : int
        Number of runs to plan, and to time on one thread.
    seed : int, default 0
        Seed of the measured runs.

    Returns
    -------
    Plan
    """
    pc.simulate(algorithm, instance, 1, max_samples=100, n_jobs=1, progress=False)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.thread_time()
        runs = pc.simulate(algorithm, instance, measured, seed, n_jobs=1, store=Path(folder))
        seconds = time.thread_time() - begin
    columns = (runs.samples, runs.correct, runs.stopped, runs.pulls, runs.means, runs.answers)
    bytes_of_run = sum(column.nbytes for column in columns) / measured
    rate = measured / seconds
    hours = planned / rate / 3600
    return Plan(rate, hours, bytes_of_run * planned / 1e9, len(batches(planned)))


def cores_table(plan: Plan, measured: int) -> "HTML":
    """Make a table of the hours that the planned runs take with several numbers of cores."""
    rows = [
        {"cores": cores, "hours": plan.hours / cores, "runs per second": plan.rate * cores}
        for cores in (1, 2, 16, 128)
    ]
    return show_table(
        pd.DataFrame(rows),
        f"A million runs at δ = 0.1, reckoned from {measured} measured ones.",
        **{"hours": ".2f", "runs per second": ",.0f"},
    )
