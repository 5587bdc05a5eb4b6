"""The figure and the tables of the scorecard page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd
from IPython.display import display
from matplotlib.figure import Figure

from pareto_book.claims.claim_tables import KIND_WORDS, show_all_claims
from pareto_book.claims.differences import difference_kinds
from pareto_book.claims.overview import kind_totals, verdict_bars, verdict_totals
from pareto_book.claims.own_tables import own_rows, show_own_rows
from pareto_book.claims.summary import (
    book_order,
    chapter_status,
    claim_address,
    paper_label,
)
from pareto_book.figures.tables import Link, show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "claims_table",
    "draw_verdicts",
    "kinds_table",
    "own_table",
    "paper_labels",
    "show_totals",
    "status_table",
    "totals_by_kind",
    "totals_table",
]


def paper_labels(rows: pd.DataFrame) -> dict[str, str]:
    """Labels of the papers that the rows are about, by their keys."""
    return {key: paper_label(key) for key in rows["paper"].unique()}


def draw_verdicts(rows: pd.DataFrame) -> Figure:
    """Draw how many rows of each kind and paper have each verdict."""
    return verdict_bars(rows, paper_labels(rows))


def show_totals(rows: pd.DataFrame) -> None:
    """Display what the rows that differ are about, and the number of rows with each verdict."""
    display(kinds_table(rows), totals_by_kind(rows), totals_table(rows))


def kinds_table(rows: pd.DataFrame) -> "HTML":
    """Make a table of what the rows that differ are about."""
    return show_table(difference_kinds(rows), "What the rows that differ are about.")


def own_table(profiles: Mapping[str, str]) -> "HTML":
    """Make the table of what the book claims itself."""
    return show_own_rows(own_rows(profiles), profiles)


def totals_by_kind(rows: pd.DataFrame) -> "HTML":
    """Make a table of the number of rows of the five papers by kind and verdict."""
    totals = kind_totals(rows)
    labelled = totals.assign(kind=[KIND_WORDS[kind] for kind in totals["kind"]])
    return show_table(labelled, "Number of rows of the five papers by kind and verdict.")


def totals_table(rows: pd.DataFrame) -> "HTML":
    """Make a table of the number of rows by paper and verdict."""
    totals, papers = verdict_totals(rows), paper_labels(rows)
    labelled = totals.assign(paper=[papers.get(name, name) for name in totals["paper"]])
    return show_table(labelled, "Number of rows by paper and verdict.")


def claims_table(rows: pd.DataFrame) -> "HTML":
    """Make the table of all claims, by paper, each with a link to the section that measures it."""
    groups = {}
    for key, label in paper_labels(rows).items():
        of_paper = rows[rows["paper"] == key].itertuples()
        groups[key] = (
            label,
            [(row.claim, row, claim_address(row.chapter, row.claim)) for row in of_paper],
        )
    return show_all_claims(groups)


def status_table(rows: pd.DataFrame, profiles: Mapping[str, str]) -> "HTML":
    """Make a table of how the chapters were executed."""
    executed = profiles or set(rows["chapter"])
    status = chapter_status([name for name in book_order() if name in executed], profiles)
    links = [Link(name, f"{name}.html") for name in status["chapter"]]
    formats = {"seconds": ".0f", "memory (MB)": ".0f"}
    return show_table(status.assign(chapter=links), "How the chapters were executed.", **formats)
