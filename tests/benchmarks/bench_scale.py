"""Times and memory as the number of arms grows; see README.md for what the rows are."""

import argparse
import time
from pathlib import Path

import numpy as np
from plain_python import in_words

from pareto_core import ECAPE, TrackAndStop, gaps, pareto_set, transport_cost
from pareto_core.instances.generators import dominated_cloud
from pareto_core.instances.noise import make_source
from pareto_core.loop.run import compile_run
from pareto_core.simulation.runs import run_generator

LADDERS = {2: (1_000, 3_000, 10_000, 30_000, 100_000), 3: (1_000, 3_000, 10_000)}
N_FRONT = 20
STATUS = Path("/proc/self/status")


def peak():
    """Largest memory since the last `reset_peak`, in MB; NaN where the system does not tell."""
    if not STATUS.exists():
        return np.nan
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def reset_peak():
    if STATUS.exists():
        Path("/proc/self/clear_refs").write_text("5")
    return peak()


def instance(n_arms, d, region):
    n_infeasible = n_arms // 4 if region else 0
    margin = 2.0 if region else 4.0
    rng = np.random.default_rng(0)
    return dominated_cloud(n_arms, d, N_FRONT, rng, margin, n_infeasible)


def uniform_cost(means):
    return transport_cost(means, np.full(len(means), 1 / len(means)))


def track_and_stop(n_arms):
    """Gradients so often that one step of Hedge after the other moves a weight by a factor e."""
    every = max(round(np.sqrt(n_arms / np.log(n_arms))), 1)
    return TrackAndStop(gradient_every=every, check_every=max(n_arms // 10, 1))


def run(algorithm, arms):
    """Samples after the first of each arm, and their seconds."""
    source, draw = make_source(arms)
    loop = compile_run(algorithm.select, algorithm.stop, algorithm.recommend, draw)
    parameters, state = algorithm.parameters(arms.problem), algorithm.start(arms.problem, None)
    answer = algorithm.question.empty(arms.n_arms, arms.n_objectives)
    rng = run_generator(0, 0)
    loop(parameters, state, source, rng, arms.n_arms, answer)
    start = time.perf_counter()
    loop(parameters, state, source, rng, 10**9, answer)
    return int(state.record.time[0]) - arms.n_arms, time.perf_counter() - start


def row(name, n_arms, d, measure):
    """Print one row; return its seconds, or those of a sample if it drew some."""
    before = reset_peak()
    start = time.perf_counter()
    result = measure()
    seconds = time.perf_counter() - start
    line = f"{name:<18}{n_arms:>9,}{d:>3}{in_words(seconds):>12}{peak() - before:>10.1f}"
    if isinstance(result, tuple) and isinstance(result[0], int):
        samples, seconds = result
        seconds /= max(samples, 1)
        line += f"{samples:>12,}{in_words(seconds):>14}"
    print(line, flush=True)
    return seconds


OPERATIONS = {
    "pareto_set": lambda n, d, plain, region: pareto_set(plain.means),
    "gaps": lambda n, d, plain, region: gaps(plain.means),
    "transport_cost": lambda n, d, plain, region: uniform_cost(plain.means),
    "TrackAndStop": lambda n, d, plain, region: run(track_and_stop(n), plain),
    "ECAPE": lambda n, d, plain, region: run(ECAPE(), region),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=100_000, help="largest number of arms")
    most = parser.parse_args().most
    print(f"{'':<18}{'arms':>9}{'d':>3}{'time':>12}{'MB':>10}{'samples':>12}{'per sample':>14}")
    for d, ladder in LADDERS.items():
        sizes = [n for n in ladder if n <= most]
        for name, operation in OPERATIONS.items():
            operation(100, d, instance(100, d, False), instance(100, d, True))  # compiled by now
            seconds = []
            for n in sizes:
                given = instance(n, d, False), instance(n, d, True)
                seconds.append(row(name, n, d, lambda n=n, g=given: operation(n, d, *g)))  # noqa: B023
            exponent = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
            print(f"{'':<18}grows like K^{exponent:.2f}\n", flush=True)


if __name__ == "__main__":
    main()
