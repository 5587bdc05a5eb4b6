"""What the loop costs around an algorithm in plain Python, and the checks of a compiled one."""

import time

import numpy as np
from bench_borrowing import ENTRIES, REPEATS, seconds

import pareto_core as pc
from pareto_core.compiling.borrowing import borrowed
from pareto_core.compiling.kernels import loop
from pareto_core.instances.noise import make_source
from pareto_core.loop.record import observe
from pareto_core.loop.run import compile_run
from pareto_core.simulation.runs import run_generator

SAMPLES = 200_000
CHECKED = ("uniform", "APE", "Track-and-Stop, every 10th and 25th")


class FirstArm(pc.PythonAlgorithm):
    """Sample the first arm, for ever: next to no work of its own."""

    def select(self, record, memory):
        return 0

    def stop(self, record, memory):
        return False

    def recommend(self, record, memory):
        return [0]


def overhead(instance):
    """Seconds per sample of a run in plain Python, and of its methods alone."""
    algorithm = FirstArm()
    played = instance.standardised()
    run = algorithm.begin(played.problem, run_generator(0, 1))
    source, draw = make_source(played)
    run.play(source, draw, run_generator(0, 0), 10)
    start = time.perf_counter()
    run.play(source, draw, run_generator(0, 0), SAMPLES)
    whole = time.perf_counter() - start
    start = time.perf_counter()
    for _ in range(SAMPLES):
        algorithm.select(None, None)
        algorithm.stop(None, None)
    return whole / SAMPLES, (time.perf_counter() - start) / SAMPLES


def compile_unchecked(select, stop, draw):
    """The loop of `compile_run`, which believes what the kernels return."""

    @loop
    def run(parameters, state, source, rng, max_samples, answer):
        parameters, state, source = borrowed(parameters), borrowed(state), borrowed(source)
        total = np.empty(state.record.means.shape[1])
        scatter = np.empty(state.record.means.shape[1])
        stopped = False
        while not stopped and state.record.time[0] < max_samples:
            arm, wanted = select(parameters, state)
            wanted = min(wanted, max_samples - state.record.time[0])
            number = draw(source, arm, wanted, rng, total, scatter)
            if number == 0:
                break
            observe(state.record, arm, number, total, scatter)
            stopped = stop(parameters, state)
        return stopped

    return run


def checks(algorithm, instance):
    """Shortest seconds per sample of the loop with its checks, and without."""
    played = instance.standardised()
    draw = make_source(played)[1]
    loops = (
        compile_run(algorithm.select, algorithm.stop, algorithm.recommend, draw),
        compile_unchecked(algorithm.select, algorithm.stop, draw),
    )
    for each in loops:
        seconds(each, algorithm, played, 100)  # compile
    pairs = [[seconds(each, algorithm, played) for each in loops] for _ in range(2 * REPEATS)]
    times = np.array([[took for took, _ in pair] for pair in pairs])
    return times.min(axis=0) / pairs[0][0][1].sum()


def main():
    instance = pc.load_instance("cov_boost")
    whole, own = min(overhead(instance) for _ in range(REPEATS))
    print(f"Plain Python: {1e6 * whole:.2f} µs per sample, {1e6 * own:.2f} µs of it in the methods")
    print("\n| algorithm | checked | believed | ratio |\n|---|---|---|---|")
    for name in CHECKED:
        algorithm, instance_name = ENTRIES[name]
        checked, believed = checks(algorithm, pc.load_instance(instance_name))
        times = f"{1e6 * checked:.3f} µs | {1e6 * believed:.3f} µs"
        print(f"| {name} | {times} | {checked / believed:.3f} |", flush=True)


if __name__ == "__main__":
    main()
