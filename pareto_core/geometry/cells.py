"""Cells of valid assignments of arms to objectives.

For points mu_1, ..., mu_p in R^d and a point x that no mu_k may dominate, arm k is lowered
to x in the objective in which it exceeds x least. The points x with the same *assignment*
phi: [p] -> [d] form a cell

    S(phi) = {x : mu_k^phi(k) - x^phi(k) <= mu_k^j - x^j for all k and j},

and phi is valid if its cell is not empty (Crepon et al. 2024, Section 3.2.1). The
inequalities bound differences of coordinates of x, so a cell is non-empty exactly
if the graph of these bounds has no negative cycle, and has interior points exactly
if every cycle is positive (Lemma 6). Shortest paths between all pairs are kept
along the branch of the search tree, and one more assigned point updates them in
O(d^2) (Lemma 7).
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_flag, check_means
from pareto_core.compiling.kernels import kernel

__all__ = ["count_cells", "iterate_cells"]

SMALLEST_POSITIVE = np.nextafter(0.0, 1.0)
CELLS_AT_A_TIME = 100_000  # takes far less than a second; Python can interrupt between batches


def count_cells(points: ArrayLike, closed: bool = False) -> int:
    """Number of valid assignments.

    Parameters
    ----------
    points : array_like, shape (p, d)
        Means of the Pareto optimal arms.
    closed : bool, default False
        Count every cell that is not empty. By default only cells with interior
        points count: they cover the space, and the bound of Lemma 5 holds only for them if
        points are tied.

    Returns
    -------
    int
        At most binomial(p + d - 1, d - 1) unless ``closed``.

    Raises
    ------
    ValueError
        If ``points`` is not a finite (p, d) array.

    See Also
    --------
    iterate_cells : the assignments themselves

    References
    ----------
    Crepon, Garivier & Koolen 2024, Sequential learning of the Pareto front for multi-objective
    bandits, AISTATS, arXiv:2501.17513: Section 3.2.1, Lemmas 5 to 7.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.count_cells([[1.0, 0.0], [0.0, 1.0]])
    3
    """
    points = check_means(points, "points", at_least=1)
    walk = cell_walk(*points.shape)
    count = found = _count_cells(points, check_flag(closed, "closed"), walk, CELLS_AT_A_TIME)
    while found == CELLS_AT_A_TIME:
        found = _count_cells(points, closed, walk, CELLS_AT_A_TIME)
        count += found
    return int(count)


def count_nodes(points):
    """Number of valid assignments of the first r points for each r, shape (p + 1,)."""
    walk = cell_walk(*points.shape)
    while _count_cells(points, False, walk, CELLS_AT_A_TIME) == CELLS_AT_A_TIME:
        pass
    return walk.nodes


def iterate_cells(points: ArrayLike, closed: bool = False) -> Iterator[np.ndarray]:
    """Yield the valid assignments in lexicographic order.

    Parameters
    ----------
    points : array_like, shape (p, d)
        Means of the Pareto optimal arms.
    closed : bool, default False
        Whether cells without interior points are valid, see `count_cells`.

    Yields
    ------
    ndarray of int, shape (p,)
        Objective in which each point is lowered.

    Raises
    ------
    ValueError
        If ``points`` is not a finite (p, d) array; raised at the first step.

    See Also
    --------
    count_cells : their number

    Examples
    --------
    >>> import pareto_core as pc
    >>> [cell.tolist() for cell in pc.iterate_cells([[1.0, 0.0], [0.0, 1.0]])]
    [[0, 0], [1, 0], [1, 1]]
    """
    points = check_means(points, "points", at_least=1)
    walk = cell_walk(*points.shape)
    check_flag(closed, "closed")
    while next_cell(points, closed, walk):
        yield walk.assignment.copy()


class CellWalk(NamedTuple):
    """A depth-first walk over the tree of assignments, resumed from leaf to leaf."""

    assignment: np.ndarray  # (p,) objective of each point on the current branch
    untried: np.ndarray  # (p,) next objective to try at each level
    paths: np.ndarray  # (p + 1, d, d) shortest paths at each level
    depth: np.ndarray  # (1,) level of the current node; -1 when the walk is over
    nodes: np.ndarray  # (p + 1,) valid nodes visited at each level, the root included


@kernel
def cell_walk(n_points, n_objectives):
    """Allocate a walk that starts before the first leaf."""
    walk = CellWalk(
        np.zeros(n_points, np.int64),
        np.zeros(n_points, np.int64),
        np.empty((n_points + 1, n_objectives, n_objectives)),
        np.zeros(1, np.int64),
        np.zeros(n_points + 1, np.int64),
    )
    walk.nodes[0] = 1
    walk.paths[0] = np.inf
    for c in range(n_objectives):
        walk.paths[0, c, c] = 0.0
    return walk


@kernel
def _is_open(points, k, c, paths, shortest_cycle):
    """Whether point ``k`` can be assigned to ``c``, given the shortest paths of level k."""
    base = points[k, c]
    for x in range(points.shape[1]):
        if points[k, x] - base + paths[k, x, c] < shortest_cycle and x != c:
            return False
    return True


@kernel
def _extend_paths(points, k, c, paths):
    """Shortest paths of level k + 1: new edges c -> x of length mu_k^x - mu_k^c (Lemma 7)."""
    n_objectives = points.shape[1]
    base = points[k, c]
    for x in range(n_objectives):
        shortest = paths[k, c, x]
        for y in range(n_objectives):
            if y != c:
                shortest = min(shortest, points[k, y] - base + paths[k, y, x])
        paths[k + 1, c, x] = shortest
    for y in range(n_objectives):
        if y != c:
            to_c = paths[k, y, c]
            for x in range(n_objectives):
                paths[k + 1, y, x] = min(paths[k, y, x], to_c + paths[k + 1, c, x])


@kernel
def next_cell(points, closed, walk):
    """Advance ``walk`` to the next leaf; return False after the last leaf."""
    assignment, untried, paths = walk.assignment, walk.untried, walk.paths
    n_points, n_objectives = points.shape
    shortest_cycle = 0.0 if closed else SMALLEST_POSITIVE
    depth = min(walk.depth[0], n_points - 1)
    while depth >= 0:
        c = untried[depth]
        if c == n_objectives:
            untried[depth] = 0
            depth -= 1
            continue
        untried[depth] = c + 1
        if _is_open(points, depth, c, paths, shortest_cycle):
            assignment[depth] = c
            depth += 1
            walk.nodes[depth] += 1
            if depth == n_points:
                walk.depth[0] = depth
                return True
            _extend_paths(points, depth - 1, c, paths)
    walk.depth[0] = -1
    return False


@kernel
def _count_cells(points, closed, walk, most):
    """Advance by at most ``most`` cells; return the number of cells."""
    count = 0
    while count < most and next_cell(points, closed, walk):
        count += 1
    return count
