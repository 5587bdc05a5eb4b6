"""Claims of papers: which values their fields may have, and what their verdicts are."""

import re

import pytest
from references.claim_files import NUMBER, STATEMENT, make_claim, write_claims

from pareto_book import paths
from pareto_book.claims.claims import chapters_with_claims, load_claims
from pareto_book.claims.criteria import CONTRARY, REPRODUCED, UNDECIDED


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "figure"}, "kind = 'figure'"),
        ({"rests_on": "luck"}, "rests_on = 'luck'"),
        ({"verdict": "right"}, "verdict = 'right'"),
        ({"difference": "typo"}, "difference = 'typo'"),
        ({"published": ""}, "published is empty"),
        ({"published": "“fewer”"}, "published = '“fewer”'; expected the text of a number"),
        ({"criterion": ""}, "criterion is empty"),
        ({"criterion": "within ten"}, "criterion = 'within ten'"),
        ({"criterion": "< 1"}, "criterion = '< 1'; expected one for a number"),
        ({"criterion": "digits"}, "criterion = 'digits'; expected a tolerance"),
        ({"kind": "time"}, "expected 'run time' for a time"),
        ({"verdict": "run time"}, "expected 'run time' for a time and only there"),
        ({"kind": "time", "verdict": "run time"}, "expected no criterion for a time"),
        (
            {"left_open": "the noise"},
            "expected 'undecided' or 'contrary on our draw', as left_open",
        ),
        (
            {"verdict": CONTRARY, "left_open": "the noise"},
            "expected it for a statement on a choice",
        ),
        (STATEMENT | {"verdict": CONTRARY}, "expected it for a statement on a choice"),
        (STATEMENT | {"criterion": "within 10 %"}, "within 10 %'; expected one for a statement"),
        ({"rests_on": "searched instance"}, "which was made to match"),
        ({"verdict": "differs", "determined_by": ""}, "expected determined_by, and others"),
        ({"verdict": "differs", "others": None}, "expected determined_by, and others"),
        ({"verdict": "differs"}, "difference = ''; expected its kind"),
        ({"difference": "rounding"}, "where the verdict is 'differs' and only there"),
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


def test_what_the_paper_leaves_open_without_a_criterion_is_open():
    row = make_claim(left_open="the noise is not published", verdict="undecided", criterion="")
    assert row.judge(100, 99, 101) == (UNDECIDED, "left open: the noise is not published")


# Files


@pytest.fixture
def published(monkeypatch, tmp_path):
    """Write claims of a chapter, and return the path of their file."""
    monkeypatch.setattr(paths, "DATA", tmp_path)

    def write(blocks, chapter="chapter"):
        path = tmp_path / "published" / f"{chapter}.csv"
        write_claims(path, blocks)
        return path

    return write


def test_claims_are_read_in_order(published):
    """An empty column of readings says that none were examined."""
    unread = {"others": None, "verdict": "undecided"}
    published([NUMBER, STATEMENT | {"others": ["a", "b"]}, NUMBER | unread | {"id": "unread"}])
    read = load_claims("chapter")
    assert list(read) == ["samples", "fewer", "unread"]
    assert read["samples"] == make_claim()
    assert read["fewer"].others == ["a", "b"]
    assert read["unread"].others is None


def test_what_cannot_be_measured_has_no_claim(published):
    reason = {
        "paper": "crepon2024",
        "place": "Lemma 1",
        "what": "a set",
        "why_none": "a definition",
    }
    published([reason, NUMBER])
    assert list(load_claims("chapter")) == ["samples"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (NUMBER | {"why_none": "a lemma"}, "id = 'samples', why_none = 'a lemma'; expected one of"),
        (NUMBER | {"id": ""}, "id = '', why_none = ''; expected one of the two"),
        (NUMBER | {"error": "small"}, "error = 'small'; expected a number"),
        (NUMBER | {"random": "true"}, "random = 'true'; expected one of , yes"),
        (NUMBER | {"criterion": ""}, "criterion is empty"),
        (NUMBER | {"paper": ""}, "paper is empty; expected a text"),
        (STATEMENT, "id = 'fewer' twice"),
    ],
)
def test_an_invalid_line_is_refused_by_file_and_number(published, line, message):
    published([STATEMENT, line])
    with pytest.raises(
        ValueError, match="^" + re.escape(f"published/chapter.csv, line 3: {message}")
    ):
        load_claims("chapter")


def test_a_file_with_other_columns_is_refused(published):
    path = published([NUMBER])
    path.write_text(path.read_text().replace("place", "where", 1))
    with pytest.raises(ValueError, match=r"line 2: columns = id, paper, where, .*expected id, pap"):
        load_claims("chapter")


def test_chapters_follow_from_the_files(published):
    published([NUMBER], "zebra")
    published([NUMBER], "apes")
    assert chapters_with_claims() == ["apes", "zebra"]
    with pytest.raises(ValueError, match=r"chapter = 'zebar'.*did you mean 'zebra'"):
        load_claims("zebar")
