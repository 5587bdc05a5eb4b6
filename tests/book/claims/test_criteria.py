"""The rules by which a measurement and a claim are compared."""

import numpy as np
import pandas as pd
import pytest
from references.claim_files import COUNT, NUMBER, STATEMENT, TIME, make_claim

from pareto_book.claims.criteria import (
    CONTRARY,
    DIFFERS,
    LEAST_RUNS,
    REPRODUCED,
    RUN_TIME,
    UNDECIDED,
    UNEXPLAINED,
    judged,
    parse_criterion,
)


def verdict(criterion, published, measured, low=None, high=None, error=0.0):
    low, high = (measured, measured) if low is None else (low, high)
    return parse_criterion(criterion).judge(published, error, measured, low, high)[0]


@pytest.mark.parametrize(
    ("published", "measured", "expected"),
    [
        ("2103.78", 2103.7849, REPRODUCED),
        ("2103.78", 2103.7751, REPRODUCED),
        ("2103.78", 2103.7749, DIFFERS),
        ("0.10", 0.104, REPRODUCED),
        ("0.10", 0.106, DIFFERS),
        ("3", 3.0, REPRODUCED),
        ("3", 4, DIFFERS),
        ("0.13", 0.125, REPRODUCED),  # a tie may be rounded either way
        ("0.12", 0.125, REPRODUCED),
        ("3", 2.5, REPRODUCED),
        ("3", 2.499, DIFFERS),
    ],
)
def test_digits_are_those_printed(published, measured, expected):
    assert verdict("digits", published, measured) == expected


@pytest.mark.parametrize(
    ("measured", "low", "high", "error", "expected"),
    [
        (9.6, 9.4, 10.1, 0, REPRODUCED),
        (9.6, 9.4, 9.99, 0, DIFFERS),
        (9.6, 9.4, 9.81, 0.1, REPRODUCED),  # the printed value may be off as well
        (9.6, 9.4, 9.79, 0.1, DIFFERS),
        (10, 9.1, 11.2, 0, UNDECIDED),  # reaches farther than a tenth to either side
        (10, 9.4, 10.6, 0.3, UNDECIDED),
        (9.1, None, None, 0, REPRODUCED),
        (8.9, None, None, 0, DIFFERS),
    ],
)
def test_a_random_number_has_to_be_near_and_known(measured, low, high, error, expected):
    assert verdict("within 10 %", "10", measured, low, high, error) == expected


def test_a_tolerance_may_be_a_number():
    assert verdict("within 0.5", "10", 10.4) == REPRODUCED
    assert verdict("within 0.5", "10", 10.6) == DIFFERS
    assert verdict("within 0.5", "0", 0.1, 0.0, 0.6) == REPRODUCED
    assert verdict("within 0.5", "0", 0.1, 0.0, 1.2) == UNDECIDED


@pytest.mark.parametrize(
    ("criterion", "reproduced", "differs", "undecided"),
    [
        ("< 1", (0.5, 0.9), (1.0, 1.1), (0.9, 1.0)),
        ("<= 1", (0.5, 1.0), (1.1, 1.2), (0.9, 1.1)),
        ("> -2", (-1.9, 3), (-3, -2), (-2, 3)),
        (">= 2", (2, 3), (1, 1.9), (1.9, 2)),
        ("= 0", (0, 0), (1, 1), (0, 1)),
        ("0.9 to 1.1", (0.9, 1.1), (1.2, 1.3), (0.8, 1.2)),
        ("0.9 to 1.1", (0.95, 1.0), (0.7, 0.8), (1.0, 1.2)),
    ],
)
def test_words_hold_if_the_whole_interval_says_so(criterion, reproduced, differs, undecided):
    for (low, high), expected in (
        (reproduced, REPRODUCED),
        (differs, DIFFERS),
        (undecided, UNDECIDED),
    ):
        assert verdict(criterion, "words", (low + high) / 2, low, high) == expected


@pytest.mark.parametrize("text", ["", "digit", "within", "within ten", "~ 1", "< ", "1 to", "<1"])
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="expected digits, 'within 10 %'"):
        parse_criterion(text)


# A claim and its measurement

OTHERS = {"raw": [120.0, 118.0, 122.4567], "doubled": 240.0}
SAMPLES = NUMBER | {"others": list(OTHERS)}


def measurement(value, low=np.nan, high=np.nan, runs=np.nan, others=None):
    names = {"measured": value, "low": low, "high": high, "runs": runs}
    return pd.Series(names | {"others": others or {}})


def test_a_row_has_the_verdict_and_why():
    claim = make_claim(SAMPLES, reason="they count otherwise")
    row = judged(claim, measurement(120, 118, 122, 50, OTHERS))
    assert (row["verdict"], row["reason"]) == (DIFFERS, "they count otherwise")
    assert row["others"] == "raw: 120 [118, 122.5]; doubled: 240"
    assert (row["id"], row["kind"], row["measured"], row["runs"]) == ("samples", "number", 120, 50)


def test_the_reason_is_given_where_a_row_is_not_reproduced():
    claim = make_claim(STATEMENT, reason="ours are few")
    undecided = judged(claim, measurement(0.9, 0.8, 1.1, 50))
    assert undecided["verdict"] == UNDECIDED
    assert undecided["reason"].endswith("both answers; ours are few")
    assert judged(claim, measurement(0.9, 0.8, 0.95, 50))["reason"] == ""


def test_a_difference_without_reason_is_marked_and_a_time_is_not_judged():
    assert judged(make_claim(COUNT), measurement(4))["reason"] == UNEXPLAINED
    assert judged(make_claim(TIME), measurement(1.25))["verdict"] == RUN_TIME


@pytest.mark.parametrize("measured", [100, 150])
def test_few_runs_have_no_verdict(measured):
    ends = (measured, measured - 1, measured + 1)
    row = judged(make_claim(), measurement(*ends, LEAST_RUNS - 1))
    assert (row["verdict"], row["reason"]) == (UNDECIDED, "fewer than 20 runs")
    assert judged(make_claim(), measurement(*ends, LEAST_RUNS))["verdict"] != UNDECIDED


@pytest.mark.parametrize("is_random", [True, False])
def test_few_runs_are_not_contrary(is_random):
    fields = {"left_open": "the draw", "verdict": "undecided", "reason": "drawn by us"}
    claim = make_claim(STATEMENT, random=is_random, **fields)
    ends = (2.0, 1.9, 2.1) if is_random else (2.0, np.nan, np.nan)
    few = judged(claim, measurement(*ends, LEAST_RUNS - 1))
    assert (few["verdict"], few["reason"]) == (
        UNDECIDED,
        "left open: the draw; fewer than 20 runs; drawn by us",
    )
    enough = judged(claim, measurement(*ends, LEAST_RUNS))
    assert (enough["verdict"], enough["reason"]) == (CONTRARY, "left open: the draw; drawn by us")


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        ([0.8, 0.7, 0.9], UNDECIDED),
        ([0.9, 0.8, 1.1], CONTRARY),
        ([1.5, 1.4, 1.6], CONTRARY),
        (0.5, UNDECIDED),
    ],
)
def test_nothing_is_contrary_where_all_of_another_reading_meets_it(other, verdict):
    fields = {"left_open": "the draw", "verdict": "undecided", "others": ["theirs"]}
    claim = make_claim(STATEMENT, **fields)
    assert judged(claim, measurement(2.0, 1.9, 2.1, 50, {"theirs": other}))["verdict"] == verdict


@pytest.mark.parametrize(
    ("fields", "found", "message"),
    [
        (STATEMENT, measurement(0.9), "fewer was measured as 0.9 .* expected an interval"),
        (COUNT, measurement(3, 3, 3, 30), "expected no interval, as it is exact"),
        (
            SAMPLES,
            measurement(100, 99, 101, 30),
            "other readings of samples = none; expected raw, doubled",
        ),
    ],
)
def test_a_measurement_that_does_not_fit_its_claim_is_refused(fields, found, message):
    with pytest.raises(ValueError, match=message):
        judged(make_claim(fields), found)
