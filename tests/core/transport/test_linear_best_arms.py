"""The cheapest confusion of a best arm in a linear model."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pareto_core import transport_cost
from pareto_core.regression.design import feature_points
from pareto_core.transport.linear_best_arms import cheapest_linear_confusion
from pareto_core.transport.linear_oracle import allocate_linear_response

BEST = "best_arm_per_objective"


def closed_form(means, weights, features):
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
def test_cost_and_alternative(seed):
    rng = np.random.default_rng(seed)
    n_arms, h, d = rng.integers(2, 8), rng.integers(1, 5), rng.integers(1, 4)
    features = rng.standard_normal((max(n_arms, h + 1), h))
    means, weights = features @ rng.standard_normal((h, d)), rng.uniform(0.1, 1, len(features))
    value, gradient, alternative, arm = transport_cost(
        means, weights, problem=BEST, features=features * 10.0 ** rng.integers(-6, 6, h)
    )
    assert value == pytest.approx(closed_form(means, weights, features), rel=1e-9)
    assert weights @ gradient == pytest.approx(value, rel=1e-7)
    leads = alternative[means.argmax(axis=0), range(d)] - alternative[arm]
    lost = means[arm] < means.max(axis=0)
    assert np.abs(leads[lost]).min() <= 1e-9 * np.abs(means).max()
    points = feature_points(features)
    response = allocate_linear_response(*points.shape, d)
    assert cheapest_linear_confusion(means, points, weights, 0.5 * value, response) == 0.5 * value
    assert response.found[0]["moved"] == -1


@pytest.mark.parametrize("weights", ([1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]))
def test_weights_that_do_not_span_the_features_cost_nothing(weights):
    means = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    value, gradient, alternative, arm = transport_cost(
        means, weights, problem=BEST, features=np.eye(3)
    )
    assert (value, weights @ gradient) == (0, 0)
    assert alternative[arm, 0] == pytest.approx(alternative[0, 0])


def test_a_twin_of_the_best_arm_costs_nothing():
    features = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    found = transport_cost(features @ [[1.0], [0.0]], np.ones(3), problem=BEST, features=features)
    assert found.value == 0
