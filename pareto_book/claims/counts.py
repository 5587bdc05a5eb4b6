"""What a page says of the rows themselves: how many there are, and how many are reproduced."""

import pandas as pd

from pareto_book.claims.claims import CONCLUSION
from pareto_book.claims.criteria import (
    CONTRARY,
    DIFFERS,
    LEAST_RUNS,
    REPRODUCED,
    UNDECIDED,
    parse_criterion,
)
from pareto_book.claims.overview import (
    NEWCOMERS,
    PAPERS,
    kind_totals,
    verdict_totals,
)

__all__ = ["kind_counts", "row_counts"]

PLURALS = {"number": "numbers", "statement": "statements", "time": "times"}
COLUMNS = {  # of `kind_totals`, by how a count is called
    "rows": "rows",
    "reproduced": REPRODUCED,
    "differ": DIFFERS,
    "contrary": CONTRARY,
    "open": UNDECIDED,
}
CHEN = "chen2024"  # the paper whose comparisons come out the other way


def row_counts(rows: pd.DataFrame) -> dict[str, float]:
    """Count rows of claims, for the text of a page and for what the book claims of them."""
    stands_in = pd.Series([bool(claim.stand_in) for claim in rows["claim"]], index=rows.index)
    kinds = pd.Series([claim.kind for claim in rows["claim"]], index=rows.index, dtype=str)
    reproduced = rows["verdict"] == REPRODUCED
    is_main = rows["paper"].isin(PAPERS)
    is_decided = rows["verdict"].isin([REPRODUCED, DIFFERS])
    is_contrary = is_main & _comes_out_the_other_way(rows)
    return {
        "rows": len(rows),
        "rows_on_stand_ins": int(stands_in.sum()),
        "rows_reproduced": int(reproduced.sum()),
        "rows_reproduced_on_stand_ins": int((reproduced & stands_in).sum()),
        "stand_in_share": float(stands_in.mean()),
        "numbers_share": _share(reproduced[is_main & (kinds == "number")]),
        "statements_share": _share(reproduced[is_main & (kinds == "statement")]),
        "newcomers_share": _share(reproduced[~is_main & is_decided]),
        "contrary": int(is_contrary.sum()),
        "contrary_elsewhere": int((is_contrary & (rows["paper"] != CHEN)).sum()),
    }


def _comes_out_the_other_way(rows):
    """Whether a comparison does so, on a draw of the book or where the paper determines it."""
    differences = pd.Series([claim.difference for claim in rows["claim"]], index=rows.index)
    return (rows["verdict"] == CONTRARY) | (differences == CONCLUSION)


def _share(values):
    """Share of what is true; 0 if there is nothing."""
    return float(values.mean()) if len(values) else 0.0


def kind_counts(rows: pd.DataFrame) -> dict[str, int]:
    """Count the rows of the five papers by kind of claim and verdict, for the text of a page."""
    totals = kind_totals(rows).set_index("kind")
    counts = {
        f"{plural}_{name}": int(totals.loc[kind, column])
        for kind, plural in PLURALS.items()
        for name, column in COLUMNS.items()
    }
    main = [row for row in rows.itertuples() if row.paper in PAPERS]
    return counts | {
        "statements_on_stand_ins": sum(
            row.verdict == REPRODUCED and row.claim.kind == "statement" and bool(row.claim.stand_in)
            for row in main
        ),
        "numbers_outside": sum(_is_open_and_outside(row) for row in main),
        "newcomers": int(verdict_totals(rows).set_index("paper").loc[NEWCOMERS, "rows"]),
    }


def _is_open_and_outside(row):
    """Whether a number that the paper does not determine is certainly not what we measured."""
    claim = row.claim
    if claim.kind != "number" or row.verdict != UNDECIDED or not claim.criterion:
        return False
    if row.runs < LEAST_RUNS:
        return False
    low, high = (row.measured, row.measured) if pd.isna(row.low) else (row.low, row.high)
    criterion = parse_criterion(claim.criterion)
    return criterion.judge(claim.published, claim.error, row.measured, low, high)[0] == DIFFERS
