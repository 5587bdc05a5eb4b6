"""How far a wrong Pareto set is from the right one: misclassified arms, and hypervolume lost."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_means, shown
from pareto_core.geometry.dominance import pareto_set

__all__ = ["hypervolume", "hypervolume_lost", "misclassified", "reference_point"]

MARGIN = 0.1  # of the range of an objective, by which the reference point is below the worst arm


def misclassified(means: ArrayLike, answers: ArrayLike) -> np.ndarray:
    """Count the arms that are in an answer or in the Pareto set, but not in both.

    Parameters
    ----------
    means : array_like, shape (K, d)
        True means of the arms; larger is better.
    answers : array_like of bool, shape (n, K)
        Which arms each answer names.

    Returns
    -------
    ndarray of int, shape (n,)

    Raises
    ------
    ValueError
        If the shape of an argument is wrong.

    Examples
    --------
    >>> from pareto_book.studies.answer_quality import misclassified
    >>> misclassified([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], [[1, 1, 0], [1, 0, 1]])
    array([0, 2])
    """
    means, answers = _checked(means, answers)
    optimal = np.isin(np.arange(len(means)), pareto_set(means))
    return (answers != optimal).sum(axis=1)


def reference_point(means: ArrayLike) -> np.ndarray:
    """Reference point of the hypervolume: a tenth of the range below the worst mean.

    In each objective it is the smallest mean of all arms minus a tenth of the difference between
    the largest and the smallest one, so that an arm that is the worst in one objective still adds
    hypervolume.

    Parameters
    ----------
    means : array_like, shape (K, d)
        True means of the arms; larger is better.

    Returns
    -------
    ndarray, shape (d,)
    """
    means = check_means(means)
    return means.min(axis=0) - MARGIN * np.ptp(means, axis=0)


def hypervolume(points: ArrayLike, reference: ArrayLike) -> float:
    r"""Volume of what is dominated by some of the points, and above the reference point.

    It is the Lebesgue measure of :math:`\bigcup_i[r,x_i]`. The points are sorted by the last
    objective, and the slices between successive values are added, each of which is a hypervolume
    with one objective less.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Points; larger is better. There may be none.
    reference : array_like, shape (d,)
        Reference point r. Points that do not exceed it in all objectives add nothing.

    Returns
    -------
    float

    Examples
    --------
    >>> from pareto_book.studies.answer_quality import hypervolume
    >>> hypervolume([[2.0, 1.0], [1.0, 3.0]], [0.0, 0.0])
    4.0
    """
    reference = np.asarray(reference, float)
    points = np.asarray(points, float).reshape(-1, reference.size)
    above = points[(points > reference).all(axis=1)] - reference
    return float(_measure(above))


def _measure(points):
    """Hypervolume of points with positive coordinates above the origin."""
    if len(points) == 0:
        return 0.0
    points = points[np.argsort(-points[:, -1], kind="stable")]
    thickness = points[:, -1] - np.append(points[1:, -1], 0.0)
    if points.shape[1] == 1:
        return points[0, 0]
    if points.shape[1] == 2:
        return (thickness * np.maximum.accumulate(points[:, 0])).sum()
    slices = np.flatnonzero(thickness > 0)
    return sum(thickness[k] * _measure(points[: k + 1, :-1]) for k in slices)


def hypervolume_lost(means: ArrayLike, answers: ArrayLike) -> np.ndarray:
    """Share of the hypervolume of the Pareto set that answers lose.

    The hypervolume of an answer is that of the true means of its arms above `reference_point`. An
    arm that an answer names although it is dominated loses nothing; only what is missing counts. As
    a share of the whole, it does not depend on the units of the objectives.

    Parameters
    ----------
    means : array_like, shape (K, d)
        True means of the arms; larger is better. In each objective they must not all be equal.
    answers : array_like of bool, shape (n, K)
        Which arms each answer names.

    Returns
    -------
    ndarray, shape (n,)
        0 if all optimal arms are named, 1 if no arm is named.

    Raises
    ------
    ValueError
        If the shape of an argument is wrong, or all means of an objective are equal.

    Examples
    --------
    >>> from pareto_book.studies.answer_quality import hypervolume_lost
    >>> hypervolume_lost([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [[1, 1, 1], [1, 0, 0]]).round(3)
    array([0.   , 0.476])
    """
    means, answers = _checked(means, answers)
    if (np.ptp(means, axis=0) == 0).any():
        raise ValueError(
            f"means = {shown(means)}; expected means that differ in each objective, as the "
            "hypervolume is 0 otherwise"
        )
    reference = reference_point(means)
    optimal = pareto_set(means)
    whole = hypervolume(means[optimal], reference)
    misses = ~answers[:, optimal].all(axis=1)
    lost = np.zeros(len(answers))
    for k in np.flatnonzero(misses):
        lost[k] = 1.0 - hypervolume(means[answers[k]], reference) / whole
    return lost


def _checked(means, answers):
    means = check_means(means)
    answers = np.asarray(answers)
    if answers.ndim != 2 or answers.shape[1] != len(means) or not np.isin(answers, (0, 1)).all():
        raise ValueError(
            f"answers = {shown(answers)}; expected bools of shape (n, {len(means)}), one per arm"
        )
    return means, answers.astype(bool)
