"""Published numbers, the rules of the verdicts, and the scorecard."""

import numpy as np
import pandas as pd
import pytest

from pareto_core import Instance, _paths
from pareto_core.publishing import published
from pareto_core.publishing.published import (
    Claim,
    Scorecard,
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
    monkeypatch.setattr(published, "PUBLISHED", tmp_path)
    monkeypatch.setattr(published, "SCORECARDS", tmp_path / "scorecard")
    (tmp_path / "paper.csv").write_text(TABLE)
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
    (paper / "paper.csv").write_text(text)
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
    assert not rows["stand_in"].any()


def test_difference_without_reason_is_marked(paper):
    card = Scorecard("paper", "fast")
    card.record("first", 4)
    assert card.rows("first")["reason"].item() == published.UNEXPLAINED


def test_rows_from_a_stand_in_say_so_and_missing_data_are_not_measured(paper):
    card = Scorecard("paper", "fast")
    data = Instance([[1.0], [0.0]])
    stand_in = Instance([[1.0], [0.0]], provenance="stand-in for something else")
    card.uses(data, stand_in)
    card.record("first", None, reason="needs the data")
    card.uses(data)
    card.record("second", 100, (99, 101))
    rows = card.rows().set_index("id")
    assert rows["verdict"].tolist() == ["not measured", REPRODUCED]
    assert rows["stand_in"].tolist() == [True, False]
    assert np.isnan(rows.loc["first", "measured"])
    assert "–" in card.table().data


@pytest.mark.parametrize("measured", [np.nan, np.inf, "x"])
def test_measurement_must_be_a_finite_number(paper, measured):
    with pytest.raises(ValueError):
        Scorecard("paper", "fast").record("first", measured)


def test_unknown_claim_is_refused(paper):
    with pytest.raises(ValueError, match=r"claim = 'frist'.*did you mean 'first'"):
        Scorecard("paper", "fast").record("frist", 1)


@pytest.mark.parametrize("name", sorted(p.stem for p in _paths.PUBLISHED.glob("????*20??*.csv")))
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
