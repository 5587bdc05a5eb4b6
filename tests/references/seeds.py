"""Seeds and numbers of cases of tests on random examples."""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

__all__ = ["MORE", "SEEDS", "examples", "least_surplus", "seeds_of", "tried"]

SEEDS = st.integers(0, 2**63)


def examples(number):
    """Settings of a random test whose cases are costly to make, or often unsuitable."""
    return settings(max_examples=number, suppress_health_check=list(HealthCheck))


def seeds_of(quick, usual, everything):
    """Make the seeds of a test: some for each time it is run, more for slower ways to run it.

    Parameters
    ----------
    quick : int
        Number of seeds without a mark.
    usual : int
        Number of seeds of ``make test``; those after the quick ones are marked slow.
    everything : int
        Number of seeds with the thorough ones.

    Returns
    -------
    list
    """
    slow = (pytest.param(seed, marks=pytest.mark.slow) for seed in range(quick, usual))
    thorough = (pytest.param(seed, marks=pytest.mark.thorough) for seed in range(usual, everything))
    return [*range(quick), *slow, *thorough]


def tried(quick, usual, everything):
    """Numbers of cases of a test: in each run of the tests, in slow and in thorough ones."""
    slow = pytest.param(usual, marks=[pytest.mark.compiled, pytest.mark.slow])
    return [quick, slow, pytest.param(everything, marks=pytest.mark.thorough)]


def least_surplus(draw, least_tried, at_once):
    """Least of this many surpluses or more; ``draw`` returns those of up to ``at_once`` worlds."""
    number, least = 0, np.inf
    while number < least_tried:
        found = draw(min(at_once, least_tried))
        number, least = number + found.size, min(least, found.min(initial=np.inf))
    return least


# How many times the usual number of runs or cases a test makes.
MORE = pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.thorough)])
