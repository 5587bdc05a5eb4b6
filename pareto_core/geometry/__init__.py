"""Geometry of the means: dominance, Pareto sets, and polyhedra.

All functions take arrays of means and are independent of noise, samples and algorithms. Begin
with `dominance`, which defines the Pareto set. `staircase` computes it for two objectives,
`cells` enumerates the cells between its points, and `covers` computes sparse approximations.
`polyhedron` is the feasible region, `half_spaces` computes its closest point, and `partition`
combines dominance and feasibility. `triangles` holds the factors that all rooms above use.

Recurring arguments: ``means (K, d)``; ``front (K,)``, which the optimal arms are written to;
``normals (m, d)`` and ``offsets (m,)`` of a polyhedron; ``metric``, the diagonal (d,) of a metric
or its Cholesky factor (d, d); ``space``, work arrays. What a kernel writes is modified in place.
"""

from pareto_core.geometry.cells import count_cells, iterate_cells
from pareto_core.geometry.dominance import best_arms, gaps, pareto_set
from pareto_core.geometry.partition import Partition, constrained_pareto_set
from pareto_core.geometry.polyhedron import Polyhedron, hypercube, ordered_cone, orthant, simplex

__all__ = [
    "Partition",
    "Polyhedron",
    "best_arms",
    "constrained_pareto_set",
    "count_cells",
    "gaps",
    "hypercube",
    "iterate_cells",
    "ordered_cone",
    "orthant",
    "pareto_set",
    "simplex",
]
