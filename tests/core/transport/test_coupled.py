"""The best point of an arm with correlated objectives, against non-negative least squares."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import noise as reference

from pareto_core.transport.branch_and_bound import refresh_tail
from pareto_core.transport.coupled import joint_search, settle

FEW = settings(max_examples=80, suppress_health_check=list(HealthCheck))


def assigned(seed):
    """Means, weights, covariances and the objective of each arm but the last, the target."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(1, 25), rng.integers(1, 6)
    means = np.vstack([rng.standard_normal((n, d)), np.zeros(d)])
    if rng.integers(3) == 0:
        means = np.round(3 * means)  # several arms at one level
    weights = 10 ** (rng.choice([0.5, 3.0]) * rng.uniform(-1, 1, n + 1))
    factor = rng.standard_normal((d, d))
    covariance = np.repeat(np.eye(d)[None], n + 1, axis=0)
    covariance[n] = factor @ factor.T + 10 ** rng.uniform(-3, 0) * np.eye(d)
    covariance[n] = 0.5 * (covariance[n] + covariance[n].T)
    return means, weights, covariance, rng.integers(d, size=n)


def started(means, prices, objectives, precision, position):
    """A search at this position, with all arms assigned."""
    n, d = len(means) - 1, means.shape[1]
    search = joint_search(n, d)
    space = search.space
    space.position[:] = position
    for c in range(d):
        arms = np.flatnonzero(objectives == c)
        space.sides[c] = len(arms), 0
        space.order[c, : len(arms)] = arms[np.argsort(means[arms, c], kind="stable")]
        refresh_tail(prices, n, space, c, 0)
    return search


@pytest.mark.slow
@FEW
@given(st.integers(0, 2**63))
def test_cost_and_point_equal_least_squares_from_any_start(seed):
    means, weights, covariance, objectives = assigned(seed)
    n, d = len(means) - 1, means.shape[1]
    constraints = [(arm, n, c) for arm, c in enumerate(objectives)]
    expected, moved = reference.closest(means, weights, covariance, constraints)
    prices = weights[:, None] / np.diagonal(covariance, axis1=1, axis2=2)
    precision = weights[n] * np.linalg.inv(covariance[n])
    rng = np.random.default_rng(seed)
    for size in (0.0, 1.0, 10.0, 100.0):
        start = size * rng.standard_normal(d)
        search = started(means, prices, objectives, precision, start)
        cost = settle(means, prices, precision, n, search)
        assert cost == pytest.approx(expected, rel=1e-8, abs=1e-13)
        scale = 1e-6 * (1 + np.abs(moved).max())
        np.testing.assert_allclose(search.space.position, moved[n], atol=scale)
        for c in range(d):
            arms = search.space.order[c, : search.space.sides[c]["count"]]
            above = int((means[arms, c] > search.space.position[c]).sum())
            assert search.space.sides[c]["first"] == len(arms) - above
        slope = np.abs(search.space.slope) / np.diagonal(precision)
        assert (slope <= 1e-6 * (1 + prices.max() / prices[n])).all()
