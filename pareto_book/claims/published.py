"""What the papers print, where a chapter computes with it or draws it."""

import pandas as pd

from pareto_book import paths
from pareto_book.claims.claims import load_claims
from pareto_core.checks.arguments import check_choice

__all__ = ["published_number", "read_published"]


def read_published(name: str) -> pd.DataFrame:
    """Read a table of ``data/published/tables/``, such as the points of a figure, as text.

    Parameters
    ----------
    name : str
        Name of a CSV file; its comment lines are left out.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    ValueError
        If there is no such table.
    """
    tables = {path.stem: path for path in (paths.DATA / "published" / "tables").glob("*.csv")}
    check_choice(name, "name", list(tables))
    return pd.read_csv(tables[name], comment="#", dtype=str, keep_default_na=False)


def published_number(chapter: str, claim: str) -> float:
    """Read the number of a claim.

    Parameters
    ----------
    chapter : str
        Name of a file of claims, such as ``"crepon2024"``.
    claim : str
        Id of a claim whose ``published`` is a number.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there is no such claim, or it has no number.
    """
    claims = load_claims(chapter)
    check_choice(claim, "claim", list(claims))
    text = claims[claim].published
    try:
        return float(text)
    except ValueError:
        raise ValueError(
            f"claim = {claim!r} of {chapter}: published is {text!r}; expected a number"
        ) from None
