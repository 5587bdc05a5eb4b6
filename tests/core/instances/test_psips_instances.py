"""The instances of PSIPS: noise, Pareto sets, and how hard they are."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.bounds.complexity import characteristic_time
from pareto_core.geometry.dominance import gaps
from pareto_core.instances import psips_instances


def test_rewards_of_five_arms_are_correlated():
    instance = psips_instances.five_arms(-0.75)
    np.testing.assert_array_equal(instance.covariance, [[1, -0.75], [-0.75, 1]])
    assert psips_instances.five_arms().covariance is None
    assert (psips_instances.five_arms().variance == 1).all()


@pytest.mark.parametrize("correlation", [-1.0, 1, 1.5, np.nan])
def test_invalid_correlations_are_refused(correlation):
    with pytest.raises(ValueError, match=r"^correlation = "):
        psips_instances.five_arms(correlation)


@pytest.mark.parametrize("n_arms", [2, 10, 18])
def test_all_arms_on_a_line_are_optimal(n_arms):
    instance = psips_instances.line_of_arms(n_arms)
    assert instance.pareto_set.tolist() == list(range(n_arms))
    np.testing.assert_allclose(gaps(instance.means), 0.25)
    assert (instance.variance == 0.5).all()


def test_a_line_has_at_least_two_arms():
    with pytest.raises(ValueError, match=r"^n_arms = 1"):
        psips_instances.line_of_arms(1)


def test_random_arms_are_neither_too_easy_nor_too_hard():
    for seed in range(50):
        instance = psips_instances.random_arms(np.random.default_rng(seed))
        assert 100 <= (1 / gaps(instance.means) ** 2).sum() <= 500
        assert (abs(instance.means) <= 1).all()
        again = psips_instances.random_arms(np.random.default_rng(seed))
        np.testing.assert_array_equal(instance.means, again.means)


def test_random_arms_need_a_generator():
    with pytest.raises(ValueError, match=r"^rng = 3; expected a numpy.random.Generator"):
        psips_instances.random_arms(3)


def test_five_coins():
    instance = psips_instances.five_coins()
    assert instance.pareto_set.tolist() == [2, 4]
    assert np.isfinite(characteristic_time(instance.means).time)
    assert (
        pc.simulate(pc.APE(variance_bound=0.25), instance, 20, progress=False).correct.mean() > 0.8
    )
