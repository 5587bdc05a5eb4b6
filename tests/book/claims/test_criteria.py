"""The rules by which a measurement and a claim are compared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pareto_book.claims.criteria import DIFFERS, REPRODUCED, UNDECIDED, parse_criterion


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


@given(
    st.sampled_from(["< 1", "<= 1", "> 1", ">= 1", "= 1", "0.9 to 1.1", "within 20 %"]),
    st.floats(0.1, 3),
    st.floats(0, 0.5),
    st.floats(0, 0.5),
)
def test_a_wider_interval_never_decides_what_a_narrow_one_leaves_open(
    criterion, middle, half, more
):
    narrow = verdict(criterion, "1", middle, middle - half, middle + half)
    wide = verdict(criterion, "1", middle, middle - half - more, middle + half + more)
    if narrow == UNDECIDED and half > 0:
        assert wide == UNDECIDED
    if wide == DIFFERS:
        assert narrow == DIFFERS


@pytest.mark.parametrize("text", ["", "digit", "within", "within ten", "~ 1", "< ", "1 to", "<1"])
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="expected digits, 'within 10 %'"):
        parse_criterion(text)


def test_an_infinite_measurement_is_never_inside_a_range():
    assert verdict("< 1", "words", np.inf) == DIFFERS
