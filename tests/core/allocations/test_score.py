"""Shares of SCORE and iSCORE, against cutting planes for the same program."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references import allocations as reference
from references.allocations import random_covariance, random_means
from references.noise import closest

import pareto_core as pc
from pareto_core.allocations.score import write_score_shares

FEWER = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(FEWER, max_examples=200)
SEEDS = st.integers(0, 2**63)


@pytest.mark.slow
@FEWER
@given(SEEDS)
def test_shares_solve_the_program(seed):
    rng = np.random.default_rng(seed)
    d = rng.integers(1, 4)
    means = random_means(rng, d, rng.integers(1, 5), rng.integers(1, 3))
    covariance = random_covariance(rng, *means.shape)
    front = pc.pareto_set(means)
    if len(np.unique(means[front], axis=0)) < len(front):
        return
    with np.errstate(divide="ignore", invalid="ignore"):
        errors, groups = reference.score_program(means, covariance)
    if not np.isfinite(groups).all():  # a score is 0
        return
    shares = pc.score_allocation(means, covariance=covariance)
    rate = min(closest(means, shares, covariance, each)[0] for each in errors)
    _, best = reference.best_shares(means, covariance, errors, groups, 1e-6)
    assert rate == pytest.approx(best, rel=3e-6)
    rest = np.setdiff1d(np.arange(len(means)), front)
    inside = groups[rest, -1] * shares[rest].sum()
    np.testing.assert_allclose(shares[rest], inside, rtol=1e-9)


@FEWER
@given(SEEDS)
def test_iscore_neglects_correlations(seed):
    rng = np.random.default_rng(seed)
    means = random_means(rng, 3, 5, 3)
    covariance = random_covariance(rng, *means.shape)
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    np.testing.assert_array_equal(
        pc.score_allocation(means, covariance=covariance, independent=True),
        pc.score_allocation(means, variance=variance),
    )


@MANY
@given(SEEDS)
def test_shares_are_shares_whatever_the_means_are(seed):
    """Ties, copies, fronts of one arm or all arms, and very different leads, as runs have them."""
    rng = np.random.default_rng(seed)
    d = rng.integers(1, 5)
    means = rng.standard_normal((rng.integers(2, 12), d))
    kind = rng.integers(4)
    if kind == 0:
        means = np.round(means)
    elif kind == 1:
        means[:, 0] *= 10.0 ** rng.integers(-9, 9)
    elif kind == 2:
        means += 10.0 ** rng.uniform(-8, 1, (len(means), 1))
    covariance = random_covariance(rng, *means.shape) if rng.integers(2) else None
    if covariance is None:
        covariance = np.array([np.eye(d)] * len(means))
    shares = np.empty(len(means))
    gap = write_score_shares(means, covariance, 1e-6, shares)
    assert gap <= 1e-3
    assert (shares >= 0).all()
    assert shares.sum() == pytest.approx(1.0)


def test_two_arms_get_samples_in_proportion_to_their_standard_deviations():
    shares = pc.score_allocation([[0.0], [1.0]], variance=[[9.0], [1.0]])
    np.testing.assert_allclose(shares, [0.75, 0.25], rtol=1e-7)


@pytest.mark.parametrize(
    "means",
    [
        [[1.0, 0.0], [1.0, 0.0], [0.0, -1.0]],
        [[1.0, 0.0], [1.0, -1.0], [0.0, -1.0]],
        [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]],
    ],
)
def test_shares_are_equal_if_all_rates_are_zero(means):
    np.testing.assert_allclose(pc.score_allocation(means), 1 / 3)


@pytest.mark.parametrize("scale", [1e-140, 1e-9, 1e9, 1e140])
def test_shares_do_not_depend_on_the_unit(scale):
    means = np.array([[1.0, 0.0, 0.3], [0.0, 1.0, 0.5], [-1.0, -1.0, 0.1], [0.2, -0.1, 0.0]])
    expected = pc.score_allocation(means)
    np.testing.assert_allclose(pc.score_allocation(scale * means), expected, rtol=1e-7)


def test_independent_is_a_bool():
    with pytest.raises(ValueError, match="independent = 1; expected True or False"):
        pc.score_allocation([[1.0], [0.0]], independent=1)
