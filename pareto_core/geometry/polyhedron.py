"""The feasible region {x : A x <= b}: membership and distances."""

from typing import Any

import numpy as np
import scipy  # its parts are imported when they are used
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_count, check_means, check_positive
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.half_spaces import allocate_half_spaces, project_again, set_metric

__all__ = ["Polyhedron", "check_polyhedron", "hypercube", "ordered_cone", "orthant", "simplex"]

THINNEST = 1e-9  # least radius of an inscribed ball, relative to the size of the numbers


class Polyhedron:
    r"""Means :math:`x\in\mathbb R^d` that satisfy m linear constraints :math:`Ax\le b`.

    Parameters
    ----------
    A : array_like, shape (m, d)
        One row per constraint; a row of zeros is dropped if it holds, and m may be 0.
    b : array_like, shape (m,)
        Right-hand sides.

    Attributes
    ----------
    A, b : ndarray, shapes (m, d) and (m,)
        As given.
    normals : ndarray, shape (n, d)
        The non-zero rows, divided by their Euclidean length: outward normals.
    offsets : ndarray, shape (n,)
        The right-hand sides of these rows, divided by the same lengths.

    Raises
    ------
    ValueError
        If ``A`` is not an (m, d) array or ``b`` not of shape (m,), if an entry is not finite, if
        rows of ``A`` are too small relative to ``b``, or if the polyhedron is empty or flat:
        without interior points no number of samples shows whether a mean is inside.

    See Also
    --------
    orthant, hypercube, simplex, ordered_cone : common polyhedra

    Notes
    -----
    The polyhedron may be unbounded and rows redundant.

    Examples
    --------
    >>> from pareto_core import Polyhedron
    >>> at_least_one = Polyhedron([[-1.0, 0.0]], [-1.0])  # x1 >= 1
    >>> at_least_one.contains([[2.0, 0.0], [0.0, 0.0]])
    array([ True, False])
    >>> at_least_one.boundary_distance([[3.0, 0.0], [0.5, 0.0]])
    array([2. , 0.5])
    """

    def __init__(self, A: ArrayLike, b: ArrayLike) -> None:
        matrix, right = check_array(A, "A"), check_array(b, "b")
        if matrix.ndim != 2 or matrix.shape[1] < 1 or right.shape != matrix.shape[:1]:
            raise ValueError(
                f"A has shape {matrix.shape} and b has shape {right.shape}; expected (m, d) "
                "with d >= 1 objectives, and (m,)"
            )
        if not (np.isfinite(matrix).all() and np.isfinite(right).all()):
            raise ValueError(f"A = {A!r} and b = {b!r}; expected finite numbers")
        largest = np.abs(matrix).max(axis=1, initial=0.0)
        if (right[largest == 0] < 0).any():
            raise ValueError(f"A = {A!r}, b = {b!r}; expected a polyhedron that is not empty")
        kept = largest > 0
        scaled = matrix[kept] / largest[kept, None]
        length = np.linalg.norm(scaled, axis=1)
        self.A, self.b = matrix, right
        self.normals = np.ascontiguousarray(scaled / length[:, None])
        with np.errstate(over="ignore"):
            self.offsets = right[kept] / largest[kept] / length
        if not np.isfinite(self.offsets).all():
            raise ValueError(f"A = {A!r}; expected larger rows: they are too small relative to b")
        self._check_interior()
        for array in (self.A, self.b, self.normals, self.offsets):
            array.setflags(write=False)

    def _check_interior(self):
        """Refuse a polyhedron that contains no ball, at any scale of its offsets."""
        sizes = np.unique(np.abs(self.offsets))[::-1]
        units = sizes[sizes > 0] if (sizes > 0).any() else np.ones(min(sizes.size, 1))
        if units.size and not any(self._holds_a_ball(unit) for unit in units):
            raise ValueError(
                f"A = {self.A.tolist()}, b = {self.b.tolist()}; expected a polyhedron with "
                "interior points; this one has no interior points"
            )

    def _holds_a_ball(self, unit):
        """Whether the polyhedron contains a ball that is not tiny in this unit."""
        n_rows, n_objectives = self.normals.shape
        offsets = self.offsets / unit
        result = scipy.optimize.linprog(
            np.append(np.zeros(n_objectives), -1.0),
            A_ub=np.column_stack([self.normals, np.ones(n_rows)]),
            b_ub=offsets,
            bounds=[(None, None)] * n_objectives + [(None, 1.0)],
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        # Recomputed, because within the tolerances a flat polyhedron may appear to be a thin one.
        return result.status == 0 and (offsets - self.normals @ result.x[:-1]).min() > THINNEST

    def __repr__(self):
        return f"Polyhedron(A={self.A.tolist()}, b={self.b.tolist()})"

    def __eq__(self, other):
        if not isinstance(other, Polyhedron):
            return NotImplemented
        return np.array_equal(self.A, other.A) and np.array_equal(self.b, other.b)

    def __hash__(self):
        return hash(((self.A + 0.0).tobytes(), (self.b + 0.0).tobytes()))  # 0.0 equals -0.0

    @property
    def n_objectives(self) -> int:
        """Number d of objectives."""
        return self.A.shape[1]

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Normals and offsets, copied: kernels are compiled for arrays that may be written to."""
        return self.normals.copy(), self.offsets.copy()

    def contains(self, points: ArrayLike) -> np.ndarray:
        """Whether each point is inside or on the boundary.

        Parameters
        ----------
        points : array_like, shape (n, d)

        Returns
        -------
        ndarray of bool, shape (n,)

        Raises
        ------
        ValueError
            If ``points`` is not a finite (n, d) array.
        """
        points = self._checked(points)
        return (points @ self.A.T <= self.b).all(axis=1)

    def boundary_distance(self, points: ArrayLike) -> np.ndarray:
        r"""Euclidean distance of each point to the boundary, from either side.

        The feasibility gaps :math:`\eta_i` of Kone et al. (2025, constrained, Equation (4)):
        the smallest :math:`(b_k-a_k^\top x)/\|a_k\|` from inside, the distance to the projection
        from outside.

        Parameters
        ----------
        points : array_like, shape (n, d)

        Returns
        -------
        ndarray, shape (n,)
            Infinite if there is no boundary.

        Raises
        ------
        ValueError
            If ``points`` is not a finite (n, d) array.
        """
        points = self._checked(points)
        distances = np.empty(points.shape[0])
        space = allocate_half_spaces(*self.normals.shape)
        _write_distances(*self.rows(), points, space, distances)
        return distances

    def divided_by(self, deviation: ArrayLike) -> "Polyhedron":
        """The same region for means divided by ``deviation``, of shape (d,)."""
        return Polyhedron(self.A * deviation, self.b)

    def _checked(self, points):
        """Points as a finite array of shape (n, d)."""
        points = check_means(points, "points", at_least=1)
        if points.shape[1] != self.n_objectives:
            raise ValueError(
                f"points has {points.shape[1]} columns; expected {self.n_objectives}: one per "
                "objective of the polyhedron"
            )
        return points


def check_polyhedron(polyhedron: Any, n_objectives: int) -> Polyhedron:
    """Return ``polyhedron`` after checking its type and dimension."""
    if not isinstance(polyhedron, Polyhedron):
        raise ValueError(f"polyhedron = {polyhedron!r}; expected a Polyhedron")
    if polyhedron.n_objectives != n_objectives:
        raise ValueError(
            f"polyhedron has {polyhedron.n_objectives} objectives; expected {n_objectives}, like "
            "the means"
        )
    return polyhedron


@kernel
def room_inside(normals, offsets, point):
    """Distance to the nearest facet's plane, negative if a constraint is violated."""
    least = np.inf
    for k in range(normals.shape[0]):
        room = offsets[k]
        for c in range(point.shape[0]):
            room -= normals[k, c] * point[c]
        least = min(least, room)
    return least


@kernel
def boundary_distance(normals, offsets, point, metric, closest, space):
    """Whether a point is feasible, and its distance to the boundary; `set_metric` of ones first."""
    distance = room_inside(normals, offsets, point)
    feasible = distance >= 0.0
    if not feasible:
        half_squares = project_again(normals, offsets, metric, point, closest, space)
        distance = max(np.sqrt(2.0 * half_squares), -distance)
    return feasible, distance


@kernel
def _write_distances(normals, offsets, points, space, distances):
    """Write the distances of all points to the boundary to ``distances``."""
    metric, closest = np.ones(points.shape[1]), np.empty(points.shape[1])
    set_metric(normals, metric, space)
    for k in range(points.shape[0]):
        _, distances[k] = boundary_distance(normals, offsets, points[k], metric, closest, space)


def orthant(lower: ArrayLike) -> Polyhedron:
    """Polyhedron of the means that are at least ``lower``, of shape (d,), in every objective.

    Raises
    ------
    ValueError
        If ``lower`` is not a finite array of shape (d,).

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.orthant([0.0, 1.0]).contains([[2.0, 3.0], [2.0, 0.0]])
    array([ True, False])
    """
    lower = check_array(lower, "lower")
    if lower.ndim != 1 or lower.size < 1 or not np.isfinite(lower).all():
        raise ValueError(f"lower = {lower!r}; expected finite numbers, one per objective")
    return Polyhedron(-np.eye(lower.size), -lower)


def hypercube(n_objectives: int, side: float = 1.0) -> Polyhedron:
    """Polyhedron of the means from 0 to ``side`` in every objective.

    Raises
    ------
    ValueError
        If ``n_objectives`` is not a positive integer or ``side`` is not positive.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.hypercube(2).contains([[0.5, 0.5], [0.5, 2.0]])
    array([ True, False])
    """
    identity = np.eye(check_count(n_objectives, "n_objectives"))
    b = np.repeat([0.0, check_positive(side, "side")], n_objectives)
    return Polyhedron(np.vstack([-identity, identity]), b)


def simplex(n_objectives: int, total: float = 1.0) -> Polyhedron:
    """Polyhedron of the non-negative means that sum to at most ``total``.

    Raises
    ------
    ValueError
        If ``n_objectives`` is not a positive integer or ``total`` is not positive.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.simplex(2).contains([[0.5, 0.4], [0.5, 0.6]])
    array([ True, False])
    """
    n_objectives = check_count(n_objectives, "n_objectives")
    A = np.vstack([-np.eye(n_objectives), np.ones(n_objectives)])
    return Polyhedron(A, np.append(np.zeros(n_objectives), check_positive(total, "total")))


def ordered_cone(n_objectives: int) -> Polyhedron:
    """Polyhedron of the means that ascend: the first objective is the smallest.

    Raises
    ------
    ValueError
        If ``n_objectives`` is not a positive integer.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.ordered_cone(2).contains([[1.0, 2.0], [2.0, 1.0]])
    array([ True, False])
    """
    n_objectives = check_count(n_objectives, "n_objectives")
    steps = np.eye(n_objectives)[:-1] - np.eye(n_objectives)[1:]
    return Polyhedron(steps, np.zeros(n_objectives - 1))
