"""What a page says of the rows themselves: how many there are, and how many are reproduced."""

import pandas as pd

from pareto_book.claims.claims import CONCLUSION
from pareto_book.claims.criteria import DIFFERS, REPRODUCED
from pareto_book.claims.differences import difference_kinds
from pareto_book.claims.overview import PAPERS

__all__ = ["row_counts"]


def row_counts(rows: pd.DataFrame) -> dict[str, float]:
    """Count rows of claims, for the text of a page and for what the book claims of them.

    Parameters
    ----------
    rows : pandas.DataFrame
        Those of a chapter or of the book, as `pareto_book.claims.summary.all_rows` returns them.

    Returns
    -------
    dict of str to float
        By name: numbers of rows, of those that rest on a stand-in, that are reproduced, and both;
        the share on a stand-in; shares reproduced of the rows with a verdict, of the five papers
        and of newcomers; and the number of refuted conclusions of an experiment.
    """
    stands_in = pd.Series([bool(claim.stand_in) for claim in rows["claim"]], index=rows.index)
    reproduced = rows["verdict"] == REPRODUCED
    is_main = rows["paper"].isin(PAPERS)
    kinds = difference_kinds(rows).set_index("kind")["rows"]
    return {
        "rows": len(rows),
        "rows_on_stand_ins": int(stands_in.sum()),
        "rows_reproduced": int(reproduced.sum()),
        "rows_reproduced_on_stand_ins": int((reproduced & stands_in).sum()),
        "stand_in_share": float(stands_in.mean()),
        "reproduced_share": _share(rows[is_main]),
        "newcomers_share": _share(rows[~is_main]),
        "refuted": int(kinds[CONCLUSION]),
    }


def _share(rows):
    """Share of the rows with a verdict that are reproduced; 0 if there are none."""
    verdicts = rows["verdict"]
    return int((verdicts == REPRODUCED).sum()) / max(
        int(verdicts.isin([REPRODUCED, DIFFERS]).sum()), 1
    )
