"""Times of the cheapest alternative under known noise, against that for unit variance.

See README.md for what the columns are.
"""

import time

import numpy as np
from bench_transport import instances

from pareto_core import characteristic_time
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.metric import known_noise
from pareto_core.transport.oracle import BRANCH_AND_BOUND, allocate_oracle
from pareto_core.transport.walk import cheapest_alternative

SIZES = [(2, 32), (3, 32), (5, 16)]
COUNT, CALLS, REPEATS = 20, 50, 5
NOISES = {
    "unit covariance": lambda rng, n_arms, d: equal_correlation(n_arms, d, 0.0),
    "correlation -0.3 (-0.15 if d = 5)": lambda rng, n_arms, d: equal_correlation(
        n_arms, d, -0.3 if d < 5 else -0.15
    ),
    "correlation 0.5": lambda rng, n_arms, d: equal_correlation(n_arms, d, 0.5),
    "correlation 0.9": lambda rng, n_arms, d: equal_correlation(n_arms, d, 0.9),
    "variances of each arm": lambda rng, n_arms, d: (
        np.exp(rng.uniform(-1, 1, (n_arms, d)))[:, :, None] * np.eye(d)
    ),
    "covariance of each arm": lambda rng, n_arms, d: random_covariance(rng, n_arms, d),
}


def equal_correlation(n_arms, d, correlation):
    """The same correlation between all objectives."""
    return np.broadcast_to(np.where(np.eye(d), 1.0, correlation), (n_arms, d, d))


def random_covariance(rng, n_arms, d):
    """A covariance for each arm."""
    factors = rng.standard_normal((n_arms, d, d))
    covariance = factors @ factors.transpose(0, 2, 1) + 0.3 * np.eye(d)
    return 0.5 * (covariance + covariance.transpose(0, 2, 1))


@kernel
def _respond(means, weights, noise, oracle, calls):
    for _ in range(calls):
        cheapest_alternative(means, weights, noise, None, np.inf, oracle)


def cpu_time(function, *arguments):
    """Shortest time of a call, in seconds of this thread."""
    function(*arguments, 1)
    found = []
    for _ in range(REPEATS):
        start = time.thread_time()
        function(*arguments, CALLS)
        found.append((time.thread_time() - start) / CALLS)
    return min(found)


def ratios(d, p, weigh):
    """Times with unit variance, and ratios of the times of each noise to them, per instance."""
    plain, noisy = [], {name: [] for name in NOISES}
    rng = np.random.default_rng(0)
    for means, random_weights in instances(d, p, COUNT):
        n_arms = len(means)
        oracle = allocate_oracle(n_arms, d, method=BRANCH_AND_BOUND)
        for name, make in NOISES.items():
            covariance = np.array(make(rng, n_arms, d))
            weights = weigh(means, random_weights, covariance)
            base = cpu_time(_respond, means, weights, None, oracle)
            noise = known_noise(covariance)
            oracle_of_noise = allocate_oracle(n_arms, d, noise)
            found = cpu_time(_respond, means, weights, noise, oracle_of_noise)
            noisy[name].append(found / base)
            plain.append(base)
    return plain, noisy


def random_weights(means, weights, covariance):
    return weights


def best_weights(means, weights, covariance):
    time = characteristic_time(means, 1e-2, covariance=covariance)
    return np.maximum(time.weights, 1e-6)


def main():
    line = "{:>2} {:>3}  {:<8} {:<34} {:>6} {:>16}"
    print(line.format("d", "p", "weights", "noise", "ratio", "(10 % - 90 %)"))
    for d, p in SIZES:
        for weights, weigh in (("random", random_weights), ("best", best_weights)):
            plain, noisy = ratios(d, p, weigh)
            for name, found in noisy.items():
                low, middle, high = np.quantile(found, [0.1, 0.5, 0.9])
                spread = f"({low:.2f} - {high:.2f})"
                print(line.format(d, p, weights, name, f"{middle:.2f}", spread), flush=True)
            print(f"      unit variance: {1e6 * np.median(plain):.1f} µs")


if __name__ == "__main__":
    main()
