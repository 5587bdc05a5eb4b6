"""The cheapest admission of one arm under known noise, against quadratic programs."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import noise_region as brute
from references.noise import add_arm, random_covariance

from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.transport.known_noise import known_noise
from pareto_core.transport.noise_admission import admission_space, admit_target_with_noise

EXACT = 1e-9
MANY = settings(max_examples=200, suppress_health_check=list(HealthCheck))
SEEDS = st.integers(0, 2**63)
WEIGHED = SEEDS.filter(brute.is_small).map(brute.with_noise).filter(brute.has_positive_weights)


def admission(means, weights, covariance, polyhedron, front, target, upper=np.inf):
    """Cost and point that the search finds."""
    noise, space = known_noise(covariance), admission_space(len(polyhedron.offsets), *means.shape)
    point = np.full(means.shape[1], -7.0)
    value = admit_target_with_noise(
        means,
        weights[:, None] / noise.variance,
        weights[target] * noise.precision[target],
        *polyhedron.rows(),
        np.array(front, np.int64),
        len(front),
        target,
        upper,
        point,
        space,
    )
    return value, point


@pytest.mark.slow
@pytest.mark.compiled
@MANY
@given(WEIGHED, st.floats(0.0, 1 - 1e-7))
def test_search_of_one_admission_equals_brute_force(problem, share):
    means, weights, covariance, (polyhedron, _) = problem
    order = np.argsort(-means.sum(axis=1))
    front, target = order[:-1][: 4 if means.shape[1] < 3 else 3], order[-1]
    problem = means, weights, covariance, polyhedron, front, target
    expected, moved = brute.admit(*problem)
    value, point = admission(*problem)
    slack = EXACT * expected + brute.rounding(means, weights, covariance, polyhedron, moved)
    assert abs(value - expected) <= slack
    size = max(np.abs(means).max(), np.abs(polyhedron.offsets).max(), np.abs(point).max())
    assert (polyhedron.normals @ point <= polyhedron.offsets + 1e-11 * size).all()
    upper = share * value * (1 - EXACT)
    found, untouched = admission(*problem, upper)
    assert found == upper
    assert (untouched == -7.0).all()


def costs_of_points(means, weights, noise, points):
    """Cost of moving the last arm to each point, shape (n, d), past all other arms."""
    move = points - means[-1]
    own = 0.5 * weights[-1] * np.einsum("nb,bc,nc->n", move, noise.precision[-1], move)
    leads = np.maximum(means[:-1] - points[:, None], 0) ** 2 / noise.variance[:-1]
    return own + 0.5 * leads.min(axis=2) @ weights[:-1]


@pytest.mark.compiled
@pytest.mark.parametrize(("d", "n"), [(2, 30), (3, 20), (4, 10)])
def test_admission_past_many_arms_costs_no_more_than_at_any_point_around_it(d, n):
    rng = np.random.default_rng(d)
    means = np.abs(rng.standard_normal((n + 1, d)))
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    means[n] = -0.5
    weights = rng.uniform(0.1, 1, n + 1)
    weights[n] = 5.0
    covariance = random_covariance(rng, n + 1, d)
    region, noise = Polyhedron(np.ones((1, d)), [0.9]), known_noise(covariance)
    value, point = admission(means, weights, covariance, region, np.arange(n), n)
    there = costs_of_points(means, weights, noise, point[None])[0]
    assert there == pytest.approx(value, rel=1e-9)
    around = point + 0.05 * rng.standard_normal((20_000, d))
    around = around[around.sum(axis=1) <= 0.9]
    assert costs_of_points(means, weights, noise, around).min() >= value * (1 - EXACT)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("d", "n", "trials"), [(2, 11, 6), (3, 11, 8), (5, 8, 6)])
def test_admission_past_a_long_front_equals_a_plain_search(d, n, trials):
    rng = np.random.default_rng([d, n])
    for _ in range(trials):
        means = np.abs(rng.standard_normal((n + 1, d)))
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        means[n] = 0.0
        weights = 10 ** rng.uniform(-1, 1, n + 1)
        weights[n] *= rng.choice([1, 10])
        covariance = random_covariance(rng, n + 1, d)
        region = Polyhedron(np.vstack([np.ones(d), rng.standard_normal(d)]), [0.8, 0.3])
        value, _ = admission(means, weights, covariance, region, np.arange(n), n)
        inside = [(n, *row) for row in zip(region.normals, region.offsets, strict=True)]
        expected = add_arm(means, weights, covariance, n, rows_of_arms=inside)
        assert value == pytest.approx(expected, rel=1e-7)
