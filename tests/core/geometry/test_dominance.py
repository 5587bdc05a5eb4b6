"""Pareto sets and gaps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import pareto as reference

from pareto_core import gaps, load_instance, pareto_set
from pareto_core.geometry.dominance import _gaps, _pareto_set
from pareto_core.geometry.staircase import (
    LONG,
    _front_by_insertion,
    _front_by_sorting,
    sorted_front,
)

DIMENSIONS = st.tuples(st.integers(2, 12), st.integers(1, 4))
RANDOM = DIMENSIONS.flatmap(lambda shape: arrays(float, shape, elements=st.floats(-1e6, 1e6)))
TIED = DIMENSIONS.flatmap(lambda shape: arrays(float, shape, elements=st.integers(-2, 2)))
DUPLICATED = st.one_of(RANDOM, TIED).map(lambda means: np.vstack([means, means[::-1]]))
SCALES = [0.0, 1e-300, 1e-15, 1e-3, 1.0, 1e9, 1e149]
BADLY_SCALED = st.tuples(st.integers(2, 12), st.just(2)).flatmap(
    lambda shape: st.builds(
        lambda origin, steps, unit: origin + steps * unit,
        arrays(float, shape, elements=st.sampled_from([0.0, 1e6, -1e6, 1e15])),
        arrays(float, shape, elements=st.integers(-3, 3)),
        arrays(float, shape, elements=st.sampled_from(SCALES)),
    )
)
HUGE = arrays(
    float,
    st.tuples(st.integers(2, 12), st.just(2)),
    elements=st.floats(-1e150, 1e150),
)
FACTORS = [("kone", 1), ("auer", 2)]
ROUNDING = {"rtol": 1e-15}  # rounding of sums in the gaps of optimal arms, if d = 2


def by_all_pairs(means, factor):
    """(optimal arms, gaps) by the kernels for any d, which are tested against the formulas."""
    front, result = np.empty(len(means), np.int64), np.empty(len(means))
    _gaps(means, float(factor), result)
    return front[: _pareto_set(means, front)], result


def one_arm_by_formula(means, star, front, i, factor):
    """Gap of optimal arm ``i``, given the gaps ``star`` of the dominated arms."""
    ahead = (means - means[i]).max(axis=1)
    others = front[front != i]
    plus = np.minimum(ahead, (means[i] - means).max(axis=1))[others]
    rest = np.setdiff1d(np.arange(len(means)), front)
    minus = np.maximum(ahead, 0)[rest] + factor * star[rest]
    return min(plus.min(initial=np.inf), minus.min(initial=np.inf))


@given(st.one_of(RANDOM, TIED, DUPLICATED))
def test_pareto_set_contains_the_undominated_arms(means):
    assert pareto_set(means).tolist() == reference.pareto_set(means)


@given(
    means=st.integers(1, 60).flatmap(
        lambda n: st.one_of(
            arrays(float, (n, 2), elements=st.integers(-3, 3)),
            arrays(float, (n, 2), elements=st.floats(-1e6, 1e6)),
            st.permutations(range(n)).map(lambda x: np.column_stack([x, -np.array(x, float)])),
        )
    )
)
def test_a_front_by_insertion_is_that_by_sorting(means):
    inserted, sorting, found = (np.empty(len(means), np.int64) for _ in range(3))
    size = _front_by_sorting(means, sorting)
    assert sorted_front(means, found) == size
    assert found[:size].tolist() == sorting[:size].tolist()
    has_equal = len(np.unique(means[sorting[:size]], axis=0)) < size
    short = _front_by_insertion(means, inserted)
    if short < 0:
        assert len(np.unique(means, axis=0)) < len(means) or size > LONG
    else:
        assert not has_equal
        assert inserted[:short].tolist() == sorting[:size].tolist()


def test_equal_arms_do_not_dominate_each_other():
    assert pareto_set([[1, 2], [1, 2], [0, 0]]).tolist() == [0, 1]
    assert pareto_set([[3.0], [3.0], [3.0]]).tolist() == [0, 1, 2]


def test_better_in_one_objective_and_equal_in_the_others_dominates():
    assert pareto_set([[1, 2], [1, 3], [0, 3]]).tolist() == [1]


@pytest.mark.slow
@pytest.mark.parametrize(("definition", "factor"), FACTORS)
@given(means=st.one_of(RANDOM, TIED, DUPLICATED))
def test_gaps_equal_the_formulas_of_the_papers(definition, factor, means):
    expected = reference.gaps(means, factor)
    rounding = ROUNDING if means.shape[1] == 2 else {"rtol": 0}
    np.testing.assert_allclose(gaps(means, definition), expected, **rounding)
    np.testing.assert_array_equal(by_all_pairs(means, factor)[1], expected)


@pytest.mark.parametrize(("definition", "factor"), FACTORS)
@given(means=st.one_of(BADLY_SCALED, HUGE))
def test_two_objectives_of_any_scale_agree_with_all_pairs(definition, factor, means):
    front, expected = by_all_pairs(means, factor)
    found = gaps(means, definition)
    assert pareto_set(means).tolist() == front.tolist()
    np.testing.assert_allclose(found, expected, **ROUNDING)
    rest = np.setdiff1d(np.arange(len(means)), front)
    np.testing.assert_array_equal(found[rest], expected[rest])


@pytest.mark.parametrize(("definition", "factor"), FACTORS)
@given(means=arrays(float, st.tuples(st.integers(2, 20), st.just(2)), elements=st.integers(0, 8)))
def test_two_objectives_without_rounding_equal_the_formulas_exactly(definition, factor, means):
    np.testing.assert_array_equal(gaps(means, definition), reference.gaps(means, factor))


def circle(n_arms, n_below, rng):
    """A staircase on a quarter circle, with the first ``n_below`` arms moved below it."""
    angle = rng.uniform(0, np.pi / 2, n_arms)
    means = np.column_stack([np.cos(angle), np.sin(angle)])
    means[:n_below] *= rng.uniform(0.5, 1, (n_below, 1))
    return rng.permutation(means)


MANY = {  # enough arms for the sieve
    "staircase": circle(3000, 0, np.random.default_rng(0)),
    "half of it below": circle(3000, 1500, np.random.default_rng(1)),
    "ties": np.random.default_rng(2).integers(0, 30, (3000, 2)).astype(float),
    "a few far away": np.vstack([circle(2990, 2000, np.random.default_rng(3)), np.eye(10, 2) * 9]),
    "one column": np.column_stack([np.zeros(3000), np.random.default_rng(4).permutation(3000)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("means", MANY.values(), ids=MANY)
def test_optimal_arms_of_many_agree_with_all_pairs(means):
    no_worse = (means[:, None] >= means).all(axis=2)
    better = (means[:, None] > means).any(axis=2)
    optimal = ~(no_worse & better).any(axis=0)
    assert pareto_set(means).tolist() == np.flatnonzero(optimal).tolist()


@pytest.mark.compiled
@pytest.mark.parametrize(("definition", "factor"), FACTORS)
@pytest.mark.parametrize("n_below", [0, 1, 1000, 1999, 2000])
def test_large_staircase_agrees_with_all_pairs(definition, factor, n_below):
    means = circle(2000, n_below, np.random.default_rng(n_below))
    front, expected = by_all_pairs(means, factor)
    np.testing.assert_array_equal(pareto_set(means), front)
    np.testing.assert_allclose(gaps(means, definition), expected, **ROUNDING)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("definition", "factor"), FACTORS)
@pytest.mark.parametrize("n_below", [0, 50_000])
def test_hundred_thousand_arms(definition, factor, n_below):
    rng = np.random.default_rng(n_below)
    means = circle(100_000, n_below, rng)
    front, found = pareto_set(means), gaps(means, definition)
    assert front.size > 40_000
    for i in rng.choice(front, 10):
        expected = one_arm_by_formula(means, found, front, i, factor)
        np.testing.assert_allclose(found[i], expected, **ROUNDING)
    for j in rng.choice(np.setdiff1d(np.arange(100_000), front), 10) if n_below else []:
        assert found[j] == (means[front] - means[j]).min(axis=1).max()


@pytest.mark.parametrize(("definition", "of_best"), [("kone", 1.0), ("auer", 2.0)])
def test_gaps_in_one_dimension_are_distances_to_the_best(definition, of_best):
    # the best arm's gap is its distance to the second, (M)_+ = 0, times the factor
    np.testing.assert_array_equal(gaps([[5.0], [4.0], [1.0]], definition), [of_best, 1, 4])


@pytest.mark.parametrize(("definition", "expected"), [("kone", [1, 2, 1]), ("auer", [2, 2, 1])])
def test_gaps_of_two_optimal_arms_and_one_below(definition, expected):
    # The third is below (0, 3) by (1, 2), so its gap is 1; it is M = 1 above (2, 0).
    # First arm: min(min(3, 2), 0 + factor * 1); second: min(min(3, 2), 1 + factor * 1).
    means = [[0.0, 3.0], [2.0, 0.0], [-1.0, 1.0]]
    np.testing.assert_array_equal(gaps(means, definition), expected)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize(("definition", "expected"), [("kone", [2, 1, 1]), ("auer", [3, 2, 1])])
def test_gap_of_an_arm_that_a_dominated_arm_exceeds(definition, expected, swap):
    # The third is 1 below the second, and 1 ahead of the first in one objective.
    means = np.array([[0.0, 10.0], [10.0, 0.0], [1.0, -1.0]])
    if swap:
        means = means[:, ::-1]
    np.testing.assert_array_equal(gaps(means, definition), expected)
    np.testing.assert_array_equal(gaps(means[::-1], definition), expected[::-1])
    twice = np.vstack([means, means[1]])
    np.testing.assert_array_equal(gaps(twice, definition), [expected[0], 0, 1, 0])


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [0, 1, 3, 2]])
@pytest.mark.parametrize("swap", [False, True])
def test_arms_much_closer_together_than_to_zero(order, swap):
    # The last two are ahead of the first by the same step, the smallest but three at 1e6,
    # and below the second by much less than what a sum with 1e6 rounds to.
    step = 4 * np.spacing(1e6)
    means = np.array([[1e6, 9.0], [1e6 + 1, 0.0], [1e6 + step, -1e-12], [1e6 + step, -1e-20]])
    means = means[order][:, ::-1] if swap else means[order]
    np.testing.assert_allclose(gaps(means)[0], step + 1e-20, rtol=1e-15)
    np.testing.assert_allclose(gaps(means, "auer")[0], step + 2e-20, rtol=1e-15)


def test_gap_is_infinite_without_any_constraint_and_zero_between_equal_arms():
    np.testing.assert_array_equal(gaps([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]), [0, 0, 1])


@pytest.mark.parametrize(
    ("name", "complexity", "smallest"),
    [("cov_boost", 638.4, 0.0725), ("cov_boost_full_precision", 624.8, 0.0737)],
)
def test_gaps_of_cov_boost_equal_the_published_ones(name, complexity, smallest):
    delta = gaps(load_instance(name).means_standardised)
    assert round((1 / delta**2).sum(), 1) == complexity
    assert round(delta.min(), 4) == smallest
    assert sorted(np.argsort(delta)[:2].tolist()) == [14, 18]
