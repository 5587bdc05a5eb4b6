"""The cheapest alternative in a linear model, against rational arithmetic."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from references.linear_transport import linear_transport
from references.pareto import pareto_set
from references.seeds import SEEDS, examples

from pareto_core import transport_cost
from pareto_core.regression.design import feature_points
from pareto_core.transport.linear_oracle import (
    NEAR,
    allocate_linear_response,
    near_linear_gradients,
)

BEST = "best_arm_per_objective"
EXACT = 1e-9


def grid(rng, shape, step):
    """Random numbers on a grid: products and sums of few of them are exact."""
    return np.round(rng.standard_normal(shape) / step) * step


def linear_instance(rng):
    """Means, weights and features: generic, tied, duplicated, dependent, badly scaled."""
    n_arms, d, h = rng.integers(2, 8), rng.integers(1, 4), rng.integers(1, 4)
    step = rng.choice([1.0, 2.0**-3, 2.0**-10])
    features, theta = grid(rng, (n_arms, h), step), grid(rng, (h, d), step)
    if rng.integers(3) == 0:
        features[:, 0] = 1.0  # an intercept
    if rng.integers(4) == 0:
        features[rng.integers(n_arms)] = features[rng.integers(n_arms)]
    if rng.integers(4) == 0:  # an arm halfway between two others
        features[0] = features[rng.integers(n_arms, size=2)].mean(axis=0)
    means = features @ theta
    if rng.integers(4) == 0:  # dependent columns, and columns of zeros
        features = np.column_stack([features, features[:, 0], np.zeros(n_arms)])
    if rng.integers(3) == 0:
        features = features * 2.0 ** rng.integers(-30, 30, features.shape[1])
    weights = grid(rng, n_arms, 2.0**-6) ** 2 + 2.0**-6
    if rng.integers(3) == 0:
        weights *= 2.0 ** rng.integers(-12, 12, n_arms)
    if rng.integers(4) == 0:
        weights[rng.integers(n_arms)] = 0.0
    return means, weights, features


def instance_of(seed):
    """An instance with at least two distinct arms and some weight."""
    means, weights, features = linear_instance(np.random.default_rng(seed))
    assume((features != features[0]).any() and weights.any())
    return means, weights, features


@pytest.mark.slow
@examples(400)
@given(SEEDS)
def test_cost_is_that_of_rational_arithmetic(seed):
    means, weights, features = instance_of(seed)
    found = transport_cost(means, weights, features=features).value
    expected = linear_transport(means, weights, features)
    assert found == pytest.approx(expected, rel=EXACT, abs=1e-300)
    scaled = transport_cost(means, 2.0**100 * weights, features=features).value
    assert scaled == pytest.approx(2.0**100 * found, rel=EXACT)


def front_may_change(means, alternative, features, slack):
    """Whether some arm is about to enter or to leave the Pareto set, up to ``slack``."""
    front = pareto_set(means)
    for k in range(len(means)):
        others = [i for i in front if (features[i] != features[k]).any()]
        leads = alternative[k] - alternative[others]
        if k in front and (leads <= slack).all(axis=1).any():
            return True
        if k not in front and (leads >= -slack).any(axis=1).all():
            return True
    return False


@examples(40)
@given(SEEDS)
def test_alternative_is_linear_costs_the_value_and_is_on_the_boundary(seed):
    means, weights, features = instance_of(seed)
    value, gradient, alternative, _ = transport_cost(means, weights, features=features)
    size = np.abs(means).max(initial=1.0) + np.abs(alternative).max()
    assert weights @ gradient == pytest.approx(value, rel=1e-7, abs=1e-13 * weights.sum() * size**2)
    points = feature_points(features)
    assert np.abs(alternative - points @ (points.T @ alternative)).max() <= 1e-8 * size
    assert front_may_change(means, alternative, features, 1e-8 * size)


@examples(40)
@given(SEEDS)
def test_near_alternatives_bound_the_cost_at_other_weights(seed):
    rng = np.random.default_rng(seed)
    means, weights, features = instance_of(seed)
    points, rows = feature_points(features), np.empty((64, len(means)))
    response = allocate_linear_response(*points.shape, means.shape[1])
    scratch = response, np.empty_like(means)
    value, count = near_linear_gradients(means, weights, points, *scratch, rows)
    found = transport_cost(means, weights, features=features)
    assert value == found.value
    assert rows[0] == pytest.approx(found.gradient)
    assert (rows[:count] @ weights <= NEAR * value * (1 + 1e-7) + 1e-300).all() or value == 0
    others = rng.uniform(0, 1, len(weights))
    cost = transport_cost(means, others, features=features).value
    assert (rows[:count] @ others >= cost * (1 - 1e-7)).all()


def cheapest_confusion(means, weights, features):
    """Smallest cost over all objectives and challengers, in NumPy."""
    inverse = np.linalg.inv((features * weights[:, None]).T @ features)
    costs = []
    for column in means.T:
        best = column.argmax()
        for i in set(range(len(means))) - {best}:
            step = features[best] - features[i]
            costs.append(0.5 * (column[best] - column[i]) ** 2 / (step @ inverse @ step))
    return min(costs)


@settings(max_examples=40)
@given(st.integers(0, 2**63))
def test_the_cheapest_confusion_of_a_best_arm(seed):
    rng = np.random.default_rng(seed)
    n_arms, h, d = rng.integers(2, 8), rng.integers(1, 5), rng.integers(1, 4)
    features = rng.standard_normal((max(n_arms, h + 1), h))
    means, weights = features @ rng.standard_normal((h, d)), rng.uniform(0.1, 1, len(features))
    value, gradient, alternative, arm = transport_cost(
        means, weights, problem=BEST, features=features * 10.0 ** rng.integers(-6, 6, h)
    )
    assert value == pytest.approx(cheapest_confusion(means, weights, features), rel=1e-9)
    assert weights @ gradient == pytest.approx(value, rel=1e-7)
    leads = alternative[means.argmax(axis=0), range(d)] - alternative[arm]
    lost = means[arm] < means.max(axis=0)
    assert np.abs(leads[lost]).min() <= 1e-9 * np.abs(means).max()


@pytest.mark.parametrize("weights", ([1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]))
def test_best_arms_at_weights_that_do_not_span_the_features_cost_nothing(weights):
    means = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    value, gradient, alternative, arm = transport_cost(
        means, weights, problem=BEST, features=np.eye(3)
    )
    assert (value, weights @ gradient) == (0, 0)
    assert alternative[arm, 0] == pytest.approx(alternative[0, 0])
