"""The hyper-parameter ``costs``: the cost of a sample of each arm."""

import numpy as np

from pareto_core.checks.arguments import check_costs

__all__ = ["as_costs", "costs_for"]


def as_costs(costs):
    """Check the hyper-parameter; return a tuple, or None."""
    return None if costs is None else tuple(check_costs(costs).tolist())


def costs_for(costs, problem):
    """Cost of a sample of each arm, shape (K,); 1 if ``costs`` is None."""
    return np.ones(problem.n_arms) if costs is None else check_costs(costs, problem.n_arms)
