"""The score of answers that may be accurate instead of exact."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_means, check_non_negative
from pareto_core.geometry.dominance import gaps, pareto_set

__all__ = ["below_front", "checked_answer", "f1_score"]


def f1_score(means: ArrayLike, answer: ArrayLike, epsilon: float) -> float | np.ndarray:
    r"""Score of an answer up to an accuracy, the :math:`\epsilon`-F1 of Karagözlü et al. (2024).

    .. math:: F_1=\frac{2t}{2t+f+m}

    with t the returned arms with :math:`\Delta_i^*\le\epsilon`, f the other returned arms, and
    m the Pareto optimal arms i for which no returned arm j has
    :math:`\|(\mu_i-\mu_j)_+\|_2\le\epsilon` (as in their code at commit e2bdb0a, for the
    componentwise order). The score is 1 if and only if the answer is accurate.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    answer : array_like of int, shape (p,), or of bool, shape (K,) or (n, K)
        Returned arms, as indices in any order or as a mask; or n such masks.
    epsilon : float
        Accuracy, in the unit of the means.

    Returns
    -------
    float or ndarray, shape (n,)
        Score in [0, 1], of every answer if there are n masks.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, ``answer``
        is not a set of arms or ``epsilon`` is negative.
    """
    means = check_means(means)
    masks, single = checked_answer(answer, means.shape[0])
    close = below_front(means) <= check_non_negative(epsilon, "epsilon")
    missed = np.zeros(masks.shape[0])
    for i in pareto_set(means):
        covers = np.linalg.norm(np.maximum(means[i] - means, 0.0), axis=1) <= epsilon
        missed += ~(masks & covers).any(axis=1)
    found = (masks & close).sum(axis=1)
    score = 2 * found / (found + masks.sum(axis=1) + missed)
    return score.item() if single else score


def below_front(means: np.ndarray) -> np.ndarray:
    """Distance of each arm to the front, (K,); 0 for an optimal arm."""
    below = gaps(means)
    below[pareto_set(means)] = 0.0
    return below


def checked_answer(answer: ArrayLike, n_arms: int) -> tuple[np.ndarray, bool]:
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
