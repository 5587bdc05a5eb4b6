"""Families of instances, error rates by budget, and departures from a model."""

import dataclasses

import numpy as np

import pareto_core as pc
from pareto_book.chapters.kone2025linear import (
    error_rates,
    families,
    readings,
    wrong_models,
)
from pareto_book.studies import linear_bounds

CORNERS = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])


def test_gege_errs_always_where_the_front_is_not_that_of_the_fit():
    plane = pc.Instance(CORNERS, features=CORNERS, variance=[0.01, 0.01])
    lowered = dataclasses.replace(plane, means=CORNERS - [[0, 0], [0, 0], [0.6, 0.6]])
    departure = wrong_models.depart(
        plane,
        lowered,
        np.array([0.0, 1.0]),
        {"GEGE": lambda budget: pc.GEGE(budget=budget, variance_bound=0.01)},
        budget=200,
        runs=10,
        seed=0,
        n_jobs=1,
    )
    assert departure.same_front.tolist() == [True, False]
    assert not departure.exact.any() and departure.other_front.all()
    assert departure.fails_at == 1.0


def test_a_budget_that_is_too_small_gives_no_error_rate():
    instance = pc.Instance(CORNERS - 0.5, features=CORNERS)

    def make(budget):
        return pc.GEGE(budget=budget)

    assert error_rates.least_budget(make, instance) == 2
    assert np.isnan(error_rates.errors_at(make, instance, 1, 5, 0, 1)).all()
    assert error_rates.errors_at(make, instance, 50, 5, 0, 1).shape == (5,)


def test_errors_by_arms_are_those_of_single_calls():
    family = [families.with_combinations(families.first_arms()["far"], k, 0.25) for k in (8, 12)]
    makers = {"uniform": lambda budget: pc.UniformSampling(budget=budget)}
    found = error_rates.errors_by_arms(
        makers, {"a": family, "b": family[:1]}, {"uniform": 30}, seed=7, n_jobs=1
    )
    assert list(found) == [("a", "uniform", 8), ("a", "uniform", 12), ("b", "uniform", 8)]
    budget = linear_bounds.gap_complexity(family[0].means, 8).h2
    again = error_rates.errors_at(makers["uniform"], family[0], budget, 30, 8, 1)
    np.testing.assert_array_equal(found["b", "uniform", 8], again)
    budgets = error_rates.errors_at_budgets(makers["uniform"], family[0], [40, budget], 30, 7, 1)
    np.testing.assert_array_equal(budgets[1], again)


def test_close_arms_come_in_pairs_of_which_one_is_optimal():
    first = families.first_arms()
    assert {name: arms.shape for name, arms in first.items()} == {"close": (8, 2), "far": (8, 2)}
    assert pc.pareto_set(first["close"]).tolist() == [0, 1, 2, 3]


def test_buildings_are_read_by_their_loads_and_means():
    readings_of = readings.load_buildings()
    low, high = readings_of["low, as measured"], readings_of["high, as measured"]
    np.testing.assert_allclose(low.means, -high.means)
    fit = low.features @ np.linalg.lstsq(low.features, low.means, rcond=None)[0]
    np.testing.assert_allclose(readings_of["low, linear fit"].means, fit, atol=1e-6)
