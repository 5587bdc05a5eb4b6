"""What the papers print, where a chapter computes with it or draws it."""

import pandas as pd

from pareto_book import paths
from pareto_book.claims.claims import load_claims
from pareto_core.checks.arguments import check_choice


def read_published(name: str) -> pd.DataFrame:
    """Read a table of ``data/published/tables/``, such as the points of a figure, as text."""
    tables = {path.stem: path for path in (paths.DATA / "published" / "tables").glob("*.csv")}
    check_choice(name, "name", list(tables))
    return pd.read_csv(tables[name], comment="#", dtype=str, keep_default_na=False)


def published_number(chapter: str, claim: str) -> float:
    """Read the number of a claim."""
    return float(load_claims(chapter)[claim].published)
