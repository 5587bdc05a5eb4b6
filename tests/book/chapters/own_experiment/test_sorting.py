"""Eight ways to sort a list."""

import numpy as np
import pytest

from pareto_book.chapters.own_experiment.sorting import ROUTINES, SLOW, measure


@pytest.mark.parametrize("name", ROUTINES)
def test_a_routine_sorts_and_is_measured(name):
    found = measure(ROUTINES[name], np.random.default_rng(0), 200)
    assert set(found) == {"time", "memory"}
    assert np.isfinite([*found.values()]).all()
    assert found["memory"] >= 0
    assert set(ROUTINES) > SLOW


def test_a_routine_that_does_not_sort_is_refused():
    with pytest.raises(ValueError, match="does not sort"):
        measure(lambda numbers: numbers, np.random.default_rng(0), 200)
