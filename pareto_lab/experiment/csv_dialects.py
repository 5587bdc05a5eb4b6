"""How a CSV file separates its columns and writes its numbers: detected, or refused if ambiguous.

Files have commas between columns and decimal points, or, as spreadsheets write them where a comma
is the decimal separator, semicolons between columns and decimal commas or points.
"""

import csv
import re
from collections.abc import Collection, Iterable, Sequence

COMMA, SEMICOLON = ",", ";"
NUMBER = re.compile(r"[+-]?[\d.,]+(?:[eE][+-]?\d+)?")
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")  # 1.234 may be 1234


def separator_of(lines: Sequence[str], path: str, needed: Collection[str] = ()) -> str:
    """Return what separates the columns of a file, a comma or a semicolon."""
    rows = {each: _rows(lines, each) for each in (COMMA, SEMICOLON)}
    possible = [each for each, found in rows.items() if _is_table(found)]
    if len(possible) == 2 and needed:
        possible = [each for each in possible if set(needed) <= set(rows[each][0])] or possible
    if len(possible) == 2:
        raise ValueError(
            f"{path} may have commas or semicolons between its columns: both divide all lines "
            f"alike, the first one into {_quoted(rows[COMMA][0])} or into "
            f"{_quoted(rows[SEMICOLON][0])}; expected names of columns without one of the two"
        )
    if possible:
        return possible[0]
    header = next((line for line in lines if line.strip()), "")
    return SEMICOLON if SEMICOLON in header and COMMA not in header else COMMA


def _rows(lines, separator):
    """Cells of all lines that are not empty; no rows if the quotes are wrong."""
    try:
        found = [row for row in csv.reader(lines, delimiter=separator) if row]
    except csv.Error:
        return []
    return [[cell.strip() for cell in row] for row in found]


def _is_table(rows):
    return bool(rows) and {len(row) for row in rows} == {len(rows[0])} and len(rows[0]) > 1


def _quoted(names):
    return " | ".join(names)


def decimal_of(cells: Iterable[str], path: str) -> str:
    """Return the decimal separator of the numbers of a file with semicolons between its columns."""
    numbers = [cell.strip() for cell in cells if NUMBER.fullmatch(cell.strip())]
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


def with_decimal_points(cells: Iterable[str], decimal: str) -> list[str]:
    """Return the cells with decimal points, if the decimal separator is a comma."""
    return [
        cell.replace(",", ".") if decimal == "," and NUMBER.fullmatch(cell.strip()) else cell
        for cell in cells
    ]
