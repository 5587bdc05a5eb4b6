"""How often an algorithm really errs, down to one run in a million and below.

Begin with `estimate`. Rare errors are counted by importance sampling: `wrong_turns` finds the
instances on which the wrong answer is right, `proposals` chooses those to draw from.
"""

from pareto_core.error_rates.estimate import RiskEstimate, error_probabilities, error_probability
from pareto_core.error_rates.proposals import Proposals, fit_proposals

__all__ = [
    "Proposals",
    "RiskEstimate",
    "error_probabilities",
    "error_probability",
    "fit_proposals",
]
