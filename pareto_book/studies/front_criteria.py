r"""Distances of answers from the Pareto front, and scores of answers that may be accurate.

Auer et al. (2016) judge an answer P, a set of arms, by two distances (Section 2): the depth of an
arm i below the front, :math:`\Delta_i^*=\max_{j\in P^*}m(i,j)`, and the amount by which an arm j
must be raised until it is nowhere worse than an arm i,

.. math:: M(i,j)=\max\{0,\max_c(\mu_i^c-\mu_j^c)\},

which is not symmetric but satisfies the triangle inequality. Answers are masks, shape (n, K).
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import check_means
from pareto_core.geometry.dominance import gaps, pareto_set
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.preparation import as_played


def estimation_distance(means: ArrayLike, answers: ArrayLike) -> np.ndarray:
    """Distances of answers from the Pareto front (Auer et al. 2016, Section 8)."""
    means, masks = check_means(means), np.atleast_2d(np.asarray(answers, bool))
    distance = np.where(masks, _below_front(means), 0.0).max(axis=1)
    for i in pareto_set(means):
        excess = np.maximum((means[i] - means).max(axis=1), 0.0)
        distance = np.maximum(distance, np.where(masks, excess, np.inf).min(axis=1))
    return distance


def f1_score(means: ArrayLike, answers: ArrayLike, epsilon: float) -> np.ndarray:
    r"""Scores of answers up to an accuracy, the :math:`\epsilon`-F1 of Karagözlü et al. (2024).

    .. math:: F_1=\frac{2t}{2t+f+m}

    with t the returned arms with :math:`\Delta_i^*\le\epsilon`, f the other returned arms, and
    m the Pareto optimal arms i for which no returned arm j has
    :math:`\|(\mu_i-\mu_j)_+\|_2\le\epsilon` (as in their code at commit e2bdb0a, for the
    componentwise order). The score is 1 if and only if the answer is accurate.
    """
    means, masks = check_means(means), np.atleast_2d(np.asarray(answers, bool))
    missed = np.zeros(masks.shape[0])
    for i in pareto_set(means):
        covers = np.linalg.norm(np.maximum(means[i] - means, 0.0), axis=1) <= epsilon
        missed += ~(masks & covers).any(axis=1)
    found = (masks & (_below_front(means) <= epsilon)).sum(axis=1)
    return 2 * found / (found + masks.sum(axis=1) + missed)


def right_answers(
    algorithm: Algorithm, instance: Instance, correct: np.ndarray, answers: np.ndarray
) -> np.ndarray:
    """Tell which runs are right, by what the algorithm promises."""
    epsilon = getattr(algorithm, "epsilon", 0.0)
    if isinstance(algorithm, Certified) or epsilon == 0:
        return correct
    return f1_score(as_played(algorithm, instance).means, answers, epsilon) == 1.0


def _below_front(means):
    """Distance of each arm to the front, (K,); 0 for an optimal arm."""
    below = gaps(means)
    below[pareto_set(means)] = 0.0
    return below
