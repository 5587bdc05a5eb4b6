"""What the papers print, where a chapter computes with it or draws it."""

import tomllib

import pandas as pd

from pareto_book import paths
from pareto_core.checks.arguments import check_choice

__all__ = ["published_number", "read_published"]


def read_published(name: str) -> pd.DataFrame:
    """Read a table of ``data/published/``, such as the points of a figure, as text.

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
    check_choice(name, "name", [path.stem for path in (paths.DATA / "published").glob("*.csv")])
    path = paths.DATA / "published" / f"{name}.csv"
    return pd.read_csv(path, comment="#", dtype=str, keep_default_na=False)


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
    path = paths.DATA / "published" / f"{chapter}.toml"
    blocks = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    text = blocks.get(claim, {}).get("published")
    try:
        return float(text)
    except (TypeError, ValueError):
        raise ValueError(
            f"claim = {claim!r} of {path.name}: published is {text!r}; expected a number"
        ) from None
