"""What the loop costs around an algorithm in plain Python."""

import time

import pareto_core as pc
from pareto_core.instances.noise import make_source
from pareto_core.simulation.runs import run_generator

SAMPLES = 200_000  # in plain Python
REPEATS = 5


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
    source = make_source(played)
    run.play(source, run_generator(0, 0), 10)
    start = time.perf_counter()
    run.play(source, run_generator(0, 0), SAMPLES)
    whole = time.perf_counter() - start
    start = time.perf_counter()
    for _ in range(SAMPLES):
        algorithm.select(None, None)
        algorithm.stop(None, None)
    return whole / SAMPLES, (time.perf_counter() - start) / SAMPLES


def main():
    instance = pc.load_instance("cov_boost")
    whole, own = min(overhead(instance) for _ in range(REPEATS))
    print(f"Plain Python: {1e6 * whole:.2f} µs per sample, {1e6 * own:.2f} µs of it in the methods")


if __name__ == "__main__":
    main()
