"""Optimal shares from compiled code: beside the certified time, and where two arms tie."""

import numpy as np
import pytest
import scipy.optimize
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pareto_core as pc
from pareto_core.bounds.covering import allocate_covering, cover
from pareto_core.bounds.optimal_shares import allocate_shares_work, write_optimal_shares
from pareto_core.transport.known_noise import noise_of
from pareto_core.transport.oracle import search_method

pytestmark = pytest.mark.compiled


def shares_of(means, tolerance=0.01, start=None, covariance=None):
    """Shares, their cost and the bound."""
    means = np.asarray(means, float)
    n_arms, d = means.shape
    noise = noise_of(pc.Problem(n_arms, d, covariance=covariance))
    shares = np.full(n_arms, 1 / n_arms) if start is None else np.array(start, float)
    work = allocate_shares_work(n_arms, d)
    bounds = write_optimal_shares(means, search_method(d), noise, tolerance, work, shares)
    return shares, *bounds


def check(means, tolerance, covariance=None, **settings):
    shares, cost, bound = shares_of(means, tolerance, covariance=covariance, **settings)
    best = 1 / pc.characteristic_time(means, 1e-7, covariance=covariance).time
    assert shares.sum() == pytest.approx(1) and (shares > 0).all()
    assert cost == pytest.approx(pc.transport_cost(means, shares, covariance=covariance).value)
    assert cost <= best * (1 + 1e-6)
    assert bound >= best * (1 - 1e-6)
    assert bound <= cost * (1 + tolerance) * (1 + 1e-12)


@pytest.mark.parametrize("tolerance", [0.1, 0.01, 1e-4])
@pytest.mark.parametrize("size", [(2, 1), (3, 2), (20, 2), (20, 3), (8, 4)])
def test_the_cost_is_within_the_tolerance_of_the_best(size, tolerance):
    check(np.random.default_rng(size).standard_normal(size), tolerance)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(float, st.tuples(st.integers(2, 7), st.integers(1, 3)), elements=st.integers(-4, 4))
)
def test_where_numbers_repeat(means):
    if pc.characteristic_time(means).time == np.inf:
        shares, cost, bound = shares_of(means)
        assert (cost, bound) == (0.0, 0.0) and (shares == 1 / len(means)).all()
    else:
        check(means, 0.01)


def test_the_vaccines():
    check(pc.load_instance("cov_boost").means_standardised, 0.01)


@pytest.mark.parametrize("scale", [1e-120, 1e-6, 1e6, 1e70])
def test_the_scale_of_the_means_does_not_matter(scale):
    means = np.random.default_rng(3).standard_normal((9, 2))
    shares, cost, bound = shares_of(scale * means)
    assert bound <= 1.01 * cost
    assert shares == pytest.approx(shares_of(means)[0], rel=1e-6)


@pytest.mark.parametrize("gap", [1e-1, 1e-4, 1e-8])
def test_two_arms_that_nearly_tie_take_nearly_all_samples(gap):
    means = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.5 - gap, 0.5 - gap]]
    check(means, 0.01)
    assert gap > 1e-3 or shares_of(means)[0][2:].sum() > 0.98


@pytest.mark.parametrize("start", [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1e-12, 1 - 1e-12]])
def test_the_shares_to_begin_with_may_be_far_away(start):
    check([[1.0, 0.0], [0.0, 1.0], [0.4, 0.4], [0.1, -0.3]], 0.01, start=start)


@pytest.mark.parametrize("d", [2, 3])
def test_known_noise_that_differs_between_arms(d):
    rng = np.random.default_rng(d)
    roots = rng.standard_normal((7, d, d + 2))
    covariance = roots @ roots.transpose(0, 2, 1)
    check(rng.standard_normal((7, d)), 0.01, covariance)


@pytest.mark.parametrize("means", [np.zeros((2, 1)), np.ones((5, 3)), [[0.0, 1.0], [0.0, 0.5]]])
def test_ties_give_equal_shares(means):
    shares, cost, bound = shares_of(means)
    assert (shares == 1 / len(shares)).all() and (cost, bound) == (0.0, 0.0)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-6])
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
@example(0)
def test_covering_programs_beside_scipys(tolerance, seed):
    rng = np.random.default_rng(seed)
    size, n_arms = rng.integers(1, 12), rng.integers(1, 8)
    rows = np.exp(2 * rng.standard_normal((size, n_arms)))
    rows *= rng.random(rows.shape) < 0.6
    rows[rows.sum(axis=1) == 0] = 1.0
    space = allocate_covering(size + 3, n_arms)
    space.rows[:size], space.size[0] = rows, size
    space.amounts[:] = 1.5 / rows.sum(axis=1).min()
    bound = cover(tolerance, space)
    best = scipy.optimize.linprog(np.ones(n_arms), -rows, -np.ones(size)).fun
    assert (rows @ space.amounts >= 1 - 1e-12).all()
    assert bound <= best * (1 + 1e-9)
    assert best * (1 - 1e-9) <= space.amounts.sum() <= bound * (1 + tolerance) * (1 + 1e-9)
