"""The rules by which a measurement and a claim are compared."""

import numpy as np
import pandas as pd
import pytest
from references.claim_files import COUNT, STATEMENT, make_claim

from pareto_book.claims.criteria import (
    CONTRARY,
    DIFFERS,
    LEAST_RUNS,
    REPRODUCED,
    UNDECIDED,
    UNEXPLAINED,
    judged,
    parse_criterion,
)


@pytest.mark.parametrize(
    ("published", "measured", "expected"),
    [
        ("2103.78", 2103.7849, REPRODUCED),
        ("2103.78", 2103.7749, DIFFERS),
        ("0.10", 0.104, REPRODUCED),
        ("0.10", 0.106, DIFFERS),
        ("3", 4, DIFFERS),
        ("0.13", 0.125, REPRODUCED),  # a tie may be rounded either way
        ("0.12", 0.125, REPRODUCED),
        ("3", 2.499, DIFFERS),
    ],
)
def test_digits_are_those_printed(published, measured, expected):
    found = parse_criterion("digits").judge(published, 0.0, measured, measured, measured)
    assert found[0] == expected


@pytest.mark.parametrize(
    ("criterion", "interval", "error", "expected"),
    [
        ("within 10 %", (9.4, 10.1), 0, REPRODUCED),
        ("within 10 %", (9.4, 9.99), 0, DIFFERS),
        ("within 10 %", (9.4, 9.81), 0.1, REPRODUCED),  # the printed value may be off as well
        ("within 10 %", (9.4, 9.79), 0.1, DIFFERS),
        ("within 10 %", (9.1, 11.2), 0, UNDECIDED),  # reaches farther than a tenth to either side
        ("within 10 %", (9.4, 10.6), 0.3, UNDECIDED),
        ("within 10 %", (9.1, 9.1), 0, REPRODUCED),
        ("within 10 %", (8.9, 8.9), 0, DIFFERS),
        ("within 0.5", (10.4, 10.4), 0, REPRODUCED),
        ("within 0.5", (10.6, 10.6), 0, DIFFERS),
        ("within 0.5", (9.8, 11.2), 0, UNDECIDED),
    ],
)
def test_a_random_number_has_to_be_near_and_known(criterion, interval, error, expected):
    found = parse_criterion(criterion).judge("10", error, np.mean(interval), *interval)
    assert found[0] == expected


@pytest.mark.parametrize(
    ("criterion", "reproduced", "differs", "undecided"),
    [
        ("< 1", (0.5, 0.9), (1.0, 1.1), (0.9, 1.0)),
        ("<= 1", (0.5, 1.0), (1.1, 1.2), (0.9, 1.1)),
        ("> -2", (-1.9, 3), (-3, -2), (-2, 3)),
        (">= 2", (2, 3), (1, 1.9), (1.9, 2)),
        ("= 0", (0, 0), (1, 1), (0, 1)),
        ("0.9 to 1.1", (0.9, 1.1), (0.7, 0.8), (1.0, 1.2)),
    ],
)
def test_words_hold_if_the_whole_interval_says_so(criterion, reproduced, differs, undecided):
    expected = {reproduced: REPRODUCED, differs: DIFFERS, undecided: UNDECIDED}
    for interval, verdict in expected.items():
        assert parse_criterion(criterion).judge("words", 0, 0, *interval)[0] == verdict


@pytest.mark.parametrize("text", ["digit", "within ten", "< ", "1 to", "<1"])
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="expected digits, 'within 10 %'"):
        parse_criterion(text)


# A claim and its measurement

ON_OUR_DRAW = {"left_open": "the draw", "verdict": "undecided"}


def measurement(value, low=np.nan, high=np.nan, runs=np.nan, others=None):
    names = {"measured": value, "low": low, "high": high, "runs": runs}
    return pd.Series(names | {"others": others or {}})


def test_the_reason_is_given_where_a_row_is_not_reproduced():
    claim = make_claim(STATEMENT, reason="ours are few")
    undecided = judged(claim, measurement(0.9, 0.8, 1.1, 50))
    assert undecided["verdict"] == UNDECIDED
    assert undecided["reason"].endswith("both answers; ours are few")
    assert judged(claim, measurement(0.9, 0.8, 0.95, 50))["reason"] == ""


def test_a_difference_without_reason_is_marked():
    assert judged(make_claim(COUNT), measurement(4))["reason"] == UNEXPLAINED


@pytest.mark.parametrize("measured", [100, 150])
def test_few_runs_have_no_verdict(measured):
    ends = (measured, measured - 1, measured + 1)
    row = judged(make_claim(), measurement(*ends, LEAST_RUNS - 1))
    assert (row["verdict"], row["reason"]) == (UNDECIDED, "fewer than 20 runs")
    assert judged(make_claim(), measurement(*ends, LEAST_RUNS))["verdict"] != UNDECIDED


@pytest.mark.parametrize("is_random", [True, False])
def test_few_runs_are_not_contrary(is_random):
    claim = make_claim(STATEMENT, random=is_random, reason="drawn by us", **ON_OUR_DRAW)
    ends = (2.0, 1.9, 2.1) if is_random else (2.0, np.nan, np.nan)
    few = judged(claim, measurement(*ends, LEAST_RUNS - 1))
    assert few["verdict"] == UNDECIDED
    assert few["reason"] == "left open: the draw; fewer than 20 runs; drawn by us"
    enough = judged(claim, measurement(*ends, LEAST_RUNS))
    assert (enough["verdict"], enough["reason"]) == (CONTRARY, "left open: the draw; drawn by us")


@pytest.mark.parametrize(
    ("other", "verdict"),
    [([0.8, 0.7, 0.9], UNDECIDED), ([0.9, 0.8, 1.1], CONTRARY), (0.5, UNDECIDED)],
)
def test_nothing_is_contrary_where_all_of_another_reading_meets_it(other, verdict):
    claim = make_claim(STATEMENT, others=["theirs"], **ON_OUR_DRAW)
    assert judged(claim, measurement(2.0, 1.9, 2.1, 50, {"theirs": other}))["verdict"] == verdict


def test_an_exact_claim_has_no_interval():
    with pytest.raises(ValueError, match="expected no interval, as it is exact"):
        judged(make_claim(COUNT), measurement(3, 3, 3, 30))
