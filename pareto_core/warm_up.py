"""Compile the kernels ahead, in several processes at once.

Numba compiles a kernel when it is first called, and keeps the machine code. So
``python -m pareto_core.warm_up`` makes the calls of the chapters and the tests: a few samples of
each algorithm, and the functions behind the lower bounds.
"""

import argparse
import concurrent.futures
import multiprocessing
import os
import sys

import numpy as np

import pareto_core as pc
from pareto_core.checks.arguments import check_count
from pareto_core.checks.progress import progress_bar
from pareto_core.instances.constrained_instances import two_stage_hard
from pareto_core.regression.gaussian_process import Hyperparameters

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]])
BOUNDED = two_stage_hard(0.1)
LINEAR = pc.Instance(POINTS, features=np.eye(3))
PRIOR = Hyperparameters(0.0, 0.0, 1.0, (1.0, 1.0, 1.0), 1.0)


def _run(algorithm, instance):
    pc.simulate(algorithm, instance, 1, n_jobs=1, max_samples=50, progress=False)


def _pareto_bounds():
    pc.gaps(POINTS)
    pc.transport_cost(POINTS, np.ones(3))
    pc.characteristic_time(POINTS)


def _constrained_bounds():
    region = BOUNDED.polyhedron
    pc.constrained_pareto_set(BOUNDED.means, region)
    for problem in ("constrained_pareto_set", "partition"):
        pc.characteristic_time(BOUNDED.means, problem=problem, polyhedron=region)


# In decreasing order of compile time, so that all processes finish at about the same time.
TASKS = (
    lambda: _run(pc.GameCPSI(), BOUNDED),
    lambda: _run(pc.TrackAndStop(), LINEAR),
    lambda: _run(pc.GEGE(), LINEAR),
    lambda: _run(pc.DTracking(), LINEAR),
    lambda: _run(pc.MOBAI(), LINEAR),
    lambda: _run(pc.ECAPE(), BOUNDED),
    lambda: _run(pc.TrackAndStop(threshold="proven"), LINEAR),
    lambda: _run(pc.TopTwoIDS(threshold="proven"), LINEAR),
    lambda: _run(pc.UniformSampling(threshold="proven"), LINEAR),
    lambda: _run(pc.Certified(pc.APE()), LINEAR),
    _constrained_bounds,
    _pareto_bounds,
    lambda: _run(pc.PAL(hyperparameters=(PRIOR, PRIOR)), LINEAR),
    lambda: _run(pc.RacingCover(variance_bound=1.0), LINEAR),
    lambda: _run(pc.EGE(budget=50), LINEAR),
    lambda: _run(pc.TwoStage(), BOUNDED),
    lambda: _run(pc.RacingCP(), BOUNDED),
    lambda: _run(pc.ConstrainedUniformSampling(), BOUNDED),
    lambda: _run(pc.LinearPAL(), LINEAR),
    lambda: _run(pc.UniformSampling(), LINEAR),
    lambda: _run(pc.APE(), LINEAR),
    lambda: _run(pc.Racing(radius="hoeffding"), LINEAR),
    lambda: _run(pc.MOSE(), LINEAR),
    lambda: _run(pc.TTPFTS(budget=50), LINEAR),
)


def warm_up(n_jobs):
    """Compile the kernels of all tasks.

    Parameters
    ----------
    n_jobs : int
        Number of processes.

    Raises
    ------
    ValueError
        If ``n_jobs`` is not a positive integer.
    """
    check_count(n_jobs, "n_jobs")
    context = multiprocessing.get_context("spawn")
    with (
        concurrent.futures.ProcessPoolExecutor(n_jobs, context) as pool,
        progress_bar(len(TASKS), "compiling") as bar,
    ):
        for done in concurrent.futures.as_completed(
            [pool.submit(_call, number) for number in range(len(TASKS))]
        ):
            done.result()
            bar.update()


def _call(number):
    TASKS[number]()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m pareto_core.warm_up", description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="default: all cores")
    try:
        warm_up(parser.parse_args().jobs)
    except ValueError as error:
        sys.exit(f"error: {error}")
