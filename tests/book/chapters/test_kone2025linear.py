"""Arms with features: what the chapter computes beside the simulations."""

import numpy as np

from pareto_book.chapters import kone2025linear as chapter


def test_departures_tell_where_the_front_is_not_that_of_the_fit():
    def errors(name, instance, budgets, count, offset):
        return [np.full(count, offset > 800)]

    found = chapter.depart("noc", np.array([0.0, 1.0]), errors, 100, 5)
    assert found.same_front.tolist() == [True, False]
    rates = chapter.errors_of_gege({"NoC": found})
    assert [(rate.value, rate.runs) for rate in rates] == [(0, 5), (0, 5), (1, 5)]
