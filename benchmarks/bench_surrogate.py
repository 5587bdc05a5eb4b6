"""Times of the linear program of MO-BAI; see README.md for what the columns are."""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
import numpy as np
from plain_python import in_words, seconds
from scipy.optimize import linprog
from scipy.sparse import csr_array

from pareto_core.bounds.surrogate import surrogate_space, surrogate_value, write_surrogate
from pareto_core.bounds.surrogate.solver import BOX, average_surrogates, iteration_memory
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.registry import load_instance

SAMPLES = 3000  # of a run before the programs that are timed
PROGRAMS = 300  # one after the other in a run
ITERATIONS = 100  # of the baseline, all timed
FOR_HIGHS = 10  # of the programs, evenly spread
METHODS = ("highs", "highs-ds", "highs-ipm")


def synthetic(n_arms, n_objectives):
    """Means of the paper's synthetic instance, of another size."""
    rng = np.random.default_rng(1)
    means = rng.uniform(size=(n_arms, n_objectives))
    diagonal = np.arange(n_objectives)
    means[diagonal, diagonal] = rng.uniform(1.2, 2, n_objectives)
    return means


@kernel
def follow_run(truth, noise, eta, means, weights):
    """Play MO-BAI with this noise; keep the empirical means and weights of the last samples."""
    n_arms, n_kept = truth.shape[0], len(weights)
    space, proportions = surrogate_space(*truth.shape), np.empty(n_arms)
    sums, pulls, buffer = truth + noise[:n_arms], np.ones(n_arms), np.zeros(n_arms)
    known, renewed = sums.copy(), n_arms
    for t in range(n_arms, len(noise)):
        if t >= 2 * renewed or t == n_arms:
            known[:] = sums / pulls.reshape(-1, 1)
            renewed = 2 ** int(np.log2(t))
        now = (pulls + buffer) / t
        write_surrogate(known, now, eta, space, proportions)
        if t >= len(noise) - n_kept:
            weights[t - len(noise) + n_kept], means[t - len(noise) + n_kept] = now, known
        arm = np.argmax(buffer + proportions)
        sums[arm] += truth[arm] + noise[t]
        pulls[arm] += 1
        buffer += proportions
        buffer[arm] -= 1


def programs_of_run(truth, eta):
    """Means and weights of the last steps of a run of MO-BAI."""
    means, weights = np.empty((PROGRAMS, *truth.shape)), np.empty((PROGRAMS, len(truth)))
    steps = len(truth) + SAMPLES + PROGRAMS
    noise = np.random.default_rng(2).normal(size=(steps, truth.shape[1]))
    follow_run(truth, noise, eta, means, weights)
    return means, weights


def programs_of_baseline(truth):
    """Means and weights of the iterations of Algorithm 3, after as many samples of each arm."""
    spread = np.sqrt(len(truth) / SAMPLES)
    means = truth + spread * np.random.default_rng(2).normal(size=truth.shape)
    weights = np.full((ITERATIONS, len(truth)), 1 / len(truth))
    for k in range(1, ITERATIONS):
        memory = iteration_memory(k, *truth.shape)
        average_surrogates(means, weights[k], surrogate_space(*truth.shape), memory)
    return np.repeat(means[None], ITERATIONS, axis=0), weights


@kernel
def solve_all(means, weights, eta, cold, space, proportions):
    """Solve all programs, one after the other; return the exchanges."""
    pivots = 0
    for t in range(len(weights)):
        if cold:
            space.basis.names["kind"][:] = BOX  # nothing to remember
            space.program.means[:] = np.nan
        write_surrogate(means[t], weights[t], eta, space, proportions[t])
        pivots += space.basis.state[0]["pivots"]
    return pivots


def our_times(means, weights, eta, cold):
    """Mean time of a program, and mean number of exchanges."""
    space, proportions = surrogate_space(*means[0].shape), np.empty_like(weights)
    arguments = means, weights, eta, cold, space, proportions
    pivots = solve_all(*arguments)
    time = seconds(lambda: solve_all(*arguments), at_least=0.5)
    return time / len(weights), pivots / len(weights), proportions


def highs_program(means, weights, eta):
    """The program as arguments of `linprog`, its coefficients divided by a scale; and the scale."""
    n_arms, n_objectives = means.shape
    best = means.argmax(axis=0)
    half = (means[best, np.arange(n_objectives)] - means) ** 2 / 2
    total = weights[:, None] + weights[best]
    free = total == 0
    of_b = np.where(free, 0.5, weights[best] / np.where(free, 1, total))
    arm, objective = np.nonzero(np.arange(n_arms)[:, None] != best)
    a, c = (half * of_b**2)[arm, objective], (half * (1 - of_b) ** 2)[arm, objective]
    scale = (a + c).min()
    rows = np.arange(len(arm))
    entries = np.concatenate([-a / scale, -c / scale, np.ones(len(arm))])
    columns = np.concatenate([arm, best[objective], np.full(len(arm), n_arms)])
    arguments = {
        "c": np.append(np.zeros(n_arms), -1.0),
        "A_ub": csr_array((entries, (np.tile(rows, 3), columns)), (len(arm), n_arms + 1)),
        "b_ub": np.zeros(len(arm)),
        "A_eq": csr_array(np.append(np.ones(n_arms), 0.0)[None]),
        "b_eq": [1.0],
        "bounds": [(eta / (1 + eta) / n_arms, None)] * n_arms + [(None, None)],
    }
    return arguments, scale


def highs_times(means, weights, eta, proportions):
    """Mean time of a program by each method; the optima must agree."""
    times = dict.fromkeys(METHODS, 0.0)
    for t in range(0, len(weights), len(weights) // FOR_HIGHS):
        arguments, scale = highs_program(means[t], weights[t], eta)
        for method in METHODS:
            result = linprog(**arguments, method=method)
            ours = surrogate_value(means[t], weights[t], proportions[t])
            assert abs(-result.fun * scale / ours - 1) < 1e-5
            call = lambda a=arguments, m=method: linprog(**a, method=m)  # noqa: E731
            times[method] += seconds(call, at_least=0.05) / FOR_HIGHS
    return times


def print_row(name, truth, what, eta, line):
    programs = programs_of_baseline(truth) if what == "Algorithm 3" else programs_of_run(truth, eta)
    cold, cold_pivots, _ = our_times(*programs, eta, True)
    warm, warm_pivots, proportions = our_times(*programs, eta, False)
    times = highs_times(*programs, eta, proportions)
    method = min(times, key=times.get)
    print(
        line.format(
            name,
            f"{what}, η = {eta:g}",
            in_words(cold),
            f"{cold_pivots:.1f}",
            in_words(warm),
            f"{warm_pivots:.1f}",
            in_words(times[method]),
            method,
            f"{times[method] / cold:.0f}",
            f"{times[method] / warm:.0f}",
        ),
        flush=True,
    )


def main():
    print("Mean time of a program, one thread")
    heads = ("K x M", "weights of", "cold", "pivots", "warm", "pivots", "HiGHS", "by")
    line = "{:<9}{:<23}{:>9}{:>8}{:>9}{:>8}{:>9}  {:<10}{:>6}{:>6}"
    print(line.format(*heads, "cold", "warm"))
    snw = 10 * load_instance("snw").means
    for name, truth in [
        ("20 x 10", synthetic(20, 10)),
        ("206 x 2", np.array(snw)),
        ("206 x 10", synthetic(206, 10)),
    ]:
        print_row(name, truth, "MO-BAI", 0.1, line)
        print_row(name, truth, "MO-BAI", 0.0, line)
        print_row(name, truth, "Algorithm 3", 0.0, line)


if __name__ == "__main__":
    main()
