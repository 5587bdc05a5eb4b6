"""Algorithms that look for the Pareto set of a linear model: means are linear in features."""

from pareto_core.algorithms.linear.gege import GEGE
from pareto_core.algorithms.linear.linear_pal import LinearPAL

__all__ = ["GEGE", "LinearPAL"]
