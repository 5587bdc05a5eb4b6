"""What a reader can download from the pages: figures, and claims with their measurements."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pareto_book.claims.claims import chapters_with_claims
from pareto_book.claims.summary import book_order, rows_of
from pareto_book.figures.plots import FIGURE
from pareto_book.records.stamps import executed_path, figures_path, published_profile

__all__ = ["claims_table", "figure_files", "write_claims"]

MEASURED = ("measured", "low", "high", "runs", "verdict", "reason", "others")
PUBLISHED = (
    *("id", "paper", "kind", "place", "what", "published", "error", "criterion", "margin"),
    *("random", "rests_on", "stand_in", "reading", "determined_by", "left_open", "section"),
)


def figure_files(cell: Mapping[str, Any]) -> list[Path]:
    """Files of the figure that an executed cell shows last."""
    shown = [output.get("metadata", {}).get(FIGURE) for output in cell.get("outputs", ())]
    saved = [figure for figure in shown if figure]
    if not saved:
        return []
    chapter, name = saved[-1].split("/")
    folder = figures_path(executed_path(chapter, published_profile(chapter)))
    return [folder / f"{name}.{kind}" for kind in ("svg", "png")]


def write_claims(folder: Path) -> None:
    """Write the claims of each chapter that the book has, and those of all, as CSV files."""
    profiles = {chapter: published_profile(chapter) for chapter in book_order()}
    tables = {
        chapter: claims_table(rows_of(chapter, profile))
        for chapter, profile in profiles.items()
        if profile is not None and chapter in chapters_with_claims()
    }
    if tables:
        tables["scorecard"] = pd.concat(tables.values())
    folder.mkdir(parents=True, exist_ok=True)
    for chapter, table in tables.items():
        table.to_csv(folder / f"{chapter}.csv", index=False)


def claims_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Claims and their measurements in plain columns."""
    claims = pd.DataFrame(
        [[getattr(claim, name) for name in PUBLISHED] for claim in rows["claim"]],
        index=rows.index,
        columns=list(PUBLISHED),
    )
    claims["error"] = [f"{error:g}" if error else "" for error in claims["error"]]
    claims["random"] = ["yes" if random else "" for random in claims["random"]]
    measured = rows[list(MEASURED)].astype({"runs": "Int64"})
    return pd.concat([rows["chapter"], claims, measured], axis=1)
