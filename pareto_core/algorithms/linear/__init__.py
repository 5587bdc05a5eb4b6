"""Algorithms that identify the Pareto set of arms whose means are linear in their features."""

from pareto_core.algorithms.linear.gege import GEGE
from pareto_core.algorithms.linear.linear_pal import LinearPAL

__all__ = ["GEGE", "LinearPAL"]
