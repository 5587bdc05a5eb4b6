"""Times of Racing and APE per sample; see README.md for what the rows are."""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from numba import njit
from plain_python import in_words, run_interpreted

from pareto_core import APE, Racing
from pareto_core.algorithms.pareto import ape
from pareto_core.instances.generators import random_gaussian
from pareto_core.instances.noise import make_source
from pareto_core.loop.interruption import new_flag
from pareto_core.loop.run import LAST_SAMPLE
from pareto_core.loop.steps import SAMPLE, compile_run
from pareto_core.simulation.runs import run_generator

SIZES = {Racing: (20, 200), APE: (20, 100, 1000)}
N_OBJECTIVES = 2
DELTA = 1e-300  # nothing is settled while the clock runs
ROUNDS = 200  # samples of each arm in a long run
FIRST = 20  # samples of a short one; of Racing rounds
REPEATS = 20


def make_instance(n_arms):
    """Random arms, the same for every program."""
    return random_gaussian(n_arms, N_OBJECTIVES, np.random.default_rng(n_arms))


class Run:
    """One run that is timed in pieces."""

    def __init__(self, algorithm, instance, seed=0, stop=None):
        source = make_source(instance)
        loop = compile_run(algorithm.select, stop or algorithm.stop, algorithm.recommend)
        self.state = algorithm.start(instance.problem, None)
        parameters = algorithm.parameters(instance.problem)
        rng, answer = run_generator(seed, 0), np.empty(instance.n_arms, np.bool_)
        self.go = lambda most: loop(
            SAMPLE, parameters, self.state, source, rng, (most, LAST_SAMPLE), new_flag(), answer
        )

    def seconds(self, most=2**62):
        """Until it stops, or has so many samples."""
        start = time.perf_counter()
        self.go(most)
        return time.perf_counter() - start

    def seconds_per_sample(self, first, last):
        """Between two numbers of samples, both reached for certain."""
        self.go(first)
        return self.seconds(last) / (last - first)


@njit
def stop_anew(parameters, state):
    """APE's stop, after all pairs have been looked at anew: O(K^2 d)."""
    result = ape._stop(parameters, state)
    if state.record.time[0] >= state.slack.shape[0]:
        for i in range(state.slack.shape[0]):
            ape._scan(parameters, state, i)
    return result


def measure(kind, n_arms, samples, stop=None):
    """Time per sample, of those after every arm has one."""
    run = Run(kind(delta=DELTA), make_instance(n_arms), stop=stop)
    return run.seconds_per_sample(n_arms, n_arms + samples)


def measure_first(kind, n_arms, stop=None, repeats=1):
    """Shortest time per sample of some repetitions of the first samples."""
    samples = FIRST * n_arms if kind is Racing else FIRST
    return min(measure(kind, n_arms, samples, stop) for _ in range(repeats))


def measure_interpreted():
    return {
        f"{kind.__name__} {n_arms}": measure_first(kind, n_arms)
        for kind, sizes in SIZES.items()
        for n_arms in sizes
    }


def print_sizes():
    interpreted = run_interpreted(Path(__file__))
    print(f"Time per sample, {N_OBJECTIVES} objectives, no arm settled")
    print(f"{'':<15}{'long run':>12}{'first samples:':>16}")
    heads = ("compiled", "compiled", "all pairs anew", "plain Python", "ratio")
    print(f"{'':<8}{'K':>7}" + "".join(f"{head:>16}" for head in heads))
    for kind, sizes in SIZES.items():
        for n_arms in sizes:
            measure_first(kind, 2)  # compiled by now
            fast = measure_first(kind, n_arms, repeats=REPEATS)
            cells = [measure(kind, n_arms, ROUNDS * n_arms), fast, None]
            if kind is APE:
                measure_first(kind, 2, stop_anew)
                cells[-1] = measure_first(kind, n_arms, stop_anew, repeats=REPEATS)
            cells.append(interpreted[f"{kind.__name__} {n_arms}"])
            words = "".join(f"{'' if cell is None else in_words(cell):>16}" for cell in cells)
            print(f"{kind.__name__:<8}{n_arms:>7}{words}{cells[-1] / fast:>16.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--interpreted", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().interpreted:
        print(json.dumps(measure_interpreted()))
        return
    print_sizes()


if __name__ == "__main__":
    main()
