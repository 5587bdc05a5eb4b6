"""Tables in CSV files, refused if their numbers are ambiguous.

Files have commas between columns and decimal points, or, as spreadsheets write them where a comma
is the decimal separator, semicolons between columns and decimal commas or points.
"""

import csv
import re
from collections.abc import Collection
from typing import NamedTuple

COMMA, SEMICOLON = ",", ";"
NUMBER = re.compile(r"[+-]?[\d.,]+(?:[eE][+-]?\d+)?")
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")  # 1.234 may be 1234


class Table(NamedTuple):
    """The cells of a file without white space around them, all lines as long as the header."""

    path: str
    separator: str
    header: list[str]
    rows: list[list[str]]  # below the header

    def with_decimal_points(self, columns: Collection[int]) -> list[list[str]]:
        """The rows with decimal points in the columns of these numbers."""
        if self.separator == COMMA:
            return self.rows
        cells = [row[k] for row in self.rows for k in columns]
        if _decimal_of([cell for cell in cells if NUMBER.fullmatch(cell)], self.path) == ".":
            return self.rows
        return [
            [_pointed(cell) if k in columns else cell for k, cell in enumerate(row)]
            for row in self.rows
        ]


def read_table(path: str, needed: Collection[str]) -> Table:
    """Read a file whose first line names the columns, the needed ones and others."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            text = [*stream]
        separator = _separator_of(text, needed)
        reader = csv.reader(text, delimiter=separator)
        lines = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is not a CSV file in UTF-8: {error}") from error
    if len(lines) < 2:
        raise ValueError(f"{path}: expected a line of column names, and a line for each row below")
    (_, header), *lines = lines
    for number, row in lines:
        if len(row) != len(header):
            raise ValueError(
                f"{path}, line {number} has {len(row)} columns; expected {len(header)}: "
                f"{', '.join(header)} (a missing value is an empty cell, and decimal commas need "
                "semicolons between the columns)"
            )
    return Table(path, separator, header, [row for _, row in lines])


def _separator_of(lines, needed):
    """What divides the first line into more of the needed columns, a comma or a semicolon."""
    header = [line for line in lines if line.strip()][:1]

    def found(separator):
        names = {name.strip() for row in csv.reader(header, delimiter=separator) for name in row}
        return len(names & set(needed))

    return max((COMMA, SEMICOLON), key=found)


def _decimal_of(numbers, path):
    """The decimal separator of the numbers of a file with semicolons between its columns."""
    commas = [cell for cell in numbers if "," in cell]
    points = [cell for cell in numbers if "." in cell]
    if commas and points:
        raise ValueError(
            f"{path} has numbers with commas, as {commas[0]}, and with points, as {points[0]}, so "
            "that one of the two may separate thousands; expected one decimal separator"
        )
    marked = commas or points
    if marked and all(GROUPED.fullmatch(cell) for cell in marked):
        digits = re.sub("[.,]", "", marked[0])
        raise ValueError(
            f"{path} has the number {marked[0]}, which may be {marked[0].replace(',', '.')} or "
            f"{digits}: all its numbers with a comma or a point have three digits after it; "
            "expected commas between the columns and decimal points"
        )
    return "," if commas else "."


def _pointed(cell):
    """A cell with a decimal point, if it is a number."""
    return cell.replace(",", ".") if NUMBER.fullmatch(cell) else cell
