"""Published numbers, the rules of the verdicts, and the scorecard."""

import numpy as np
import pandas as pd
import pytest

from pareto_core import _paths
from pareto_core.publishing import published
from pareto_core.publishing.published import (
    Claim,
    Scorecard,
    explanations,
    homogeneity_test,
    load_claims,
    read_published,
)

REPRODUCED, DIFFERS = "reproduced", "differs"


def claim(value, rule, spread=float("nan")):
    return Claim("name", "Table 1", "a number", value, spread, rule, REPRODUCED, "A section")


@pytest.mark.parametrize(
    ("value", "rule", "spread", "measured", "verdict"),
    [
        ("2103.78", "digits", None, 2103.7849, REPRODUCED),
        ("2103.78", "digits", None, 2103.7751, REPRODUCED),
        ("2103.78", "digits", None, 2103.7749, DIFFERS),
        ("0.10", "digits", None, 0.104, REPRODUCED),
        ("0.10", "digits", None, 0.106, DIFFERS),
        ("3", "digits", None, 3.0, REPRODUCED),
        ("3", "digits", None, 4, DIFFERS),
        ("2.0", "tolerance", 0.25, 1.75, REPRODUCED),
        ("2.0", "tolerance", 0.25, 1.7, DIFFERS),
        ("2", "at least", None, 2.0, REPRODUCED),
        ("2", "at least", None, 1.99, DIFFERS),
        ("2", "at most", None, 2.0, REPRODUCED),
        ("2", "at most", None, 2.01, DIFFERS),
        ("2", "open", None, 2.0, "not published in enough detail"),
    ],
)
def test_verdict_follows_from_the_rule(value, rule, spread, measured, verdict):
    row = claim(value, rule, float("nan") if spread is None else spread)
    assert row.judge(measured, measured, measured) == verdict


def test_interval_is_widened_by_twice_the_published_standard_error():
    assert claim("10", "interval").judge(9, 8, 9.99) == DIFFERS
    assert claim("10", "interval", 0.1).judge(9, 8, 9.81) == REPRODUCED
    assert claim("10", "interval", 0.1).judge(9, 8, 9.79) == DIFFERS
    assert claim("10", "interval", 0.1).judge(11, 10.19, 12) == REPRODUCED
    assert claim("10", "interval", 0.1).judge(11, 10.21, 12) == DIFFERS


TABLE = """# a comment
id,source,quantity,value,spread,rule,verdict,section
first,Table 1,arms,3,,digits,reproduced,How many arms
second,Figure 1,samples,100,5,interval,differs,"How many samples, then?"
"""


@pytest.fixture
def paper(monkeypatch, tmp_path):
    monkeypatch.setattr(_paths, "DATA", tmp_path)
    monkeypatch.setattr(_paths, "SCORECARDS", tmp_path / "scorecard")
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "paper.csv").write_text(TABLE)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TABLE.replace("second", "first"), "id 'first' appears twice"),
        (TABLE.replace("digits", "digit"), r"rule of paper/first = 'digit'.*did you mean 'digits'"),
        (TABLE.replace("differs", "wrong"), "verdict of paper/second = 'wrong'"),
    ],
)
def test_a_table_with_a_mistake_is_refused(paper, text, message):
    (paper / "published" / "paper.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        load_claims("paper")


def test_unknown_table_is_refused_with_the_nearest_name(paper):
    with pytest.raises(ValueError, match=r"name = 'papre'.*did you mean 'paper'"):
        read_published("papre")


def test_scorecard_keeps_one_row_of_each_claim(paper):
    card = Scorecard("paper", "fast")
    card.record("second", 120, (118, 122), runs=7, reason="another instance")
    with pytest.raises(ValueError, match="no measurement of first"):
        card.save()
    card.record("first", 3)
    card.save()
    rows = pd.read_csv(paper / "scorecard" / "paper-fast.csv").set_index("id")
    assert rows.index.tolist() == ["first", "second"]
    assert rows["verdict"].tolist() == [REPRODUCED, DIFFERS]
    assert rows.loc["second", ["low", "high", "runs"]].tolist() == [118, 122, 7]
    assert rows.loc["second", "reason"] == "another instance"


def test_difference_without_reason_is_marked(paper):
    card = Scorecard("paper", "fast")
    card.record("first", 4)
    assert card.rows("first")["reason"].item() == published.UNEXPLAINED


def test_rows_that_rest_on_a_stand_in_say_so_whatever_their_verdict(paper):
    header, first, second = TABLE.splitlines()[1:]
    rows = (
        f"{header},stand_in",
        f"{first},the means",
        f"{second},the borders",
        "third" + first[5:],
    )
    (paper / "published" / "paper.csv").write_text("\n".join((*rows[:3], f"{rows[3]},")))
    card = Scorecard("paper", "fast")
    card.record("first", 3)
    card.record("second", 120, reason="ours are others")
    card.record("third", 3)
    rows = card.rows()
    assert rows["verdict"].tolist() == [REPRODUCED, DIFFERS, REPRODUCED]
    notes = explanations(rows)
    assert notes[0] == "on a stand-in: the means are not published"
    assert notes[1] == "ours are others; on a stand-in: the borders are not published"
    assert notes[2] == ""
    assert all(note in card.table().data for note in notes)


def test_of_the_constrained_paper_few_rows_rest_on_what_is_published():
    claims = load_claims("kone2025constrained").values()
    published_instances = [claim.id for claim in claims if not claim.stand_in]
    assert published_instances == [
        "fig3_vaccines",
        "trial_patients",
        "fig4_covid_two_stage",
        "fig4_covid_racing",
        "fig4_covid_uniform",
    ]


@pytest.mark.parametrize("measured", [np.nan, np.inf, "x"])
def test_measurement_must_be_a_finite_number(paper, measured):
    with pytest.raises(ValueError):
        Scorecard("paper", "fast").record("first", measured)


def test_unknown_claim_is_refused(paper):
    with pytest.raises(ValueError, match=r"claim = 'frist'.*did you mean 'first'"):
        Scorecard("paper", "fast").record("frist", 1)


TABLES = sorted(path.stem for path in (_paths.DATA / "published").glob("????*20??*.csv"))


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_claims_are_sound(name):
    if "rule" in read_published(name):
        for row in load_claims(name).values():
            float(row.value)


def test_homogeneity_test_accepts_the_same_and_rejects_another_distribution():
    rng = np.random.default_rng(0)
    edges = np.linspace(0, 4, 30)
    counts = np.histogram(rng.exponential(size=2000), np.append(edges, np.inf))[0]
    assert homogeneity_test(rng.exponential(size=2000), edges, counts) > 0.01
    assert homogeneity_test(rng.exponential(1.4, size=2000), edges, counts) < 1e-4
