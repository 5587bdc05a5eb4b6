"""Tables as a page shows them."""

import html
from typing import NamedTuple

import pandas as pd

from pareto_core.publishing._extra import book_extra

VERDICT_CLASSES = {
    "reproduced": "verdict reproduced",
    "differs": "verdict differs",
    "not published in enough detail": "verdict open",
}


class Link(NamedTuple):
    """A cell that leads somewhere."""

    text: str
    address: str


def show_table(frame, caption, **formats):
    """Make a captioned HTML table of a data frame, the same for the same content.

    Parameters
    ----------
    frame : pandas.DataFrame
        What to show; its index is left out.
    caption : str
        Plain text; the page numbers it.
    **formats
        Format specification of a column, by its name: ``mean=".0f"``.

    Returns
    -------
    IPython.display.HTML

    Raises
    ------
    ImportError
        If IPython is not installed.
    ValueError
        If a format is given for a column that the frame does not have.
    """
    with book_extra():
        from IPython.display import HTML

    for column in formats:
        if column not in frame:
            raise ValueError(f"format for {column!r}; expected one of {', '.join(frame)}")
    head = "".join(f"<th>{html.escape(str(column))}</th>" for column in frame)
    body = "".join(
        "<tr>"
        + "".join(
            _cell(value, formats.get(column)) for column, value in zip(frame, row, strict=True)
        )
        + "</tr>"
        for row in frame.itertuples(index=False, name=None)
    )
    return HTML(
        f'<div class="table-wrap"><table class="numbered"><caption>{html.escape(caption)}'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(value, specification):
    if isinstance(value, Link):
        address, text = html.escape(value.address), html.escape(value.text)
        return f'<td><a href="{address}">{text}</a></td>'
    if isinstance(value, str):
        text = html.escape(value)
        if value in VERDICT_CLASSES:
            text = f'<span class="{VERDICT_CLASSES[value]}">{text}</span>'
        return f"<td>{text}</td>"
    if pd.isna(value):
        return "<td></td>"
    text = format(value, specification) if specification else str(value)
    return f'<td class="number">{html.escape(text)}</td>'
