"""Instances and their generators."""

import dataclasses

import numpy as np
import pytest
import scipy.stats
from references import pareto as reference

from pareto_core import Instance, best_arms
from pareto_core.instances.generators import (
    distinct_best_arms,
    one_dominates_all,
    random_gaussian,
    spherical_front,
    staircase_front,
)
from pareto_core.instances.noise import BERNOULLI_VARIANCE_BOUND, CORRELATED, NOISES, make_source

MEANS = [[1.0, 2.0], [3.0, 8.0], [5.0, 4.0]]


def test_defaults_are_unit_variance_and_numbered_names():
    instance = Instance(MEANS)
    np.testing.assert_array_equal(instance.means, MEANS)
    np.testing.assert_array_equal(instance.variance, [1, 1])
    assert instance.labels == ("arm 0", "arm 1", "arm 2")
    assert instance.objectives == ("objective 1", "objective 2")
    assert (instance.n_arms, instance.n_objectives) == (3, 2)
    assert instance.pareto_set.tolist() == [1, 2]


def test_arrays_are_frozen_copies():
    given = np.array(MEANS)
    instance = Instance(given, variance=np.ones(2))
    given[0, 0] = 99
    assert instance.means[0, 0] == 1
    for array in (instance.means, instance.variance):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        instance.name = "other"


def test_whitening_divides_by_the_standard_deviation():
    instance = Instance(MEANS, variance=[4.0, 0.25], name="three", labels=list("abc"))
    np.testing.assert_array_equal(instance.means_standardised, [[0.5, 4], [1.5, 16], [2.5, 8]])
    white = instance.standardised()
    np.testing.assert_array_equal(white.means, instance.means_standardised)
    np.testing.assert_array_equal(white.variance, [1, 1])
    assert (white.name, white.labels) == ("three", ("a", "b", "c"))
    assert "standard deviation" in white.provenance


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": ["a", "b", "a"]}, "labels has the name 'a' twice; expected distinct names"),
        ({"objectives": ["u", "u"]}, "objectives has the name 'u' twice; expected distinct names"),
        ({"variance": [1.0]}, "variance"),
        ({"variance": [1.0, 0.0]}, "variance"),
        ({"variance": [1.0, -2.0]}, "variance"),
        ({"variance": [1.0, np.nan]}, "variance"),
        ({"variance": [1.0, np.inf]}, "variance"),
        ({"variance": 2.0}, "variance"),
        ({"variance": "x"}, "variance"),
        ({"variance": -np.ones((3, 2))}, "variance"),
        ({"noise": "triangular"}, "noise = 'triangular'"),
        ({"noise": "pool"}, "noise = 'pool'"),
        ({"noise": "bernoulli"}, "Bernoulli"),
        ({"observations": [[[1.0, 2.0]]] * 3}, "noise = 'gaussian'"),
        ({"features": np.ones((2, 4))}, "features has 2 rows; expected 3"),
        ({"labels": ["one", "two"]}, "expected 3 names"),
        ({"objectives": ["only"]}, "expected 2 names"),
    ],
)
def test_invalid_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Instance(MEANS, **arguments)


def draws(instance, arm, number, times, seed=0):
    """Sums and scatters of ``number`` rewards of ``arm``, ``times`` times."""
    (source, draw), rng = make_source(instance), np.random.default_rng(seed)
    sums, scatters = np.empty((2, times, instance.n_objectives))
    for i in range(times):
        assert draw(source, arm, number, rng, sums[i], scatters[i]) == number
    return sums, scatters


def test_rewards_have_the_means_and_variances_of_the_instance():
    instance = Instance(MEANS, variance=[4.0, 0.25])
    rewards, scatters = draws(instance, 1, number=1, times=20_000)
    standard_error = np.sqrt(instance.variance / len(rewards))
    assert (np.abs(rewards.mean(axis=0) - MEANS[1]) < 4 * standard_error).all()
    np.testing.assert_allclose(rewards.var(axis=0), instance.variance, rtol=0.05)
    assert abs(np.corrcoef(rewards.T)[0, 1]) < 4 / np.sqrt(len(rewards))
    assert (scatters == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "instance",
    [
        Instance(MEANS, variance=[4.0, 0.25]),
        Instance(MEANS, variance=[[1.0, 2.0], [3.0, 0.0], [5.0, 6.0]]),
        Instance([[0.2, 0.9], [0.5, 0.5]], noise="bernoulli"),
        Instance(MEANS, variance=[4.0, 0.25], noise="uniform"),
        Instance(MEANS, variance=[[1.0, 2.0], [3.0, 0.0], [5.0, 6.0]], noise="uniform"),
    ],
)
def test_many_rewards_at_once_have_the_law_of_many_single_rewards(instance):
    sums, scatters = draws(instance, 1, number=7, times=20_000)
    variance = np.broadcast_to(instance.variance, instance.means.shape)[1]
    error = 5 * np.sqrt(7 * variance / len(sums)) + 1e-12
    assert (np.abs(sums.mean(axis=0) - 7 * instance.means[1]) < error).all()
    np.testing.assert_allclose(sums.var(axis=0), 7 * variance, rtol=0.05)
    # six degrees of freedom, and the scatter does not depend on the sum
    np.testing.assert_allclose(scatters.mean(axis=0), 6 * variance, rtol=0.05)
    if instance.noise == "gaussian":
        np.testing.assert_allclose(scatters.var(axis=0), 12 * variance**2, rtol=0.1)


@pytest.mark.slow
def test_uniform_rewards_are_spread_evenly_about_their_mean():
    instance = Instance(MEANS, variance=[3.0, 1 / 300], noise="uniform")
    rewards, scatters = draws(instance, 1, number=1, times=20_000)
    for c, half in enumerate((3.0, 0.1)):
        law = scipy.stats.uniform(instance.means[1, c] - half, 2 * half)
        assert scipy.stats.kstest(rewards[:, c], law.cdf).pvalue > 1e-3
        assert (np.abs(rewards[:, c] - instance.means[1, c]) <= half).all()
    assert abs(np.corrcoef(rewards.T)[0, 1]) < 4 / np.sqrt(len(rewards))
    assert (scatters == 0).all()
    white = instance.standardised()
    assert (white.noise, white.variance.tolist()) == ("uniform", [1.0, 1.0])


def test_recorded_observations_are_drawn_once_each_in_random_order():
    observations = [np.arange(10.0).reshape(5, 2), np.array([[7.0, 8.0]])]
    instance = Instance.from_observations(observations)
    np.testing.assert_allclose(instance.means, [[4, 5], [7, 8]])
    np.testing.assert_allclose(instance.variance, [[8, 8], [0, 0]])
    orders = set()
    for seed in range(40):
        (source, draw), rng = make_source(instance), np.random.default_rng(seed)
        total, scatter = np.empty((2, 2))
        dealt = []
        for _ in range(3):
            assert draw(source, 0, 1, rng, total, scatter) == 1
            dealt.append(total[0])
        assert draw(source, 0, 9, rng, total, scatter) == 2  # all that is left
        rest = {0.0, 2.0, 4.0, 6.0, 8.0} - set(dealt)
        assert total[0] == sum(rest)
        assert scatter[0] == pytest.approx(2 * np.var(list(rest)))
        assert draw(source, 0, 1, rng, total, scatter) == 0
        assert draw(source, 1, 1, rng, total, scatter) == 1
        orders.add(tuple(dealt))
    assert len(orders) > 20


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


@pytest.mark.parametrize(
    "generate",
    [
        lambda seed: spherical_front(5, 3, np.random.default_rng(seed)),
        lambda seed: staircase_front(5, np.random.default_rng(seed)),
        lambda seed: random_gaussian(5, 3, np.random.default_rng(seed)),
    ],
)
def test_generators_are_repeatable(generate):
    np.testing.assert_array_equal(generate(1).means, generate(1).means)
    assert (generate(1).means[0] != generate(2).means[0]).all()


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
    ],
)
def test_generators_refuse_bad_sizes(generate, message):
    with pytest.raises(ValueError, match=message):
        generate(np.random.default_rng(0))


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


@pytest.mark.parametrize(("n_arms", "n_objectives"), [(1, 1), (4, 5), (5, 0)])
def test_distinct_best_arms_need_as_many_arms_as_objectives(n_arms, n_objectives):
    with pytest.raises(ValueError, match="expected an integer, at least"):
        distinct_best_arms(n_arms, n_objectives, np.random.default_rng(0))


@pytest.mark.parametrize("observations", [None, 5, [], [[[1.0]]], "ab", [[1.0], [2.0]]])
def test_invalid_observations_are_refused(observations):
    with pytest.raises(ValueError, match=r"^observations"):
        Instance.from_observations(observations)


def test_observations_are_of_the_arms_and_have_their_means():
    groups = [[[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0]]]
    instance = Instance([[2.0, 3.0], [0.0, 1.0]], noise="pool", observations=groups)
    assert (instance.variance == Instance.from_observations(groups).variance).all()
    for means in ([[2.0, 3.0], [0.0, 1.1]], [[2.0, 3.0]] * 3, [[2.0], [0.0]]):
        with pytest.raises(ValueError, match=r"^means of shape .*expected the means of the obs"):
            Instance(means, noise="pool", observations=groups)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("labels", "abc"),
        ("labels", [1, 2]),
        ("objectives", [None]),
        ("name", 5),
        ("provenance", None),
    ],
)
def test_names_are_text(field, value):
    with pytest.raises(ValueError, match=f"^{field} = .*expected"):
        Instance([[0.0], [1.0]], **{field: value})


@pytest.mark.parametrize("kind", NOISES)
def test_every_kind_of_noise_has_a_kernel(kind):
    """The sum of all that there is to draw, or of a number, is near its mean."""
    if kind == "pool":
        instance = Instance.from_observations([[[1.0], [3.0]] * 500, [[0.0]]])
    else:
        instance = Instance([[0.5], [0.4]], noise=kind)
    sums, _ = draws(instance, 0, number=1000, times=1)
    assert abs(sums[0, 0] / 1000 - instance.means[0, 0]) < 0.1


def test_an_unknown_kind_of_noise_draws_nothing():
    source, draw = make_source(Instance([[0.5], [0.4]]))
    rng, total = np.random.default_rng(0), np.zeros(1)
    for kind in (-1, CORRELATED + 1):
        assert draw(source._replace(kind=kind), 0, 1, rng, total, total) == 0


def test_the_bound_on_the_variance_of_bernoulli_rewards():
    shares = np.linspace(0, 1, 101)[:, None]
    assert Instance(shares, noise="bernoulli").variance.max() == BERNOULLI_VARIANCE_BOUND


def test_the_representation_is_a_few_lines():
    instance = Instance(np.zeros((1000, 2)), name="many", objectives=["gain", "loss"])
    assert repr(instance).splitlines() == [
        "<Instance 'many': 1000 arms, 2 objectives, gaussian noise",
        " arms: arm 0, arm 1, arm 2, arm 3, arm 4, arm 5, ...",
        " objectives: gain, loss",
        " provenance: 'given by the caller'>",
    ]
