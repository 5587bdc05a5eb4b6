"""A claim and what was measured of it: the verdict, and why."""

from typing import Any

import numpy as np
import pandas as pd

from pareto_book.claims.claims import Claim
from pareto_book.claims.criteria import CONTRARY, DIFFERS, LEAST_RUNS, REPRODUCED, UNDECIDED
from pareto_book.figures.tables import four_digits

__all__ = ["FEW_RUNS", "UNEXPLAINED", "judged"]

FEW_RUNS = f"fewer than {LEAST_RUNS} runs"
UNEXPLAINED = "no reason known"
DECIDED = (REPRODUCED, DIFFERS)


def judged(claim: Claim, measurement: pd.Series) -> dict[str, Any]:
    """Row of a claim: what was measured, and the verdict."""
    _check_interval(claim, measurement)
    _check_others(claim, measurement["others"])
    measured, low, high, runs = measurement[["measured", "low", "high", "runs"]]
    is_random = not np.isnan(low)
    ends = (low, high) if is_random else (None, None)
    verdict, because = claim.judge(measured, *ends)
    if runs < LEAST_RUNS and (verdict == CONTRARY or (is_random and verdict in DECIDED)):
        verdict, because = UNDECIDED, "; ".join(filter(None, (because, FEW_RUNS)))
    reason = measurement["reason"] or claim.reason
    if verdict == DIFFERS:
        because = reason or UNEXPLAINED
    elif verdict in (UNDECIDED, CONTRARY):
        because = "; ".join(filter(None, (because, reason)))
    others = (f"{name}: {_words(value)}" for name, value in measurement["others"].items())
    return {
        "id": claim.id,
        "kind": claim.kind,
        **{"measured": measured, "low": low, "high": high, "runs": runs},
        "verdict": verdict,
        "reason": because,
        "others": "; ".join(others),
    }


def _check_interval(claim, measurement):
    if np.isnan(measurement["low"]) == claim.random and claim.kind != "time":
        expected = "an interval, as it is random" if claim.random else "no interval, as it is exact"
        raise ValueError(
            f"{claim.id} was measured as {measurement['measured']:g} "
            f"[{measurement['low']:g}, {measurement['high']:g}]; expected {expected}"
        )


def _check_others(claim, others):
    expected = claim.other_readings
    if sorted(others) != sorted(expected):
        raise ValueError(
            f"other readings of {claim.id} = {', '.join(others) or 'none'}; "
            f"expected {', '.join(expected) or 'none'}, as its block names them"
        )


def _words(value):
    """A value, or a value and its interval, in words."""
    if isinstance(value, float | int):
        return four_digits(value)
    measured, low, high = map(four_digits, value)
    return f"{measured} [{low}, {high}]"
