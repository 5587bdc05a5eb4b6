"""A comparison as text: it is complete and fits the width."""

import pytest
from references.arms import BARE, CORNER

from pareto_core import APE, EGE, Certified, UniformSampling
from pareto_lab import compare
from pareto_lab.comparison.report import UNFINISHED

LONG = "APE with a name that nobody can put into a column"


@pytest.fixture(scope="module")
def table():
    algorithms = {"APE": APE(), LONG: APE(epsilon=0.5), "EGE": EGE(60)}
    return compare(algorithms, [CORNER, BARE], [0.1, 1e-3], 20, max_samples=150, progress=False)


def test_lines_fit_the_width(table):
    assert max(map(len, str(table).splitlines())) <= 92


def test_every_row_of_the_frame_is_reported(table):
    lines = str(table).splitlines()
    assert "corner: 3 arms, 2 objectives; seed 0" in lines
    row = table.frame.iloc[0]
    (first, *_) = (line for line in lines if line.startswith("APE "))
    assert first.split()[:6] == [
        "APE",
        "0.1",
        f"{row['samples']:.1f}",
        f"{row['samples_low']:.0f}..{row['samples_high']:.0f}",
        f"{row['errors']}/20",
        f"{row['error_low']:.3f}..{row['error_high']:.3f}",
    ]
    assert first.split()[6] == f"{row['over_the_bound']:.2f}"
    assert lines.count(LONG) == 8
    assert sum(line.startswith("EGE ") and line.split()[1] == "-" for line in lines) == 2


def test_differences_from_the_first_algorithm_follow(table):
    text = str(table)
    assert (
        text.count("samples of APE minus those of each other, run by run from the same seeds") == 2
    )
    row = table.differences().iloc[-1]
    last = next(line for line in text.splitlines()[::-1] if line.startswith("EGE"))
    assert last.split()[:4] == [
        "EGE",
        "0.001",
        f"{row['difference']:+.1f}",
        f"{row['difference_low']:+.1f}..{row['difference_high']:+.1f}",
    ]
    assert last.split()[4] == f"{row['ratio']:.3f}"


def test_runs_that_were_cut_off_are_marked_and_explained(table):
    lines = str(table).splitlines()
    marked = sum(line.endswith(" *") for line in lines)
    assert (
        marked
        == (table.frame["unfinished"] > 0).sum() + (table.differences()["unfinished"] > 0).sum()
    )
    assert 0 < marked
    row = table.frame[table.frame["unfinished"] > 0].iloc[0]
    note = " ".join(map(str.strip, lines))
    assert f"{UNFINISHED} {row['unfinished']}/20 of {row['algorithm']} on" in note


def test_without_cut_off_runs_there_is_no_footnote():
    text = str(compare([EGE(60)], CORNER, runs=3, progress=False))
    assert "*" not in text
    assert "more than" not in text
    assert not text.endswith("\n")


def test_a_note_names_algorithms_with_an_accuracy_which_is_not_judged():
    rules = {
        "rough": APE(epsilon=0.5),
        "exact": APE(),
        "proven": Certified(UniformSampling(), epsilon=0.5),
    }
    lines = str(compare(rules, "six_arms", deltas=[0.1], runs=2, progress=False)).splitlines()
    assert lines[-2].startswith("Errors: only the exact answer is right, also for algorithms with")
    assert lines[-1] == "  rough"
