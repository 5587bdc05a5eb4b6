"""Points and regions: who dominates whom, and what a polyhedron contains.

Everything here takes arrays of means and knows of no noise, no sample and no algorithm. Begin
with `dominance`, which says what the Pareto set is; `staircase` and `cells` are how it is found
quickly and what lies between its points, `covers` thins it out. `polyhedron` is the feasible
region, `projection` the way to its nearest point, and `partition` puts both together.
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
