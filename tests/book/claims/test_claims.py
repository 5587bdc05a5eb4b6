"""Claims of papers: which values their fields may have, how they are read, and their verdicts."""

import re

import pytest
from references.claim_files import NUMBER, STATEMENT, make_claim, write_claims

from pareto_book import paths
from pareto_book.claims.claims import chapters_with_claims, load_claims
from pareto_book.claims.criteria import CONTRARY, REPRODUCED, UNDECIDED
from pareto_book.claims.published import published_number


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "figure"}, "kind = 'figure'"),
        ({"published": "“fewer”"}, "published = '“fewer”'; expected the text of a number"),
        ({"criterion": ""}, "criterion is empty"),
        ({"criterion": "< 1"}, "criterion = '< 1'; expected one for a number"),
        ({"criterion": "digits"}, "criterion = 'digits'; expected a tolerance"),
        ({"kind": "time"}, "expected 'run time' for a time"),
        ({"left_open": "noise"}, "expected 'undecided' or 'contrary on our draw', as left_open"),
        (STATEMENT | {"verdict": CONTRARY}, "expected it for a statement on a choice"),
        ({"rests_on": "searched instance"}, "which was made to match"),
        ({"verdict": "differs", "determined_by": ""}, "expected determined_by, and others"),
        ({"verdict": "differs"}, "difference = ''; expected its kind"),
    ],
)
def test_a_claim_that_contradicts_itself_is_refused(changes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make_claim(**changes)


@pytest.mark.parametrize(
    ("choice", "agrees", "why"),
    [
        ({"determined_by": ""}, REPRODUCED, "the paper does not determine the value"),
        ({"left_open": "the draw", "verdict": "undecided"}, UNDECIDED, "left open: the draw"),
        (
            {"rests_on": "searched instance", "verdict": "undecided"},
            UNDECIDED,
            "the instance was made to match",
        ),
    ],
)
def test_a_statement_outside_on_a_choice_of_ours_is_contrary_and_a_number_open(choice, agrees, why):
    statement, number = make_claim(STATEMENT, **choice), make_claim(NUMBER, **choice)
    assert statement.judge(2.0, 1.9, 2.1) == (CONTRARY, why)
    assert statement.judge(0.5, 0.4, 0.6)[0] == agrees
    assert statement.judge(0.9, 0.8, 1.1)[0] == UNDECIDED
    assert number.judge(200, 190, 210) == (UNDECIDED, why)


# Files

NOT_MEASURED = {"paper": "crepon2024", "place": "Lemma 1", "what": "a set", "why_none": "a word"}


@pytest.fixture
def path(monkeypatch, tmp_path):
    """Path of the claims of a chapter."""
    monkeypatch.setattr(paths, "DATA", tmp_path)
    return tmp_path / "published" / "chapter.csv"


def test_claims_are_read_in_order(path):
    """An empty column of readings says that none were examined."""
    unread = NUMBER | {"others": None, "verdict": "undecided", "id": "unread"}
    write_claims(path, [NUMBER, STATEMENT | {"others": ["a", "b"]}, NOT_MEASURED, unread])
    read = load_claims("chapter")
    assert list(read) == ["samples", "fewer", "unread"]
    assert read["samples"] == make_claim()
    assert read["fewer"].others == ["a", "b"]
    assert read["unread"].others is None
    assert published_number("chapter", "samples") == 100
    assert chapters_with_claims() == ["chapter"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (NUMBER | {"why_none": "a lemma"}, "id = 'samples', why_none = 'a lemma'; expected one of"),
        (NUMBER | {"error": "small"}, "error = 'small'; expected a number"),
        (STATEMENT, "id = 'fewer' twice"),
    ],
)
def test_an_invalid_line_is_refused_by_file_and_number(path, line, message):
    write_claims(path, [STATEMENT, line])
    message = re.escape(f"published/chapter.csv, line 3: {message}")
    with pytest.raises(ValueError, match=f"^{message}"):
        load_claims("chapter")
