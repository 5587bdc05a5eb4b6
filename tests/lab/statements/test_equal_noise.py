"""The test of equal variances, and what a session says about unknown noise."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gamma

import pareto_core as pc
import pareto_lab as lab
from pareto_core.simulation.statistics import rate_interval
from pareto_lab.statements.equal_noise import SHAPE, deviation_intervals, unequal_arms


def scatter_of(rewards):
    return ((rewards - rewards.mean(axis=0)) ** 2).sum(axis=0)


@pytest.mark.parametrize(("n", "scatter"), [(50, 49.0), (200, 3.0), (1000, 4e6)])
def test_an_interval_ends_where_the_mixture_is_the_inverse_of_the_level(n, scatter):
    ends = deviation_intervals(np.array([[n]]), np.array([[scatter]]), 0.01)[0, 0]
    for end in ends:
        x = scatter / 2 / end**2

        def likelihood_ratio(precision, x=x):
            log_ratio = (n - 1) / 2 * np.log(precision) - (precision - 1) * x
            return np.exp(log_ratio) * gamma.pdf(precision, SHAPE, scale=1 / SHAPE)

        peak = (n - 1) / 2 / x
        found = quad(likelihood_ratio, 0, 10 * peak, points=[peak], limit=500)[0]
        assert found == pytest.approx(100, rel=1e-4)


def test_few_rewards_and_equal_ones_bound_nothing():
    ends = deviation_intervals(np.array([[0], [1], [9]]), np.zeros((3, 1)))
    assert (ends == [0, np.inf]).all()


@pytest.mark.compiled
@pytest.mark.statistical
def test_equal_noise_is_refuted_at_any_time_with_the_stated_probability():
    refuted, runs = 0, 400
    for rng in np.random.default_rng(1).spawn(runs):
        rewards = rng.normal(size=(300, 4, 1))
        looks = range(5, 300, 5)
        found = [unequal_arms(np.full((4, 1), n), scatter_of(rewards[:n]), 0.1)[0] for n in looks]
        refuted += any(each is not None for each in found)
    assert rate_interval(refuted, runs, 0.99)[1] < 0.1


def session_of(noise, deviations, n=40):
    session = lab.Session(
        pc.Certified(pc.UniformSampling(), variance=noise),
        arms=["A", "B", "C"],
        objectives=["x", "y"],
        standard_deviation=noise,
    )
    rewards = np.random.default_rng(0).normal(size=(n, 3, 2)) * deviations
    for k, arm in enumerate(session.design.arms):
        told = {"arm": [arm] * n, "x": rewards[:, k, 0], "y": rewards[:, k, 1] + 9 * k}
        session.tell_all(told)
    return session


UNEQUAL = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 20.0]])


def test_a_session_warns_of_noise_that_is_not_as_equal_as_stated():
    status = session_of("unknown, equal", UNEQUAL).status()
    (warning,) = [each.text for each in status.remarks if each.is_warning]
    assert warning.startswith("The noise is not equal in all arms: in y, rewards scatter with")
    assert "(arm C)" in warning
    assert "standard_deviation = 'unknown'" in warning
    for noise, deviations in (("unknown", UNEQUAL), ("unknown, equal", np.ones((3, 2)))):
        remarks = session_of(noise, deviations).status().remarks
        assert not any(each.is_warning for each in remarks)
