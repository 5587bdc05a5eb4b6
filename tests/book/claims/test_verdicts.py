"""The verdicts of the executed chapters: those on record, complete, and able to fail."""

import functools
import re
from collections import Counter

import nbformat
import numpy as np
import pytest

from pareto_book.claims.claims import chapters_with_claims, load_claims
from pareto_book.claims.criteria import CONTRARY, DIFFERS, REPRODUCED, UNEXPLAINED
from pareto_book.claims.scorecard import rows_of
from pareto_book.records.stamps import executed_path, rows_path

pytestmark = pytest.mark.built

CHAPTERS = chapters_with_claims()
CLAIMS = {chapter: load_claims(chapter) for chapter in CHAPTERS}
JUDGED = (REPRODUCED, DIFFERS, CONTRARY)
EVERY_CLAIM = [(chapter, claim) for chapter in CHAPTERS for claim in CLAIMS[chapter].values()]
PRINTED_ITSELF = "what is printed"
FACTORS = {"a third more": 4 / 3, "a third less": 2 / 3, "twice": 2, "half": 1 / 2}


@functools.cache
def scorecard(chapter):
    path = rows_path(executed_path(chapter, "fast"))
    if not path.exists():
        pytest.skip(f"{chapter} has not been executed")
    return rows_of(chapter, "fast").set_index("id")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_verdicts_are_those_on_record(chapter):
    recorded = {name: claim.verdict for name, claim in CLAIMS[chapter].items()}
    assert scorecard(chapter)["verdict"].to_dict() == recorded


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_difference_has_a_reason(chapter):
    rows = scorecard(chapter)
    assert UNEXPLAINED not in set(rows["reason"])
    assert (rows.loc[rows["verdict"] == DIFFERS, "reason"] != "").all()


# A row can fail


def wrong_measurements(row, others):
    """What a wrong program might have measured instead, each under a name to tell.

    ``others`` are the values of rows that are judged alike.
    """
    exact = np.isnan(row["low"])
    measured = row["measured"]
    low, high = (measured, measured) if exact else (row["low"], row["high"])
    for name, factor in FACTORS.items():
        yield name, factor * measured, *sorted((factor * low, factor * high))
    if exact:
        for name, step in (("one more", 1), ("one less", -1)):
            yield name, *[measured + step] * 3
    else:
        yield (
            "ten times as wide",
            measured,
            measured - 10 * (measured - low),
            measured + 10 * (high - measured),
        )
    if low > 0:
        yield "reversed", 1 / measured, 1 / high, 1 / low
    for value in others:
        yield "a neighbour's", value, *(low - measured + value, high - measured + value)


def why_it_cannot_fail(rows, claim, claims):
    """What is wrong with a row whose verdict a wrong program would not change; "" if nothing is.

    Where a number differs, a program that gives what is printed would be a wrong one.
    """
    row = rows.loc[claim.id]
    if row["verdict"] not in JUDGED:
        return ""
    alike = [
        rows.loc[other.id, "measured"]
        for other in claims
        if other.id != claim.id and other.place == claim.place and other.kind == claim.kind
    ]
    wrong = list(wrong_measurements(row, alike))
    if claim.kind == "number" and row["verdict"] == DIFFERS:
        wrong.append((PRINTED_ITSELF, *[float(claim.published)] * 3))
    fails = {name for name, *found in wrong if claim.judge(*found)[0] != row["verdict"]}
    if not fails:
        return "nothing that a wrong program might measure changes the verdict"
    sharp = fails & {*FACTORS, "one more", "one less", PRINTED_ITSELF}
    return "" if sharp or claim.margin else f"only {fails} changes the verdict, no margin says why"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_row_can_fail(chapter):
    rows, claims = scorecard(chapter), CLAIMS[chapter].values()
    wrong = {claim.id: why_it_cannot_fail(rows, claim, claims) for claim in claims}
    assert {name: why for name, why in wrong.items() if why} == {}


# The page that has them all


def test_scorecard_page_has_every_row_exactly_once():
    path = executed_path("scorecard", "fast")
    if not path.exists():
        pytest.skip("the scorecard has not been executed")
    shown = Counter()
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", []):
            text = output.get("data", {}).get("text/html", "")
            if 'class="scorecard"' in text:
                shown.update(re.findall(r'<tbody id="([^"]*)"', text))
    assert shown == Counter(f"{claim.paper}-{claim.id}" for _, claim in EVERY_CLAIM)
