r"""Phantoms: the points that a dominated arm may reach without being dominated.

A phantom is a point that no Pareto optimal arm exceeds in every objective, and that cannot be
lowered in an objective without losing this property. An arm is not dominated by any of the optimal
arms if and only if it is at least as good as a phantom: the phantoms are the lower left corners of
the region that remains. In multi-objective optimisation, where objectives are minimised, they are
known as local upper bounds of the front. Each coordinate of a phantom is that of one optimal arm,
or unlimited.

Optimal arms are inserted one after the other. A phantom that the new arm exceeds is replaced by
the phantoms with one of its coordinates raised to the new arm, except those whose other
coordinates would no longer be necessary.

References
----------
Applegate, Feldman, Hunter & Pasupathy 2020, Multi-objective ranking and selection: optimal
sampling laws and tractable approximations via SCORE, Journal of Simulation 14(1).

Klamroth, Lacour & Vanderpooten 2015, On the representation of the search region in multi-objective
optimization, European Journal of Operational Research 245(3): Algorithm 3.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_means
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import write_front

__all__ = ["phantoms"]

FREE = -1  # in place of an arm: the coordinate is unlimited


def phantoms(means: ArrayLike) -> np.ndarray:
    r"""Arms that define each phantom of the Pareto set.

    If optimal arms are equal in an objective, the later arm counts as the better one.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective; larger is better.

    Returns
    -------
    ndarray of int, shape (n, d)
        The optimal arm whose mean is the coordinate of the phantom in each objective; -1 if the
        coordinate is unlimited. Rows are in lexicographic order.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms.

    Notes
    -----
    For p optimal arms in general position there are p + 1 phantoms in two objectives and 2p + 1 in
    three, and at most a multiple of :math:`p^{\lfloor d/2\rfloor}` in d.

    See Also
    --------
    phantom_rate : the rate that phantoms approximate

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.phantoms([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    array([[-1,  1],
           [ 0, -1],
           [ 1,  0]])
    """
    means = check_means(means)
    front = np.empty(means.shape[0], np.int64)
    size = write_front(means, front)
    found = find_phantoms(means, np.sort(front[:size]))
    return found[np.lexsort(found.T[::-1])]


@kernel
def find_phantoms(means, front):
    """Phantoms of the optimal arms ``front``, shape (n, d), in any order.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    front : ndarray of int, shape (p,)
        The optimal arms. Of arms that are equal in an objective the later one counts as better.
    """
    d = means.shape[1]
    ranks = _ranks(means, front)
    found = np.empty((2 * front.shape[0] + 4, d), np.int64)  # entries are positions in the front
    found[0] = FREE
    size = 1
    for new in range(front.shape[0]):
        last = size - 1
        while last >= 0:
            if _exceeds(ranks, new, found[last]):
                while size + d > found.shape[0]:
                    found = _doubled(found)
                size = _replace(ranks, new, found, last, size)
            last -= 1
    arms = np.empty((size, d), np.int64)
    for n in range(size):
        for c in range(d):
            arms[n, c] = FREE if found[n, c] == FREE else front[found[n, c]]
    return arms


@kernel
def _ranks(means, front):
    """Rank of each optimal arm in each objective, all different, the best last."""
    ranks = np.empty((front.shape[0], means.shape[1]), np.int64)
    for c in range(means.shape[1]):
        order = np.argsort(means[front, c], kind="mergesort")
        for rank in range(front.shape[0]):
            ranks[order[rank], c] = rank
    return ranks


@kernel
def _doubled(found):
    """Copy of an array with twice as many rows."""
    larger = np.empty((2 * found.shape[0], found.shape[1]), np.int64)
    larger[: found.shape[0]] = found
    return larger


@kernel
def _exceeds(ranks, new, phantom):
    """Whether an arm is better than a phantom in every objective."""
    for c in range(phantom.shape[0]):
        if phantom[c] != FREE and ranks[new, c] <= ranks[phantom[c], c]:
            return False
    return True


@kernel
def _replace(ranks, new, found, at, size):
    """Replace the phantom in row ``at`` by those that the arm ``new`` leaves; return their number.

    Coordinate c can be raised to the new arm if all arms that define other coordinates exceed it.

    Parameters
    ----------
    ranks : ndarray of int, shape (p, d)
    new : int
    found : ndarray of int, shape (rows, d)
        The first ``size`` rows are phantoms. Modified in place: those replaced are gone, the new
        ones are the last.
    at, size : int
    """
    d = found.shape[1]
    old = found[at].copy()
    for b in range(d):
        found[at, b] = found[size - 1, b]
    size -= 1
    for c in range(d):
        needed = True
        for b in range(d):
            if b != c and old[b] != FREE and ranks[new, c] >= ranks[old[b], c]:
                needed = False
                break
        if needed:
            for b in range(d):
                found[size, b] = old[b]
            found[size, c] = new
            size += 1
    return size
