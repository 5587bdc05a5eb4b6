"""AdaHedge as it is defined."""

import math

import numpy as np


def ada_hedge_by_definition(losses):
    """Weights played in every round: De Rooij et al. (2014), Figure 1."""
    losses = np.array(losses)
    n_arms, total, mixability = losses.shape[1], np.zeros(losses.shape[1]), 0.0
    played = []
    for loss in losses:
        rate = math.log(n_arms) / mixability if mixability > 0 else math.inf
        if rate == math.inf:
            weights = (total == total.min()).astype(float)
        else:
            weights = np.exp(-rate * (total - total.min()))
        weights /= weights.sum()
        played.append(weights)
        if rate == math.inf:
            mixed = loss[weights > 0].min()
        else:
            mixed = -math.log(weights @ np.exp(-rate * (loss - loss.min()))) / rate + loss.min()
        mixability += max(weights @ loss - mixed, 0.0)
        total = total + loss
    return np.array(played)
