"""Measurements have intervals and numbers of runs, also in tables and in the text."""

import numpy as np
import pandas as pd
import pytest

from pareto_book.error_rates.estimate import RiskEstimate
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import (
    Measurement,
    mean_of,
    median_ratio_of,
    rate_of,
    ratio_of,
    risk_of,
)

RATIO = Measurement(1234.5678, (1000.0, 1500.25), 40)


def test_the_intervals_of_a_mean_and_of_a_rate():
    value, (low, high), runs = mean_of(np.arange(100.0))
    assert (value, runs) == (49.5, 100)
    # The standard error is 2.9, so the width of a 95 % interval is about 11.4.
    assert 40 < low < 46 < 53 < high < 59
    rate = rate_of([[False, False, False], [False, False, False]])
    assert rate == (0.0, (0.0, pytest.approx(1 - 0.025 ** (1 / 6))), 6)


def test_pairs_are_resampled_together():
    values = np.array([1.0, 5.0, 20.0])
    assert ratio_of(2 * values, values, paired=True) == (2.0, (2.0, 2.0), 3)
    low, high = ratio_of(2 * values, values).interval
    assert low < 1 < 4 < high


def test_an_outlier_does_not_move_a_ratio_of_medians():
    values = np.append(np.arange(1.0, 100), 1e9)
    assert median_ratio_of(2 * values, values) == (2.0, (2.0, 2.0), 100)
    low, high = median_ratio_of(values[::-1], values).interval
    assert low < 1 < high


def test_a_risk_with_too_few_errors_is_nan():
    errors = np.full(40, 1e-3)  # forty effective errors
    estimate = RiskEstimate(0.1, 0.04, 0.03, 0.05, 1000, errors, errors, errors)
    assert risk_of(estimate) == (0.04, (0.03, 0.05), 1000)
    few = risk_of(estimate, fewest=41)
    assert np.isnan([few.value, *few.interval]).all()


def test_a_measurement_has_no_line_break_in_a_text_and_one_cell_in_a_table():
    assert f"{RATIO:,.1f}" == "1,234.6\u00a0[1,000.0,\u00a01,500.2]"
    frame = pd.DataFrame({"ratio": [RATIO, np.nan]})
    body = show_table(frame, "Ratios.", ratio=".0f").data.split("<tbody>")[1]
    assert body.startswith(
        '<tr><td class="number">1235 [1000,\u00a01500]</td></tr>'
        '<tr><td style="text-align: left"></td></tr>'
    )
