"""Handing executed chapters to the book, with their claims and verdicts joined in."""

import nbformat

from pareto_book import paths
from pareto_book.building.execution import as_bytes
from pareto_book.claims.claim_tables import show_claims
from pareto_book.claims.claims import chapters_with_claims
from pareto_book.claims.counts import row_counts
from pareto_book.claims.own_tables import own_rows_of
from pareto_book.claims.summary import rows_of
from pareto_book.records.scorecard import CLAIMS_TABLE, chosen
from pareto_book.records.stamps import executed_path, stamp_path, write_atomically

__all__ = ["check_claims", "publish_chapter", "with_claims"]

GLUED = "application/papermill.record/"  # as myst_nb has what is glued


def publish_chapter(chapter: str, profile: str) -> None:
    """Put an executed chapter and its stamp into ``book/chapters``."""
    executed = executed_path(chapter, profile)
    notebook = nbformat.read(executed, as_version=4)
    if chapter in chapters_with_claims():
        notebook = with_claims(notebook, rows_of(chapter, profile))
    write_atomically(paths.CHAPTERS / executed.name, as_bytes(notebook))
    stamp = stamp_path(executed)
    write_atomically(paths.CHAPTERS / stamp.name, stamp.read_bytes())


def check_claims(chapter: str, profile: str) -> None:
    """Check that the measurements of a chapter fit its claims and its tables."""
    if chapter in chapters_with_claims():
        notebook = nbformat.read(executed_path(chapter, profile), as_version=4)
        with_claims(notebook, rows_of(chapter, profile))
    own_rows_of(chapter, {chapter: profile})


def with_claims(notebook: nbformat.NotebookNode, rows) -> nbformat.NotebookNode:
    """Put tables of claims where a notebook asks for them, and counts of rows for its text."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if CLAIMS_TABLE in output.get("data", {}):
                table = _table(rows, **output.data[CLAIMS_TABLE])
                output.data = {"text/html": table.data, "text/plain": repr(table)}
    counts = nbformat.v4.new_code_cell(
        metadata={"tags": ["remove-cell"]},
        outputs=[_glued(name, value) for name, value in row_counts(rows).items()],
        id="row-counts",
    )
    notebook.cells.append(counts)
    return notebook


def _table(rows, names, section, caption):
    """Table of the claims that have these names or patterns, or are measured in this section."""
    by_id = rows.set_index("id", drop=False)
    if section:
        sections = {claim.section: None for claim in rows["claim"]}
        wanted = chosen([section], sections)
        ids = [claim.id for claim in rows["claim"] if claim.section in wanted]
    else:
        ids = chosen(names, by_id.index)
    pairs = [(row.claim, row) for row in by_id.loc[ids].itertuples(index=False)]
    return show_claims(pairs, caption)


def _glued(name, value):
    """Output that makes a value available to the text of a page."""
    return nbformat.v4.new_output(
        "display_data",
        data={f"{GLUED}text/plain": repr(value)},
        metadata={"scrapbook": {"name": name, "mime_prefix": GLUED}},
    )
