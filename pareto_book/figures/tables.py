"""Tables of the pages, as HTML."""

import html
import math
import re
from typing import NamedTuple

import pandas as pd
from IPython.display import HTML

from pareto_book.records.measurements import Measurement

CLASS = ' class="number"'
SCIENTIFIC = re.compile(r"\b(\d(?:\.\d+)?)e([+-]\d+)\b")
ENDS = re.compile(r"(\[-?[\d.,]+,) (-?[\d.,]+\])")
SMALL = re.compile(r"\b0\.(000+1)\b")  # a risk in the head of a column
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
NUMBER = f"<td{CLASS}>"
TEXT_CELL = re.compile(r'<t[dh]\b(?! class="(?:number|runs)")(?: class="[^"]*")?')


class Link(NamedTuple):
    """A cell of a table that is a link."""

    text: str
    address: str


def four_digits(value: float) -> str:
    """Format a number with four significant digits, and commas between thousands."""
    return _significant(value, 4)


def _significant(value, digits):
    size = abs(value)
    if math.isnan(size):
        return ""
    if size != 0 and not 1e-4 <= size < 1e9:
        return f"{value:.{digits - 1}e}"
    decimals = 0 if size == 0 else max(0, digits - 1 - math.floor(math.log10(size)))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_powers(text: str) -> str:
    r"""Write numbers of scientific notation in a text as multiples of a power of ten."""
    return SCIENTIFIC.sub(_power, text)


def _power(match):
    factor, exponent = match.groups()
    power = f"10{str(int(exponent)).translate(RAISED)}"
    return power if factor == "1" else f"{factor}\u00a0×\u00a0{power}"


def as_html(text: str) -> HTML:
    """Wrap HTML, so that a notebook displays it; JupyterLab would align text to the right."""
    return HTML(TEXT_CELL.sub(r'\g<0> style="text-align: left"', text))


def show_table(frame: pd.DataFrame, caption: str, **formats: str) -> HTML:
    """Make an HTML table with a caption; the same content gives the same HTML."""
    for column in formats:
        if column not in frame:
            raise ValueError(f"format for {column!r}; expected one of {', '.join(frame)}")
    rows = [
        [_cell(value, formats.get(column)) for column, value in zip(frame, row, strict=True)]
        for row in frame.itertuples(index=False, name=None)
    ]
    head = "".join(
        _head(column, any(row[k].startswith(NUMBER) for row in rows))
        for k, column in enumerate(frame)
    )
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return as_html(
        f'<div class="table-wrap"><table class="numbered"><caption>{html.escape(caption)}'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _head(column, over_numbers):
    """Head of a column, aligned like its cells."""
    text = with_powers(SMALL.sub(lambda found: f"1e-{len(found[1])}", str(column)))
    return f"<th{CLASS if over_numbers else ''}>{html.escape(text)}</th>"


def _cell(value, specification):
    if isinstance(value, Link):
        address, text = html.escape(value.address), html.escape(value.text)
        return f'<td><a href="{address}">{text}</a></td>'
    if isinstance(value, str):
        unbroken = ENDS.sub("\\1\u00a0\\2", value)  # an interval in a text
        return f"<td>{html.escape(unbroken)}</td>"
    if isinstance(value, Measurement):
        text = format(value, specification or "").replace("\u00a0[", " [")  # may break there
        return f"{NUMBER}{with_powers(text)}</td>"
    if isinstance(value, tuple):
        return f"{NUMBER}{_interval(value, specification)}</td>"
    if pd.isna(value):
        return "<td></td>"
    text = format(value, specification) if specification else str(value)
    return f"{NUMBER}{html.escape(with_powers(text))}</td>"


def _interval(ends, specification):
    if not all(map(math.isfinite, ends)):
        return ""
    low, high = (format(end, specification) if specification else str(end) for end in ends)
    return html.escape(with_powers(f"[{low},\u00a0{high}]"))
