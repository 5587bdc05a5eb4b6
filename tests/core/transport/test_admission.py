"""The cheapest admission of one arm, against brute force, quadratic programs and plain searches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import constrained_transport as brute
from references import noise_region
from references.constrained_instances import instances, rounding
from references.noise import add_arm, random_covariance
from references.seeds import SEEDS, examples

from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.geometry.staircase import sorted_front
from pareto_core.transport.admission import admission_space, admit_target, admit_target_2d
from pareto_core.transport.metric import Region, known_noise

EXACT = 1e-9
SMALL = SEEDS.filter(noise_region.is_small).map(noise_region.with_noise)
WEIGHED = SMALL.filter(noise_region.has_positive_weights)


def admission(means, weights, covariance, polyhedron, front, target, upper=np.inf):
    """Cost and point that the search finds, at weights if ``covariance`` is None."""
    prices, precision = weights, None
    if covariance is not None:
        noise = known_noise(covariance)
        prices, precision = (
            weights[:, None] / noise.variance,
            weights[target] * noise.precision[target],
        )
    point, region = np.full(means.shape[1], -7.0), Region(*polyhedron.rows())
    found = np.array(front, np.int64), len(front), target, upper, point
    space = admission_space(len(polyhedron.offsets), *means.shape, covariance is not None)
    return admit_target(means, prices, precision, region, *found, space), point


@pytest.mark.slow
@pytest.mark.compiled
@examples(800)
@given(instances(), st.floats(0.0, 1 - 1e-7))
def test_search_at_weights_equals_brute_force(instance, share):
    means, weights, polyhedron, _ = instance
    weights = np.maximum(weights, 1e-4)
    order = np.argsort(-means.sum(axis=1))
    front, target = order[:-1][: 4 if means.shape[1] < 3 else 3], order[-1]
    problem = means, weights, None, polyhedron, front, target
    expected, _ = brute.admit(means, weights, polyhedron, front, target)
    value, point = admission(*problem)
    slack = rounding(means, weights, polyhedron)
    assert abs(value - expected) <= EXACT * expected + slack
    there = brute.point_costs(means, weights, front, target, point[None])[0]
    assert abs(there - value) <= EXACT * value + slack
    assert_inside_unless_too_expensive(problem, value, point, share, 1e-13)


def assert_inside_unless_too_expensive(problem, value, point, share, accuracy):
    means, _, _, polyhedron, *_ = problem
    size = max(np.abs(means).max(), np.abs(polyhedron.offsets).max(), np.abs(point).max())
    assert (polyhedron.normals @ point <= polyhedron.offsets + accuracy * size).all()
    upper = share * value * (1 - EXACT)
    found, untouched = admission(*problem, upper)
    assert found == upper
    assert (untouched == -7.0).all()


@pytest.mark.slow
@pytest.mark.compiled
@examples(250)
@given(WEIGHED, st.floats(0.0, 1 - 1e-7))
def test_search_at_prices_equals_brute_force(problem, share):
    means, weights, covariance, (polyhedron, _) = problem
    order = np.argsort(-means.sum(axis=1))
    front, target = order[:-1][: 4 if means.shape[1] < 3 else 3], order[-1]
    problem = means, weights, covariance, polyhedron, front, target
    expected, moved = noise_region.admit(*problem)
    value, point = admission(*problem)
    slack = noise_region.rounding(means, weights, covariance, polyhedron, moved)
    assert abs(value - expected) <= EXACT * expected + slack
    assert_inside_unless_too_expensive(problem, value, point, share, 1e-11)


@pytest.mark.slow
@examples(250)
@given(instances())
def test_two_objectives_need_only_the_assignments_of_cuts(instance):
    means, weights, polyhedron, _ = instance
    if means.shape[1] != 2:
        return
    weights = np.maximum(weights, 1e-4)
    target = int(means.sum(axis=1).argmin())
    front = np.empty(len(means), np.int64)
    front = front[: sorted_front(means, front)]
    front = front[front != target]
    expected, _ = admission(means, weights, None, polyhedron, front, target)
    point, space = np.empty(2), admission_space(len(polyhedron.offsets), *means.shape, False)
    given = Region(*polyhedron.rows()), front, len(front), target, np.inf, point, space
    value = admit_target_2d(means, weights, *given)
    slack = rounding(means, weights, polyhedron)
    assert abs(value - expected) <= EXACT * expected + slack
    there = brute.point_costs(means, weights, front, target, point[None])[0]
    assert abs(there - value) <= EXACT * value + slack


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
