"""Arms with features: what the chapter computes beside the simulations."""

import numpy as np

import pareto_core as pc
from pareto_book.chapters import kone2025linear as chapter

MEANS = pc.load_instance("six_arms").means
SIX = pc.Instance(MEANS, features=np.column_stack([np.ones(6), MEANS]), labels=list("ABCDEF"))


def test_rounds_spend_the_budget_and_lead_to_an_answer():
    first, second = chapter.rounds_of_run(pc.GEGE(budget=60), SIX, seed=0)
    assert first.active.all() and first.pulls.sum() == second.pulls.sum() == 30
    assert first.staying.sum() == 2 and (second.active == first.staying).all()
    assert np.isnan(second.estimates[~second.active]).all()
    assert np.flatnonzero(second.accepted | second.staying).tolist() == [0, 1, 2]


def test_departures_tell_where_the_front_is_not_that_of_the_fit():
    def errors(name, instance, budgets, count, offset):
        return [np.full(count, offset > 800)]

    found = chapter.depart("noc", np.array([0.0, 1.0]), errors, 100, 5)
    assert found.same_front.tolist() == [True, False]
    rates = chapter.errors_of_gege({"NoC": found})
    assert [(rate.value, rate.runs) for rate in rates] == [(0, 5), (0, 5), (1, 5)]
