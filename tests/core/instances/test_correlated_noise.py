"""Gaussian noise that is correlated between objectives."""

import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest

from pareto_core import (
    Instance,
    Racing,
    UniformSampling,
    simulate,
)
from pareto_core.instances.noise import CORRELATED, make_source

MEANS = [[1.0, 2.0, 3.0], [0.0, 5.0, -1.0]]
COVARIANCE = np.array([[4.0, 1.0, -0.3], [1.0, 1.0, 0.2], [-0.3, 0.2, 0.25]])
INSTANCE = Instance(MEANS, covariance=COVARIANCE)


def draws(instance, arm, number, times):
    """Sums and scatters of ``number`` rewards of an arm, so many times."""
    (source, draw), rng = make_source(instance), np.random.default_rng(0)
    sums, scatters = np.empty((2, times, instance.n_objectives))
    for i in range(times):
        assert draw(source, arm, number, rng, sums[i], scatters[i]) == number
    return sums, scatters


def test_variances_and_correlations_are_those_of_the_covariance():
    np.testing.assert_array_equal(INSTANCE.covariance, COVARIANCE)
    np.testing.assert_array_equal(INSTANCE.variance, [4.0, 1.0, 0.25])
    np.testing.assert_allclose(
        INSTANCE.correlation, [[1.0, 0.5, -0.3], [0.5, 1.0, 0.4], [-0.3, 0.4, 1.0]]
    )
    assert Instance(MEANS).correlation is None
    assert Instance(MEANS).covariance is None


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 9])
def test_rewards_have_the_means_and_the_covariance(number):
    times = 20_000
    sums, scatters = draws(INSTANCE, 1, number, times)
    error = 5 * np.sqrt(number * INSTANCE.variance / times)
    assert (np.abs(sums.mean(axis=0) - number * INSTANCE.means[1]) < error).all()
    scale = np.sqrt(np.outer(INSTANCE.variance, INSTANCE.variance))
    assert (np.abs(np.cov(sums.T) / number - COVARIANCE) < 0.05 * scale).all()
    # sums of squares are on the diagonal of a Wishart variable, independent of the sums
    expected = (number - 1) * INSTANCE.variance
    np.testing.assert_allclose(scatters.mean(axis=0), expected, rtol=0.05)
    if number > 1:
        np.testing.assert_allclose(
            np.cov(scatters.T), 2 * (number - 1) * COVARIANCE**2, rtol=0.15, atol=0.3
        )
        both = np.corrcoef(sums.T, scatters.T)[:3, 3:]
        assert (np.abs(both) < 5 / np.sqrt(times)).all()


def test_without_correlation_the_noise_has_the_same_law():
    plain = Instance(MEANS, variance=INSTANCE.variance)
    diagonal = Instance(MEANS, covariance=np.diag(INSTANCE.variance))
    first, second = (draws(each, 0, 1, 3000)[0] for each in (plain, diagonal))
    np.testing.assert_allclose(first, second, rtol=1e-12)


def test_only_correlated_noise_has_the_kind_correlated():
    assert make_source(INSTANCE)[0].kind == CORRELATED
    assert make_source(Instance(MEANS))[0].kind == 0


def test_whitening_keeps_the_correlation():
    white = INSTANCE.standardised()
    np.testing.assert_array_equal(white.means, INSTANCE.means / [2.0, 1.0, 0.5])
    np.testing.assert_array_equal(white.variance, [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(white.covariance, INSTANCE.correlation)
    again = white.standardised()
    np.testing.assert_array_equal(again.covariance, white.covariance)
    sums, _ = draws(white, 0, 1, 4000)
    np.testing.assert_allclose(np.corrcoef(sums.T), INSTANCE.correlation, atol=0.06)


@pytest.mark.parametrize("units", [[1e-60, 1.0, 1e60], [1e-9, 1e9, 1.0]])
def test_units_do_not_matter(units):
    scaled = Instance(MEANS, covariance=COVARIANCE * np.outer(units, units))
    np.testing.assert_allclose(scaled.correlation, INSTANCE.correlation, rtol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"covariance": np.eye(2)}, r"covariance = array.*of shape \(3, 3\)"),
        ({"covariance": [1.0, 1.0, 1.0]}, r"covariance = \[1.0, 1.0, 1.0\]"),
        ({"covariance": np.ones((3, 3))}, "covariance = .*positive definite"),
        ({"covariance": -np.eye(3)}, "covariance = "),
        ({"covariance": np.zeros((3, 3))}, "covariance = "),
        ({"covariance": np.diag([1.0, 1.0, 0.0])}, "covariance = "),
        ({"covariance": np.eye(3) + np.eye(3, k=1)}, "covariance = "),
        ({"covariance": 2 * np.ones((3, 3)) - np.eye(3)}, "covariance = "),
        ({"covariance": np.full((3, 3), np.nan)}, r"covariance\[0, 0\] = nan"),
        ({"covariance": np.full((3, 3), np.inf)}, r"covariance\["),
        ({"covariance": "x"}, "covariance = 'x'; expected real numbers"),
        (
            {"covariance": COVARIANCE, "variance": [1.0, 1.0, 1.0]},
            "variance and covariance are both",
        ),
        ({"covariance": COVARIANCE, "noise": "bernoulli"}, "covariance for bernoulli noise"),
    ],
)
def test_a_bad_covariance_is_refused(arguments, message):
    with pytest.raises(ValueError, match=f"(?s)^{message}"):
        Instance(MEANS, **arguments)


def test_recorded_rewards_have_their_own_covariance():
    with pytest.raises(ValueError, match=r"^covariance for pool noise"):
        Instance.from_observations([np.eye(3), np.ones((2, 3))], covariance=np.eye(3))


def test_the_covariance_is_a_read_only_copy_after_pickling_too():
    given = COVARIANCE.copy()
    instance = Instance(MEANS, covariance=given)
    given[0, 0] = 9.0
    for each in (instance, pickle.loads(pickle.dumps(instance))):
        np.testing.assert_array_equal(each.covariance, COVARIANCE)
        with pytest.raises(ValueError, match="read-only"):
            each.covariance[0, 0] = 1.0
    moved = dataclasses.replace(instance, means=np.zeros((2, 3)))
    np.testing.assert_array_equal(moved.covariance, COVARIANCE)


def test_a_store_distinguishes_covariances(tmp_path):
    algorithm, settings = UniformSampling(budget=20), {"store": tmp_path, "progress": False}
    plain = Instance(MEANS, variance=INSTANCE.variance)
    first, second, third = (
        simulate(algorithm, each, 4, **settings) for each in (INSTANCE, plain, INSTANCE)
    )
    assert len(list(tmp_path.iterdir())) == 2
    assert not np.array_equal(first.means, second.means)
    np.testing.assert_array_equal(first.means, third.means)


def test_algorithms_play_instances_with_correlated_noise():
    for algorithm in (UniformSampling(delta=0.01), Racing(variance_bound=4.0)):
        runs = simulate(algorithm, INSTANCE, 5, progress=False)
        assert runs.stopped.all()
        assert runs.correct.all()


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


def test_observations_of_arms_must_have_the_same_columns():
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": [10.0, 20.0]})
    with pytest.raises(ValueError, match=r"^observations have the columns"):
        Instance.from_observations([frame[["x", "y"]], frame[["y", "x"]]])
