"""Bounds of the linear model, against their formulas written out arm by arm."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import pareto as reference

from pareto_book.studies import linear_bounds as lb

POINTS = np.array([[0.0, 1.0], [0.5, 0.6], [0.9, 0.1], [0.2, 0.3], [-0.5, -0.4]])
NAMES = ("PAL", "APE", "Kim et al.", "GEGE")


def ascending(means):
    return sorted(reference.gaps(np.asarray(means), 1.0))


def instances():
    numbers = st.floats(-2, 2, allow_nan=False).map(lambda x: round(x, 2))
    return st.integers(1, 3).flatmap(
        lambda d: st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=2, max_size=7)
    )


@given(instances(), st.integers(1, 7))
def test_complexities_are_those_of_the_smallest_gaps(means, dimension):
    for number, found in (
        (len(means), lb.gap_complexity(means)),
        (min(dimension, len(means)), lb.gap_complexity(means, dimension)),
    ):
        gap = ascending(means)[:number]
        if gap[0] == 0:
            assert found == (math.inf, math.inf)
            continue
        assert found.h1 == pytest.approx(sum(1 / g**2 for g in gap))
        assert found.h2 == pytest.approx(max((i + 1) / g**2 for i, g in enumerate(gap)))


@pytest.mark.parametrize(("dimension", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3)])
@pytest.mark.parametrize("variance", [1.0, 0.25])
def test_theorem_1(dimension, rounds, variance):
    gap = ascending(POINTS)
    h2 = max((i + 1) / gap[i] ** 2 for i in range(dimension))
    for budget in (10**4, 10**6):
        constant = 2 * 2 * (5 + dimension + rounds)
        expected = constant * math.exp(-budget / (1200 * variance * h2 * rounds))
        assert lb.gege_error_bound(POINTS, dimension, budget, variance) == pytest.approx(expected)


def test_theorem_1_does_not_apply_to_small_budgets():
    assert lb.gege_error_bound(POINTS, 4, 45 * 4 * 2 - 1) == math.inf
    assert lb.gege_error_bound(POINTS, 4, 45 * 4 * 2) < math.inf
    assert lb.gege_error_bound(POINTS, 3, int(45 * 3 * math.log2(3))) == math.inf


@pytest.mark.parametrize("variance", [1.0, 0.25])
def test_bound_of_ege(variance):
    gap = ascending(POINTS)
    h2 = max((i + 1) / g**2 for i, g in enumerate(gap))
    rounds, optimal = math.log2(5), len(reference.pareto_set(POINTS))
    constant = 2 * 2 * 4 * optimal * rounds
    for budget in (10, 10**6):
        expected = constant * math.exp(-budget / (288 * variance * h2 * rounds))
        assert lb.ege_error_bound(POINTS, budget, variance) == pytest.approx(expected)


def test_theorem_2():
    assert lb.error_lower_bound(100.0, 300, 0.5) == pytest.approx(0.25 * math.exp(-12))
    assert lb.error_lower_bound(100.0, 300) == pytest.approx(0.25 * math.exp(-6))


def test_orders_of_table_1():
    gap = ascending(POINTS)
    dimension, delta, size = 3, 0.05, 10
    orders = lb.sample_orders(POINTS, dimension, delta)
    assert tuple(orders) == NAMES

    def term(g):
        return math.log(size / delta * max(math.log2(2 / g), 1)) / g**2

    assert orders["PAL"] == pytest.approx(9 / gap[0] ** 2 * math.log(200) ** 3)
    assert orders["APE"] == pytest.approx(sum(term(g) for g in gap))
    inside = 2 * 5 / (delta * gap[0] ** 2)
    assert orders["Kim et al."] == pytest.approx(3 / gap[0] ** 2 * math.log(inside))
    assert orders["GEGE"] == pytest.approx(sum(term(g) for g in gap[1:3]))


def test_kim_uses_the_maximum_of_arms_and_dimensions():
    wide = lb.sample_orders(POINTS, 8, 0.05)["Kim et al."]
    smallest = ascending(POINTS)[0]
    inside = 2 * 8 / (0.05 * smallest**2)
    assert wide == pytest.approx(8 / smallest**2 * math.log(inside))


def test_logarithm_of_large_gaps_is_at_least_one():
    far = [[0.0, 9.0], [9.0, 0.0]]  # gaps of 9
    assert lb.sample_orders(far, 2, 0.1)["APE"] == pytest.approx(2 * math.log(40) / 81)


def test_theorem_3_with_its_constant():
    order = lb.sample_orders(POINTS, 3, 0.05)["GEGE"]
    smallest = ascending(POINTS)[0]
    for variance in (1.0, 0.25):
        expected = math.log2(2 / smallest) + 32 * 7 / 4 * 256 / 3 * variance * order
        assert lb.gege_sample_bound(POINTS, 3, 0.05, variance) == pytest.approx(expected)


def test_ties_make_every_bound_infinite_or_void():
    tied = [[0.0, 1.0], [0.0, 1.0], [-1.0, 0.0]]
    assert lb.gap_complexity(tied) == (math.inf, math.inf)
    assert lb.gege_sample_bound(tied, 2, 0.1) == math.inf
    assert set(lb.sample_orders(tied, 2, 0.1).values()) == {math.inf}
    assert lb.gege_error_bound(tied, 2, 10**9) > 1
    assert lb.ege_error_bound(tied, 10**9) > 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lb.gap_complexity([[1.0]]), "means has shape"),
        (lambda: lb.gap_complexity(POINTS, 0), "dimension = 0"),
        (lambda: lb.gege_error_bound(POINTS, 1, 100), "dimension = 1"),
        (lambda: lb.gege_error_bound(POINTS, 2, 0), "budget = 0"),
        (lambda: lb.gege_error_bound(POINTS, 2, 100, 0.0), "variance = 0.0"),
        (lambda: lb.ege_error_bound(POINTS, 2.5), "budget = 2.5"),
        (lambda: lb.ege_error_bound(POINTS, 10, -1.0), "variance = -1.0"),
        (lambda: lb.error_lower_bound(0.0, 10), "complexity = 0.0"),
        (lambda: lb.error_lower_bound(1.0, 0), "budget = 0"),
        (lambda: lb.error_lower_bound(1.0, 1, 0.0), "variance = 0.0"),
        (lambda: lb.gege_sample_bound(POINTS, 2, 1.0), "delta = 1.0"),
        (lambda: lb.gege_sample_bound(POINTS, 2, 0.1, 0.0), "variance = 0.0"),
        (lambda: lb.sample_orders(POINTS, 1, 0.1), "dimension = 1"),
        (lambda: lb.sample_orders(POINTS, 2, 0.0), "delta = 0.0"),
    ],
)
def test_arguments_are_checked(call, message):
    with pytest.raises(ValueError, match=message):
        call()
