"""Estimates of the true error rate of an algorithm, down to one error in millions of runs.

Begin with `estimate`. Rare errors are measured by importance sampling: `wrong_turns` computes means
for which a wrong answer is correct, and `proposals` fits a mixture of such means to draw from.
"""

from pareto_book.error_rates.estimate import RiskEstimate, error_probabilities, error_probability
from pareto_book.error_rates.proposals import Proposals, fit_proposals

__all__ = [
    "Proposals",
    "RiskEstimate",
    "error_probabilities",
    "error_probability",
    "fit_proposals",
]
