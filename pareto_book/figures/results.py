"""Tables of simulated runs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import mean_of, rate_of

if TYPE_CHECKING:
    from IPython.display import HTML

    from pareto_core.simulation.results import Runs

__all__ = ["results_frame", "results_table"]

FORMATS = {"mean samples": ",.0f", "error rate": ".3f", "deviation": ",.0f"}


def results_frame(
    runs: Mapping[Any, "Runs"], names: str | Sequence[str] = "algorithm"
) -> pd.DataFrame:
    """Summarise runs: a row for each algorithm.

    Parameters
    ----------
    runs : dict of str, or of tuple of str, to Runs
        Runs by the name of the algorithm, or by several names, such as instance and algorithm.
    names : str or sequence of str, default "algorithm"
        Headings of the columns with these names.

    Returns
    -------
    pandas.DataFrame
        Columns ``names``, ``runs``, ``mean samples`` and ``error rate`` (`Measurement`, an interval
        at 95 %), and ``deviation`` of the samples. A run that was cut off counts as an error.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.load_instance("six_arms")
    >>> runs = {"APE": pc.simulate(pc.APE(), instance, runs=40, progress=False)}
    >>> list(results_frame(runs))
    ['algorithm', 'runs', 'mean samples', 'error rate', 'deviation']
    """
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
    runs: Mapping[Any, "Runs"],
    caption: str,
    names: str | Sequence[str] = "algorithm",
    columns: Sequence[str] = ("runs", "mean samples", "error rate"),
    **more: Sequence[Any],
) -> "HTML":
    """Make a table of simulated runs, with 95 % intervals.

    Parameters
    ----------
    runs : dict of str, or of tuple of str, to Runs
        See `results_frame`.
    caption : str
        Plain text, which the page numbers.
    names : str or sequence of str, default "algorithm"
        Headings of the columns with the names of the runs.
    columns : sequence of str
        Columns of `results_frame` that are shown behind them.
    **more
        Further columns by heading: a value for each row.

    Returns
    -------
    IPython.display.HTML

    Raises
    ------
    ImportError
        If IPython is not installed.
    """
    headings = [names] if isinstance(names, str) else list(names)
    frame = results_frame(runs, names)[[*headings, *columns]].assign(**more)
    return show_table(frame, caption, **{key: FORMATS[key] for key in columns if key in FORMATS})
