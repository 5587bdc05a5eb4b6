"""Separators of columns and decimals: detected where nothing else is possible, else refused."""

import pytest
from hypothesis import given, strategies

from pareto_lab.experiment.csv_dialects import decimal_of, separator_of, with_decimal_points


@pytest.mark.parametrize(
    ("lines", "separator"),
    [
        (["arm,x", "A,1"], ","),
        (["arm;x", "A;1"], ";"),
        (["arm;x", "A;1,5"], ";"),
        (["arm,x;y", "A,1"], ","),  # a name with a semicolon
        (['arm,"x;y",z', "A,1,2"], ","),
        (["arm;x, mg", "A;1"], ";"),
        (["arm,x", "A,1", "B,1,2"], ","),
        (["arm;x", "A;1", "B;1;2"], ";"),
        (["arm,x", 'A,"1;2'], ","),
        (["x", "1"], ","),
        (["", "arm;x", "", "A;1"], ";"),
        ([], ","),
    ],
)
def test_the_separator_divides_all_lines_alike(lines, separator):
    assert separator_of(lines, "f.csv") == separator


BOTH = ["arm;x, mg;y", "A;1,5;2"]


def test_two_possible_separators_are_refused_unless_names_decide():
    with pytest.raises(ValueError, match=r"^f\.csv may have commas or semicolons .*arm;x \| mg;y"):
        separator_of(BOTH, "f.csv")
    with pytest.raises(ValueError, match="may have commas or semicolons"):
        separator_of(BOTH, "f.csv", {"arm", "z"})
    assert separator_of(BOTH, "f.csv", {"arm", "x, mg", "y"}) == ";"


@pytest.mark.parametrize(
    ("cells", "decimal"),
    [
        (["1", "2"], "."),
        (["1,5", "2"], ","),
        (["1.5", "2"], "."),
        (["0,123", "4,567"], ","),  # no group of thousands begins with zero
        (["1,234", "4,56"], ","),
        (["1,234e2"], ","),
        (["1,5", "n.a.", "two, or more"], ","),  # which are no numbers
        ([], "."),
    ],
)
def test_the_decimal_separator_is_found(cells, decimal):
    assert decimal_of(cells, "f.csv") == decimal


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["1,5", "2.5"], "numbers with commas, as 1,5, and with points, as 2.5"),
        (["1.234,5"], "numbers with commas, as 1.234,5, and with points, as 1.234,5"),
        (["1,234", "7"], "the number 1,234, which may be 1.234 or 1234"),
        (["-12.345"], "the number -12.345, which may be -12.345 or -12345"),
    ],
)
def test_ambiguous_numbers_are_refused(cells, message):
    with pytest.raises(ValueError, match=message):
        decimal_of(cells, "f.csv")


@given(strategies.lists(strategies.floats(0.01, 1e6).map(lambda x: f"{x:.2f}"), min_size=1))
def test_numbers_with_decimal_commas_are_read_as_they_were_written(cells):
    commas = [cell.replace(".", ",") for cell in cells]
    assert with_decimal_points(commas, decimal_of(commas, "f.csv")) == cells
    assert with_decimal_points(cells, decimal_of(cells, "f.csv")) == cells
    assert with_decimal_points(["A,b"], ",") == ["A,b"]
