"""Programs that are timed side by side compute the same, and each is timed on its own."""

import time

import numpy as np
import pytest

from pareto_core import transport_cost
from pareto_core.instances.generators import staircase_front
from pareto_core.publishing.timing import cell_costs, seconds_side_by_side, sweep_costs


@pytest.mark.parametrize("p", [2, 5, 20])
def test_both_programs_give_the_costs_of_the_package(p):
    rng = np.random.default_rng(p)
    means = np.array([staircase_front(p, rng).means for _ in range(6)])
    means[::2, p] = means[::2, :p].min(axis=1) * 0.5  # dominated arms elsewhere too
    weights = rng.random((6, p + 1)) + 0.01
    weights[::3, p] = 1e-3  # so that an addition is cheapest
    expected = [transport_cost(*each).value for each in zip(means, weights, strict=True)]
    for program in (sweep_costs, cell_costs):
        costs = np.full(6, np.nan)
        program(means, weights, costs)
        np.testing.assert_allclose(costs, expected, rtol=1e-9)


def test_the_slower_program_takes_longer_on_every_batch():
    def work(seconds):
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass

    calls = []

    def short(batch):
        calls.append(("short", batch))
        work(0.001)

    def long(batch):
        calls.append(("long", batch))
        work(0.01)

    seconds = seconds_side_by_side([short, long], [(1,), (2,)])
    assert seconds.shape == (2, 2)
    assert (seconds[:, 0] >= 0.001).all()
    assert (seconds[:, 1] >= 0.01).all()
    assert (seconds[:, 1] > seconds[:, 0]).all()
    # one call each that is not timed, then in turn
    assert calls == [("short", 1), ("long", 1)] + [
        (name, batch) for batch in (1, 2) for name in ("short", "long")
    ]
