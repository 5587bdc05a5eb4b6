"""Criteria: how a measurement and what a paper claims are compared.

Each claim states its criterion, which is one of these:

``digits``
    for an exact value: reproduced if, rounded to the digits printed, it is what is printed;
``within 10 %``, ``within 0.02``
    for a number that is random on either side: it differs if the published value is outside the
    interval of ours, widened on both sides by twice the published standard error. It is reproduced
    if the published value is inside, and the widened interval reaches no farther than this to
    either side. In between, the runs are too few to tell. An exact value is reproduced if it is as
    close as this;
``< 1``, ``>= 2``, ``= 0``, ``0.9 to 1.1``
    for words of a paper, which the book reads as a number: reproduced if the whole interval of the
    measurement satisfies it, differs if no part of it does, undecided in between.

Where the measurement rests on a choice of the book, because the paper leaves a detail open, a
statement that differs is *contrary on our draw*, and a number that differs is undecided.
"""

import decimal
import re
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pareto_book.figures.tables import four_digits
from pareto_book.records.measurements import LEAST_RUNS

REPRODUCED = "reproduced"
DIFFERS = "differs"
CONTRARY = "contrary on our draw"
UNDECIDED = "undecided"
RUN_TIME = "run time"
FEW_RUNS = f"fewer than {LEAST_RUNS} runs"
UNEXPLAINED = "no reason known"
VERDICTS = (REPRODUCED, DIFFERS, CONTRARY, UNDECIDED, RUN_TIME)

TOO_WIDE = "the runs are too few to tell: the interval is wider than the row allows"
HOLDS_BOTH = "the interval holds both answers"
EXPECTED = (
    "digits, 'within 10 %', 'within 0.1', '< 1', '<= 1', '> 1', '>= 1', '= 0' or '0.9 to 1.1'"
)

_NUMBER = r"(-?[\d.]+(?:e-?\d+)?)"


class Digits(NamedTuple):
    """Equal to the digits printed; a tie may have been rounded either way."""

    def judge(self, published, error, measured, low, high):
        digits = decimal.Decimal(published)
        unit = decimal.Decimal(1).scaleb(digits.as_tuple().exponent)
        agrees = 2 * abs(decimal.Decimal(repr(float(measured))) - digits) <= unit
        return (REPRODUCED if agrees else DIFFERS), ""


class Within(NamedTuple):
    """As close as a tolerance, which may be a share of the published value."""

    tolerance: float
    relative: bool

    def judge(self, published, error, measured, low, high):
        value = float(published)
        tolerance = self.tolerance * abs(value) if self.relative else self.tolerance
        low, high = low - 2 * error, high + 2 * error
        if low == high:
            return (REPRODUCED if abs(measured - value) <= tolerance else DIFFERS), ""
        if not low <= value <= high:
            return DIFFERS, ""
        return (REPRODUCED, "") if (high - low) / 2 <= tolerance else (UNDECIDED, TOO_WIDE)


class Range(NamedTuple):
    """All of the interval between two ends, of which one may be infinite."""

    lowest: float
    highest: float
    strict: bool = False

    def _above(self, value):
        return value > self.highest or (self.strict and value == self.highest)

    def _below(self, value):
        return value < self.lowest or (self.strict and value == self.lowest)

    def judge(self, published, error, measured, low, high):
        if self._above(low) or self._below(high):
            return DIFFERS, ""
        if self._above(high) or self._below(low):
            return UNDECIDED, HOLDS_BOTH
        return REPRODUCED, ""


def criterion_words(text: str) -> str:
    """Write a criterion as a reader sees it: ``<=`` as one sign."""
    return text.replace("<=", "≤").replace(">=", "≥")


def parse_criterion(text: str, name: str = "criterion") -> Digits | Within | Range:
    """Make a criterion of its text."""
    if text == "digits":
        return Digits()
    if found := re.fullmatch(rf"within {_NUMBER}( %)?", text):
        share = 0.01 if found[2] else 1.0
        return Within(share * float(found[1]), relative=bool(found[2]))
    if found := re.fullmatch(rf"{_NUMBER} to {_NUMBER}", text):
        return Range(float(found[1]), float(found[2]))
    if found := re.fullmatch(rf"([<>]=?|=) {_NUMBER}", text):
        sign, value = found[1], float(found[2])
        lowest = -np.inf if sign.startswith("<") else value
        highest = np.inf if sign.startswith(">") else value
        return Range(lowest, highest, strict=sign in ("<", ">"))
    raise ValueError(f"{name} = {text!r}; expected {EXPECTED}")


def judged(claim: Any, measurement: pd.Series) -> dict[str, Any]:
    """Row of a `Claim`: what was measured, the verdict, why it is not reproduced, other readings.

    A random measurement has an interval and an exact one has none; the other readings have to be
    those that the claim names.
    """
    measured, low, high, runs = measurement[["measured", "low", "high", "runs"]]
    is_random = not np.isnan(low)
    if claim.kind != "time" and is_random != claim.random:
        expected = "an interval, as it is random" if claim.random else "no interval, as it is exact"
        raise ValueError(
            f"{claim.id} was measured as {measured:g} [{low:g}, {high:g}]; expected {expected}"
        )
    others, expected = measurement["others"], claim.others or []
    if sorted(others) != sorted(expected):
        raise ValueError(
            f"other readings of {claim.id} = {', '.join(others) or 'none'}; "
            f"expected {', '.join(expected) or 'none'}, as its line names them"
        )
    verdict, because = claim.judge(measured, *((low, high) if is_random else (None, None)))
    if verdict == CONTRARY and any(_meets(claim, each) for each in others.values()):
        verdict, because = UNDECIDED, "another reading meets it"
    decided = verdict == CONTRARY or (is_random and verdict in (REPRODUCED, DIFFERS))
    if runs < LEAST_RUNS and decided:
        verdict, because = UNDECIDED, "; ".join(filter(None, (because, FEW_RUNS)))
    if verdict == DIFFERS:
        because = claim.reason or UNEXPLAINED
    elif verdict in (UNDECIDED, CONTRARY):
        because = "; ".join(filter(None, (because, claim.reason)))
    return {
        "id": claim.id,
        "kind": claim.kind,
        **{"measured": measured, "low": low, "high": high, "runs": runs},
        "verdict": verdict,
        "reason": because,
        "others": "; ".join(f"{name}: {_words(value)}" for name, value in others.items()),
    }


def _meets(claim, value):
    """Whether all of another reading's interval meets the criterion."""
    measured, low, high = (value, value, value) if isinstance(value, float | int) else value
    criterion = parse_criterion(claim.criterion)
    return criterion.judge(claim.published, claim.error, measured, low, high)[0] == REPRODUCED


def _words(value):
    """A value, or a value and its interval, in words."""
    if isinstance(value, float | int):
        return four_digits(value)
    measured, low, high = map(four_digits, value)
    return f"{measured} [{low}, {high}]"
