"""Algorithms that identify the Pareto set, one file each."""
