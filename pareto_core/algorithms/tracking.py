r"""Steps that many algorithms share: a first sample of each arm, tracking, exploration.

Tracking is that of Garivier & Kaufmann (2016, Section 3.1), and modifies ``targets`` in place.
Exploration samples an arm again whose first samples were unlucky. ``"square_root"`` is theirs: it
forces a sample of the rarest arm whenever it has at most :math:`\sqrt t-K/2`, so that a round in
which each arm is forced once is over before the next is due. ``"evidence"`` gives each arm a share
of

.. math::
    q_k=\frac1K\exp(-E_k),\qquad E_k=\frac{N_k\Delta_k^2}2,

where the gap :math:`\Delta_k` is about the distance that arm k has to move by itself for another
answer: a Kth of the samples for as long, and as far, as its own samples leave open that it was
misjudged. A sample of the rarest arm is forced only if it has at most :math:`2\sqrt t/K`.
"""

import typing

import numpy as np

from pareto_core.checks.words import Exploration
from pareto_core.compiling.kernels import part

EXPLORATIONS = typing.get_args(Exploration)
NONE, SQUARE_ROOT, EVIDENCE = range(len(EXPLORATIONS))


@part
def in_first_round(record):
    """Whether the round of first samples goes on, whose next arm is ``record.time[0]``."""
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
    """Track the sum of all weights so far (C-tracking); return the arm furthest behind."""
    for k in range(counts.shape[0]):
        targets[k] += weights[k]
    return furthest_behind(targets, counts)


@part
def follow_latest(targets, weights, samples, counts):
    """Track ``samples`` times the latest weights (D-tracking); return the arm furthest behind."""
    for k in range(counts.shape[0]):
        targets[k] = samples * weights[k]
    return furthest_behind(targets, counts)


@part
def square_root(samples, n_arms):
    """Samples at which Garivier & Kaufmann (2016) force exploration: sqrt(t) - K/2."""
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


@part
def least_samples(exploration, samples, n_arms):
    """Samples of an arm at which it is sampled next, if it has no more; below 0 if never."""
    if exploration == SQUARE_ROOT:
        return square_root(samples, n_arms)
    return 2.0 * np.sqrt(samples) / n_arms if exploration == EVIDENCE else -1.0


@part
def write_doubts(weights, gaps, doubts):
    """Write the share of each arm, or arm and objective, from its samples and its gap."""
    doubts_of_each = doubts.reshape(gaps.shape[0], -1)
    samples = weights.reshape(doubts_of_each.shape)
    for k in range(gaps.shape[0]):
        for c in range(doubts_of_each.shape[1]):
            evidence = 0.5 * samples[k, c] * gaps[k] * gaps[k]
            doubts_of_each[k, c] = np.exp(-evidence) / doubts.shape[0]


@part
def mix_doubts(shares, doubts, mixed):
    """Write the shares that give each arm its doubts, and the rest in proportion to ``shares``."""
    total = 0.0
    for k in range(doubts.shape[0]):
        total += doubts[k]
    for k in range(doubts.shape[0]):
        mixed[k] = (1.0 - total) * shares[k] + doubts[k]
