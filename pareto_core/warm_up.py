"""Compile the kernels ahead, in several processes at once.

Numba compiles each kernel when it is first called, and keeps the machine code.
``python -m pareto_core.warm_up`` calls the kernels that chapters and tests use: it takes a few
samples with each algorithm, and evaluates the allocations and the lower bounds.
"""

import argparse
import concurrent.futures
import functools
import multiprocessing
import sys

import numpy as np

import pareto_core as pc
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.checks.arguments import check_count
from pareto_core.checks.environment import available_cores, progress_bar
from pareto_core.instances.constrained_instances import two_stage_hard

POINTS = np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]])
BOUNDED = two_stage_hard(0.1)
LINEAR = pc.Instance(POINTS, features=np.eye(3))
SETTINGS = {  # of the algorithms that need some
    "Certified": {"algorithm": pc.APE()},
    "EGE": {"budget": 50},
}
PROVEN = {"TopTwoIDS", "TrackAndStop", "UniformSampling"}
SELDOM = {"SeparateTopTwo", "WidestBox"}  # few chapters run them
SLOW = {"DTracking", "ECAPE", "GEGE", "GameCPSI", "MOBAI", "TrackAndStop"}  # to compile: first


def compile_algorithm(algorithm):
    """Compile an algorithm by a short run; the next process reads its machine code from disk."""
    instance = BOUNDED if "polyhedron" in algorithm.reads else LINEAR
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


def _algorithm_tasks():
    """A short run of each algorithm, and of those with a proven rule that chapters run as well."""
    found = []
    for name, kind in algorithms_by_name().items():
        if name not in SELDOM:
            found.append(kind(**SETTINGS.get(name, {})))
        if name in PROVEN:
            found.append(kind(threshold="proven"))
    found.sort(key=lambda each: type(each).__name__ not in SLOW)
    return [functools.partial(compile_algorithm, each) for each in found]


TASKS = (*_algorithm_tasks(), _constrained_bounds, _pareto_bounds)


def warm_up(n_jobs):
    """Compile the kernels of all tasks, in this many processes."""
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
    parser.add_argument("--jobs", type=int, default=available_cores(), help="default: all cores")
    try:
        warm_up(parser.parse_args().jobs)
    except ValueError as error:
        sys.exit(f"error: {error}")
