"""The frame and the ratios of the arena, and who needs the smallest budget."""

import numpy as np
import pytest
from references.kept_runs import case_of

from pareto_book.chapters.arena import MANY, Arena, duel


def arena_of(*cases, times=()):
    return Arena({"Pareto set": list(cases)}, {}, dict(times), {})


def test_the_frame_divides_by_the_bound_and_by_the_best_of_the_case():
    cases = [
        case_of("A", [10, 10]),
        case_of("B", [30, 30]),
        case_of("A", [8, 12], "there"),
    ]
    frame = arena_of(times={"here": 10.0, "there": 1.0}).frame(cases)
    bound = 0.8 * np.log(9.0)
    assert frame["over_the_bound"].tolist() == pytest.approx([1 / bound, 3 / bound, 10 / bound])
    assert frame["over_the_best"].tolist() == [1.0, 3.0, 1.0]
    assert frame["low"][2] < frame["over_the_bound"][2] < frame["high"][2]


def test_a_duel_is_over_the_cases_that_both_play():
    cases = [
        case_of("A", [10, 10], "long front"),
        case_of("B", [20, 20], "long front"),
        case_of("A", [90, 90], "20 arms"),
        case_of("B", [10, 10], "20 arms"),
        case_of("A", [10, 10], "30 arms"),
        case_of("A", [10, 10], "five arms"),
        case_of("B", [10, 10], "five arms"),
    ]
    found = duel(arena_of(*cases), "A", "B", MANY[0])
    assert found.worst == ("20 arms", 0.1)
    assert {case: each.value for case, each in found.ratios.items()} == {
        ("long front", 0.1): 0.5,
        ("20 arms", 0.1): 9.0,
    }
    assert found.mean == pytest.approx(4.5**0.5)
    assert (found.certainly(0, 1), found.certainly(1, np.inf)) == (1, 1)
