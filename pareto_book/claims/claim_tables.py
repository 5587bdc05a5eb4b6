"""Tables of claims: each a row that fits on a line, and below it what it rests on."""

import html
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
from IPython.display import HTML

from pareto_book.claims.claims import Claim
from pareto_book.claims.criteria import (
    CONTRARY,
    DIFFERS,
    REPRODUCED,
    RUN_TIME,
    UNDECIDED,
    criterion_words,
)
from pareto_book.figures.tables import as_html, four_digits

VERDICT_CLASSES = {
    REPRODUCED: "reproduced",
    DIFFERS: "differs",
    CONTRARY: "contrary",
    UNDECIDED: "undecided",
    RUN_TIME: "time",
}
KIND_WORDS = {"number": "number", "statement": "statement", "time": "run time"}
HEAD = ("place", "quantity", "published", "measured", "runs", "verdict")
FACETS = ("paper", "kind", "verdict")


def claims_html(pairs: Iterable[tuple]) -> str:
    """HTML of a table of claims, each with its row as `criteria.judged` has it."""
    bodies = "".join(_body(claim, row) for claim, row in pairs)
    return f'<div class="table-wrap">{_table(bodies)}</div>'


def claims_text(pairs: Iterable[tuple]) -> str:
    """Plain text of claims, each with its row."""
    lines = []
    for claim, row in pairs:
        measured = re.sub(r"</?span>", "", _measured(claim, row))
        lines += [f"{claim.place}: {claim.what}"]
        lines += [f"  published {_published(claim)}, measured {measured}: {row.verdict}"]
        lines += [f"  {each}." for each in explanations(claim, row)]
    return "\n".join(lines)


def show_all_claims(rows: pd.DataFrame, papers: Mapping[str, str]) -> HTML:
    """Table of all claims by paper, with boxes that hide some: a style sheet does it.

    Each claim has a link to the table of the chapter that measured it.
    """
    values = {
        "paper": papers,
        "kind": KIND_WORDS,
        "verdict": {name: verdict for verdict, name in VERDICT_CLASSES.items()},
    }
    boxes = "".join(_choices(facet, values[facet]) for facet in FACETS)
    hiding = "".join(_hiding(facet, value) for facet in FACETS for value in values[facet])
    tables = "".join(
        f'<div class="paper" data-paper="{paper}"><h3 id="claims-{paper}">{html.escape(title)}</h3>'
        + _table("".join(map(_linked, rows[rows["paper"] == paper].itertuples())))
        + "</div>"
        for paper, title in papers.items()
    )
    return as_html(
        f'<style>{hiding}</style><div class="scorecard"><form>{boxes}</form>{tables}</div>'
    )


def _choices(facet, values):
    boxes = "".join(
        f'<label><input type="checkbox" id="show-{facet}-{value}" checked autocomplete="off">'
        f"{html.escape(words)}</label>"
        for value, words in values.items()
    )
    return f"<fieldset><legend>{facet}</legend>{boxes}</fieldset>"


def _hiding(facet, value):
    unticked = f".scorecard:has(#show-{facet}-{value}:not(:checked))"
    return f'{unticked} [data-{facet}="{value}"]{{display:none}}'


def _linked(row):
    """Rows of a claim, with the address of its table in a chapter."""
    return _body(row.claim, row, f"{row.chapter}.html#{row.claim.paper}-{row.claim.id}")


def _table(bodies):
    words = {"place": "where in the paper"}
    head = "".join(f'<th class="{name}">{words.get(name, name)}</th>' for name in HEAD)
    return f'<table class="claims"><thead><tr>{head}</tr></thead>{bodies}</table>'


def _body(claim, row, address=None):
    """Rows of a claim: what is compared, and why."""
    place = html.escape(claim.place)
    if address is not None:
        place = f'<a href="{html.escape(address)}">{place}</a>'
    verdict = VERDICT_CLASSES[row.verdict]
    cells = {
        "place": place,
        "quantity": html.escape(claim.what),
        "published": html.escape(_published(claim)),
        "measured": _measured(claim, row),
        "runs": "" if pd.isna(row.runs) else f"{int(row.runs):,}",
        "verdict": f'<span class="verdict {verdict}">{row.verdict}</span>',
    }
    line = "".join(f'<td class="{name}">{cells[name]}</td>' for name in HEAD)
    notes = html.escape(". ".join(explanations(claim, row)))
    why = f'<tr class="why"><td colspan="{len(HEAD)}">{notes}</td></tr>' if notes else ""
    attributes = f'id="{claim.paper}-{claim.id}" data-kind="{claim.kind}" data-verdict="{verdict}"'
    return f"<tbody {attributes}><tr>{line}</tr>{why}</tbody>"


def _published(claim):
    if claim.kind == "statement":
        return claim.published
    return claim.published + (f" ± {claim.error:g}" if claim.error else "")


def _measured(claim, row):
    """Our value, and its interval where it is random."""
    if claim.criterion == "digits":
        decimals = len(claim.published.partition(".")[2])
        extra = 0 if row.measured == round(row.measured, decimals) else 2
        return f"{row.measured:,.{decimals + extra}f}"
    text = four_digits(row.measured)
    if not pd.isna(row.low):
        text += f" <span>[{four_digits(row.low)}, {four_digits(row.high)}]</span>"
    if claim.kind == "time":
        ratio = row.measured / float(claim.published)
        text += f" <span>({four_digits(_two_digits(ratio))} of it)</span>"
    return text


def _two_digits(value):
    return 0.0 if value == 0 else round(value, 1 - math.floor(math.log10(abs(value))))


def explanations(claim: Claim, row: Any) -> list[str]:
    """What a page says below a row: how it was judged, on what, and why it is not reproduced."""
    judged = claim.criterion if row.verdict != UNDECIDED or not claim.left_open else ""
    lead = "No part of our interval satisfies " if row.verdict == CONTRARY else "Reproduced if "
    named = (
        ("", row.reason),
        (lead, criterion_words(judged) if judged != "digits" else ""),
        ("The margin is this wide because ", claim.margin if row.verdict == REPRODUCED else ""),
        ("Read as: ", claim.reading),
        ("Determined by ", claim.determined_by if row.verdict == DIFFERS else ""),
        ("Other readings: ", row.others),
        ("On a stand-in for ", claim.stand_in),
    )
    return [_capital(lead + text) for lead, text in named if text]


def _capital(text):
    """Text with a capital letter, unless it begins with a symbol."""
    return text[:1].upper() + text[1:] if text[:1].isascii() else text
