"""Tables of error rates."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pareto_book.chapters.guarantee.rates import delta_for, is_known, over_delta
from pareto_book.error_rates.estimate import RiskEstimate
from pareto_book.figures.tables import show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["delta_table", "risk_table"]

Estimates = Mapping[str, Sequence[RiskEstimate]]
AROUND = slice(0, 4)  # the risks between which a delta is read off


def risk_table(found: Estimates, caption: str) -> "HTML":
    """Make a table of error rates over delta: a row for each name, a column for each delta."""
    rows = [
        {"": name}
        | {f"δ = {each.delta:g}": over_delta(each) if is_known(each) else "" for each in estimates}
        for name, estimates in found.items()
    ]
    return show_table(pd.DataFrame(rows), caption, **dict.fromkeys(list(rows[0])[1:], ".2g"))


def delta_table(found: Estimates, wanted: Sequence[float], caption: str) -> "HTML":
    """Make a table of the deltas to set, for the instances whose error rates are known."""
    known = {
        name: estimates[AROUND]
        for name, estimates in found.items()
        if np.all([is_known(each) for each in estimates[AROUND]])
    }
    heads = {f"for an error rate of {each:g}": each for each in wanted}
    rows = [
        {"": name} | {head: delta_for(estimates, each) for head, each in heads.items()}
        for name, estimates in known.items()
    ]
    return show_table(pd.DataFrame(rows), caption, **dict.fromkeys(heads, ".2g"))
