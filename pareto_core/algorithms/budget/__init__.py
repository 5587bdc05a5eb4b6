"""Sequential algorithms with a fixed budget, for the Pareto set.

`tracked_shares` is what most of them have in common: some first samples of each arm, shares that a
kernel computes from the empirical means again and again, and tracking of these shares until the
budget is spent. `plug_in` computes the shares at which a wrong answer becomes improbable fastest,
`score` and `mocba` approximations of them from ranking and selection. `mmoba` looks one sample
ahead instead, with the probabilities of `change_probability`.
"""

from pareto_core.algorithms.budget.mmoba import MMOBA
from pareto_core.algorithms.budget.mocba import MOCBA
from pareto_core.algorithms.budget.plug_in import PlugIn
from pareto_core.algorithms.budget.score import SCORE

__all__ = ["MMOBA", "MOCBA", "SCORE", "PlugIn"]
