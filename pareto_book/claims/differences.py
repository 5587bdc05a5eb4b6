"""What the claims that differ are about: a misprint, or the conclusion of an experiment."""

import pandas as pd

from pareto_book.claims.claims import DIFFERENCES
from pareto_book.claims.criteria import DIFFERS

__all__ = ["difference_kinds"]


def difference_kinds(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the claims that differ by their kind of difference."""
    differing = rows["verdict"] == DIFFERS
    kinds = pd.Series([claim.difference for claim in rows["claim"]], index=rows.index, dtype=str)
    wrong = rows[differing != (kinds != "")]
    if len(wrong):
        raise ValueError(
            f"{', '.join(wrong['chapter'] + '/' + wrong['id'])}: expected a field 'difference' in "
            "the block of each claim that differs, and in no other"
        )
    return pd.DataFrame(
        [
            {"kind": kind, "meaning": meaning, "rows": int((kinds == kind).sum())}
            for kind, meaning in DIFFERENCES.items()
        ]
    )
