r"""Exploration: how an arm whose first samples were unlucky is sampled again.

``"square_root"`` forces a sample of the rarest arm whenever it has at most :math:`\sqrt t-K/2` of
them (Garivier & Kaufmann 2016). ``"evidence"`` gives each arm a share of

.. math::
    q_k=\frac1K\exp(-E_k),\qquad E_k=\frac{N_k\Delta_k^2}2,

where the gap :math:`\Delta_k` is about the distance that arm k has to move by itself for another
answer: a Kth of the samples for as long, and as far, as its own samples leave open that it was
misjudged. A sample of the rarest arm is forced only if it has at most :math:`2\sqrt t/K`.
"""

import typing

import numpy as np

from pareto_core.algorithms.tracking import square_root
from pareto_core.checks.words import Exploration
from pareto_core.compiling.kernels import part

EXPLORATIONS = typing.get_args(Exploration)
NONE, SQUARE_ROOT, EVIDENCE = range(len(EXPLORATIONS))


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
