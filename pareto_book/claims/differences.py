"""What the rows that differ are about: a misprint, or the conclusion of an experiment."""

import pandas as pd

from pareto_book import paths
from pareto_book.claims.criteria import DIFFERS
from pareto_core.checks.arguments import check_choice

__all__ = ["CONCLUSION", "difference_kinds"]

CONCLUSION = "conclusion of an experiment"
KINDS = {
    "misprint": "a formula, sentence or label that is not what the paper itself uses or proves",
    "detail of a proof": "a step or a constant; the theorem is unharmed or has room for it",
    "rounding": "a ceiling or the last digits",
    "data entry": "a number that is not that of the public source",
    CONCLUSION: "a comparison that a paper draws from its runs and that comes out the other way",
}


def difference_kinds(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the rows that differ by what they are about.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `pareto_book.claims.summary.all_rows` returns them.

    Returns
    -------
    pandas.DataFrame
        A line for each kind: ``kind``, ``meaning``, and the number of ``rows``.

    Raises
    ------
    ValueError
        If the lines of ``data/this_book/differences.csv`` are not those of the rows that differ.
    """
    path = paths.data_file("this_book/differences.csv")
    table = pd.read_csv(path, comment="#", dtype=str)
    table = table[table["chapter"].isin(rows["chapter"])]
    there = set(zip(table["chapter"], table["id"], strict=True))
    differing = rows[rows["verdict"] == DIFFERS]
    wanted = set(zip(differing["chapter"], differing["id"], strict=True))
    if there != wanted:
        raise ValueError(
            f"{path.name}: unexpected {sorted(there - wanted)}, missing {sorted(wanted - there)}; "
            "expected a line for each row that differs"
        )
    for kind in table["kind"]:
        check_choice(kind, f"kind in {path.name}", KINDS)
    return pd.DataFrame(
        [
            {"kind": kind, "meaning": meaning, "rows": int((table["kind"] == kind).sum())}
            for kind, meaning in KINDS.items()
        ]
    )
