"""Surrogate proportions: the linear program that determines the next arm of MO-BAI.

Begin with `proportions`, which states the program. `program` holds its data, and `solver` solves it
by a dual simplex method and averages repeated solutions for D-Tracking.

Recurring arguments: ``means (K, M)``, ``weights (K,)`` and ``proportions (K,)``, modified in place.
"""

from pareto_core.bounds.surrogate.program import surrogate_value
from pareto_core.bounds.surrogate.proportions import SurrogateProportions, surrogate_proportions
from pareto_core.bounds.surrogate.solver import SurrogateSpace, surrogate_space, write_surrogate

__all__ = [
    "SurrogateProportions",
    "SurrogateSpace",
    "surrogate_proportions",
    "surrogate_space",
    "surrogate_value",
    "write_surrogate",
]
