"""The cheapest alternative with weights per arm and objective, against quadratic programs."""

import numpy as np
import pytest
from hypothesis import given
from references import pareto
from references.noise import on_a_front
from references.seeds import SEEDS, examples
from references.separate import confusion, transport

from pareto_core import transport_cost

EXACT = 1e-9


def random_problem(seed):
    """Means with ties and duplicates, and positive weights of very different sizes."""
    rng = np.random.default_rng(seed)
    means, _ = on_a_front(rng)
    weights = rng.uniform(0.1, 1, means.shape)
    return means, weights * 10 ** (rng.choice([0, 0, 3]) * rng.uniform(-1, 1, means.shape))


def few_alternatives(seed):
    means, _ = random_problem(seed)
    return len(pareto.pareto_set(means)) <= 5 - means.shape[1] // 3


PROBLEMS = SEEDS.filter(few_alternatives).map(random_problem)


def assert_consistent(means, weights, found):
    """Gradient and alternative cost the value; the alternative has or borders on another answer."""
    slack = EXACT * found.value + 1e-300
    assert abs((weights * found.gradient).sum() - found.value) <= slack
    moves = (means - found.alternative) ** 2 / 2
    # where an arm moves little because its weight is large, the means round the move
    rounding = 1e-14 * (weights * np.abs(means - found.alternative)).sum() * np.abs(means).max()
    assert abs((weights * moves).sum() - found.value) <= slack + rounding
    if not np.array_equal(pareto.pareto_set(found.alternative), pareto.pareto_set(means)):
        return  # moves of weight 0 may lead beyond the boundary
    left = transport_cost(found.alternative, np.ones(means.shape)).value
    assert left <= 1e-20 * (1 + np.abs(means).max() ** 2)


@pytest.mark.slow
@examples(300)
@given(PROBLEMS)
def test_cost_equals_brute_force(problem):
    means, weights = problem
    found = transport_cost(means, weights)
    assert found.value == pytest.approx(transport(means, weights)[0], rel=EXACT, abs=1e-20)
    assert_consistent(means, weights, found)


@examples(40)
@given(PROBLEMS, SEEDS)
def test_weights_of_zero_are_the_limit_of_small_weights(problem, seed):
    """C is concave and does not decrease: C(w) <= C(w + e) <= C(w) + e g(w)."""
    means, weights = problem
    rng = np.random.default_rng(seed)
    weights = weights * (rng.random(weights.shape) < 0.8)
    weights.flat[rng.integers(weights.size)] = 1.0
    small = 1e-9 * weights.max()
    found = transport_cost(means, weights)
    assert_consistent(means, weights, found)
    near = transport(means, weights + small)[0]
    assert found.value <= near * (1 + EXACT) + 1e-20
    assert near <= (found.value + small * found.gradient.sum()) * (1 + EXACT) + 1e-20


@pytest.mark.parametrize("seed", range(5))
def test_variances_divide_the_weights(seed):
    rng = np.random.default_rng(seed)
    means, weights, variance = rng.standard_normal((5, 3)), rng.random(5), rng.random((5, 3)) + 0.1
    known = transport_cost(means, weights, variance=variance)
    found = transport_cost(means, weights[:, None] / variance)
    assert found.value == pytest.approx(known.value, rel=1e-12)
    assert found.arm == known.arm
    np.testing.assert_allclose((found.gradient / variance).sum(axis=1), known.gradient)


@pytest.mark.parametrize("exponent", [-600, -100, 100, 600])
@pytest.mark.parametrize("scale", [1e-60, 1.0, 1e60])
def test_scales_of_weights_and_means_only_scale_the_cost(exponent, scale):
    means, weights = random_problem(12)
    plain = transport_cost(means, weights)
    found = transport_cost(scale * means, np.ldexp(weights, exponent))
    assert found.value == pytest.approx(np.ldexp(plain.value, exponent) * scale**2, rel=1e-12)
    assert found.arm == plain.arm


@given(SEEDS)
@examples(40)
def test_the_cheapest_confusion_of_best_arms_is_that_of_a_plain_search(seed):
    means, weights = random_problem(seed)
    if np.random.default_rng(seed).integers(2):
        weights = weights * (weights > np.quantile(weights, 0.3))
    found = transport_cost(means, weights, problem="best_arm_per_objective")
    cost, _ = confusion(means, weights)
    assert found.value == pytest.approx(cost, rel=EXACT, abs=1e-300)
    assert (weights * found.gradient).sum() == pytest.approx(cost, rel=EXACT, abs=1e-300)
    np.testing.assert_allclose(found.gradient, (means - found.alternative) ** 2 / 2, atol=1e-12)
    moved = (found.alternative != means).any(axis=0)
    assert moved.sum() <= 1
    joint = transport_cost(means, weights[:, 0] + 1.0, problem="best_arm_per_objective")
    same = np.tile(weights[:, :1] + 1.0, means.shape[1])
    again = transport_cost(means, same, problem="best_arm_per_objective")
    assert again.value == pytest.approx(joint.value, rel=EXACT, abs=1e-300)
