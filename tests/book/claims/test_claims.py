"""Rows of claims: what may stand in them, and what their verdicts are."""

import pytest
from references.claim_files import FIELDS, NUMBER, STATEMENT, make_claim, write_claims

from pareto_book import paths
from pareto_book.claims import claims
from pareto_book.claims.claims import chapters_with_claims, load_claims, read_published
from pareto_book.claims.criteria import DIFFERS, NOT_JUDGED, OPEN, REPRODUCED


def test_a_row_names_what_it_is():
    assert make_claim().other_readings == []
    assert make_claim(others="a union over K; none over d").other_readings == [
        "a union over K",
        "none over d",
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "figure"}, "kind of samples = 'figure'"),
        ({"rests_on": "luck"}, "rests_on of samples = 'luck'"),
        ({"verdict": "right"}, "verdict of samples = 'right'"),
        ({"random": "no"}, "random of samples = 'no'"),
        ({"published": ""}, "samples: published is empty"),
        ({"published": "“fewer”"}, "samples: published is no number"),
        ({"error": "small"}, "samples: error is no number"),
        ({"criterion": ""}, "samples: no criterion"),
        ({"criterion": "within ten"}, "criterion of samples = 'within ten'"),
        ({"criterion": "< 1"}, "criterion '< 1' is not for a number"),
        ({"criterion": "digits"}, "samples: what is random has no digits"),
        ({"kind": "time"}, "samples: a time has no verdict"),
        ({"verdict": "not judged"}, "samples: a time has no verdict"),
        ({"kind": "time", "verdict": "not judged"}, "samples: a time has no criterion"),
        ({"left_open": "the noise"}, "expected the verdict 'open'"),
        ({"rests_on": "searched instance"}, "made to match reproduces nothing"),
        ({"verdict": "differs", "determined_by": ""}, "names what determines the value"),
        ({"verdict": "differs", "others": ""}, "names what determines the value"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        make_claim(**changes)


@pytest.mark.parametrize("kind", ["statement", "proof"])
def test_words_are_not_judged_by_digits(kind):
    with pytest.raises(ValueError, match="criterion 'within 10 %' is not for a"):
        make_claim(STATEMENT, kind=kind, criterion="within 10 %")


def test_verdicts_follow_the_criterion():
    assert make_claim().judge(98, 96, 101) == (REPRODUCED, "")
    assert make_claim().judge(90, 88, 92) == (DIFFERS, "")
    assert make_claim().judge(98, 80, 120)[0] == OPEN
    assert make_claim(error="4").judge(94, 93, 95)[0] == REPRODUCED
    assert make_claim().judge(94, 93, 95)[0] == DIFFERS
    assert make_claim(STATEMENT).judge(0.5, 0.4, 0.6) == (REPRODUCED, "")


def test_what_the_paper_does_not_determine_cannot_differ():
    undetermined = make_claim(STATEMENT, determined_by="")
    assert undetermined.judge(2.0, 1.9, 2.1) == (OPEN, "the paper does not determine the value")
    assert undetermined.judge(0.5, 0.4, 0.6) == (REPRODUCED, "")


def test_what_the_paper_leaves_open_has_no_verdict():
    row = make_claim(left_open="the noise is not published", verdict="open", criterion="")
    assert row.judge(100, 99, 101) == (OPEN, "left open: the noise is not published")


def test_an_instance_made_to_match_reproduces_nothing():
    row = make_claim(STATEMENT, rests_on="searched instance", verdict="open")
    assert row.judge(0.5, 0.4, 0.6)[0] == OPEN
    assert row.judge(1.5, 1.4, 1.6)[0] == DIFFERS


def test_a_time_is_not_judged():
    row = make_claim(kind="time", criterion="", random="", verdict="not judged")
    assert row.judge(3.0) == (NOT_JUDGED, "")


@pytest.fixture
def published(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "DATA", tmp_path)
    return lambda rows, name="chapter", **fields: write_claims(
        tmp_path / "published" / f"{name}.csv", rows, **fields
    )


def test_claims_are_read_in_order(published):
    published([NUMBER, STATEMENT])
    read = load_claims("chapter")
    assert list(read) == ["samples", "fewer"]
    assert read["samples"] == make_claim()


def test_an_id_that_appears_twice_is_refused(published):
    published([NUMBER, NUMBER])
    with pytest.raises(ValueError, match=r"id 'samples' appears twice in chapter\.csv"):
        load_claims("chapter")


def test_columns_are_those_of_a_claim(published):
    published([NUMBER], fields=FIELDS[:-1])
    with pytest.raises(ValueError, match=r"columns of chapter\.csv = id, .*; expected id"):
        load_claims("chapter")


def test_a_faulty_row_names_its_file(published):
    published([NUMBER | {"criterion": ""}])
    with pytest.raises(ValueError, match=r"chapter\.csv, samples: no criterion"):
        load_claims("chapter")


def test_chapters_follow_from_the_files(published):
    published([NUMBER], "zebra")
    published([NUMBER], "apes")
    published([{"p": 1}], "apes_table1", fields=["p"])
    assert chapters_with_claims() == ["apes", "zebra"]


def test_unknown_table_is_refused_with_the_nearest_name(published):
    published([], "paper")
    with pytest.raises(ValueError, match=r"name = 'papre'.*did you mean 'paper'"):
        read_published("papre")


@pytest.mark.parametrize("chapter", claims.chapters_with_claims())
def test_rows_of_the_book_are_sound(chapter):
    assert load_claims(chapter)
