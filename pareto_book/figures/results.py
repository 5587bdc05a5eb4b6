"""Tables of simulated runs."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from IPython.display import HTML

from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import mean_of, rate_of
from pareto_core.simulation.results import Runs

FORMATS = {"mean samples": ",.0f", "error rate": ".3f", "deviation": ",.0f"}


def results_frame(
    runs: Mapping[Any, Runs], names: str | Sequence[str] = "algorithm"
) -> pd.DataFrame:
    """Summarise runs: a row for each algorithm."""
    headings = [names] if isinstance(names, str) else list(names)
    return pd.DataFrame(
        [
            {
                **dict(zip(headings, [key] if isinstance(key, str) else key, strict=True)),
                "runs": len(each.samples),
                "mean samples": mean_of(each.samples),
                "error rate": rate_of(~each.correct),
                "deviation": each.summary()["deviation"],
            }
            for key, each in runs.items()
        ]
    )


def results_table(
    runs: Mapping[Any, Runs],
    caption: str,
    names: str | Sequence[str] = "algorithm",
    columns: Sequence[str] = ("runs", "mean samples", "error rate"),
    **more: Sequence[Any],
) -> HTML:
    """Make a table of simulated runs, with 95 % intervals."""
    headings = [names] if isinstance(names, str) else list(names)
    frame = results_frame(runs, names)[[*headings, *columns]].assign(**more)
    return show_table(frame, caption, **{key: FORMATS[key] for key in columns if key in FORMATS})
