"""Shares of the samples that ranking and selection computes from known means and covariances.

Multi-objective ranking and selection, a field of operations research, asks for the shares at which
the probability of a wrong Pareto set decays fastest, which `pareto_core.bounds` computes as
characteristic times. It approximates them. `phantom_points` replaces alternatives of the
transportation cost by points, and `phantom_rates` computes and maximises the rate that results.
`score` divides the share of the dominated arms by a formula, and `mocba` divides all shares by
formulas. `rates` are functions of the shares, whose minimum `maximin` maximises. Nothing here
samples.
"""

from pareto_core.allocations.mocba import mocba_allocation
from pareto_core.allocations.phantom_points import phantoms
from pareto_core.allocations.phantom_rates import phantom_allocation, phantom_rate
from pareto_core.allocations.score import score_allocation

__all__ = ["mocba_allocation", "phantom_allocation", "phantom_rate", "phantoms", "score_allocation"]
