"""Costs, rankings and cut-off runs of the arena's chapter, on runs that are made up."""

import numpy as np
import pytest
from references.kept_runs import runs_of

from pareto_book.chapters.arena import kept
from pareto_book.chapters.arena.colours import colour_of
from pareto_book.chapters.arena.fig_costs import Cost, optimal_entrants
from pareto_book.chapters.arena.own_rule import RANKED, worst_of
from pareto_book.chapters.arena.ratios import Pair, paired_ratio, ratios_table
from pareto_book.figures import plots
from pareto_book.kept_runs.rankings import rank
from pareto_book.records.measurements import Measurement


def arena_of(question, runs):
    return kept.Arena({question: runs}, {}, {}, {}, {})


def test_an_entrant_is_optimal_if_none_with_as_good_a_promise_is_better_in_both():
    costs = {
        "quick": Cost(1.0, 2.0, False),
        "light": Cost(2.0, 1.0, False),
        "behind": Cost(2.0, 2.0, False),
        "proven": Cost(3.0, 3.0, True),
        "behind the proven one": Cost(4.0, 4.0, True),
    }
    assert optimal_entrants(costs) == {"quick", "light", "proven"}


def test_cut_off_runs_of_widest_boxes_are_counted_by_kind():
    runs = [
        runs_of("widest box", [5, 6], "coins", ended=False),
        runs_of("widest box", [5, 6], "ties"),
        runs_of("widest box", [5, 6], "ties", delta=0.01, ended=False),
        runs_of("widest box, Hoeffding", [5, 6, 7], "coins"),
        runs_of("widest box, Bernstein", [5], "ties", ended=False),
        runs_of("APE", [5], "ties", ended=False),
    ]
    counts = kept.cut_off_counts(arena_of(kept.BOUNDED, runs))
    assert counts == {"coins": (2, 2), "ties": (0, 2), "plain": (1, 4)}


def test_a_ratio_is_that_of_the_means_also_on_an_instance_of_another_name():
    runs = [runs_of("A", [10, 20, 30]), runs_of("B", [5, 5, 5], "there")]
    found = paired_ratio(arena_of("any", runs), Pair("here", "A", "B", second_instance="there"))
    assert found.value == pytest.approx(4.0)
    assert found.interval[0] < 4.0 < found.interval[1]
    assert found.runs == 3


def test_a_ratio_has_two_decimals_or_one():
    values = {"covid_ape": 2.0, "proof_paveba": 12.0}
    found = {key: Measurement(each, (each - 1, each + 1), 5) for key, each in values.items()}
    table = ratios_table(found).data.replace("\u00a0", " ")
    assert "2.00 [1.00, 3.00]" in table
    assert "12.0 [11.0, 13.0]" in table


def test_the_worst_of_rankings_is_the_largest_ratio_with_its_interval():
    runs = [
        runs_of("A", [10, 12]),
        runs_of("B", [10, 11]),
        runs_of("A", [30, 31], "there"),
        runs_of("B", [10, 11], "there"),
    ]
    first, second = (rank(runs, "A", ["B"], [instance]) for instance in ("here", "there"))
    worst = worst_of(first, second)
    assert worst.value == pytest.approx(61 / 21)
    assert worst.interval == (second.low, second.high)


def test_recorded_rankings_have_different_names_and_contents():
    assert len(set(RANKED.values())) == len(RANKED)


def test_variants_have_the_colour_of_their_algorithm():
    assert colour_of("TopTwoIDS, proven") == colour_of("TopTwoIDS") == plots.RED
    assert colour_of("MO-SE") == plots.BLACK
    assert np.unique([colour_of("APE"), colour_of("PSIPS"), colour_of("uniform")]).size == 3
