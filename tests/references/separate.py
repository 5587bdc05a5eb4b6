"""The cheapest alternative with weights per arm and objective, slowly and plainly."""

import numpy as np
from references import noise


def transport(means, weights):
    """Cheapest alternative with positive weights per arm and objective: (cost, means).

    An arm of weight 1 and of variance 1 / w_kc in objective c has these weights.
    """
    covariance = np.array([np.diag(1 / each) for each in weights])
    return noise.transport(means, np.ones(len(means)), covariance)


def confusion(means, weights):
    """Cheapest alternative in which another arm is best in an objective: (cost, means)."""
    found = []
    for c, leader in enumerate(means.argmax(axis=0)):
        for k in range(len(means)):
            if k != leader:
                pair = [leader, k]
                total = weights[pair, c].sum()
                even = np.full(2, 0.5) if total == 0 else weights[pair, c] / total
                place = even @ means[pair, c]
                other = means.copy()
                other[pair, c] = place
                cost = (weights * (means - other) ** 2).sum() / 2
                found.append((cost, other))
    return min(found, key=lambda pair: pair[0])
