"""Characteristic times with a feasible region: closed forms, answers with reasons, refusals."""

import itertools

import numpy as np
import pytest
from references.constrained_instances import build, few_optimal

from pareto_core import characteristic_time, easiest_partition
from pareto_core.geometry.partition import Partition, valid_partitions
from pareto_core.geometry.polyhedron import Polyhedron, hypercube

HALF_LINE = Polyhedron([[-1.0]], [0.0])  # x >= 0


def time_of(means, polyhedron, problem="constrained_pareto_set", relative_gap=1e-6, **named):
    return characteristic_time(means, relative_gap, problem=problem, polyhedron=polyhedron, **named)


@pytest.mark.slow
@pytest.mark.parametrize("gap", [1e-3, 1.0, 1e4])
def test_two_arms_on_a_half_line(gap):
    # arm 0 leaves for w0/2; arm 1 rises from -3 to meet it for 16/2 w0 w1, which is at
    # w0 - 3 w1 >= 0 as long as w1 <= 1/4: both cost the same for w1 = 1/16
    means = gap * np.array([[1.0], [-3.0]])
    found = time_of(means, HALF_LINE)
    assert found.time == pytest.approx(32 / 15 / gap**2, rel=2e-6)
    np.testing.assert_allclose(found.weights, [15 / 16, 1 / 16], atol=1e-4)
    dominated = time_of(means, HALF_LINE, "partition", partition=Partition([0], [1], []))
    assert dominated.time == pytest.approx(32 / 15 / gap**2, rel=2e-6)
    # it enters for 9 w1/2, which is w0/2 for w0 = 9/10
    infeasible = time_of(means, HALF_LINE, "partition", partition=Partition([0], [], [1]))
    assert infeasible.time == pytest.approx(20 / 9 / gap**2, rel=2e-6)
    np.testing.assert_allclose(infeasible.weights, [0.9, 0.1], atol=1e-4)
    assert time_of(means, HALF_LINE, "partition").time == dominated.time


@pytest.mark.slow
def test_reasons_take_at_least_as_long():
    drawn = (
        build(seed, bad_scales=False) for seed in itertools.count() if few_optimal(build(seed))
    )
    small = ((means, region) for means, _, region, _ in drawn if len(means) <= 5)
    for means, polyhedron in itertools.islice(small, 40):
        time = time_of(means, polyhedron, relative_gap=1e-4).time
        answers = valid_partitions(means, polyhedron)
        times = [time_of(means, polyhedron, "partition", 1e-4, partition=p).time for p in answers]
        assert min(times) >= time / (1 + 1e-4) or time == np.inf
        answer, easiest = easiest_partition(means, polyhedron)
        assert easiest.time == min(times)
        assert all(map(np.array_equal, answer, answers[int(np.argmin(times))]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"problem": "constrained_pareto_set"}, "polyhedron = None"),
        ({"problem": "partition", "polyhedron": hypercube(3)}, "3 objectives"),
        ({"polyhedron": HALF_LINE}, "expected None"),
        ({"partition": Partition([0], [1], [])}, "expected None"),
        (
            {"problem": "partition", "polyhedron": HALF_LINE, "partition": Partition([1], [0], [])},
            "expected a valid partition",
        ),
    ],
)
def test_invalid_arguments_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        characteristic_time([[1.0], [-3.0]], **settings)
