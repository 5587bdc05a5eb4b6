"""What a million runs would take, from a few measured ones."""

import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import pareto_core as pc
from pareto_core.simulation.scheduling import batches

__all__ = ["Plan", "plan_runs"]


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
