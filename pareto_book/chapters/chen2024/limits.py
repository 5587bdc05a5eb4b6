"""Exact characteristic times, and what the samples of BASELINE and MO-BAI tend to."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.chen2024.evidence import BEST, best_time
from pareto_book.figures.tables import show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["complexities", "complexity_table", "limit_ratios"]


def complexities(instances: Mapping[str, np.ndarray], eta: float = 0.1) -> pd.DataFrame:
    """Characteristic times, those of the shares that ``eta`` allows, and how they were found."""
    rows = []
    for name, means in instances.items():
        exact = pc.characteristic_time(means, 1e-9, problem=BEST)
        rows.append(
            {
                "instance": name,
                "K": len(means),
                "M": means.shape[1],
                "c*": exact.time,
                "floor / c*": best_time(means, eta) / exact.time,
                "certified gap": exact.relative_gap,
                "Newton steps": exact.iterations,
            }
        )
    return pd.DataFrame(rows)


def complexity_table(found: pd.DataFrame) -> "HTML":
    """Make a table of `complexities`."""
    return show_table(
        found,
        "Exact characteristic times c*, how many times c* the shares that MO-BAI allows cost "
        "(η = 0.1), and how they were found.",
        **{"c*": ",.2f", "floor / c*": ".3f", "certified gap": ".0e"},
    )


def limit_ratios(reached: np.ndarray, limits: np.ndarray) -> dict[str, float]:
    """Limits of BASELINE's samples over those of MO-BAI, by name, for the text."""
    found = {}
    for count in (5, 20):
        ratios = 1 / reached[:, count - 1] / limits
        found |= {f"limit{count}_least": ratios.min(), f"limit{count}_most": ratios.max()}
    return found
