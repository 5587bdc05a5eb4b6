r"""The distance of an answer from the Pareto front (Auer et al. 2016).

An answer P, a set of arms, is judged by two distances (Section 2): the depth of an arm i below
the front, :math:`\Delta_i^*=\max_{j\in P^*}m(i,j)`, and the amount by which an arm j must be
raised until it is nowhere worse than an arm i,

.. math:: M(i,j)=\max\{0,\max_c(\mu_i^c-\mu_j^c)\},

which is not symmetric but satisfies the triangle inequality.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_means
from pareto_core.geometry.dominance import pareto_set
from pareto_lab.comparison.accuracy import below_front, checked_answer

__all__ = ["estimation_distance"]


def estimation_distance(means: ArrayLike, answer: ArrayLike) -> float | np.ndarray:
    r"""Distance of an answer from the Pareto front (Auer et al. 2016, Section 8)."""
    means = check_means(means)
    masks, single = checked_answer(answer, means.shape[0])
    distance = np.maximum(_deepest(means, masks), _farthest_optimal(means, masks))
    return distance.item() if single else distance


def _deepest(means, masks):
    """Largest distance of a returned arm to the front, (n,); 0 if no arm is returned."""
    return np.where(masks, below_front(means), 0.0).max(axis=1)


def _farthest_optimal(means, masks):
    """Largest distance M of an optimal arm from the closest returned arm, (n,)."""
    farthest = np.zeros(masks.shape[0])
    for i in pareto_set(means):
        nearest = np.where(masks, _excess(means, i), np.inf).min(axis=1)
        farthest = np.maximum(farthest, nearest)
    return farthest


def _excess(means, i):
    """Distance M(i, j) of arm i from every arm j, (K,)."""
    return np.maximum((means[i] - means).max(axis=1), 0.0)
