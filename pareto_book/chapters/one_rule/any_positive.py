"""Is any arm positive? A question on which forced samples must be added to the targets."""

import math

import numpy as np

from pareto_core.compiling.kernels import kernel

__all__ = ["FORCED", "MIXING", "SHARES", "counts_of_runs"]

FORCED, SHARES, MIXING = 0, 1, 2  # the two versions of the rule; shares in forced rounds too


@kernel
def _write_shares(counts, means, shares):
    """Write the shares of the evidence against the cheapest change of the answer."""
    total, cheapest, least = 0.0, 0, np.inf
    for k in range(counts.shape[0]):
        shares[k] = counts[k] * max(means[k], 0.0) ** 2
        total += shares[k]
        if counts[k] * means[k] ** 2 < least:
            cheapest, least = k, counts[k] * means[k] ** 2
    if total == 0.0:  # no average is positive: raise the arm for which that is cheapest
        shares[cheapest], total = 1.0, 1.0
    for k in range(counts.shape[0]):
        shares[k] /= total


@kernel
def _run(means, noise, version, counts):
    """Fill ``counts`` with the samples of each arm at the end of one run."""
    n_arms = means.shape[0]
    targets, shares = np.ones(n_arms), np.empty(n_arms)
    sums = means + noise[:n_arms]
    counts[:] = 1.0
    for time in range(n_arms, noise.shape[0]):
        _write_shares(counts, sums / counts, shares)
        arm = counts.argmin()
        least = math.sqrt(time) - n_arms / 2
        forced = version != MIXING and counts[arm] <= least
        mixed = (1 + math.log(time)) / time if version == MIXING else 0.0
        if forced and version == FORCED:
            targets[arm] += 1.0
        else:
            targets += (1 - mixed) * shares + mixed / n_arms
        if not forced:
            arm = (targets - counts).argmax()
        counts[arm] += 1.0
        sums[arm] += means[arm] + noise[time]


def counts_of_runs(
    means: np.ndarray, horizon: int, runs: int, version: int, seed: int = 0
) -> np.ndarray:
    """Samples of each arm after ``horizon`` samples, shape (runs, K)."""
    found = np.empty((runs, means.size))
    for run in range(runs):
        noise = np.random.default_rng([seed, run]).standard_normal(horizon)
        _run(means, noise, version, found[run])
    return found
