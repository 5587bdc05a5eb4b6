"""Surrogate proportions: the linear program that tells MO-BAI where to sample next.

Begin with `proportions`, which states it. `solver` runs a dual simplex method over the `rows`
that are violated, on the `basis` that it found last; `program` is the problem's data, and
`oracle` the repeated solution that D-Tracking averages.
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
