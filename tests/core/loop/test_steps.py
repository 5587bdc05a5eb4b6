"""A kernel that draws from what no seed governs is refused, whichever kernel draws."""

import random

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.loop.choices import refuse_shared_streams


@pc.kernel
def of_numpy(state):
    return np.random.random()  # noqa: NPY002


@pc.kernel
def of_python(state):
    return random.random()


@pc.kernel
def of_its_own(state):
    return state.rng.random()


@pc.kernel
def calls_numpys(state):
    return of_numpy(state) + 1.0


@pytest.mark.compiled
@pytest.mark.parametrize("function", [of_numpy, of_python, calls_numpys])
def test_shared_streams_are_refused(function):
    with pytest.raises(ValueError, match=r"draws from np.random or random, .* expected it to draw"):
        refuse_shared_streams(function)


def test_a_stream_of_the_run_is_not():
    refuse_shared_streams(of_its_own)
