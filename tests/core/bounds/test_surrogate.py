"""Surrogate proportions, against a simplex method in rational numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.surrogate import (
    exact_floor,
    exact_optimum,
    exact_value,
    random_means,
)

from pareto_core.bounds.surrogate import (
    surrogate_proportions,
    surrogate_space,
    surrogate_value,
    write_surrogate,
)
from pareto_core.bounds.surrogate.solver import average_surrogates, iteration_memory

ETAS = [0.0, 0.1, 1.0, 2.0]
KINDS = ["normal", "tied", "one leader", "all leaders"]


def assert_feasible(proportions, eta):
    floor = float(exact_floor(eta, len(proportions)))
    assert abs(proportions.sum() - 1) < 1e-12
    assert proportions.min() >= floor - 1e-15


def assert_exact(means, weights, eta):
    """The value is that of the proportions, and equals the optimum in rational numbers."""
    result = surrogate_proportions(means, weights, eta)
    assert_feasible(result.proportions, eta)
    optimum = exact_optimum(means, weights, eta)
    attained = exact_value(means, weights, result.proportions)
    if optimum == 0:
        assert (result.value, result.relative_gap, result.pivots) == (0, 0, 0)
        return
    assert abs(float(attained / optimum) - 1) < max(1e-11, 2 * result.relative_gap)
    if result.value > 1e-290:
        assert abs(result.value / float(attained) - 1) < 1e-14


def with_zeros(rng, weights, share):
    """Weights of which about this share is 0, but not all weights."""
    kept = rng.random(len(weights)) >= share
    kept[rng.integers(len(weights))] = True
    return weights * kept


ENTRIES = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-10, 10),
    st.builds(lambda sign, e: sign * 10.0**e, st.sampled_from([-1, 1]), st.integers(-160, 5)),
)
WEIGHTS = st.one_of(
    st.sampled_from([0.0, 1.0]),
    st.floats(0.01, 1),
    st.integers(-12, 0).map(lambda e: 10.0**e),
    st.floats(0, 1),
)


@st.composite
def programs(draw):
    """Ties, gaps whose squares underflow, and weights that are 0 or tiny."""
    n_arms, n_objectives = draw(st.integers(2, 6)), draw(st.integers(1, 4))
    row = st.lists(ENTRIES, min_size=n_objectives, max_size=n_objectives)
    means = np.array(draw(st.lists(row, min_size=n_arms, max_size=n_arms)))
    weights = np.array(draw(st.lists(WEIGHTS, min_size=n_arms, max_size=n_arms)))
    weights[draw(st.integers(0, n_arms - 1))] = 1
    return means, weights


@pytest.mark.slow
@settings(max_examples=300)
@given(programs(), st.sampled_from([*ETAS, 1e-9, 1e9]))
def test_the_value_is_the_optimum_in_rational_numbers(program, eta):
    assert_exact(*program, eta)


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e308])
def test_the_scale_of_the_weights_does_not_matter(scale):
    means, weights = np.array([[0.0, 3.0], [1.0, 0.0], [0.5, 2.0]]), np.array([1.0, 1.0, 0.0])
    means.flags.writeable = weights.flags.writeable = False
    result = surrogate_proportions(means, weights * scale, 0.1)
    expected = surrogate_proportions(means, weights, 0.1)
    np.testing.assert_array_equal(result.proportions, expected.proportions)
    assert result[1:] == expected[1:]


def test_a_used_space_leads_to_the_same_value_as_a_new_space():
    rng = np.random.default_rng(5)
    space, proportions = surrogate_space(12, 4), np.empty(12)
    means = rng.normal(size=(12, 4))
    for _ in range(400):
        change = rng.integers(5)
        if change == 0:
            means = random_means(rng, (12, 4), rng.choice(KINDS))
        elif change == 1:
            means[tuple(rng.integers((12, 4)))] = rng.normal()
        weights, eta = with_zeros(rng, rng.dirichlet(np.ones(12)), 0.2), rng.choice(ETAS)
        write_surrogate(means, weights, eta, space, proportions)
        assert_feasible(proportions, eta)
        cold = surrogate_proportions(means, weights, eta)
        assert surrogate_value(means, weights, proportions) == pytest.approx(cold.value, rel=1e-11)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.0], [1.0]], [0.0, 0.0], 0.1), "weights are all zero"),
        (([[0.0], [1.0]], [1.0, -1.0], 0.1), r"weights\[1\] = -1"),
        (([[0.0], [1.0]], [1.0], 0.1), r"weights has shape \(1,\)"),
        (([[0.0]], [1.0], 0.1), r"means has shape \(1, 1\)"),
        (([[0.0], [1.0]], [0.5, 0.5], -0.1), "eta = -0.1; expected a number, at least 0"),
    ],
)
def test_arguments_are_checked(arguments, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        surrogate_proportions(*arguments)


# The average of surrogate proportions that D-Tracking iterates (Algorithm 3)


@pytest.mark.parametrize(
    "shape",
    [(4, 2), *(pytest.param(shape, marks=pytest.mark.compiled) for shape in ((20, 10), (60, 2)))],
)
def test_algorithm_3_starts_each_iteration_from_its_optimum_in_the_last_call(shape):
    rng = np.random.default_rng(8)
    truth, n, count = random_means(rng, shape, "all leaders"), shape[0], 8
    memory, space = iteration_memory(count, *shape), surrogate_space(*shape)
    spaces, proportions = [surrogate_space(*shape) for _ in range(count)], np.empty(n)
    for _ in range(30):
        means = truth + 0.01 * rng.normal(size=shape)
        ours, weights, total, gaps = np.full(n, 1 / n), np.full(n, 1 / n), np.zeros(n), []
        for k, own in enumerate(spaces, start=1):
            gaps.append(write_surrogate(means, weights, 0.0, own, proportions))
            total += proportions
            weights = total / k
        assert average_surrogates(means, ours, space, memory) == max(gaps) < 1e-11
        np.testing.assert_array_equal(ours, weights)
