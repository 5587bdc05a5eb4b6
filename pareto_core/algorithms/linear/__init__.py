"""Algorithms that identify the Pareto set of arms whose means are linear in their features."""
