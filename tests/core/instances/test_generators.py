"""Generators of instances: the laws that they state, and what they refuse."""

import numpy as np
import pytest
from references import pareto as reference

from pareto_core import best_arms, gaps, pareto_set
from pareto_core.instances.constrained_instances import racing_hard, two_stage_hard
from pareto_core.instances.generators import (
    distinct_best_arms,
    linear_family,
    one_dominates_all,
    random_gaussian,
    spherical_front,
    staircase_front,
)


@pytest.mark.parametrize(("p", "d"), [(1, 1), (2, 2), (50, 2), (20, 3), (64, 5)])
def test_spherical_front_has_p_points_on_the_sphere_and_the_origin_below(p, d):
    instance = spherical_front(p, d, np.random.default_rng([p, d]), radius=0.1)
    assert instance.means.shape == (p + 1, d)
    np.testing.assert_allclose(np.linalg.norm(instance.means[:-1], axis=1), 0.1, rtol=1e-12)
    assert (instance.means[:-1] > 0).all()
    assert (instance.means[-1] == 0).all()
    assert reference.pareto_set(instance.means) == list(range(p))


@pytest.mark.parametrize("p", [1, 2, 16, 200])
def test_staircase_front_has_p_undominated_points_in_the_square(p):
    instance = staircase_front(p, np.random.default_rng(p), side=10)
    points = instance.means[:-1]
    assert instance.means.shape == (p + 1, 2)
    assert (points > 0).all()
    assert (points < 10).all()
    assert (np.diff(points[:, 0]) > 0).all()
    assert (np.diff(points[:, 1]) < 0).all()
    assert (instance.means[-1] == 0).all()
    assert instance.pareto_set.tolist() == list(range(p))


def test_first_point_of_a_staircase_is_uniform_in_the_square():
    rng = np.random.default_rng(0)
    points = np.array([staircase_front(1, rng, side=1).means[0] for _ in range(2000)])
    for level in (0.25, 0.5, 0.75):
        error = np.sqrt(level * (1 - level) / len(points))
        assert (np.abs((points < level).mean(axis=0) - level) < 4 * error).all()


def test_one_dominates_all():
    instance = one_dominates_all(5, n_objectives=3, lead=0.5)
    np.testing.assert_array_equal(instance.means, [[0.5] * 3] + [[0.0] * 3] * 4)
    assert instance.pareto_set.tolist() == [0]


def test_random_gaussian_has_the_given_scale():
    instance = random_gaussian(2000, 3, np.random.default_rng(0), scale=4.0)
    assert instance.means.shape == (2000, 3)
    np.testing.assert_allclose(instance.means.std(axis=0), 4, rtol=0.08)
    assert (np.abs(instance.means.mean(axis=0)) < 0.5).all()


@pytest.mark.parametrize(("n_arms", "n_objectives"), [(2, 1), (5, 5), (20, 10)])
def test_distinct_best_arms_lead_by_a_fifth(n_arms, n_objectives):
    for seed in range(20):
        instance = distinct_best_arms(n_arms, n_objectives, np.random.default_rng(seed))
        means = instance.means.copy()
        assert means.shape == (n_arms, n_objectives)
        assert best_arms(means).tolist() == list(range(n_objectives))
        leaders = means.diagonal()[:n_objectives].copy()
        assert (leaders >= 1.2).all()
        assert (leaders <= 2).all()
        means[range(n_objectives), range(n_objectives)] = 0.5
        assert (means >= 0).all()
        assert (means <= 1).all()


@pytest.mark.parametrize("seed", range(5))
def test_linear_family_leaves_the_smallest_gaps_alone(seed):
    theta = -np.random.default_rng(seed).random((6, 3))
    instance = linear_family(theta, 60, np.random.default_rng(seed), [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(instance.features[:6], np.eye(6))
    np.testing.assert_allclose(instance.means, instance.features @ theta)
    np.testing.assert_allclose(np.linalg.norm(instance.features, axis=1), 1)
    assert (instance.features >= 0).all()
    assert len(np.unique(instance.features, axis=0)) == 60
    gap = reference.gaps(instance.means, 1.0)
    np.testing.assert_allclose(gap[:6], reference.gaps(theta, 1.0))
    assert gap[6:].min() >= gap[:6].max()
    np.testing.assert_array_equal(instance.variance, [1.0, 2.0, 3.0])


def test_linear_family_grows_by_adding_arms():
    theta = -np.random.default_rng(1).random((4, 2))
    small = linear_family(theta, 10, np.random.default_rng(2))
    large = linear_family(theta, 30, np.random.default_rng(2))
    np.testing.assert_array_equal(large.means[:10], small.means)
    assert linear_family(theta, 4, np.random.default_rng(2)).n_arms == 4
    np.testing.assert_array_equal(small.variance, [1.0, 1.0])


def test_linear_family_refuses_candidates_that_make_it_harder(monkeypatch):
    monkeypatch.setattr("pareto_core.instances.generators.REJECTIONS", 50)
    rising = np.array([[1.0, 0.0], [0.0, 1.0]])  # all positive combinations lie above them
    with pytest.raises(ValueError, match=r"(?s)^means = .*\(2 of 3 found\)"):
        linear_family(rising, 3, np.random.default_rng(0))
    assert gaps(rising).tolist() == [1.0, 1.0]
    assert pareto_set(rising).tolist() == [0, 1]


TWO = [[0.0, 1.0], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("generate", "message"),
    [
        (lambda rng: spherical_front(0, 2, rng), "n_front"),
        (lambda rng: spherical_front(2, 0, rng), "n_objectives"),
        (lambda rng: spherical_front(2, 2, rng, radius=0), "radius"),
        (lambda rng: staircase_front(-1, rng), "n_front"),
        (lambda rng: staircase_front(3, rng, side=np.inf), "side"),
        (lambda rng: one_dominates_all(1), "n_arms"),
        (lambda rng: one_dominates_all(2, lead=-1), "lead"),
        (lambda rng: random_gaussian(2.5, 2, rng), "n_arms"),
        (lambda rng: random_gaussian(2, 2, rng, scale=np.nan), "scale"),
        (lambda rng: distinct_best_arms(1, 1, rng), "expected an integer, at least"),
        (lambda rng: distinct_best_arms(4, 5, rng), "expected an integer, at least"),
        (lambda rng: distinct_best_arms(5, 0, rng), "expected an integer, at least"),
        (lambda rng: linear_family([[0.0, 1.0]], 3, rng), "means has shape"),
        (lambda rng: linear_family([[0.0, np.nan], [1.0, 0.0]], 3, rng), r"means\[0, 1\] = nan"),
        (lambda rng: linear_family(TWO, 1, rng), "n_arms = 1; expected an integer, at least 2"),
        *(
            (lambda rng, value=value: two_stage_hard(value), f"^epsilon = {value!r}")
            for value in (0, -0.1, 0.5, 2.0, np.nan, "0.1", None)
        ),
        *(
            (lambda rng, value=value: racing_hard(value), f"^n_arms = {value!r}")
            for value in (1, 0, 2.0, "3", None)
        ),
    ],
)
def test_generators_refuse(generate, message):
    with pytest.raises(ValueError, match=message):
        generate(np.random.default_rng(0))
