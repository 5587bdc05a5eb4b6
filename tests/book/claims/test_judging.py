"""A claim and its measurement: the verdict, why, and what does not fit together."""

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
)
from pareto_book.claims.judging import UNEXPLAINED, judged

OTHERS = {"raw": [120.0, 118.0, 122.4567], "doubled": 240.0}
SAMPLES = NUMBER | {"others": list(OTHERS)}


def measurement(value, low=np.nan, high=np.nan, runs=np.nan, reason="", others=None):
    names = {"measured": value, "low": low, "high": high, "runs": runs, "reason": reason}
    return pd.Series(names | {"others": others or {}})


def test_a_row_has_the_verdict_and_why():
    row = judged(
        make_claim(SAMPLES),
        measurement(120, 118, 122, 50, "they count otherwise", OTHERS),
    )
    assert (row["verdict"], row["reason"]) == (DIFFERS, "they count otherwise")
    assert row["others"] == "raw: 120 [118, 122.5]; doubled: 240"
    assert (row["id"], row["kind"], row["measured"], row["runs"]) == ("samples", "number", 120, 50)


def test_the_reason_of_a_run_is_given_where_a_row_is_not_reproduced():
    claim = make_claim(STATEMENT)
    undecided = judged(claim, measurement(0.9, 0.8, 1.1, 50, "ours are few"))
    assert undecided["verdict"] == UNDECIDED
    assert undecided["reason"].endswith("both answers; ours are few")
    assert judged(claim, measurement(0.9, 0.8, 0.95, 50, "ours are few"))["reason"] == ""


def test_a_reason_that_does_not_depend_on_the_run_is_that_of_the_claim():
    claim = make_claim(COUNT, reason="a misprint")
    assert judged(claim, measurement(4))["reason"] == "a misprint"
    assert judged(claim, measurement(4, reason="of this run"))["reason"] == "of this run"
    assert judged(claim, measurement(3))["reason"] == ""


def test_a_difference_without_reason_is_marked():
    assert judged(make_claim(COUNT), measurement(4))["reason"] == UNEXPLAINED
    assert judged(make_claim(COUNT), measurement(3))["verdict"] == REPRODUCED


def test_a_time_is_not_judged():
    assert judged(make_claim(TIME), measurement(1.25))["verdict"] == RUN_TIME


@pytest.mark.parametrize("measured", [100, 150])
def test_few_runs_have_no_verdict(measured):
    ends = (measured, measured - 1, measured + 1)
    row = judged(make_claim(), measurement(*ends, LEAST_RUNS - 1))
    assert (row["verdict"], row["reason"]) == (UNDECIDED, "fewer than 20 runs")
    assert judged(make_claim(), measurement(*ends, LEAST_RUNS))["verdict"] != UNDECIDED


@pytest.mark.parametrize("is_random", [True, False])
def test_few_runs_are_not_contrary(is_random):
    claim = make_claim(STATEMENT, left_open="the draw", verdict="undecided", random=is_random)
    ends = (2.0, 1.9, 2.1) if is_random else (2.0, np.nan, np.nan)
    few = judged(claim, measurement(*ends, LEAST_RUNS - 1))
    assert (few["verdict"], few["reason"]) == (UNDECIDED, "left open: the draw; fewer than 20 runs")
    enough = judged(claim, measurement(*ends, LEAST_RUNS, "drawn by us"))
    assert (enough["verdict"], enough["reason"]) == (CONTRARY, "left open: the draw; drawn by us")


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
