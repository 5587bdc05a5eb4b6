"""Tables of claims: a line of what is compared, and below it on what it rests."""

import re

import pandas as pd
import pytest
from references.claim_files import COUNT, STATEMENT, TIME, make_claim

from pareto_book.claims.claim_tables import claims_html, explanations, show_all_claims

MEASURED = {"measured": 1234.5678, "low": 1200.4, "high": 1300.6, "runs": 2000}
ROW = MEASURED | {"verdict": "reproduced", "reason": "", "others": ""}
NONE = float("nan")
CONTRARY = make_claim(STATEMENT, left_open="the draw", verdict="contrary on our draw")


def row(**changes):
    return pd.Series(ROW | changes)


@pytest.mark.parametrize(
    ("claim", "judged", "cells"),
    [
        (
            make_claim(error=5.0),
            row(),
            {
                "place": "Table 1",
                "published": "100 ± 5",
                "measured": "1,235 <span>[1,200, 1,301]</span>",
                "runs": "2,000",
                "verdict": '<span class="verdict reproduced">reproduced</span>',
            },
        ),
        # an exact number has the digits that decide
        (
            make_claim(COUNT, published="2103.78"),
            row(measured=2103.7509, low=NONE, verdict="differs", runs=NONE),
            {"measured": "2,103.7509", "runs": ""},
        ),
        (
            make_claim(TIME),
            row(measured=0.5, low=NONE, verdict="run time"),
            {"measured": "0.5 <span>(0.2 of it)</span>"},
        ),
        (
            CONTRARY,
            row(verdict="contrary on our draw"),
            {"verdict": '<span class="verdict contrary">contrary on our draw</span>'},
        ),
    ],
)
def test_a_claim_is_one_line(claim, judged, cells):
    text = claims_html([(claim, judged)])
    for name, expected in cells.items():
        assert re.search(rf'<td class="{name}"[^>]*>(.*?)</td>', text)[1] == expected


BASIS = {"margin": "it is not tight", "reading": "noise of variance 1", "stand_in": "the means"}
LEFT_OPEN = {"left_open": "δ is not in the text", "verdict": "undecided"}


@pytest.mark.parametrize(
    ("claim", "judged", "expected"),
    [
        (
            make_claim(STATEMENT, **BASIS),
            row(others="noise of variance 2: 0.7", reason="few runs"),
            [
                "Few runs",
                "Reproduced if < 1",
                "The margin is this wide because it is not tight",
                "Read as: noise of variance 1",
                "Other readings: noise of variance 2: 0.7",
                "On a stand-in for the means",
            ],
        ),
        # an undecided row names no criterion, and a symbol is no word to begin with a capital
        (make_claim(**LEFT_OPEN), row(verdict="undecided", reason="δ is lost"), ["δ is lost"]),
        (
            make_claim(),
            row(verdict="differs"),
            ["Reproduced if within 10 %", "Determined by Section 4"],
        ),
        (
            CONTRARY,
            row(verdict="contrary on our draw"),
            ["No part of our interval satisfies < 1"],
        ),
    ],
)
def test_the_basis_of_a_claim_is_shown_below_it(claim, judged, expected):
    assert explanations(claim, judged) == expected


def test_the_scorecard_can_be_filtered_by_a_style_sheet_alone():
    claims = [make_claim(paper="one2020"), make_claim(COUNT, paper="one2020")]
    rows = pd.DataFrame([ROW | {"claim": each, "paper": each.paper} for each in claims])
    papers = {"one2020": "One 2020", "two2021": "Two & Two 2021"}
    text = show_all_claims(rows.assign(chapter="one"), papers).data
    assert "<script" not in text
    for value in ("paper-one2020", "kind-number", "verdict-undecided"):
        facet, _, name = value.partition("-")
        assert f'id="show-{value}" checked' in text
        assert f':has(#show-{value}:not(:checked)) [data-{facet}="{name}"]{{display:none}}' in text
    assert text.count('<tbody id="one2020-') == 2
    assert '<a href="one.html#one2020-arms">Table 1</a>' in text
    assert "Two &amp; Two 2021" in text
