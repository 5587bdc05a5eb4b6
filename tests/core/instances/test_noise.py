"""Rewards have the law that an instance states, and an algorithm is told of it what it needs."""

import numpy as np
import pytest
import scipy.stats

from pareto_core import (
    APE,
    BERNOULLI_VARIANCE_BOUND,
    Certified,
    Instance,
    UniformSampling,
    simulate,
)
from pareto_core.instances.noise import draw, make_source
from pareto_core.simulation.preparation import as_played, is_whitened, prepare

MEANS = [[1.0, 2.0], [3.0, 8.0], [5.0, 4.0]]
OF_EACH_ARM = [[1.0, 2.0], [3.0, 0.0], [5.0, 6.0]]  # variances
COMMON = np.array([[4.0, 1.0], [1.0, 1.0]])  # covariances
OF_EACH = np.array([COMMON, [[1.0, -0.5], [-0.5, 9.0]], [[2.0, 0.0], [0.0, 3.0]]])
SAME_VARIANCES = np.array([COMMON, [[4.0, -1.0], [-1.0, 1.0]], [[4.0, 0.0], [0.0, 1.0]]])
CORRELATIONS = np.array([[1.0, 0.5, -0.3], [0.5, 1.0, 0.4], [-0.3, 0.4, 1.0]])
DEVIATIONS = np.array([2.0, 1.0, 0.5])
COVARIANCE = CORRELATIONS * np.outer(DEVIATIONS, DEVIATIONS)
THREE = Instance([[1.0, 2.0, 3.0], [0.0, 5.0, -1.0]], covariance=COVARIANCE)
INSTANCE = Instance(MEANS, covariance=OF_EACH)


def draws(instance, arm, number, times):
    """Sums and scatters of ``number`` rewards of ``arm``, ``times`` times."""
    source, rng = make_source(instance), np.random.default_rng(0)
    sums, scatters = np.empty((2, times, instance.n_objectives))
    for i in range(times):
        assert draw(source, arm, number, rng, sums[i], scatters[i]) == number
    return sums, scatters


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 7])
@pytest.mark.parametrize(
    "instance",
    [
        Instance(MEANS, variance=[4.0, 0.25]),
        Instance(MEANS, variance=OF_EACH_ARM),
        Instance([[0.2, 0.9], [0.5, 0.5]], noise="bernoulli"),
        Instance(MEANS, variance=[4.0, 0.25], noise="uniform"),
        Instance(MEANS, variance=OF_EACH_ARM, noise="uniform"),
        THREE,
        INSTANCE,
    ],
)
def test_rewards_have_the_means_and_the_covariance(instance, number):
    times, d = 20_000, instance.n_objectives
    sums, scatters = draws(instance, 1, number, times)
    variance = np.broadcast_to(instance.variance, instance.means.shape)[1]
    covariance = np.diag(variance)
    if instance.covariance is not None:
        covariance = np.broadcast_to(instance.covariance, (len(instance.means), d, d))[1]
    error = 5 * np.sqrt(number * variance / times) + 1e-12
    assert (np.abs(sums.mean(axis=0) - number * instance.means[1]) < error).all()
    scale = np.sqrt(np.outer(variance, variance))
    assert (np.abs(np.cov(sums.T) / number - covariance) <= 0.05 * scale).all()
    # sums of squares have number - 1 degrees of freedom, and do not depend on the sums
    np.testing.assert_allclose(scatters.mean(axis=0), (number - 1) * variance, rtol=0.05)
    if number > 1 and instance.noise == "gaussian" and variance.all():
        expected = 2 * (number - 1) * covariance**2  # the diagonal of a Wishart variable
        np.testing.assert_allclose(
            np.cov(scatters.T), expected, rtol=0.15, atol=0.03 * variance.max() ** 2
        )
        both = np.corrcoef(sums.T, scatters.T)[:d, d:]
        assert (np.abs(both) < 5 / np.sqrt(times)).all()


@pytest.mark.slow
def test_uniform_rewards_are_spread_evenly_about_their_mean():
    instance = Instance(MEANS, variance=[3.0, 1 / 300], noise="uniform")
    rewards, _ = draws(instance, 1, number=1, times=20_000)
    for c, half in enumerate((3.0, 0.1)):
        law = scipy.stats.uniform(instance.means[1, c] - half, 2 * half)
        assert scipy.stats.kstest(rewards[:, c], law.cdf).pvalue > 1e-3
        assert (np.abs(rewards[:, c] - instance.means[1, c]) <= half).all()
    white = instance.standardised()
    assert (white.noise, white.variance.tolist()) == ("uniform", [1.0, 1.0])


def test_recorded_observations_are_drawn_once_each_in_random_order():
    observations = [np.arange(10.0).reshape(5, 2), np.array([[7.0, 8.0]])]
    instance = Instance.from_observations(observations)
    np.testing.assert_allclose(instance.means, [[4, 5], [7, 8]])
    np.testing.assert_allclose(instance.variance, [[8, 8], [0, 0]])
    orders = set()
    for seed in range(40):
        source, rng = make_source(instance), np.random.default_rng(seed)
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


def test_the_bound_on_the_variance_of_bernoulli_rewards():
    shares = np.linspace(0, 1, 101)[:, None]
    assert Instance(shares, noise="bernoulli").variance.max() == BERNOULLI_VARIANCE_BOUND


def test_variances_and_correlations_are_those_of_the_covariance():
    np.testing.assert_array_equal(THREE.variance, DEVIATIONS**2)
    np.testing.assert_allclose(THREE.correlation, CORRELATIONS)
    np.testing.assert_array_equal(INSTANCE.variance, [[4.0, 1.0], [1.0, 9.0], [2.0, 3.0]])
    np.testing.assert_allclose(INSTANCE.correlation[:, 0, 1], [0.5, -1 / 6, 0.0])
    assert THREE.is_correlated and INSTANCE.is_correlated
    assert not Instance(MEANS, covariance=OF_EACH * np.eye(2)).is_correlated
    np.testing.assert_array_equal(Instance(MEANS, covariance=SAME_VARIANCES).variance, [4.0, 1.0])
    assert Instance(MEANS).correlation is None
    assert Instance(MEANS).covariance is None


def test_whitening_keeps_the_correlation():
    white = THREE.standardised()
    np.testing.assert_array_equal(white.means, THREE.means / DEVIATIONS)
    for each in (white, white.standardised()):
        np.testing.assert_array_equal(each.variance, [1.0, 1.0, 1.0])
        np.testing.assert_array_equal(each.covariance, THREE.correlation)
    white = Instance(MEANS, covariance=SAME_VARIANCES).standardised()
    np.testing.assert_array_equal(white.variance, [1.0, 1.0])
    np.testing.assert_array_equal(white.covariance[:, 0, 1], [0.5, -0.5, 0.0])
    with pytest.raises(ValueError, match="expected one variance per objective, common to all arms"):
        INSTANCE.standardised()


def test_a_covariance_may_be_asymmetric_by_rounding_but_not_by_more():
    rng = np.random.default_rng(0)
    deviation = rng.uniform(0.1, 10.0, 3)
    for _ in range(50):
        correlation = np.corrcoef(rng.standard_normal((3, 20)))
        rounded = np.diag(deviation) @ correlation @ np.diag(deviation)
        found = Instance(rng.standard_normal((4, 3)), covariance=rounded).covariance
        np.testing.assert_array_equal(found, found.T)
        np.testing.assert_allclose(found, rounded, rtol=1e-14, atol=1e-14)
    with pytest.raises(ValueError, match="expected a symmetric, positive definite array"):
        Instance([[1.0, 0.0], [0.0, 1.0]], covariance=[[1.0, 0.5], [0.5 + 1e-9, 1.0]])


def told(instance, algorithm):
    """The covariance that an algorithm is given."""
    return prepare([algorithm], instance).problem.covariance


@pytest.mark.parametrize(
    ("noise", "correlated"),
    [
        ({"covariance": COMMON}, True),
        ({"covariance": SAME_VARIANCES}, True),
        ({}, False),
        ({"variance": [4.0, 9.0]}, False),
        ({"covariance": np.diag([4.0, 9.0])}, False),
    ],
)
def test_an_algorithm_is_told_what_whitening_leaves_if_it_uses_it(noise, correlated):
    instance = Instance(MEANS, **noise)
    for algorithm in (APE(), UniformSampling()):
        assert is_whitened(algorithm, instance)
    assert told(instance, APE()) is None
    found = told(instance, UniformSampling())
    if not correlated:
        assert found is None
        return
    np.testing.assert_array_equal(found, np.broadcast_to(instance.correlation, (3, 2, 2)))
    assert not found.flags.writeable


VARIANCES = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


@pytest.mark.parametrize(
    "noise",
    [{"covariance": OF_EACH}, {"variance": VARIANCES}, {"variance": VARIANCES, "noise": "uniform"}],
)
def test_arms_of_different_variances_are_played_as_they_are(noise):
    instance, algorithm = Instance(MEANS, **noise), UniformSampling()
    assert as_played(algorithm, instance) is instance
    expected = noise.get("covariance", [np.diag(each) for each in VARIANCES])
    np.testing.assert_array_equal(told(instance, algorithm), expected)
    runs = simulate(algorithm, instance, 2, max_samples=30, progress=False)
    assert (np.abs(runs.means - instance.means) < 5).all()  # in the units of the instance


@pytest.mark.parametrize(
    ("algorithm", "noise", "message"),
    [
        (APE(), {"covariance": OF_EACH}, "expected one variance per objective, common to all arms"),
        (
            UniformSampling(),
            {"noise": "bernoulli"},
            "expected one variance per objective, common to all",
        ),
        (UniformSampling(), {"variance": OF_EACH_ARM}, "has a variance of 0; expected positive"),
        (
            Certified(variance="unknown, equal"),
            {"covariance": [np.eye(2), COMMON / [[4, 2], [2, 1]], np.eye(2)]},
            "has correlated objectives",
        ),
    ],
)
def test_noise_that_an_algorithm_cannot_play_is_refused(algorithm, noise, message):
    means = [[0.5, 0.4], [0.1, 0.9], [0.2, 0.3]]
    with pytest.raises(ValueError, match=message):
        prepare([algorithm], Instance(means, **noise))
