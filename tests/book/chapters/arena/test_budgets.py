"""The comparisons, tables and the figure of the arena with fixed budgets."""

import re

import numpy as np
import pytest
from references.fixed_budget import instead_of_the_book, kept_of, make_small

import pareto_core as pc
from pareto_book.chapters.arena import budget_tables, budgets, fig_budgets, misled
from pareto_book.chapters.arena.budgets import Budgets
from pareto_book.figures import plots
from pareto_book.kept_runs.budgets.competitions import find_contest
from pareto_book.kept_runs.budgets.needed import needed_ratio
from pareto_book.studies.answer_quality import hypervolume_lost, misclassified
from pareto_core.simulation.statistics import rate_interval, ratio_interval


@pytest.fixture
def small():
    with instead_of_the_book():
        yield find_contest("corner")


def wrong_in(contest, rates, seed=0, runs=400):
    """Errors that are the rarer the smaller a number of the run is."""
    uniform = np.random.default_rng(seed).random(runs)
    return uniform < np.array(rates)[:, None]


def made_up(contest):
    """Three entrants, of which the second is the quickest at 10 % and the oracle at 1 %."""
    rates = {
        "static w*": [0.7, 0.3, 0.001],
        "EGE-SH": [0.5, 0.05, 0.02],
        "uniform": [0.6, 0.4, 0.3],
    }
    kept = {
        ("corner", name): kept_of(name, wrong_in(contest, each, runs=1000), contest.budgets)
        for name, each in rates.items()
    }
    return Budgets(kept, {"corner": contest})


def test_the_quickest_is_not_the_oracle(small):
    found = made_up(small)
    assert budgets.quickest(found, "corner", 0.1) == "EGE-SH"
    assert budgets.quickest(found, "corner", 0.01) is None  # no rival reaches it
    assert budgets.quickest(found, "corner", 0.001) is None  # too few runs
    assert budgets.measured_cases(found) == [("corner", 0.1)]
    assert budgets.wins_of(found, ["EGE-SH", "uniform"]) == 1
    assert budgets.wins_of(found, ["uniform"]) == 0
    assert budgets.level_with_best(found, "EGE-SH") == (1, 1)
    assert budgets.level_with_best(found, "uniform") == (0, 1)
    assert budgets.level_with_best(found, "nobody") == (0, 0)
    spread = budgets.widest_spread(found, ["static w*", "EGE-SH"])
    assert spread == needed_ratio(
        *(found.kept["corner", each] for each in ("static w*", "EGE-SH")), 0.1
    )
    assert budgets.beyond_ladder(found, ["static w*", "EGE-SH"]) == "no case"
    assert budgets.beyond_ladder(found, ["EGE-SH", "uniform"]) == "uniform on corner at 10 %"
    assert [each.name for each in found.answers["corner"]] == ["static w*", "EGE-SH", "uniform"]
    assert budgets.count_answers(found) == 9000


def test_ratios_are_those_of_the_runs(small):
    found = made_up(small)
    errors = budgets.error_at(found, "corner", "EGE-SH", 1)
    wrong = wrong_in(small, [0.05], runs=1000)[0]
    assert errors.value == wrong.mean()
    assert errors.interval == rate_interval(wrong.sum(), 1000)
    expected = needed_ratio(found.kept["corner", "static w*"], found.kept["corner", "EGE-SH"], 0.1)
    assert budgets.ratio_at(found, "corner", "static w*", "EGE-SH", 0.1) == expected
    with pytest.raises(ValueError, match="static w\\* and uniform reach"):
        budgets.ratio_at(found, "corner", "static w*", "uniform", 0.1)


def test_hypervolume_lost_is_compared_by_run(small, tmp_path):
    kept = {
        ("corner", each.name): each for each in make_small(tmp_path, only=["uniform", "static w*"])
    }
    found = budgets.lost_ratio(
        Budgets(kept, {"corner": small}), "corner", "uniform", "static w*", 0.15
    )
    ours, theirs = (
        hypervolume_lost(small.instance.means, each.answers[each.which[0]])
        for each in (kept["corner", "uniform"], kept["corner", "static w*"])
    )
    assert found.value == pytest.approx(ours.mean() / theirs.mean())
    assert found.interval == pytest.approx(ratio_interval(ours, theirs, paired=True))


def test_tables_state_what_was_measured(small, tmp_path):
    found = made_up(small)
    needed = budget_tables.needed_table(found).data
    assert "more than 2" in needed
    assert len(re.findall("<tr>", needed)) == 1 + 3
    kept = {("corner", each.name): each for each in make_small(tmp_path)}
    whole = Budgets(kept, {"corner": small})
    for make in (
        budget_tables.entrants_table,
        budget_tables.instances_table,
        budget_tables.errors_table,
    ):
        assert "<caption>" in make(whole).data
    each = kept["corner", "uniform"]
    answers = each.answers[each.which[1]]
    means = small.instance.means
    arms = misclassified(means, answers).mean()
    volume = 100 * hypervolume_lost(means, answers).mean()
    quality = budget_tables.quality_table(whole, 1).data
    row = next(part for part in quality.split("<tr>") if "uniform" in part)
    assert f">{arms:.3f}<" in row
    assert f">{volume:.3f}<" in row
    errors = budget_tables.errors_table(whole).data
    assert len(re.findall("<tr>", errors)) == 1 + len(kept)
    assert errors.count("–") == sum(
        len(small.budgets) - len(each.budgets) for each in kept.values()
    )
    leaders = budget_tables.leaders_table(found).data
    assert "EGE-SH: " in leaders
    assert "static" not in leaders.split("</caption>")[1]


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


def test_the_fewest_samples_are_counted_in_the_runs_that_were_wrong(small, tmp_path):
    kept = {("corner", each.name): each for each in make_small(tmp_path, only=["TTPFTS"])}
    found = Budgets(kept, {"corner": small})
    counted = misled.fewest_samples(found, "corner", "TTPFTS", 1, most=3)
    algorithm = small.entrants["TTPFTS"].make(small.instance, small.budgets[1])
    runs = pc.simulate(algorithm, small.instance, small.runs, progress=False)
    fewest = runs.pulls[:, small.instance.pareto_set].min(axis=1)
    assert counted.runs == min(3, (~runs.correct).sum())
    assert counted.wrong == np.median(fewest[~runs.correct][: counted.runs])
    assert counted.right == np.median(fewest[runs.correct][: counted.runs])
    assert counted.ratio == counted.wrong / counted.right
    never = kept_of("TTPFTS", np.zeros((3, 30)), small.budgets)
    with pytest.raises(ValueError, match="with 0 wrong runs of 30"):
        misled.fewest_samples(
            Budgets({("corner", "TTPFTS"): never}, {"corner": small}), "corner", "TTPFTS", 1
        )
