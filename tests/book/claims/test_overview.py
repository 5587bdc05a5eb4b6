"""Totals of verdicts, and their picture."""

import matplotlib as mpl
import pandas as pd
import pytest

mpl.use("agg")

from matplotlib import pyplot as plt
from references.claim_files import STATEMENT, TIME, make_claim

from pareto_book.claims import overview
from pareto_book.claims.claims import DIFFERENCES
from pareto_book.claims.criteria import CONTRARY, DIFFERS, REPRODUCED, RUN_TIME, UNDECIDED
from pareto_book.claims.differences import difference_kinds

ROWS = pd.DataFrame(
    [
        ("crepon2024", REPRODUCED, make_claim()),
        ("saerens2026", REPRODUCED, make_claim()),
        ("crepon2024", DIFFERS, make_claim(stand_in="the means")),
        ("crepon2024", DIFFERS, make_claim()),
        ("auer2016", RUN_TIME, make_claim(TIME)),
        ("chen2024", CONTRARY, make_claim(STATEMENT, stand_in="the draw")),
    ],
    columns=["paper", "verdict", "claim"],
)


def test_the_five_papers_are_counted_apart_from_newcomers():
    assert overview.verdict_totals(ROWS).to_dict("list") == {
        "paper": [
            "crepon2024",
            "auer2016",
            "chen2024",
            overview.FIVE_PAPERS,
            "saerens2026",
            overview.NEWCOMERS,
        ],
        "rows": [3, 1, 1, 5, 1, 1],
        REPRODUCED: [1, 0, 0, 1, 1, 1],
        DIFFERS: [2, 0, 0, 2, 0, 0],
        CONTRARY: [0, 0, 1, 1, 0, 0],
        UNDECIDED: [0, 0, 0, 0, 0, 0],
        RUN_TIME: [0, 1, 0, 1, 0, 0],
        overview.ON_STAND_IN: [1, 0, 1, 2, 0, 0],
    }


def test_kinds_of_claims_are_counted_apart():
    totals = overview.kind_totals(ROWS).set_index("kind")
    assert totals["rows"].to_dict() == {"number": 3, "statement": 1, "time": 1}
    assert totals.loc["statement", [CONTRARY, overview.ON_STAND_IN]].to_list() == [1, 1]


def test_bars_are_as_long_as_the_totals_and_stand_ins_are_hatched():
    names = {"saerens2026": "New 2026", "crepon2024": "One 2020", "chen2024": "Two 2021"}
    figure = overview.verdict_bars(ROWS, names)
    drawn = [
        sorted((bar.get_width(), bar.get_hatch()) for bars in axes.containers for bar in bars)
        for axes in figure.axes
    ]
    assert drawn == [[(1, ""), (1, ""), (1, ""), (1, "////")], [(1, "////")]]
    colours = {each.get_label(): each.get_facecolor() for each in figure.legends[0].get_patches()}
    assert len(set(colours.values())) == len(colours) == 5
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [
        "One 2020",
        "Two 2021",
        "New 2026",
    ]
    plt.close(figure)


def differing(**changes):
    claim = make_claim(verdict=DIFFERS, difference="rounding", **changes)
    return ("one", claim.id, DIFFERS, claim)


def test_differences_are_counted_by_kind():
    rows = pd.DataFrame(
        [differing(), differing(id="other"), ("one", "arms", REPRODUCED, make_claim())],
        columns=["chapter", "id", "verdict", "claim"],
    )
    counts = difference_kinds(rows).set_index("kind")["rows"]
    assert counts["rounding"] == 2
    assert counts.sum() == 2
    assert list(counts.index) == list(DIFFERENCES)


@pytest.mark.parametrize(
    "row",
    [("one", "samples", DIFFERS, make_claim()), (*differing()[:2], REPRODUCED, differing()[3])],
)
def test_a_difference_without_kind_is_refused_by_name(row):
    rows = pd.DataFrame([row], columns=["chapter", "id", "verdict", "claim"])
    with pytest.raises(ValueError, match=r"^one/samples: expected a field 'difference'"):
        difference_kinds(rows)
