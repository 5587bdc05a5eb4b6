"""Simulations without a display of their progress, and whether two of them are the same."""

import numpy as np

from pareto_core import simulate

COLUMNS = ("samples", "correct", "stopped", "pulls", "means", "answers")


def run_quietly(algorithm, instance, runs=1, **settings):
    return simulate(algorithm, instance, runs, progress=False, **settings)


def assert_same_runs(found, expected):
    """The first runs that were found are the expected ones, to the last bit."""
    for column in COLUMNS:
        result, reference = getattr(found, column), getattr(expected, column)
        assert result.dtype == reference.dtype
        np.testing.assert_array_equal(result[: len(reference)], reference)
