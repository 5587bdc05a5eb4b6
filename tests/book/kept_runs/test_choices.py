"""Which algorithm to call in a situation, and the table of recommendations."""

import pytest
from references.kept_runs import case_of

import pareto_core as pc
from pareto_book.kept_runs import choices
from pareto_book.kept_runs.rankings import (
    HELD_OUT,
    INSTANCE_GROUPS,
    competitors,
    rank_all,
    runs_for,
)
from pareto_book.kept_runs.reading import read_all
from pareto_book.kept_runs.recommendations import SHOWN, recommendation_table

KEPT = {question: [] for question in choices.SITUATIONS} | {
    HELD_OUT: [
        case_of("TopTwoIDS", [30, 30], "held out 2"),
        case_of("Track-and-Stop", [40, 40], "held out 2"),
        case_of("APE, mixture", [90, 90], "held out 2"),
        case_of("uniform", [10] * 60, "held out 2", wrong=60),
    ],
}


def test_the_leaders_are_those_of_the_kept_runs():
    found = [each for each in choices.choices(KEPT) if "arena" not in each.cost]
    assert [each.call for each in found] == ["pc.TopTwoIDS()", "pc.APE(bonus='mixture')"]
    unproven, proven = found
    assert unproven.cost.startswith(
        "held out: certainly first in 1 of 1 cases, undecided in 0, certainly behind in 0; 1.00 "
        "times as many samples as the best on average; against its best rival at worst 0.75"
    )
    assert (proven.guarantee, proven.cost) == ("a theorem", "the only one of its kind")


def test_a_proven_leader_is_the_choice_without_a_proof_too_where_it_needs_fewer_samples():
    cases = [
        case_of("APE", [90, 90], "coins"),
        case_of("widest box, and what blocks", [30, 30], "coins"),
    ]
    found = choices.choices(KEPT | {"Pareto set, rewards in [0, 1]": cases})
    found = [each for each in found if choices.BOUNDED in each.situation]
    assert [each.call for each in found] == ["pc.WidestBox(sample_blockers=True)"] * 2
    assert found[0].cost.startswith("certainly fewer samples than APE, which has no proof")


def test_the_calls_of_what_is_not_in_the_arena_make_these_algorithms():
    for each in choices._others():
        made = eval(each.call, {"pc": pc})
        assert choices.call_of(made) == each.call
        assert ("budget" in each.call) == (each.situation[-1] == choices.BUDGET)


@pytest.mark.slow
def test_the_recommended_algorithms_are_the_first_of_the_rankings():
    frame, _ = recommendation_table()
    runs = runs_for(read_all(), "Pareto set")
    found = [
        each
        for proven in (False, True)
        for instances in INSTANCE_GROUPS.values()
        for each in rank_all(runs, competitors(runs, "Pareto set", proven), instances)[:SHOWN]
    ]
    assert frame["algorithm"].tolist() == [each.name for each in found]
    counts = frame[["certainly first", "undecided", "certainly behind"]]
    assert (counts.sum(axis=1) == frame["cases"]).all()
