"""Gaussian noise with a covariance for each arm, and what an algorithm is told of it."""

import pickle
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from pareto_core import (
    APE,
    Certified,
    Instance,
    Racing,
    UniformSampling,
    simulate,
    trajectory,
)
from pareto_core.instances.noise import make_source
from pareto_core.simulation.preparation import as_played, is_whitened, prepare

MEANS = [[1.0, 2.0], [0.0, 5.0], [-1.0, 0.0]]
COMMON = np.array([[4.0, 1.0], [1.0, 1.0]])
OF_EACH = np.array([COMMON, [[1.0, -0.5], [-0.5, 9.0]], [[2.0, 0.0], [0.0, 3.0]]])
SAME_VARIANCES = np.array([COMMON, [[4.0, -1.0], [-1.0, 1.0]], [[4.0, 0.0], [0.0, 1.0]]])
INSTANCE = Instance(MEANS, covariance=OF_EACH)


@dataclass(frozen=True)
class KnowsNoise(UniformSampling):
    """Uniform sampling that declares to use the covariances."""

    uses_covariance: ClassVar[bool] = True


@dataclass(frozen=True)
class BoundsNoise(Racing):
    """Racing that declares to use the covariances."""

    uses_covariance: ClassVar[bool] = True


def told(instance, algorithm=None):
    """The covariance that an algorithm is given."""
    return prepare([algorithm or KnowsNoise()], instance).problem.covariance


def test_properties():
    np.testing.assert_array_equal(INSTANCE.covariance, OF_EACH)
    np.testing.assert_array_equal(INSTANCE.variance, [[4.0, 1.0], [1.0, 9.0], [2.0, 3.0]])
    assert INSTANCE.correlation.shape == (3, 2, 2)
    np.testing.assert_allclose(INSTANCE.correlation[:, 0, 1], [0.5, -1 / 6, 0.0])
    assert INSTANCE.is_correlated
    diagonal = Instance(MEANS, covariance=OF_EACH * np.eye(2))
    assert not diagonal.is_correlated
    np.testing.assert_array_equal(Instance(MEANS, covariance=SAME_VARIANCES).variance, [4.0, 1.0])
    assert pickle.loads(pickle.dumps(INSTANCE)).covariance.flags.writeable is False


@pytest.mark.slow
def test_rewards_of_each_arm_have_its_covariance():
    (source, draw), rng = make_source(INSTANCE), np.random.default_rng(0)
    times, number = 3000, 3
    for arm in range(3):
        sums, scatters = np.empty((2, times, 2))
        for i in range(times):
            assert draw(source, arm, number, rng, sums[i], scatters[i]) == number
        scale = np.sqrt(np.outer(INSTANCE.variance[arm], INSTANCE.variance[arm]))
        found = np.cov(sums.T) / number
        assert (np.abs(found - OF_EACH[arm]) < 0.12 * scale).all()
        expected = (number - 1) * INSTANCE.variance[arm]
        np.testing.assert_allclose(scatters.mean(axis=0), expected, rtol=0.12)


def test_a_covariance_for_each_arm_that_is_common_draws_the_same_rewards():
    algorithm, times = UniformSampling(), [3, 6, 30]
    common = trajectory(algorithm, Instance(MEANS, covariance=COMMON), times)
    of_each = trajectory(algorithm, Instance(MEANS, covariance=[COMMON] * 3), times)
    np.testing.assert_array_equal(common.means, of_each.means)


def test_whitening_by_common_variances_leaves_the_correlation_of_each_arm():
    white = Instance(MEANS, covariance=SAME_VARIANCES).standardised()
    np.testing.assert_array_equal(white.variance, [1.0, 1.0])
    np.testing.assert_array_equal(white.covariance[:, 0, 1], [0.5, -0.5, 0.0])
    with pytest.raises(ValueError, match="expected one variance per objective, common to all arms"):
        INSTANCE.standardised()


def test_an_algorithm_that_does_not_use_covariances_is_told_none():
    algorithm = APE()
    assert not algorithm.uses_covariance
    for covariance in (COMMON, SAME_VARIANCES):
        instance = Instance(MEANS, covariance=covariance)
        assert is_whitened(algorithm, instance)
        assert told(instance, algorithm) is None
    with pytest.raises(ValueError, match="expected one variance per objective, common to all arms"):
        prepare([algorithm], INSTANCE)


def test_an_algorithm_that_uses_covariances_is_told_what_whitening_leaves():
    algorithm = KnowsNoise()
    for noise in ({}, {"variance": [4.0, 9.0]}, {"covariance": np.diag([4.0, 9.0])}):
        instance = Instance(MEANS, **noise)
        assert is_whitened(algorithm, instance)
        assert told(instance) is None
    for covariance in (COMMON, SAME_VARIANCES):
        instance = Instance(MEANS, covariance=covariance)
        assert is_whitened(algorithm, instance)
        expected = np.broadcast_to(instance.correlation, (3, 2, 2))
        np.testing.assert_array_equal(told(instance), expected)
        assert not told(instance).flags.writeable


@pytest.mark.parametrize(
    ("noise", "expected"),
    [
        ({"covariance": OF_EACH}, OF_EACH),
        ({"variance": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]}, None),
        ({"variance": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "noise": "uniform"}, None),
    ],
)
def test_arms_of_different_variances_are_played_as_they_are(noise, expected):
    instance, algorithm = Instance(MEANS, **noise), KnowsNoise()
    assert as_played(algorithm, instance) is instance
    if expected is None:
        expected = [np.diag(each) for each in noise["variance"]]
    np.testing.assert_array_equal(told(instance), expected)
    runs = simulate(algorithm, instance, 2, max_samples=30, progress=False)
    assert (np.abs(runs.means - instance.means) < 5).all()  # in the units of the instance


def test_noise_that_is_not_known_is_refused_as_before():
    bernoulli = Instance([[0.5, 0.4], [0.1, 0.9]], noise="bernoulli")
    with pytest.raises(ValueError, match="expected one variance per objective, common to all arms"):
        prepare([KnowsNoise()], bernoulli)
    zero = Instance(MEANS, variance=[[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]])
    with pytest.raises(ValueError, match="has a variance of 0; expected positive variances"):
        prepare([KnowsNoise()], zero)


def test_an_algorithm_with_a_bound_on_the_variance_is_told_none():
    algorithm = BoundsNoise(variance_bound=9.0)
    assert as_played(algorithm, INSTANCE) is INSTANCE
    assert told(INSTANCE, algorithm) is None


def test_a_store_distinguishes_covariances_of_the_arms(tmp_path):
    settings = {"store": tmp_path, "progress": False, "max_samples": 20}
    for covariance in (COMMON, SAME_VARIANCES, SAME_VARIANCES[::-1], SAME_VARIANCES):
        simulate(UniformSampling(), Instance(MEANS, covariance=covariance), 2, **settings)
    assert len(list(tmp_path.iterdir())) == 3


def test_proven_rules_for_independent_objectives_refuse_correlation_of_one_arm():
    covariance = np.array([np.eye(2), COMMON / [[4, 2], [2, 1]], np.eye(2)])
    with pytest.raises(ValueError, match="has correlated objectives"):
        prepare([Certified(variance="unknown")], Instance(MEANS, covariance=covariance))


@pytest.mark.parametrize(
    "covariance",
    [
        OF_EACH[:2],
        np.array([COMMON, COMMON, np.ones((2, 2))]),
        OF_EACH * [[[1.0]], [[-1.0]], [[1.0]]],
        OF_EACH + np.triu(np.ones((2, 2)), 1),
    ],
)
def test_invalid_covariances_are_refused(covariance):
    with pytest.raises(ValueError, match=r"(?s)covariance = .*of shape \(3, 2, 2\)"):
        Instance(MEANS, covariance=covariance)
