"""What the checks that public functions share make of hostile values, before any work."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from references.instances import required_values

from pareto_book.studies.front_criteria import estimation_distance
from pareto_core import (
    APE,
    Instance,
    characteristic_time,
    count_cells,
    gaps,
    generators,
    pareto_set,
    simulate,
    transport_cost,
)
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.checks.arguments import (
    LONGEST_QUOTE,
    check_array,
    check_choice,
    check_count,
    check_number,
    check_path,
    check_probability,
    check_tolerance,
    shown,
)
from pareto_core.instances.registry import instance_parameters

NO_NUMBERS = (10**5000, Fraction(1, 10), 1e-320, float("nan"), 1e300, True, "0.1", None, [0.1], 1j)


def first_word(value):
    return f"{type(value).__name__} {shown(value)}"[:30]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=first_word)
def test_invalid_probabilities_are_refused(value):
    for refuse in (lambda: APE(delta=value), lambda: check_probability(value, "delta")):
        with pytest.raises(ValueError, match=r"^delta = .*; expected"):
            refuse()


@pytest.mark.parametrize(
    "value", [1.0, True, "1", None, 0, -1, 8, 2**63, 10**5000, Fraction(3)], ids=first_word
)
def test_invalid_counts_are_refused(value):
    with pytest.raises(ValueError, match=r"^n = .*; expected"):
        check_count(value, "n", at_most=7)


@pytest.mark.parametrize("value", [1e-13, 1e-30, 0.0, -1.0, np.nan])
def test_an_accuracy_below_the_rounding_error_is_refused(value):
    with pytest.raises(ValueError, match=r"^gap = .*; expected"):
        check_tolerance(value, "gap")
    assert check_tolerance(1e-12, "gap") == 1e-12


@pytest.mark.parametrize("value", [None, 5, 1.5, [], object()])
def test_invalid_paths_are_refused(value):
    with pytest.raises(ValueError, match=r"^store = .*; expected a str or a path"):
        check_path(value, "store")
    if value is not None:
        with pytest.raises(ValueError, match=r"^store = .*; expected a str or a path"):
            simulate(APE(), Instance([[0.0], [1.0]]), 1, store=value, progress=False)


@pytest.mark.parametrize(
    ("check", "values"),
    [
        (check_probability, [0.1, np.float64(0.1), np.float32(0.5), 1e-300, 0.999]),
        (check_number, [0, 3, -2.5, np.int8(3), np.float32(0.5), 1e150, -1e150, 5e-324]),
    ],
)
def test_valid_numbers_are_accepted(check, values):
    assert [check(value, "x") for value in values] == [float(value) for value in values]


MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
ENDLESS = [1.0]
ENDLESS.append(ENDLESS)
NOT_REAL = [
    [[10**5000, 0], [0, 1]],
    [["1", "2"], ["3", "4"]],
    np.array([[b"1"], [b"2"]], object),
    np.array([["2020-01-01"], ["2021-01-01"]], "datetime64[D]"),
    np.zeros((2, 1), [("a", float)]),
    np.array([[1j], [2.0]]),
    [[1.0, 2.0], [3.0]],
    [MASKED, [3.0, 4.0]],
    np.array([np.timedelta64(5, "ns"), 1], dtype=object),
    [pd.Timestamp("2020-01-01"), 1.0],
    np.array([np.ones(2), 1.0], dtype=object),
    [pd.NA, 1.0],
    ENDLESS,
]


@pytest.mark.parametrize("values", NOT_REAL, ids=first_word)
def test_values_that_are_not_real_numbers_are_refused(values):
    for function in (pareto_set, gaps, Instance):
        with pytest.raises(ValueError, match=r"(?s)^means = .*; expected real numbers"):
            function(values)


@pytest.mark.parametrize(
    "values",
    [
        *(np.array([[0, 1]], kind) for kind in (bool, np.int8, np.uint64, np.longdouble, object)),
        [Fraction(1, 2), 10**20],
        np.ma.array([1.0, 2.0]),
        np.array([1, 2.0, True, np.float32(3), Fraction(1, 2), Decimal("0.5")], dtype=object),
        pd.DataFrame({"a": [1, 2], "b": [0.5, 1.5]}, dtype="Float64"),
    ],
    ids=first_word,
)
def test_numbers_of_any_type_are_accepted(values):
    found = check_array(values, "means")
    assert found.dtype == np.float64
    assert found.tolist() == np.array(values).astype(float).tolist()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1.0, 2.0], r"shape \(2,\)"),
        (5.0, r"shape \(\)"),
        ([[[1.0]], [[2.0]]], r"shape \(2, 1, 1\)"),
        ([], r"shape \(0,\)"),
        ([[], []], r"shape \(2, 0\)"),
        ([[1.0, np.nan], [0.0, 0.0]], r"\[0, 1\] = nan"),
        ([[1.0, 2.0], [np.inf, 0.0]], r"\[1, 0\] = inf"),
        ([["a", "b"], ["c", "d"]], r"= \[\['a', 'b'\]"),
        (None, ""),
    ],
    ids=first_word,
)
def test_means_and_points_must_be_a_finite_matrix(values, words):
    for name, function in (("means", pareto_set), ("means", Instance), ("points", count_cells)):
        with pytest.raises(ValueError, match=f"^{name}.*{words}"):
            function(values)


def test_means_are_of_two_arms_at_least_and_in_the_range_of_floats():
    for function in (pareto_set, gaps, characteristic_time, Instance):
        with pytest.raises(ValueError, match=r"^means has shape \(1, 2\)"):
            function([[1.0, 2.0]])
        for size in (1.7e308, 1e151, -1.7e308):
            with pytest.raises(ValueError, match=r"^means\[0, 0\] = .*expected numbers of magn"):
                function([[size, 0.0], [0.0, 1.0]])


@pytest.mark.parametrize("name", algorithms_by_name())
def test_a_name_in_different_case_is_suggested(name):
    for written in (name.lower(), name.upper(), f"{name.lower()}s"):
        if written != name:
            with pytest.raises(ValueError, match=f"did you mean '{name}'"):
                check_choice(written, "algorithm", algorithms_by_name())


def test_a_message_stays_short():
    for value in ("x" * 10**6, list(range(10**5)), 10**4000, [10**5000], 10**5000):
        assert len(shown(value)) <= LONGEST_QUOTE + 3
    assert shown([1, "a"]) == "[1, 'a']"


RANDOM = [name for name in generators.__all__ if "seed" in instance_parameters(name)]


@pytest.mark.parametrize("name", RANDOM)
def test_a_generator_of_instances_needs_a_generator_of_numbers(name):
    make, values = getattr(generators, name), required_values(name)
    for rng in (0, None, np.random, np.random.RandomState(0), np.random.default_rng):
        with pytest.raises(ValueError, match=r"^rng = .*; expected a numpy.random.Generator"):
            make(**values, rng=rng)


@pytest.mark.parametrize("name", generators.__all__)
def test_the_size_of_an_instance_is_limited(name):
    values = required_values(name)
    size = next(each for each in ("n_arms", "n_front") if each in values)
    rng = {"rng": np.random.default_rng(0)} if name in RANDOM else {}
    with pytest.raises(ValueError, match=r"^n_arms = .*expected at most 10000000 means"):
        getattr(generators, name)(**values | {size: 10**12}, **rng)


@pytest.mark.parametrize("index", [[1, 0], ["A", "B"], [0, 2]])
def test_a_series_with_a_different_index_is_refused(index):
    series, means = pd.Series([1.0, 2.0], index=index), [[1.0, 0.0], [0.0, 1.0]]
    for name, take in {
        "weights": lambda: transport_cost(means, series),
        "costs": lambda: characteristic_time(means, costs=series),
        "variance": lambda: Instance(means, variance=series),
    }.items():
        with pytest.raises(ValueError, match=rf"^{name} = (.|\n)*; expected the index 0"):
            take()
    assert Instance(means, variance=pd.Series([1.0, 2.0])).variance.tolist() == [1.0, 2.0]


def test_names_in_a_different_order_than_the_means_are_refused():
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": [2.0, 3.0]}, index=["B", "A"])
    with pytest.raises(ValueError, match=r"means has the index \['B', 'A'\] with the names"):
        Instance(frame, labels=["A", "B"])
    with pytest.raises(ValueError, match=r"means has the columns \['x', 'y'\] with the names"):
        Instance(frame, objectives=["y", "x"])
    assert Instance(frame, labels=["B", "A"], objectives=["u", "v"]).labels == ("B", "A")


@pytest.mark.slow
def test_arrays_of_the_caller_are_left_alone():
    means, weights = np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]]), np.array([1.0, 2.0, 3.0])
    copies = means.copy(), weights.copy()
    for method in ("sweep", "branch_and_bound", "cells"):
        transport_cost(means, weights, method)
    characteristic_time(means)
    gaps(means)
    estimation_distance(means, [0])
    np.testing.assert_array_equal(means, copies[0])
    np.testing.assert_array_equal(weights, copies[1])
