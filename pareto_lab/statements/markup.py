"""Pages of text, tables and a picture, written as HTML."""

import dataclasses
import html
from pathlib import Path

STYLE = Path(__file__).with_name("report.css")
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows of cells, of which the first is the heading of the row."""

    heads: list
    rows: list


@dataclasses.dataclass(frozen=True)
class Points:
    """A list of sentences."""

    texts: list


@dataclasses.dataclass(frozen=True)
class Picture:
    """An SVG element and its caption."""

    svg: str
    caption: str


@dataclasses.dataclass(frozen=True)
class Alert:
    """A warning in red."""

    text: str


def as_html(title, sections):
    """Write a page that needs no other file.

    Parameters
    ----------
    title : str
    sections : list of (str, list)
        Heading of each section, and its blocks: paragraphs of plain text, or instances of the
        classes of this module.

    Returns
    -------
    str
    """
    parts = []
    for heading, blocks in sections:
        parts += [f"<h2>{_escaped(heading)}</h2>", *map(_block_html, blocks)]
    style = STYLE.read_text(encoding="utf-8")
    return PAGE.format(title=_escaped(title), style=style, body="\n".join(parts))


def _printable(text):
    """A text on one line, with blanks for characters that cannot be printed."""
    return "".join(each if each.isprintable() else " " for each in str(text))


def _escaped(text):
    return html.escape(_printable(text))


def _block_html(block):
    if isinstance(block, Table):
        heads = "".join(f'<th scope="col">{_escaped(each)}</th>' for each in block.heads)
        rows = "\n".join(map(_row_html, block.rows))
        table = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
        return f'<div class="wide" tabindex="0">\n{table}\n</div>'
    if isinstance(block, Points):
        points = "\n".join(f"<li>{_escaped(each)}</li>" for each in block.texts)
        return f"<ul>\n{points}\n</ul>"
    if isinstance(block, Picture):
        caption = f"<figcaption>{_escaped(block.caption)}</figcaption>"
        return f"<figure>\n{block.svg}\n{caption}\n</figure>"
    if isinstance(block, Alert):
        return f'<p class="alert" role="alert"><strong>Warning.</strong> {_escaped(block.text)}</p>'
    return f"<p>{_escaped(block)}</p>"


def _row_html(row):
    first, *others = map(_escaped, row)
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{each}</td>" for each in others)}</tr>'
