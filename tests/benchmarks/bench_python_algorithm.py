"""What the loop costs around an algorithm in plain Python, and around a compiled one."""

import time

import numpy as np

import pareto_core as pc
from pareto_core.compiling.kernels import loop
from pareto_core.instances.noise import make_source
from pareto_core.loop.record import observe
from pareto_core.loop.run import compile_run
from pareto_core.simulation.runs import run_generator

SAMPLES = 200_000  # in plain Python
COMPILED = 20_000
DELTA = 1e-300  # no run stops while the clock runs
REPEATS = 5
ALGORITHMS = {
    "uniform": pc.UniformSampling(delta=DELTA),
    "APE": pc.APE(delta=DELTA),
    "Track-and-Stop, every 10th and 25th": pc.TrackAndStop(
        delta=DELTA, gradient_every=10, check_every=25
    ),
}


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


def compile_bare(select, stop, draw):
    """A loop that contains the functions of an algorithm, and does not check what they return."""

    @loop
    def run(parameters, state, source, rng, max_samples, answer):
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


def seconds(run, algorithm, instance, samples=COMPILED):
    """Time of one run, cut off at a number of samples."""
    state, source = algorithm.start(instance.problem, None), make_source(instance)[0]
    answer = algorithm.question.empty(instance.n_arms, instance.n_objectives)
    parameters = algorithm.parameters(instance.problem)
    start = time.perf_counter()
    run(parameters, state, source, run_generator(0, 0), samples, answer)
    return time.perf_counter() - start


def compare(algorithm, instance):
    """Shortest seconds per sample of the package's loop, and of a bare one."""
    played = instance.standardised()
    draw = make_source(played)[1]
    loops = (
        compile_run(algorithm.select, algorithm.stop, algorithm.recommend, draw),
        compile_bare(algorithm.select, algorithm.stop, draw),
    )
    for each in loops:
        seconds(each, algorithm, played, 100)  # compile
    pairs = [[seconds(each, algorithm, played) for each in loops] for _ in range(2 * REPEATS)]
    return np.min(pairs, axis=0) / COMPILED


def main():
    instance = pc.load_instance("cov_boost")
    whole, own = min(overhead(instance) for _ in range(REPEATS))
    print(f"Plain Python: {1e6 * whole:.2f} µs per sample, {1e6 * own:.2f} µs of it in the methods")
    print("\n| algorithm | package | bare | ratio |\n|---|---|---|---|")
    for name, algorithm in ALGORITHMS.items():
        ours, bare = compare(algorithm, instance)
        print(f"| {name} | {1e6 * ours:.3f} µs | {1e6 * bare:.3f} µs | {ours / bare:.3f} |")


if __name__ == "__main__":
    main()
