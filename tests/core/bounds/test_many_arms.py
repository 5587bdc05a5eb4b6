"""Characteristic times of more arms than an iteration once added bounds."""

import numpy as np
import pytest

from pareto_core import characteristic_time, transport_cost
from pareto_core.bounds import cutting_planes


def below_ten(n_arms, seed):
    """Ten optimal arms on a sphere, and arms between them and the origin."""
    rng = np.random.default_rng(seed)
    front = np.abs(rng.standard_normal((10, 3)))
    front /= np.linalg.norm(front, axis=1, keepdims=True)
    shares = rng.uniform(0.1, 0.9, (n_arms - 10, 3))
    return np.vstack([front, front[rng.integers(10, size=n_arms - 10)] * shares])


@pytest.mark.slow
def test_all_arms_that_matter_get_a_bound_in_the_same_iteration():
    means = below_ten(350, seed=0)
    time = characteristic_time(means, 1e-2, max_iterations=40)  # 60 are not enough for 256 bounds
    assert transport_cost(means, time.weights).value == pytest.approx(1 / time.time, rel=1e-12)


@pytest.mark.parametrize("covariance", [None, [[1.0, 0.3, 0.0], [0.3, 2.0, 0.0], [0.0, 0.0, 1.0]]])
def test_dropping_unused_bounds_does_not_change_the_time(monkeypatch, covariance):
    means = below_ten(40, seed=0)
    full = characteristic_time(means, 1e-5, covariance=covariance)
    monkeypatch.setattr(cutting_planes, "FEW_BOUNDS", 1)
    few = characteristic_time(means, 1e-5, covariance=covariance)
    assert abs(few.time / full.time - 1) <= 1e-5
    assert few.relative_gap <= 1e-5
