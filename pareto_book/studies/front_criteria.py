r"""Distances of an answer from the Pareto front, and scores of answers that may be accurate.

Auer et al. (2016) judge an answer P, a set of arms, by two distances (Section 2): the depth of an
arm i below the front, :math:`\Delta_i^*=\max_{j\in P^*}m(i,j)`, and the amount by which an arm j
must be raised until it is nowhere worse than an arm i,

.. math:: M(i,j)=\max\{0,\max_c(\mu_i^c-\mu_j^c)\},

which is not symmetric but satisfies the triangle inequality.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import check_means, check_non_negative
from pareto_core.geometry.dominance import gaps, pareto_set
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.preparation import as_played

__all__ = ["estimation_distance", "f1_score", "right_answers"]


def estimation_distance(means: ArrayLike, answer: ArrayLike) -> float | np.ndarray:
    r"""Distance of an answer from the Pareto front (Auer et al. 2016, Section 8)."""
    means = check_means(means)
    masks, single = _checked_answer(answer, means.shape[0])
    distance = np.maximum(_deepest(means, masks), _farthest_optimal(means, masks))
    return distance.item() if single else distance


def _deepest(means, masks):
    """Largest distance of a returned arm to the front, (n,); 0 if no arm is returned."""
    return np.where(masks, _below_front(means), 0.0).max(axis=1)


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


def f1_score(means: ArrayLike, answer: ArrayLike, epsilon: float) -> float | np.ndarray:
    r"""Score of an answer up to an accuracy, the :math:`\epsilon`-F1 of Karagözlü et al. (2024).

    .. math:: F_1=\frac{2t}{2t+f+m}

    with t the returned arms with :math:`\Delta_i^*\le\epsilon`, f the other returned arms, and
    m the Pareto optimal arms i for which no returned arm j has
    :math:`\|(\mu_i-\mu_j)_+\|_2\le\epsilon` (as in their code at commit e2bdb0a, for the
    componentwise order). The score is 1 if and only if the answer is accurate.
    """
    means = check_means(means)
    masks, single = _checked_answer(answer, means.shape[0])
    close = _below_front(means) <= check_non_negative(epsilon, "epsilon")
    missed = np.zeros(masks.shape[0])
    for i in pareto_set(means):
        covers = np.linalg.norm(np.maximum(means[i] - means, 0.0), axis=1) <= epsilon
        missed += ~(masks & covers).any(axis=1)
    found = (masks & close).sum(axis=1)
    score = 2 * found / (found + masks.sum(axis=1) + missed)
    return score.item() if single else score


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


def _checked_answer(answer, n_arms):
    """Return ``answer`` as masks of shape (n, K), and whether it is a single answer."""
    try:
        array = np.asarray(answer)
    except ValueError as error:
        raise ValueError(f"answer = {answer!r}; expected indices of arms or a mask") from error
    if array.dtype == bool:
        if array.ndim not in (1, 2) or array.shape[-1] != n_arms:
            raise ValueError(
                f"answer has shape {array.shape}; expected ({n_arms},) or (n, {n_arms}), "
                "one boolean per arm"
            )
        return np.atleast_2d(array), array.ndim == 1
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise ValueError(
            f"answer = {answer!r}; expected indices of arms, or a boolean array of shape "
            f"({n_arms},) or (n, {n_arms})"
        )
    outside = (array < 0) | (array >= n_arms)
    if outside.any():
        index = int(outside.argmax())
        raise ValueError(
            f"answer[{index}] = {array[index]}; expected indices of arms, 0 to {n_arms - 1}"
        )
    mask = np.zeros((1, n_arms), np.bool_)
    mask[0, array.astype(np.int64)] = True
    return mask, True
