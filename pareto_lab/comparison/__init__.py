"""Several algorithms on several instances, from the same seeds: samples, errors and lower bounds.

Begin with `comparing`, which returns a `comparison`. `arguments` checks what the caller gives,
`cases` simulates each algorithm on each instance, `lower_bounds` computes the samples that every
algorithm needs.
Simulations of one algorithm are in `pareto_core.simulation`.
"""

from pareto_lab.comparison.comparing import compare
from pareto_lab.comparison.comparison import Comparison

__all__ = ["Comparison", "compare"]
