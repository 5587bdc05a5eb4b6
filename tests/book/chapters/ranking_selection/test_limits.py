"""Fixed and estimated shares at the same budgets."""

import numpy as np
import pandas as pd
import pytest

import pareto_core as pc
from pareto_book.chapters.ranking_selection.limits import (
    EQUAL,
    ESTIMATED,
    FIXED,
    UNFORCED,
    fixed_and_estimated,
    limit_rows,
    optimal_beside_equal,
)
from pareto_book.records.measurements import Measurement


@pytest.mark.slow
def test_every_entrant_is_measured_at_every_budget():
    found = fixed_and_estimated("six_arms", (1, 2), runs=100, draws=2000, seed=0, n_jobs=1)
    instance = pc.load_instance("six_arms")
    needed = pc.characteristic_time(instance.means_standardised).time
    names = [FIXED, EQUAL, *ESTIMATED]
    assert found["name"].tolist() == [name for name in names for _ in (1, 2)]
    assert found["budget"].tolist() == [int(np.ceil(needed)), int(np.ceil(2 * needed))] * 6
    direct = pc.simulate(pc.EGE(budget=97, schedule="reject"), instance, 100, seed=0, n_jobs=1)
    (first, _) = found.loc[found["name"] == "EGE-SR", "error"]
    assert first.value == pytest.approx(np.mean(~direct.correct))
    assert [each.runs for each in found["error"]] == [2000] * 4 + [100] * 8


def errors(**values):
    """A table with one error probability for each name, at both budgets."""
    return pd.DataFrame(
        [
            {"name": name, "multiple": multiple, "error": Measurement(x, (x / 2, 2 * x), 100)}
            for name, x in values.items()
            for multiple in (1, 2, 8)
        ]
    )


def test_ratios_have_intervals_that_hold_both():
    rows = limit_rows(
        {
            "six arms": errors(**{FIXED: 0.1, EQUAL: 0.2, "TopTwoIDS": 0.05}),
            "five arms": errors(**{FIXED: 0.001, EQUAL: 0.3, "TopTwoIDS": 0.01, UNFORCED: 0.02}),
        }
    )
    assert rows["limits_gain"].value == pytest.approx(0.5)
    assert rows["limits_gain"].interval == pytest.approx((0.125, 2.0))
    assert rows["limits_excess"].value == pytest.approx(20)
    assert rows["limits_gain_equal"].value == pytest.approx(0.25)
    assert rows["limits_five_equal"].value == 0.3


def test_optimal_and_equal_shares_are_compared_at_each_budget():
    found = optimal_beside_equal("six_arms", {"small": 1, "large": 4}, draws=4000, seed=0)
    assert list(found) == [
        f"{kind}_{budget}" for budget in ("small", "large") for kind in ("optimal", "equal", "rate")
    ]
    assert found["rate_large"].value == pytest.approx(
        found["optimal_large"].value / found["equal_large"].value
    )
    assert found["rate_large"].interval[1] < 1
