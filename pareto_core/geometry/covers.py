r"""Criteria for approximations of the Pareto front (Auer et al. 2016).

An answer P, a set of arms, is judged by two distances (Section 2): the depth of an arm i below
the front, :math:`\Delta_i^*=\max_{j\in P^*}m(i,j)`, and the amount by which an arm j must be
raised until it is nowhere worse than an arm i,

.. math:: M(i,j)=\max\{0,\max_c(\mu_i^c-\mu_j^c)\},

which is not symmetric but satisfies the triangle inequality.

Distances are compared with the required precision without a tolerance for rounding. A cover
needs no tolerance: the numbers that round to at most
:math:`\epsilon_0` are twice those that round to at most :math:`\epsilon_0/2`, so that two
computed distances of at most :math:`\epsilon_0/2` add up to at most :math:`\epsilon_0`.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_means, check_non_negative
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import gaps, pareto_set

__all__ = [
    "estimation_distance",
    "f1_score",
    "sparse_cover",
    "success_condition_1",
    "success_condition_2",
]


def estimation_distance(means: ArrayLike, answer: ArrayLike) -> float | np.ndarray:
    r"""Distance of an answer from the Pareto front (Auer et al. 2016, Section 8).

    .. math::
        \Delta_A = \max\Bigl\{\max_{i\in P}\Delta_i^*,\
        \max_{i\in P^*}\min_{j\in P}M(i,j)\Bigr\}

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    answer : array_like of int, shape (p,), or of bool, shape (K,) or (n, K)
        Returned arms, as indices in any order or as a mask; or n such masks.

    Returns
    -------
    float or ndarray, shape (n,)
        Distance, of every answer if there are n masks. Infinite if no arm is returned.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, or
        ``answer`` is not a set of arms.
    """
    means = check_means(means)
    masks, single = _check_answer(answer, means.shape[0])
    distance = np.maximum(_deepest(means, masks), _farthest_optimal(means, masks))
    return distance.item() if single else distance


def success_condition_1(means: ArrayLike, answer: ArrayLike, epsilon: float) -> bool | np.ndarray:
    r"""Whether an answer contains all optimal arms, and no arm far below the front.

    Success Condition 1 of Auer et al. (2016, Section 3):

    - (1.a) :math:`P^*\subseteq P`,
    - (1.b) :math:`\Delta_i^*\le\epsilon_0` for all i in P.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    answer : array_like of int, shape (p,), or of bool, shape (K,) or (n, K)
        Returned arms, as indices in any order or as a mask; or n such masks.
    epsilon : float
        Required precision :math:`\epsilon_0\ge 0`, in the unit of the means.

    Returns
    -------
    bool or ndarray of bool, shape (n,)
        Whether both conditions hold, for every answer if there are n masks.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, ``answer``
        is not a set of arms or ``epsilon`` is negative.
    """
    means = check_means(means)
    masks, single = _check_answer(answer, means.shape[0])
    epsilon = check_non_negative(epsilon, "epsilon")
    success = masks[:, pareto_set(means)].all(axis=1) & (_deepest(means, masks) <= epsilon)
    return success.item() if single else success


def success_condition_2(
    means: ArrayLike, answer: ArrayLike, epsilon: float, tolerance: float
) -> bool | np.ndarray:
    r"""Whether an answer is a sparse cover of the Pareto front.

    Success Condition 2 of Auer et al. (2016, Section 3):

    - (2.a) for all i in :math:`P^*` there is a j in P with :math:`M(i,j)\le\epsilon_0`,
    - (2.b) :math:`\Delta_i^*\le\epsilon_0` for all i in P,
    - (2.c) :math:`M(i,j)\ge\epsilon_0/2-\epsilon` for all i and j in P, i not j.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective.
    answer : array_like of int, shape (p,), or of bool, shape (K,) or (n, K)
        Returned arms, as indices in any order or as a mask; or n such masks.
    epsilon : float
        Required precision :math:`\epsilon_0\ge 0`, in the unit of the means.
    tolerance : float
        Allowance for sampling errors in (2.c), :math:`\epsilon\ge 0`, in the same unit.

    Returns
    -------
    bool or ndarray of bool, shape (n,)
        Whether all three conditions hold, for every answer if there are n masks.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array with at least two arms, ``answer``
        is not a set of arms, or ``epsilon`` or ``tolerance`` is negative.

    Notes
    -----
    For :math:`\epsilon<\epsilon_0/2`, (2.a) and (2.c) imply (2.b): an arm more than
    :math:`\epsilon_0` below an optimal arm is nowhere better than the arm of P that covers the
    optimal arm.
    """
    means = check_means(means)
    masks, single = _check_answer(answer, means.shape[0])
    epsilon = check_non_negative(epsilon, "epsilon")
    tolerance = check_non_negative(tolerance, "tolerance")
    covers = _farthest_optimal(means, masks) <= epsilon
    close = _deepest(means, masks) <= epsilon
    sparse = _closest_pair(means, masks) >= 0.5 * epsilon - tolerance
    success = covers & close & sparse
    return success.item() if single else success


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
    masks, single = _check_answer(answer, means.shape[0])
    close = _below_front(means) <= check_non_negative(epsilon, "epsilon")
    missed = np.zeros(masks.shape[0])
    for i in pareto_set(means):
        covers = np.linalg.norm(np.maximum(means[i] - means, 0.0), axis=1) <= epsilon
        missed += ~(masks & covers).any(axis=1)
    found = (masks & close).sum(axis=1)
    score = 2 * found / (found + masks.sum(axis=1) + missed)
    return score.item() if single else score


def _below_front(means):
    """Distance of each arm to the front, (K,); 0 for an optimal arm."""
    below = gaps(means)
    below[pareto_set(means)] = 0.0
    return below


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


def _closest_pair(means, masks):
    """Smallest distance M between two returned arms, (n,); infinite for fewer than two arms."""
    closest = np.full(masks.shape[0], np.inf)
    for i in range(means.shape[0]):
        excess = _excess(means, i)
        excess[i] = np.inf
        with_i = masks[:, i]
        nearest = np.where(masks[with_i], excess, np.inf).min(axis=1)
        closest[with_i] = np.minimum(closest[with_i], nearest)
    return closest


def _excess(means, i):
    """Distance M(i, j) of arm i from every arm j, (K,)."""
    return np.maximum((means[i] - means).max(axis=1), 0.0)


def sparse_cover(edges: ArrayLike) -> np.ndarray:
    """Independent vertices of a graph that cover all other vertices.

    Algorithm 3 of Auer et al. (2016, Section 7.1), which picks arbitrary vertices;
    this implementation picks the vertex with the lowest index. If the edges are the pairs with
    M(j, i) <= epsilon_0 / 2, every removed vertex is within epsilon_0 of a kept vertex (Lemma 21).

    Parameters
    ----------
    edges : array_like of bool, shape (n, n)
        ``edges[i, j]`` is whether vertex i covers vertex j; False on the diagonal.

    Returns
    -------
    ndarray of int, shape (p,)
        Indices of the kept vertices, ascending.

    Raises
    ------
    ValueError
        If ``edges`` is not a square boolean array or a vertex has an edge to itself.
    """
    edges = _check_edges(edges)
    kept = np.ones(edges.shape[0], np.bool_)
    _sparse_cover(edges, kept)
    return np.flatnonzero(kept)


@kernel
def _sparse_cover(edges, kept):
    """Reduce ``kept``, the vertices of the graph, to the vertices of its cover. O(n^3)."""
    _break_cycles(edges, kept)
    source = _next_source(edges, kept)
    while source >= 0:
        for j in range(edges.shape[0]):
            if edges[source, j]:
                kept[j] = False
        source = _next_source(edges, kept)


@kernel
def _break_cycles(edges, kept):
    """Step 1: for every vertex on a cycle, remove the successors that are on a cycle.

    A removal creates no cycles. A vertex that is on no cycle therefore never needs another check,
    and a picked vertex is on no cycle after its successors are removed, so that one pass over the
    vertices breaks all cycles.
    """
    n = edges.shape[0]
    unsettled = kept.copy()
    stack, reached = np.empty(n, np.int64), np.empty(n, np.bool_)
    for i in range(n):
        if unsettled[i] and _on_cycle(edges, unsettled, i, stack, reached):
            for j in range(n):
                if edges[i, j] and unsettled[j]:
                    kept[j] = not _on_cycle(edges, unsettled, j, stack, reached)
                    unsettled[j] = False
        unsettled[i] = False


@kernel
def _on_cycle(edges, vertices, start, stack, reached):
    """Whether ``start`` is on a cycle within ``vertices``. O(n^2)."""
    reached[:] = False
    stack[0] = start
    size = 1
    while size > 0:
        size -= 1
        i = stack[size]
        if edges[i, start]:
            return True
        for j in range(edges.shape[0]):
            if edges[i, j] and vertices[j] and not reached[j]:
                reached[j] = True
                stack[size] = j
                size += 1
    return False


@kernel
def _next_source(edges, kept):
    """First vertex with successors and without predecessors; -1 if no vertex qualifies."""
    n = edges.shape[0]
    for i in range(n):
        has_successor = has_predecessor = False
        for j in range(n):
            has_successor |= kept[j] and edges[i, j]
            has_predecessor |= kept[j] and edges[j, i]
        if kept[i] and has_successor and not has_predecessor:
            return i
    return -1


def _check_answer(answer, n_arms):
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


def _check_edges(edges):
    """Return ``edges`` as a new boolean array of shape (n, n), False on its diagonal."""
    try:
        array = np.array(edges, order="C")
    except ValueError as error:
        raise ValueError(f"edges = {edges!r}; expected a square boolean array") from error
    if array.dtype != bool or array.ndim != 2 or not 1 <= array.shape[0] == array.shape[1]:
        raise ValueError(
            f"edges has shape {array.shape} and type {array.dtype}; expected (n, n) booleans"
        )
    loops = array.diagonal()
    if loops.any():
        i = int(loops.argmax())
        raise ValueError(f"edges[{i}, {i}] = True; expected no edge from a vertex to itself")
    return array
