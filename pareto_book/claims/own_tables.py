"""Tables of the book's own claims, each with the sentences that rest on it."""

import ast
import functools
import html
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from pareto_book import paths
from pareto_book.claims.claims import chapters_with_claims, load_claims
from pareto_book.claims.counts import row_counts
from pareto_book.claims.criteria import criterion_words
from pareto_book.claims.own_claims import ROWS, OwnClaim, check_own, load_own_claims
from pareto_book.claims.own_sentences import sentences_on
from pareto_book.claims.summary import (
    all_rows,
    book_order,
    findings_of,
    rows_of,
)
from pareto_book.figures.tables import RAISED, as_html, four_digits
from pareto_book.records.stamps import executed_path

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["OwnRow", "anchor", "own_rows", "own_rows_of", "show_own_rows"]

GLUE = re.compile(r"\{glue:text\}`([^`:]+)(?::([^`]*))?`")
ROLE = re.compile(r"\{(?:ref|term|cite:t|cite:p|math)\}`([^`<]*?)(?:\s*<[^>]*>)?`")
CODE = re.compile(r"`([^`]+)`")
SYMBOLS = {
    r"^\star": "⋆",
    r"\delta": "δ",
    r"\epsilon": "ε",
    r"\eta": "η",
    r"\sum": "Σ",
    r"\Delta": "Δ",
    r"\to": "→",
    r"\times": "×",
    r"\ln": "ln ",
    r"\log": "log",
    r"\,": " ",
}
TEXT = "application/papermill.record/text/plain"  # how myst_nb keeps what is glued
HEAD = ("sentence", "measured", "runs", "holds if", "rests on")


class OwnRow(NamedTuple):
    """A claim of the book and what was measured of it."""

    claim: OwnClaim
    chapter: str
    measurement: pd.Series  # measured, low, high, runs


def anchor(name: str) -> str:
    """Anchor on the scorecard page of a row: the book's own, or a published ``chapter/id``."""
    chapter, _, claim = name.rpartition("/")
    return f"{load_claims(chapter)[claim].paper}-{claim}" if chapter else f"this-book-{name}"


def own_rows(profiles: Mapping[str, str]) -> list[OwnRow]:
    """Claims of the book, and what the runs that made the pages measured of them."""
    rows = [row for chapter in book_order() for row in own_rows_of(chapter, profiles)]
    ids = [row.claim.id for row in rows]
    if len(set(ids)) < len(ids):
        raise ValueError(f"ids of this book = {sorted(ids)}; expected each once")
    return rows


def own_rows_of(chapter: str, profiles: Mapping[str, str]) -> list[OwnRow]:
    """Claims of the book that one chapter measures, as `own_rows` has those of all."""
    rows = []
    for claim in load_own_claims(chapter):
        found = _measured(claim, chapter, profiles)
        if claim.measured not in found.index:
            raise ValueError(
                f"{chapter} has not measured {claim.measured!r}, on which claim {claim.id!r} of "
                f"this book rests; expected one of {', '.join(found.index)}"
            )
        measurement = found.loc[claim.measured]
        check_own(claim, measurement)
        rows.append(OwnRow(claim, chapter, measurement))
    return rows


def _measured(claim, chapter, profiles):
    """Return what a claim may rest on: measurements of its chapter, or counts of rows."""
    profile = profiles.get(chapter, "fast")
    if claim.rests_on != ROWS:
        return findings_of(chapter, profile)
    is_about_all = chapter not in chapters_with_claims()
    counts = row_counts(all_rows(profiles) if is_about_all else rows_of(chapter, profile))
    return pd.DataFrame({"measured": counts, **dict.fromkeys(("low", "high", "runs"), np.nan)})


def show_own_rows(rows: list[OwnRow], profiles: Mapping[str, str]) -> "HTML":
    """Make a table of the claims of the book, to which the markers of sentences link."""
    head = "".join(f"<th>{name}</th>" for name in HEAD)
    bodies = "".join(_body(row, profiles) for row in rows)
    return as_html(
        f'<div class="table-wrap"><table class="claims own"><thead><tr>{head}</tr></thead>'
        f"{bodies}</table></div>"
    )


def _body(row, profiles):
    """Format a claim: the sentences that rest on it, the measurement, and what would refute it."""
    claim, (value, low, high, runs) = row.claim, row.measurement
    said = "<br>".join(_said(each, profiles) for each in sentences_on(claim.id))
    interval = "" if pd.isna(low) else f" <span>[{four_digits(low)}, {four_digits(high)}]</span>"
    cells = (
        said,
        four_digits(value) + interval,
        "" if pd.isna(runs) else f"{int(runs):,}",
        html.escape(criterion_words(claim.criterion)),
        f'{claim.rests_on}, <a href="{row.chapter}.html">{row.chapter}</a>',
    )
    line = "".join(f"<td>{cell}</td>" for cell in cells)
    why = html.escape(
        f"Measured: {claim.quantity}. Written {claim.written} the first run that measured it. "
        f"It would be false if {claim.changed_by}."
    )
    return (
        f'<tbody id="{anchor(claim.id)}"><tr>{line}</tr>'
        f'<tr class="why"><td colspan="{len(HEAD)}">{why}</td></tr></tbody>'
    )


def _said(sentence, profiles):
    """A sentence as its page says it, with a link to the page."""
    text = GLUE.sub(lambda found: _glued(sentence.page, *found.groups(), profiles), sentence.text)
    text = _plain_formulas(ROLE.sub(r"\1", text).replace("&nbsp;", " "))
    text = CODE.sub(r"<code>\1</code>", html.escape(text.replace("**", "").replace("*", "")))
    if sentence.page == "README":
        return f"{text} (README)"
    return f'{text} (<a href="{sentence.page}.html">{sentence.page}</a>)'


def _plain_formulas(text):
    """Text whose formulas are written without TeX."""

    def plain(found):
        formula = re.sub(r"\^\{?(-?\d+)\}?", lambda power: power[1].translate(RAISED), found[1])
        for command, symbol in SYMBOLS.items():
            formula = formula.replace(command, symbol)
        return re.sub(r"[\\{}$]", "", formula)

    return re.sub(r"\$([^$]*)\$", plain, text)


def _glued(page, name, specification, profiles):
    """Text of a value that a page glued."""
    if _is_summary(page):  # executed together with this one: its values may not be there yet
        return "…"
    value = _values_on(executed_path(page, profiles.get(page, "fast"))).get(name, "…")
    return value if isinstance(value, str) else format(value, specification or "")


def _is_summary(page):
    """Whether a page summarises the findings of other chapters."""
    head = (paths.NOTEBOOKS / f"{page}.md").read_text(encoding="utf-8").split("---")[1]
    return "summary: true" in head


@functools.cache
def _values_on(notebook):
    """Values that an executed page has glued, by name; none for one that is not executed yet."""
    if not notebook.exists():
        return {}
    outputs = [
        output
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        for output in cell.get("outputs", [])
        if TEXT in output.get("data", {}) and "scrapbook" in output["metadata"]
    ]
    return {
        output["metadata"]["scrapbook"]["name"]: ast.literal_eval("".join(output["data"][TEXT]))
        for output in outputs
    }
