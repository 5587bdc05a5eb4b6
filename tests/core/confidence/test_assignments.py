"""Least evidence against an arm being optimal, against enumeration of all assignments."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from references import martingales as reference

from pareto_core.confidence import assignments
from pareto_core.confidence.assignments import allocate_search, least_over_assignments
from pareto_core.confidence.mixtures import TOLERANCE, Bets

INTERPRETED = getattr(
    least_over_assignments, "py_func", least_over_assignments
)  # uses the patched MOST_NODES


@st.composite
def groups(draw):
    """(information, means): the first arm is the one that may be undominated."""
    size, d = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    information = np.round(np.exp(rng.uniform(0, draw(st.sampled_from([3, 8])), (size, d))))
    information[rng.random((size, d)) < draw(st.sampled_from([0.0, 0.2]))] = 0
    means = rng.standard_normal((size, d)) * rng.choice([0.05, 1.0, 3.0], (size, d))
    if draw(st.booleans()):  # differences of a few standard errors
        means /= np.sqrt(np.maximum(information, 1))
    if draw(st.booleans()):  # the others dominate it
        means[1:] = means[0] + np.abs(means[1:])
    return information, means.round(draw(st.sampled_from([0, 1, 12])))


EQUAL = np.full((4, 2), 50.0), np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
# The last arms are far better in some objectives only, the third has a single sample.
UNEVEN = (
    np.repeat([[15.0], [999.0], [1.0], [2898.0], [1324.0]], 2, axis=1),
    np.array([[0.0, 0.0], [3.161, 3.1574], [0.0099, 4.5547], [1.7119, 1.9406], [0.0538, 2.835]]),
)


def found(search, information, means):
    bets, group = Bets(1 / 16, 0.9, 0.5), np.arange(1, len(means))
    own = allocate_search(*means.shape)
    value = search(information, means, 0, group, group.size, bets, own)
    return value, reference.least_evidence(information, means, 0, group, bets)


@pytest.mark.slow
@settings(max_examples=200)
@given(groups())
@example(EQUAL)
@example(UNEVEN)
def test_it_is_the_minimum_over_all_assignments(instance):
    value, least = found(least_over_assignments, *instance)
    d = instance[1].shape[1]
    rounding = 1e-9 * max(1.0, abs(least))
    assert value <= least + rounding
    assert value >= least - 2 * TOLERANCE * d - rounding


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("nodes", [1, 3, 10])
def test_a_search_that_takes_too_long_ends_with_a_lower_bound(nodes, monkeypatch):
    monkeypatch.setattr(assignments, "MOST_NODES", nodes)
    rng, loose = np.random.default_rng(nodes), 0
    for _ in range(15):
        means = np.abs(rng.standard_normal((4, 3))).round(1)
        means[0] = 0
        information = np.round(np.exp(rng.uniform(0, 5, (4, 3))))
        value, least = found(INTERPRETED, information, means)
        assert value <= least + 1e-9
        loose += value < least - 2 * TOLERANCE * 3
    assert loose > 0 or nodes == 10
