"""Algorithms that identify the Pareto set of arms whose means are linear in their features."""

from pareto_core.algorithms.linear.gege import GEGE

__all__ = ["GEGE"]
