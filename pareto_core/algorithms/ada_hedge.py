"""AdaHedge: exponential weights with an adaptive learning rate (De Rooij et al. 2014)."""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel


class AdaHedge(NamedTuple):
    """A learner whose weighted gain approaches that of the best of K arms."""

    weights: np.ndarray  # (K,) the next weights
    total: np.ndarray  # (K,) sum of the gains so far
    mixability: np.ndarray  # (1,) sum of the mixability gaps so far


def ada_hedge(n_arms):
    """Allocate a learner before the first gains, with equal weights."""
    return AdaHedge(np.full(n_arms, 1 / n_arms), np.zeros(n_arms), np.zeros(1))


@kernel
def _write_weights(learner):
    """Set the weights proportional to exp(rate * total), with rate = log(K) / mixability."""
    best = learner.total.max()
    rate = np.log(learner.total.shape[0]) / learner.mixability[0]
    sum_ = 0.0
    for i in range(learner.total.shape[0]):
        behind = best - learner.total[i]
        learner.weights[i] = 1.0 if behind == 0.0 else np.exp(-rate * behind)
        sum_ += learner.weights[i]
    for i in range(learner.total.shape[0]):
        learner.weights[i] /= sum_


@kernel
def gain(learner, gains):
    """Add the gains of all arms, shape (K,), and update the weights. `learner` changes in place."""
    rate = np.log(gains.shape[0]) / learner.mixability[0]
    largest = -np.inf
    for i in range(gains.shape[0]):
        if learner.weights[i] > 0.0:
            largest = max(largest, gains[i])
    earned, mixed = 0.0, 0.0
    for i in range(gains.shape[0]):
        if learner.weights[i] > 0.0:
            earned += learner.weights[i] * gains[i]
            behind = largest - gains[i]
            mixed += learner.weights[i] * (1.0 if behind == 0.0 else np.exp(-rate * behind))
        learner.total[i] += gains[i]
    if rate < np.inf:
        largest += np.log(mixed) / rate
    learner.mixability[0] += max(largest - earned, 0.0)
    _write_weights(learner)
