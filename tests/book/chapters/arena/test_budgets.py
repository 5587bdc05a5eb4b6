"""The comparisons, the table and the figure of the arena with fixed budgets."""

import re

import numpy as np
import pytest
from references.fixed_budget import instead_of_the_book, kept_of, make_small

from pareto_book.chapters.arena import budgets, fig_budgets
from pareto_book.chapters.arena.budgets import Budgets
from pareto_book.figures import plots
from pareto_book.kept_runs.budgets.competitions import find_contest
from pareto_book.kept_runs.budgets.needed import needed_ratio
from pareto_core.simulation.statistics import rate_interval


@pytest.fixture
def small():
    with instead_of_the_book():
        yield find_contest("corner")


def wrong_in(contest, rates, seed=0, runs=400):
    """Errors that are the rarer the smaller a number of the run is."""
    uniform = np.random.default_rng(seed).random(runs)
    return uniform < np.array(rates)[:, None]


def made_up(contest):
    """Three entrants, of which the second is the quickest at 10 %."""
    rates = {
        "TopTwoIDS": [0.7, 0.3, 0.02],
        "EGE-SH": [0.5, 0.05, 0.02],
        "uniform": [0.6, 0.4, 0.3],
    }
    kept = {
        ("corner", name): kept_of(name, wrong_in(contest, each, runs=1000), contest.budgets)
        for name, each in rates.items()
    }
    return Budgets(kept, {"corner": contest})


def test_the_quickest_needs_the_smallest_budget(small):
    found = made_up(small)
    assert budgets.quickest(found, "corner", 0.1) == "EGE-SH"
    assert budgets.quickest(found, "corner", 0.01) is None  # no entrant reaches it
    assert budgets.quickest(found, "corner", 0.001) is None  # too few runs
    assert budgets.measured_cases(found) == [("corner", 0.1)]
    assert budgets.wins_of(found, "EGE-SH") == 1
    assert budgets.wins_of(found, "uniform") == 0
    assert [each.name for each in found.answers["corner"]] == ["TopTwoIDS", "EGE-SH", "uniform"]
    assert budgets.count_answers(found) == 9000


def test_ratios_are_those_of_the_runs(small):
    found = made_up(small)
    errors = budgets.error_at(found, "corner", "EGE-SH", 1)
    wrong = wrong_in(small, [0.05], runs=1000)[0]
    assert errors.value == wrong.mean()
    assert errors.interval == rate_interval(wrong.sum(), 1000)
    expected = needed_ratio(found.kept["corner", "TopTwoIDS"], found.kept["corner", "EGE-SH"], 0.1)
    assert budgets.ratio_at(found, "corner", "TopTwoIDS", "EGE-SH", 0.1) == expected
    with pytest.raises(ValueError, match="TopTwoIDS and uniform reach"):
        budgets.ratio_at(found, "corner", "TopTwoIDS", "uniform", 0.1)


def test_the_table_states_what_was_measured(small, tmp_path):
    needed = budgets.needed_table(made_up(small)).data
    assert "more than 2" in needed
    assert len(re.findall("<tr>", needed)) == 1 + 3
    kept = {("corner", each.name): each for each in make_small(tmp_path)}
    whole = budgets.needed_table(Budgets(kept, {"corner": small})).data
    assert len(re.findall("<tr>", whole)) == 1 + len(kept)


def test_the_figure_requires_that_lines_fall(small, monkeypatch):
    saved = []
    monkeypatch.setattr(plots, "save", lambda figure, *name: saved.append((figure, name)))
    found = made_up(small)
    fig_budgets.draw_error_rates(found)
    ((figure, name),) = saved
    assert name == ("arena", "budget")
    axes = figure.axes[0]
    line = axes.lines[0]
    np.testing.assert_allclose(line.get_xdata(), np.array(small.budgets) / small.time)
    assert axes.get_xscale() == axes.get_yscale() == "log"
    rising = kept_of("uniform", wrong_in(small, [0.1, 0.2, 0.3]), small.budgets)
    with pytest.raises(ValueError, match="every line falls"):
        fig_budgets.draw_error_rates(Budgets({("corner", "uniform"): rising}, found.contests))
