"""Oracle weights for the best arm of every objective, and their certificate."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import oracle_weights as reference
from references.oracle_weights import instances, is_clear

from pareto_core import characteristic_time
from pareto_core.bounds.interior_point import pair_space
from pareto_core.bounds.oracle_weights import certified_oracle_weights

BEST_ARMS = "best_arm_per_objective"
FLOORS = st.sampled_from([0.0, 0.0, 1e-3, 0.1, 1.0, 30.0, 1e4, 1e17])


def time_of(means, relative_gap=1e-9, **settings):
    return characteristic_time(means, relative_gap, problem=BEST_ARMS, **settings)


def check_certificate(means, found, prices, eta):
    """The proportions are allowed, attain the value, and no others attain much more."""
    n_arms = len(means)
    exact = [[Fraction(x) for x in row] for row in means.tolist()]
    value = reference.confusion(exact, [Fraction(w) for w in found.weights])[0]
    assert float(value) == pytest.approx(1 / found.time, rel=1e-12)
    assert found.weights.sum() == pytest.approx(1, abs=1e-13)
    assert found.weights.min() > 0
    assert found.weights.min() >= eta / ((1 + eta) * n_arms)
    bound = reference.proven_bound(means, prices, eta)
    assert bound >= value * (1 - Fraction(1e-13))
    assert bound <= value * Fraction((1 + found.relative_gap) * (1 + 1e-12))


def prices_of(space):
    """Price of each pair's limit, by leader and arm."""
    leaders = space.leaders[: space.sizes[0]["leaders"]]
    return {
        (int(b), i): p for row, b in enumerate(leaders) for i, p in enumerate(space.prices[row])
    }


@pytest.mark.slow
@settings(max_examples=250)
@given(instances().filter(is_clear), FLOORS, st.sampled_from([1e-2, 1e-4, 1e-9]))
def test_certificates_are_proofs(means, eta, relative_gap):
    found = time_of(means, relative_gap, eta=eta)
    assert 0 <= found.relative_gap <= relative_gap
    space, weights = pair_space(*means.shape), np.empty(len(means))
    gap, steps = certified_oracle_weights(means, eta, relative_gap, 1000, space, weights)
    np.testing.assert_array_equal(weights, found.weights)
    assert (gap, steps) == (found.relative_gap, found.iterations)
    check_certificate(means, found, prices_of(space), eta)


@pytest.mark.parametrize("decades", [1, 8, 30, 70])
def test_gaps_may_be_of_any_size(decades):
    rng = np.random.default_rng(decades)
    for shape in ((2, 2), (6, 1), (20, 10), (206, 2), (8, 20)):
        for eta in (0.0, 0.1):
            means = rng.standard_normal(shape) * 10 ** rng.uniform(-decades, decades, shape)
            found = time_of(means, eta=eta)
            assert found.iterations <= (40 if eta == 0 else 60)
            value = reference.confusion(means, found.weights)[0]
            assert found.time == pytest.approx(1 / value, rel=1e-12)


@pytest.mark.parametrize("eta", [0.0, 0.1])
def test_too_few_steps_are_reported(eta):
    for seed in range(10):
        means = np.random.default_rng(seed).standard_normal((8, 3))
        found = time_of(means, 1e-6, eta=eta)
        again = time_of(means, 1e-6, eta=eta, max_iterations=found.iterations)
        np.testing.assert_array_equal(again.weights, found.weights)
        fewer = found.iterations // 2
        with pytest.raises(RuntimeError, match=r"not certified to 1e-06 after \d+ iter") as error:
            time_of(means, 1e-6, eta=eta, max_iterations=fewer)
        text = str(error.value)
        assert f"after {fewer} iterations" in text
        lower, upper = (float(x) for x in text.split("1/T* are ")[1].split(" and "))
        assert lower < 1 / found.time * (1 + 1e-6) < upper
