"""Seeds and numbers of cases of tests on random examples."""

import pytest

__all__ = ["MORE", "seeds_of", "tried"]


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


# How many times the usual number of runs or cases a test makes.
MORE = pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.thorough)])
