"""A table from which a reader chooses by answering questions."""

import html
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from IPython.display import HTML

from pareto_book.figures.tables import as_html

SCRIPT = "../../_static/choice.js"  # relative to the page of a chapter


def choice_table(
    facets: Sequence[str],
    headings: Sequence[str],
    rows: Sequence[tuple[Sequence[str], Sequence[str]]],
    first_answers: Mapping[str, str] = MappingProxyType({}),
) -> HTML:
    """Make a table with a box of choices for each facet; without scripts it shows all rows."""
    values = [list(dict.fromkeys(row[0][k] for row in rows)) for k in range(len(facets))]
    boxes = "".join(
        _box(facet, value, first_answers.get(facet))
        for facet, value in zip(facets, values, strict=True)
    )
    head = "".join(f"<th>{html.escape(word)}</th>" for word in (*facets, *headings))
    body = "".join(_row(situation, cells) for situation, cells in rows)
    return as_html(
        f'<div class="play-choice"><div class="controls" hidden>{boxes}</div>'
        '<p class="none" role="status" hidden>No algorithm of this book fits all five answers.</p>'
        f'<div class="table-wrap"><table><thead><tr>{head}</tr></thead>'
        f'<tbody>{body}</tbody></table></div></div><script src="{SCRIPT}"></script>'
    )


def _box(facet, values, chosen):
    options = "".join(
        f"<option{' selected' * (value == chosen)}>{html.escape(value)}</option>"
        for value in values
    )
    return (
        f"<label>{html.escape(facet)}"
        f'<select><option value="">any</option>{options}</select></label>'
    )


def _row(situation, cells):
    shown = "".join(f"<td>{html.escape(value)}</td>" for value in situation)
    code, *words = cells
    shown += f"<td><code>{html.escape(code)}</code></td>"
    return f"<tr>{shown}{''.join(f'<td>{html.escape(word)}</td>' for word in words)}</tr>"
