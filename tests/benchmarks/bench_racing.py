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
from pareto_core.loop.run import compile_run
from pareto_core.simulation.runs import run_generator

SIZES = {Racing: (20, 200), APE: (20, 100, 1000)}
N_OBJECTIVES = 2
DELTA = 1e-300  # nothing is settled while the clock runs
ROUNDS = 200  # samples of each arm in a long run
FIRST = 20  # samples of a short one; of Racing rounds
REPEATS = 20

# Racing beside the implementation of vopy: radii and pairs that both have
PEER = Racing(delta=0.1, epsilon=1.0, radius="hoeffding", pairs="sum", variance_bound=1.0)
PEER_ARMS = 16
PEER_RUNS = 3


def make_instance(n_arms):
    """Random arms, the same for every program."""
    return random_gaussian(n_arms, N_OBJECTIVES, np.random.default_rng(n_arms))


class Run:
    """One run that is timed in pieces."""

    def __init__(self, algorithm, instance, seed=0, stop=None):
        source, draw = make_source(instance)
        loop = compile_run(algorithm.select, stop or algorithm.stop, algorithm.recommend, draw)
        self.state = algorithm.start(instance.problem, None)
        parameters = algorithm.parameters(instance.problem)
        rng, answer = run_generator(seed, 0), np.empty(instance.n_arms, np.bool_)
        self.go = lambda most: loop(parameters, self.state, source, rng, most, answer)

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


def run_peer(instance):
    """A run of vopy's algorithm of the same parameters: (seconds, samples, answer)."""
    from vopy.algorithms import Auer
    from vopy.datasets import dataset

    class Arms(dataset.Dataset):
        """The instance as vopy knows data sets: one feature tells the arms apart."""

        _in_dim, _out_dim, _cardinality = 1, N_OBJECTIVES, PEER_ARMS

        def __init__(self):
            # the base class would standardise the means
            self.in_data = np.linspace(0, 1, PEER_ARMS)[:, None]
            self.out_data = np.array(instance.means)
            self.in_dim, self.out_dim = self._in_dim, self._out_dim

    dataset.Arms = Arms  # where vopy looks for the name
    auer = Auer(
        epsilon=PEER.epsilon,
        delta=PEER.delta,
        dataset_name="Arms",
        noise_var=PEER.variance_bound,
        conf_contraction=1,
    )
    start = time.perf_counter()
    while not auer.run_one_step():
        pass
    return time.perf_counter() - start, auer.sample_count, sorted(auer.P)


def print_peer():
    instance = make_instance(PEER_ARMS)
    print(f"\n{PEER_ARMS} arms until the end, delta = {PEER.delta}, epsilon = {PEER.epsilon}")
    print(f"{'':<22}{'samples':>10}{'seconds':>10}{'per sample':>12}  answer")

    def print_row(name, seconds, samples, answer):
        each = seconds / samples
        print(f"{name:<22}{samples:>10}{seconds:>10.3g}{in_words(each):>12}  {answer}", flush=True)
        return each

    try:
        import vopy  # noqa: F401
    except ImportError:
        print("vopy is not installed: skipped")
        return
    Run(PEER, instance).seconds()
    ours, theirs = [], []
    for seed in range(PEER_RUNS):
        run = Run(PEER, instance, seed)
        seconds = run.seconds()
        answer = np.flatnonzero(run.state.accepted).tolist()
        ours.append(print_row("Racing", seconds, run.state.record.time[0], answer))
        np.random.seed(seed)  # noqa: NPY002 (vopy draws from the global generator)
        theirs.append(print_row("vopy's Auer", *run_peer(instance)))
    print(f"ratio of the times per sample: {np.median(theirs) / np.median(ours):.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--interpreted", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().interpreted:
        print(json.dumps(measure_interpreted()))
        return
    print_sizes()
    print_peer()


if __name__ == "__main__":
    main()
