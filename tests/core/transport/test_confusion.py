"""The cost of confusing the best arm of an objective with a challenger."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from references import oracle_weights as reference
from references.oracle_weights import instances
from references.pareto import cost_of
from references.seeds import SEEDS

from pareto_core import transport_cost

BEST_ARMS = "best_arm_per_objective"


def cost(means, weights):
    return transport_cost(means, weights, problem=BEST_ARMS)


def weights_for(rng, n_arms):
    weights = rng.random(n_arms) if rng.integers(2) else 10 ** rng.uniform(-8, 8, n_arms)
    return np.where(rng.random(n_arms) < 0.1, 0, weights) + 1e-30


@pytest.mark.slow
@settings(max_examples=300)
@given(instances(), SEEDS)
def test_cost_is_that_of_the_cheapest_pair(means, seed):
    weights = weights_for(np.random.default_rng(seed), len(means))
    value, gradient, alternative, _ = cost(means, weights)
    exact = [[Fraction(x) for x in row] for row in means]
    expected, *_ = reference.confusion(exact, [Fraction(w) for w in weights])
    assert value == pytest.approx(float(expected), rel=1e-12)
    rounding = np.spacing(np.abs(means).max())
    error = 8 * weights.sum() * rounding**2
    assert cost_of(means, weights, alternative) == pytest.approx(value, rel=1e-9, abs=error)
    assert weights @ gradient == pytest.approx(value, rel=1e-9, abs=error)
    moved = np.flatnonzero((alternative != means).any(axis=0))
    assert moved.size <= 1  # objectives
    lead = np.diff(np.sort(alternative, axis=0), axis=0)[-1]
    assert lead[moved].max(initial=0) <= rounding
    assert (alternative != means).sum() <= 2


def test_confusing_arms_of_weight_zero_costs_nothing():
    means = [[3.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    for weights in ([0, 0, 1], [1, 0, 1], [0, 1, 1]):
        value, gradient, alternative, _ = cost(means, weights)
        assert value == 0 == np.dot(weights, gradient)
        assert alternative[:, 0].max() == np.sort(alternative[:, 0])[-2]
    assert cost([[1.0], [1.0], [0.0]], [1.0, 2.0, 3.0]).value == 0
