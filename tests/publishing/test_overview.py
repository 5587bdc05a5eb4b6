"""Totals of verdicts, and their picture."""

import matplotlib as mpl
import pandas as pd

mpl.use("agg")

from matplotlib import pyplot as plt

from pareto_core.publishing import overview
from pareto_core.publishing.criteria import DIFFERS, NOT_JUDGED, OPEN, REPRODUCED

ROWS = pd.DataFrame(
    {
        "paper": ["one", "one", "one", "other"],
        "verdict": [REPRODUCED, DIFFERS, NOT_JUDGED, REPRODUCED],
    }
)


def test_totals_add_up():
    assert overview.verdict_totals(ROWS).to_dict("list") == {
        "paper": ["one", "other", "all papers"],
        "rows": [3, 1, 4],
        REPRODUCED: [1, 1, 2],
        DIFFERS: [1, 0, 1],
        OPEN: [0, 0, 0],
        NOT_JUDGED: [1, 0, 1],
    }


def test_bars_are_as_long_as_the_totals():
    figure = overview.verdict_bars(
        overview.verdict_totals(ROWS), {"other": "Other 2021", "one": "One 2020"}
    )
    (axes,) = figure.axes
    widths = [[bar.get_width() for bar in bars] for bars in axes.containers]
    assert widths == [[1, 1], [0, 1], [0, 0], [0, 1]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Other 2021", "One 2020"]
    plt.close(figure)


def test_ratios_stand_below_each_other_with_their_intervals():
    row = pd.Series({"measured": 2.0, "low": 1.5, "high": 3.0, "runs": 40})
    figure = overview.ratio_plot({"a / b": row}, {"c / d": row / 4, "e / f": row})
    (axes,) = figure.axes
    lines = [line.get_xdata().tolist() for line in axes.lines[1:]]
    assert lines == [[1.5, 3.0], [2.0], [0.375, 0.75], [0.5], [1.5, 3.0], [2.0]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a / b", "c / d", "e / f"]
    assert axes.yaxis_inverted()
    plt.close(figure)
