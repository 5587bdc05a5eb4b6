"""One run of a simulation, made again."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.rivals import PSIPS
from pareto_core.simulation.runs import repeat_run, simulate

CORNER = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], variance=[4.0, 0.25])


@pytest.mark.parametrize("algorithm", [pc.APE(), pc.Racing(), PSIPS(), pc.EGE(budget=60)])
def test_a_repeated_run_is_the_run_of_that_number(algorithm):
    runs = simulate(algorithm, CORNER, 12, seed=3, progress=False)
    for number in (0, 7, 11):
        found = repeat_run(algorithm, CORNER, number, seed=3)
        for name, value in found.items():
            np.testing.assert_array_equal(value, getattr(runs, name)[number])


def test_a_repeated_run_is_cut_off_at_max_samples():
    found = repeat_run(pc.APE(), CORNER, 5, max_samples=4)
    assert (found["samples"], bool(found["stopped"]), bool(found["correct"])) == (4, False, False)


@pytest.mark.parametrize("run", [-1, 1.5, "first", None])
def test_an_invalid_number_is_refused(run):
    with pytest.raises(ValueError, match="run = "):
        repeat_run(pc.APE(), CORNER, run)
