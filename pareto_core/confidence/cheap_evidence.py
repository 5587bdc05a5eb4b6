"""Closed-form lower bounds on the evidence of the proven rules, for clear cases.

Most arms are far from any wrong answer. For these it is unnecessary to compute the evidence to a
thousandth of a nat.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.mixtures import Bets, least_of_two

CLEAR = 0.1  # nats above the level needed: far more than the tolerance of an infimum


@kernel
def cheap_removal(rule, information, means, arm, rival):
    """Lower bound of `log_removal`: evidence that the rival does not dominate the arm."""
    n_objectives = means.shape[1]
    most = -np.inf
    for s in range(rule.scales.shape[0]):
        bets = Bets(rule.scales[s], rule.removal, rule.removal)
        together, alone = 0.0, -np.inf
        for c in range(n_objectives):
            if means[arm, c] > means[rival, c]:
                level = least_of_two(information, means, c, rival, arm, bets)
                together += max(0.0, level)
                alone = max(alone, level)
        evidence = alone - np.log(n_objectives)
        if rule.joint:
            evidence = together + np.log(-np.expm1(-together)) - n_objectives * np.log(2.0)
        most = max(most, rule.log_weights[s] + evidence)
    return most


@kernel
def cheap_addition(rule, information, means, arm, rival):
    """Lower bound on the evidence of one dominator against the optimality of an arm."""
    least = np.inf
    for c in range(means.shape[1]):
        most = -np.inf
        for s in range(rule.scales.shape[0]):
            bets = Bets(rule.scales[s], rule.added, rule.front)
            level = least_of_two(information, means, c, arm, rival, bets)
            most = max(most, rule.log_weights[s] + level)
        least = min(least, most)
    return least
