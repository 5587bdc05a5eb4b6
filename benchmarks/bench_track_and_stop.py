"""Times of Track-and-Stop on COV-BOOST; see README.md for what the rows are."""

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
from plain_python import in_words, run_interpreted

from pareto_core import TrackAndStop, load_instance, simulate
from pareto_core.instances.noise import make_source
from pareto_core.loop.interruption import new_flag
from pareto_core.loop.run import LAST_SAMPLE, SAMPLE, compile_run
from pareto_core.simulation.runs import run_generator

READINGS = {"10/25": (10, 25), "1/1": (1, 1)}
TIMES = (1_000, 10_000, 100_000, 1_000_000)
WINDOW = 2_000  # samples timed at each of them
FIRST = 300  # samples of the interpreted loop
PAPER_RUNS = 2_000


class Run:
    """One run that goes on for ever, and is timed in pieces."""

    def __init__(self, reading):
        gradient_every, check_every = READINGS[reading]
        algorithm = TrackAndStop(
            delta=1e-300, gradient_every=gradient_every, check_every=check_every
        )
        instance = load_instance("cov_boost").standardised()
        self.source = make_source(instance)
        self.rng = run_generator(0, 0)
        self.loop = compile_run(algorithm.select, algorithm.stop, algorithm.recommend)
        self.parameters = algorithm.parameters(instance.problem)
        self.state = algorithm.start(instance.problem, None)
        self.answer = np.empty(20, bool)

    def seconds_until(self, samples):
        start = time.perf_counter()
        rest = self.source, self.rng, (samples, LAST_SAMPLE), new_flag(), self.answer
        self.loop(SAMPLE, self.parameters, self.state, *rest)
        return time.perf_counter() - start


def first_samples(interpreted):
    """Seconds of the first samples under each reading."""
    result = {}
    for reading in READINGS:
        if not interpreted:
            Run(reading).seconds_until(FIRST)  # compiled by now
        result[reading] = Run(reading).seconds_until(FIRST)
    return result


def print_growth():
    print(f"\nOne run, {WINDOW} samples from t on: time per sample (must not grow with t)")
    print(f"{'gradient/check every':<22}" + "".join(f"{f't = {t:,}':>16}" for t in TIMES))
    for reading in READINGS:
        run, cells = Run(reading), ""
        run.seconds_until(WINDOW)
        run = Run(reading)
        for t in TIMES:
            run.seconds_until(t)
            cells += f"{in_words(run.seconds_until(t + WINDOW) / WINDOW):>16}"
        print(f"{reading:<22}{cells}", flush=True)


def print_interpreted():
    compiled, plain = first_samples(False), run_interpreted(Path(__file__))
    print(f"\nThe same first {FIRST} samples, compiled and as plain Python: time per sample")
    print(f"{'gradient/check every':<22}{'compiled':>16}{'plain Python':>16}{'ratio':>16}")
    for reading in READINGS:
        fast, slow = compiled[reading] / FIRST, plain[reading] / FIRST
        print(f"{reading:<22}{in_words(fast):>16}{in_words(slow):>16}{slow / fast:>16.0f}")


def print_simulations(runs):
    instance, cores = load_instance("cov_boost"), os.cpu_count()
    jobs = sorted({1, cores})
    print(f"\n{runs} runs of COV-BOOST, delta = 0.1, on {cores} cores")
    print(
        f"{'gradient/check every':<22}{'threads':>8}{'mean samples':>14}{'seconds':>10}"
        f"{'speed-up':>10}  {PAPER_RUNS} runs"
    )
    for reading, (gradient_every, check_every) in READINGS.items():
        algorithm = TrackAndStop(gradient_every=gradient_every, check_every=check_every)
        simulate(algorithm, instance, 1, progress=False)
        single = None
        for n_jobs in jobs:
            start = time.perf_counter()
            result = simulate(algorithm, instance, runs, n_jobs=n_jobs, progress=False)
            spent = time.perf_counter() - start
            single = single or spent
            whole = spent * PAPER_RUNS / runs
            kind = "measured" if runs == PAPER_RUNS else "extrapolated"
            print(
                f"{reading:<22}{n_jobs:>8}{result.samples.mean():>14.0f}{spent:>10.2f}"
                f"{single / spent:>10.2f}  {whole:.0f} s ({kind})",
                flush=True,
            )
    print("The paper's program, 10/25: 5 h on 16 cores (quoted)")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help=f"all {PAPER_RUNS} runs")
    parser.add_argument("--interpreted", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.interpreted:
        print(json.dumps(first_samples(True)))
        return
    print_interpreted()
    print_growth()
    print_simulations(PAPER_RUNS if arguments.full else 200)


if __name__ == "__main__":
    main()
