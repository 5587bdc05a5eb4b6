"""One-sided mixtures, and the infimum of their products."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from references import martingales as reference

from pareto_core.confidence.mixtures import TOLERANCE, Bets, log_factor, log_infimum

COUNTS = [0, 1, 2.5, 30, 1e3, 1e5, 1e7]
SIZES = np.geomspace(1e-6, 1e3, 28)
DEVIATIONS = np.concatenate([-SIZES[::-1], [0.0], SIZES])
SCALES = [1 / 16, 1 / 256, 5.0]
MASSES = [0.1, 0.75, 0.9]


def log_mixture(count, deviation, scale, mass):
    return log_factor(float(count), deviation, scale, mass)[0]


@pytest.mark.parametrize("mass", MASSES)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("count", COUNTS)
def test_the_mixture_equals_its_closed_form_at_extreme_values(count, scale, mass):
    found = np.array([log_mixture(count, a, scale, mass) for a in DEVIATIONS])
    expected = reference.log_mixture(count, DEVIATIONS, scale, mass)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)
    assert (found > np.log1p(-mass) - 1e-12).all()
    assert (np.diff(found) >= -1e-12).all()


# The infimum of a product


@st.composite
def products(draw):
    """(information, means, bets): an arm and its rivals, often with extreme numbers."""
    size = draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    information = np.round(np.exp(rng.uniform(0, draw(st.sampled_from([3, 10, 16])), size)))
    means = draw(st.sampled_from([1e-6, 0.01, 1.0, 1e3])) * rng.standard_normal(size)
    means[1:] = means[0] + draw(st.sampled_from([1, -1])) * np.abs(means[1:])
    if draw(st.booleans()):
        information[1:], means[1:] = information[0], means[1]
    means += draw(st.sampled_from([0.0, 1e4]))
    mass = draw(st.sampled_from([0.5, 0.75, 0.9]))
    return information, means, Bets(draw(st.sampled_from(SCALES)), mass, 0.75)


def infimum_of(information, means, bets, group=None):
    group = np.arange(1, len(means)) if group is None else np.array(group)
    return log_infimum(
        np.array(information, float)[:, None], means[:, None], 0, 0, group, group.size, bets
    )


EQUAL = np.full(2, 100.0), np.array([0.0, 1.0]), Bets(1 / 16, 0.75, 0.75)


@pytest.mark.slow
@settings(max_examples=400)
@given(products())
@example(EQUAL)
@example((np.array([1.0, 1e7]), np.array([-1e3, 1e3]), Bets(1 / 256, 0.9, 0.5)))
@example((np.array([1e7, 1.0, 1.0]), np.array([0.0, 1e-6, 1e3]), Bets(1 / 16, 0.9, 0.5)))
def test_the_lower_bound_on_the_infimum_is_tight(product):
    information, means, bets = product
    bound, farthest = infimum_of(information, means, bets)
    minimiser, least = reference.log_infimum(information, means, bets)
    rounding = 1e-9 * max(1.0, abs(least))
    assert bound <= least + rounding
    assert bound >= least - 2 * TOLERANCE - rounding
    blur = (1e-2 + 1e-7 * np.sqrt(abs(least))) / np.sqrt(information.sum())
    assert farthest >= minimiser - blur - 1e-15 * np.abs(means).max()


def test_an_infinite_information_is_the_limit_of_large_ones():
    bets, high = Bets(1 / 16, 0.9, 0.75), np.array([1, 2])
    for gap in (-0.5, 0.5):
        means = np.array([[0.0], [gap], [gap]])
        exact = log_infimum(np.full((3, 1), np.inf), means, 0, 0, high, 2, bets)[0]
        large = log_infimum(np.full((3, 1), 1e9), means, 0, 0, high, 2, bets)[0]
        assert exact == (np.inf if gap > 0 else 0.0)
        assert large > 1e6 if gap > 0 else large <= 0.0
    tied = log_infimum(np.full((3, 1), np.inf), np.zeros((3, 1)), 0, 0, high, 2, bets)[0]
    assert tied == np.inf  # no mean is strictly above an equal one
    assert log_factor(np.inf, 1e-9, 0.1, 0.5)[0] == np.inf
    assert log_factor(np.inf, 0.0, 0.1, 0.5)[0] == 0.0


@pytest.mark.parametrize("size", [1e30, 1e150, 1e300])
def test_deviations_that_overflow_prove_nothing_wrong(size):
    for means in ([0.0, size], [size, 0.0], [-size, size], [size, size]):
        bound, _ = infimum_of([100, 100], np.array(means), EQUAL[2])
        assert not np.isnan(bound)
        assert bound < 0 or means[1] > means[0]
