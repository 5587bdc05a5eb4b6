"""Costs of a sample of each arm, as a hyper-parameter."""

import numpy as np

from pareto_core.checks.arguments import check_costs

__all__ = ["as_costs", "costs_for"]


def as_costs(costs):
    """The hyper-parameter as a tuple, or None.

    Raises
    ------
    ValueError
        If it is no sequence of finite numbers above 0.
    """
    return None if costs is None else tuple(check_costs(costs).tolist())


def costs_for(costs, problem):
    """Cost of a sample of each arm, shape (K,); 1 without costs.

    Raises
    ------
    ValueError
        If there are more or fewer than the problem has arms.
    """
    return np.ones(problem.n_arms) if costs is None else check_costs(costs, problem.n_arms)
