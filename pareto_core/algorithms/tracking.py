"""Steps that many algorithms share: a first sample of each arm, tracking, forced exploration."""

import numpy as np

from pareto_core.compiling.kernels import part

__all__ = [
    "follow_latest",
    "follow_sum",
    "furthest_behind",
    "in_first_round",
    "rarest_arm_if_neglected",
    "square_root",
]


@part
def in_first_round(record):
    """Whether an algorithm that samples each arm once, in order, has not done so yet.

    Until then, the next arm is ``record.time[0]``.
    """
    return record.time[0] < record.counts.shape[0]


@part
def furthest_behind(targets, counts):
    """Arm with the largest deficit ``targets - counts``; the first such arm on ties."""
    furthest, deficit = 0, -np.inf
    for k in range(counts.shape[0]):
        if targets[k] - counts[k] > deficit:
            furthest, deficit = k, targets[k] - counts[k]
    return furthest


@part
def follow_sum(targets, weights, counts):
    """Track the sum of all weights so far (C-tracking); return the arm furthest behind.

    Garivier & Kaufmann (2016), Section 3.1. ``targets`` is modified in place.
    """
    for k in range(counts.shape[0]):
        targets[k] += weights[k]
    return furthest_behind(targets, counts)


@part
def follow_latest(targets, weights, samples, counts):
    """Track ``samples`` times the latest weights (D-tracking); return the arm furthest behind.

    Garivier & Kaufmann (2016), Section 3.1. ``targets`` is modified in place.
    """
    for k in range(counts.shape[0]):
        targets[k] = samples * weights[k]
    return furthest_behind(targets, counts)


@part
def square_root(samples, n_arms):
    """Samples at which Garivier & Kaufmann (2016) force exploration: sqrt(t) - K/2.

    A round in which each arm is forced once is over before the next is due, because this rises by 1
    in more than K samples. Therefore each arm has at least sqrt(t) - K/2 - 1 samples.
    """
    return np.sqrt(samples) - 0.5 * n_arms


@part
def rarest_arm_if_neglected(counts, arms, least):
    """The first of ``arms`` with the fewest samples if it has at most ``least``; otherwise -1."""
    if least < 0.0:
        return -1
    rarest, fewest = -1, np.inf
    for k in arms:
        if counts[k] < fewest:
            rarest, fewest = k, counts[k]
    return rarest if fewest <= least else -1
