"""Bad input is refused before any work, by an error that names the argument and its value."""

import re

import numpy as np
import pytest

from pareto_book.studies.front_criteria import estimation_distance
from pareto_core import (
    Instance,
    characteristic_time,
    count_cells,
    gaps,
    iterate_cells,
    load_instance,
    pareto_set,
    transport_cost,
)

TAKE_MEANS = {
    "pareto_set": pareto_set,
    "gaps": gaps,
    "transport_cost": lambda means: transport_cost(means, [1.0, 1.0]),
    "characteristic_time": characteristic_time,
    "Instance": Instance,
    "estimation_distance": lambda means: estimation_distance(means, [0]),
}
TAKE_POINTS = {
    "count_cells": count_cells,
    "iterate_cells": lambda points: next(iterate_cells(points)),
}
BAD_ARRAYS = [
    ([1.0, 2.0], r"shape \(2,\)"),
    (5.0, r"shape \(\)"),
    ([[[1.0]], [[2.0]]], r"shape \(2, 1, 1\)"),
    ([], r"shape \(0,\)"),
    ([[], []], r"shape \(2, 0\)"),
    ([[1.0, np.nan], [0.0, 0.0]], r"\[0, 1\] = nan"),
    ([[1.0, 2.0], [np.inf, 0.0]], r"\[1, 0\] = inf"),
    ([[1.0, 2.0], [0.0, -np.inf]], r"\[1, 1\] = -inf"),
    ([["a", "b"], ["c", "d"]], r"= \[\['a', 'b'\]"),
    ([[1.0, 2.0], [3.0]], r"= \[\[1.0, 2.0\], \[3.0\]\]"),
    (None, r"(= None|shape \(\))"),
    ([[1j], [2.0]], r"= \[\[1j\]"),
    (np.array([[1j], [2.0]]), r"= array\("),
]


def not_refused(functions, argument, cases):
    """Calls that a value of an argument does not end, in an error that names it."""
    for name, function in functions.items():
        for value, words in cases:
            try:
                function(value)
            except ValueError as error:
                if re.match(f"{argument}.*{words}", str(error)):
                    continue
                yield f"{name}({value!r}) says: {error}"
            else:
                yield f"{name}({value!r}) is not refused"


def test_means_must_be_a_finite_matrix_of_two_arms_or_more():
    cases = [*BAD_ARRAYS, ([[1.0, 2.0]], r"shape \(1, 2\)")]
    assert list(not_refused(TAKE_MEANS, "means", cases)) == []


def test_points_must_be_a_finite_matrix():
    assert list(not_refused(TAKE_POINTS, "points", BAD_ARRAYS)) == []


@pytest.mark.parametrize(
    ("weights", "value"),
    [
        ([1.0], r"shape \(1,\)"),
        ([1.0, 1.0, 1.0], r"shape \(3,\)"),
        ([[1.0, 1.0]], r"shape \(1, 2\)"),
        (1.0, r"shape \(\)"),
        ([1.0, np.nan], r"\[1\] = nan"),
        ([np.inf, 1.0], r"\[0\] = inf"),
        ([0.5, -0.5], r"\[1\] = -0.5"),
        ([0.0, 0.0], "all zero"),
        (["a", "b"], r"= \['a', 'b'\]"),
        (None, r"(= None|shape \(\))"),
    ],
)
def test_weights_must_be_non_negative_and_not_all_zero(weights, value):
    with pytest.raises(ValueError, match="^weights.*" + value):
        transport_cost([[0.0, 0.0], [1.0, 1.0]], weights)


@pytest.mark.parametrize("method", ["swep", "", None, 2, "Sweep"])
def test_unknown_method_is_named(method):
    with pytest.raises(ValueError, match=f"^method = {method!r}; expected one of auto, branch"):
        transport_cost([[0.0, 0.0], [1.0, 1.0]], [1.0, 1.0], method)


def test_nearest_method_is_suggested():
    with pytest.raises(ValueError, match="did you mean 'sweep'"):
        transport_cost([[0.0, 0.0], [1.0, 1.0]], [1.0, 1.0], "swep")


@pytest.mark.parametrize("d", [1, 3])
def test_sweep_needs_two_objectives(d):
    with pytest.raises(ValueError, match=f"^method = 'sweep' with means of {d} objectives"):
        transport_cost(np.eye(3, d), np.ones(3), "sweep")


@pytest.mark.parametrize("definition", ["koné", "Auer", None, 1])
def test_unknown_definition_of_the_gaps_is_named(definition):
    with pytest.raises(ValueError, match=f"^definition = {definition!r}; expected one of auer"):
        gaps([[0.0], [1.0]], definition)


def test_unknown_instance_is_named():
    with pytest.raises(ValueError, match=r"^name = 'cov_boots'.*did you mean 'cov_boost'"):
        load_instance("cov_boots")


@pytest.mark.slow
def test_ties_duplicates_and_zero_weights_are_legal():
    means = [[1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    assert pareto_set(means).tolist() == [0, 1]
    for method in ("sweep", "branch_and_bound", "cells"):
        assert transport_cost(means, [0.0, 1.0, 0.0, 2.0], method).value == 0
    assert count_cells(means) >= 1


@pytest.mark.slow
def test_caller_arrays_are_left_alone():
    means, weights = np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]]), np.array([1.0, 2.0, 3.0])
    copies = means.copy(), weights.copy()
    for method in ("sweep", "branch_and_bound", "cells"):
        transport_cost(means, weights, method)
    characteristic_time(means)
    gaps(means)
    estimation_distance(means, [0])
    np.testing.assert_array_equal(means, copies[0])
    np.testing.assert_array_equal(weights, copies[1])
