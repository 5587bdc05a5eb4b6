"""What counting references costs a run: the loop on borrowed arrays and on counted ones."""

import time

import numpy as np
from numba import njit

import pareto_core as pc
from pareto_core.instances.noise import make_source
from pareto_core.loop.record import observe
from pareto_core.loop.run import compile_run
from pareto_core.simulation.runs import run_generator

SAMPLES = 20_000
DELTA = 1e-300  # no run stops while the clock runs
REPEATS = 5
ENTRIES = {
    "Track-and-Stop": (pc.TrackAndStop(delta=DELTA), "cov_boost"),
    "Track-and-Stop, every 10th and 25th": (
        pc.TrackAndStop(delta=DELTA, gradient_every=10, check_every=25),
        "cov_boost",
    ),
    "uniform": (pc.UniformSampling(delta=DELTA), "cov_boost"),
    "APE": (pc.APE(delta=DELTA), "cov_boost"),
    "Racing": (pc.Racing(delta=DELTA, radius="hoeffding"), "cov_boost"),
    "PAL, linear": (pc.LinearPAL(delta=DELTA), "noc"),
    "MO-BAI": (pc.MOBAI(delta=DELTA), "cov_boost"),
    "e-cAPE": (pc.ECAPE(delta=DELTA), "cov_boost_igg"),
    "Game-cPSI": (pc.GameCPSI(delta=DELTA), "constrained_ordered"),
}


def compile_counted(select, stop, draw):
    """The loop of `compile_run`, but with references to the arrays counted."""

    @njit(nogil=True, error_model="numpy")
    def run(parameters, state, source, rng, max_samples, answer):
        total = np.empty(state.record.means.shape[1])
        scatter = np.empty(state.record.means.shape[1])
        stopped = False
        while not stopped and state.record.time[0] < max_samples:
            arm, wanted = select(parameters, state)
            wanted = min(wanted, max_samples - state.record.time[0])
            number = draw(source, arm, wanted, rng, total, scatter)
            observe(state.record, arm, number, total, scatter)
            stopped = stop(parameters, state)
        return stopped

    return run


def seconds(loop, algorithm, instance, samples=SAMPLES):
    """Time of one run, cut off at a number of samples, and what it sampled."""
    state, source = algorithm.start(instance.problem, None), make_source(instance)[0]
    answer = algorithm.question.empty(instance.n_arms, instance.n_objectives)
    parameters = algorithm.parameters(instance.problem)
    start = time.perf_counter()
    loop(parameters, state, source, run_generator(0, 0), samples, answer)
    return time.perf_counter() - start, state.record.counts


def compare(algorithm, instance):
    """Shortest times per sample of both loops, borrowed first; they must sample alike."""
    instance = instance.standardised() if algorithm.needs_unit_variance else instance
    draw = make_source(instance)[1]
    loops = (
        compile_run(algorithm.select, algorithm.stop, algorithm.recommend, draw),
        compile_counted(algorithm.select, algorithm.stop, draw),
    )
    for loop in loops:
        seconds(loop, algorithm, instance, 2 * instance.n_arms)  # compile
    results = [[seconds(loop, algorithm, instance) for loop in loops] for _ in range(REPEATS)]
    for (_, ours), (_, theirs) in results:
        np.testing.assert_array_equal(ours, theirs)
    times = np.array([[took for took, _ in pair] for pair in results])
    return times.min(axis=0) / ours.sum()


def main():
    print("| algorithm | instance | borrowed | counted | ratio |")
    print("|---|---|---|---|---|")
    for name, (algorithm, instance) in ENTRIES.items():
        borrowed, counted = compare(algorithm, pc.load_instance(instance))
        times = f"{1e6 * borrowed:.2f} µs | {1e6 * counted:.2f} µs"
        print(f"| {name} | {instance} | {times} | {counted / borrowed:.1f} |", flush=True)


if __name__ == "__main__":
    main()
