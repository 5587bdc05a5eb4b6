"""Times of single runs of GEGE; see README.md for what the columns are."""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import time

import numpy as np
from numpy_gege import NumPyGEGE
from plain_python import in_words

from pareto_core import GEGE
from pareto_core.instances.generators import linear_family
from pareto_core.instances.noise import draw, make_source
from pareto_core.loop.interruption import new_flag
from pareto_core.loop.record import observe
from pareto_core.loop.run import LAST_SAMPLE
from pareto_core.loop.steps import SAMPLE, compile_run
from pareto_core.simulation.runs import run_generator

# (K, h, d), milliseconds in Table 2 of Kone et al. (2025, linear): delta = 0.1, T = 500
ROWS = [
    ((10, 2, 2), 6, 217),
    ((50, 8, 2), 7, 464),
    ((100, 8, 4), 545, 791),
    ((200, 8, 8), 768, 1139),
    ((500, 8, 8), 1013, 2425),
]
DELTA, BUDGET = 0.1, 500
VARIANCE = 0.25
SEED = 0  # of the means; with some others, all arms are refused for h = 2
RUNS = 50
CHECKED = 5  # runs whose every decision is compared


def make_instance(K, h, d):
    """One of the paper's family: random means below zero of the first h arms."""
    rng = np.random.default_rng(SEED)
    return linear_family(-rng.random((h, d)), K, rng, np.full(d, VARIANCE))


def play(algorithm, parameters, instance, run):
    """One run by the compiled loop, as `simulate` has it: (samples, rounds)."""
    source = make_source(instance)
    loop = compile_run(algorithm.select, algorithm.stop, algorithm.recommend)
    state, answer = algorithm.start(instance.problem, None), np.empty(instance.n_arms, np.bool_)
    rest = run_generator(0, run), (10**12, LAST_SAMPLE), new_flag(), answer
    loop(SAMPLE, parameters, state, source, *rest)
    return state.record.time[0], state.race.round[0]


def play_numpy(instance, budget, run):
    game = NumPyGEGE(instance.features, DELTA, budget)
    game.run(instance.means, np.sqrt(instance.variance), run_generator(0, run))
    return game.samples, game.round


def measure(play_run):
    """Means over the runs after one to warm up: (seconds, samples, rounds)."""
    play_run(0)
    start = time.perf_counter()
    played = [play_run(run) for run in range(RUNS)]
    return (time.perf_counter() - start) / RUNS, *np.mean(played, axis=0)


def check_decisions(algorithm, parameters, instance, run):
    """Follow a run of ours, and see NumPy decide the same of each round's rewards."""
    source, rng = make_source(instance), run_generator(1, run)
    played = algorithm.begin(instance.problem, None, parameters)
    state = played.state
    total, scatter = np.empty((2, instance.n_objectives))
    game = NumPyGEGE(instance.features, DELTA, algorithm.budget)
    stopped = finished = False
    while not stopped:
        arm, number = played.select()
        if arm == np.flatnonzero(state.race.plan)[0]:
            planned = game.plan().sum()
        draw(source, arm, number, rng, total, scatter)
        observe(state.record, arm, number, total, scatter)
        stopped = played.stop()
        if state.race.turn[0] == instance.n_arms:
            pulls = state.record.counts - state.race.counts_before
            sums = state.record.sums - state.race.sums_before
            assert planned == pulls.sum()
            finished = game.decide(pulls[game.active], sums[game.active])
            assert game.active.tolist() == np.flatnonzero(state.race.active).tolist()
            assert sorted(game.accepted) == np.flatnonzero(state.race.accepted).tolist()
    assert finished


def print_row(shape, budget, printed, line):
    instance = make_instance(*shape)
    algorithm = GEGE(DELTA, budget=budget, lengths="experiment", variance_bound=VARIANCE)
    parameters = algorithm.parameters(instance.problem)
    for run in range(CHECKED):
        check_decisions(algorithm, parameters, instance, run)
    ours, samples, rounds = measure(lambda run: play(algorithm, parameters, instance, run))
    theirs, *_ = measure(lambda run: play_numpy(instance, budget, run))
    print(
        line.format(
            str(list(shape)),
            f"delta = {DELTA}" if budget is None else f"T = {budget}",
            in_words(ours),
            in_words(theirs),
            f"{theirs / ours:.1f}",
            f"{printed} ms",
            f"{printed / (1e3 * ours):.0f}",
            f"{samples:.0f}",
            f"{rounds:.1f}",
        ),
        flush=True,
    )


def main():
    print(f"Mean time of a run, over {RUNS} runs on one instance each, one thread")
    heads = ("[K, h, d]", "", "ours", "NumPy", "ratio", "printed", "ratio", "samples", "rounds")
    line = "{:<13}  {:<11}{:>10}{:>10}{:>8}{:>10}{:>8}{:>10}{:>8}"
    print(line.format(*heads))
    for shape, confidence, budget in ROWS:
        print_row(shape, None, confidence, line)
        print_row(shape, BUDGET, budget, line)


if __name__ == "__main__":
    main()
