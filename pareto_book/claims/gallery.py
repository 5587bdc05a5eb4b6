"""Every figure and table of the five papers: a thumbnail, its verdicts, and where it is."""

import base64
import html
import io
import re
from collections.abc import Mapping
from typing import Any

import pandas as pd
from docutils.nodes import make_id
from PIL import Image

from pareto_book import paths
from pareto_book.claims.criteria import VERDICTS
from pareto_book.claims.scorecard import paper_labels
from pareto_book.figures.tables import as_html
from pareto_book.records.stamps import executed_path, figures_path

WIDTH = 220  # pixels of a thumbnail, for a screen with two pixels to one


def read_items() -> pd.DataFrame:
    """What ``data/book/figures.csv`` lists: paper, place, what it shows, our figure, its label."""
    return pd.read_csv(
        paths.DATA / "book" / "figures.csv", comment="#", dtype=str, keep_default_na=False
    )


def show_gallery(rows: pd.DataFrame, profiles: Mapping[str, str]) -> Any:
    """Table of all figures and tables of the papers, in the order of the book."""
    labels, body = paper_labels(rows), ""
    for paper, items in read_items().groupby("paper", sort=False):
        body += f'<tr><th colspan="4">{html.escape(labels[paper])}</th></tr>'
        for item in items.itertuples():
            address = f"{paper}.html#{make_id(item.label)}"
            cells = (
                _thumbnail(item, profiles.get(paper, "fast")),
                f'<a href="{address}">{item.place}</a>',
                html.escape(item.what),
                html.escape(verdicts_of(rows, item)),
            )
            body += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    head = "".join(f"<th>{name}</th>" for name in ("", "in the paper", "what it shows", "verdicts"))
    table = f'<table class="numbered gallery"><thead><tr>{head}</tr></thead><tbody>{body}'
    return as_html(f'<div class="table-wrap">{table}</tbody></table></div>')


def verdicts_of(rows: pd.DataFrame, item: Any) -> str:
    """Verdicts of the rows about a figure or table, counted, or the reason why it has none."""
    place = re.compile(rf"{re.escape(item.place)}(?!\d)")
    there = rows["claim"].map(lambda claim: bool(place.search(claim.place)))
    number = rows[(rows["paper"] == item.paper) & there]["verdict"].value_counts()
    counts = [f"{number[verdict]} {verdict}" for verdict in VERDICTS if verdict in number]
    lines = pd.read_csv(paths.DATA / "published" / f"{item.paper}.csv", keep_default_na=False)
    reasons = lines[lines["place"].map(lambda text: bool(place.search(text)))]["why_none"]
    return ", ".join(counts) or next(filter(None, reasons), "a picture, drawn again")


def _thumbnail(item, profile):
    """Small picture of our figure, within the page."""
    if not item.figure:
        return ""
    path = figures_path(executed_path(item.paper, profile)) / f"{item.figure}.png"
    with Image.open(path) as picture:
        picture = picture.convert("RGB")
        picture.thumbnail((2 * WIDTH, 2 * WIDTH))
        written = io.BytesIO()
        picture.save(written, format="WEBP", quality=60)
    data = base64.b64encode(written.getvalue()).decode()
    size = f'width="{picture.width // 2}" height="{picture.height // 2}"'
    alt = html.escape(f"Our version of {item.place}: {item.what}")
    return f'<img alt="{alt}" {size} src="data:image/webp;base64,{data}">'
