"""The table of what costs and known noise change."""

import numpy as np
import pandas as pd
import pytest

import pareto_core as pc
from pareto_book.chapters.one_rule.known_properties import (
    Known,
    largest_effect,
    limit_table,
    properties,
    properties_table,
)

SIX = pc.load_instance("six_arms")


def test_each_case_changes_one_property():
    cases = properties(6, 1, "B")
    assert sum(each.costs is not None for each in cases.values()) == 1
    assert sum(bool(each.noise) for each in cases.values()) == len(cases) - 2
    noisy = pc.Instance(SIX.means, **cases["B three times as noisy"].noise)
    np.testing.assert_array_equal(noisy.variance[:, 0], [1, 9, 1, 1, 1, 1])


@pytest.mark.compiled
def test_rows_are_the_bound_its_proportions_and_what_the_rule_needs():
    costs = (1.0, 4.0, 1.0, 1.0, 1.0, 1.0)
    cases = {"plain": Known({}), "dear": Known({}, costs)}
    table = properties_table(SIX, cases, 0.1, runs=4, seed=1, n_jobs=1)
    plain, dear = table.to_dict("records")
    best = pc.characteristic_time(SIX.means)
    assert plain["T*"] == best.time
    assert [plain[each] for each in SIX.labels] == pytest.approx(best.weights)
    runs = pc.simulate(pc.TopTwoIDS(0.1, costs=costs), SIX, 4, 1, progress=False)
    assert dear["needed, δ = 0.1"].value == pytest.approx((runs.pulls @ costs).mean())
    shares = pc.characteristic_time(SIX.means, costs=costs).weights / costs
    assert [dear[each] for each in SIX.labels] == pytest.approx(shares / shares.sum())


def test_the_largest_effect_is_that_of_any_correlation():
    rows = {"unit variance": 100.0, "correlation -0.5": 99.0, "correlation +0.9": 102.0, "B": 300.0}
    frame = pd.DataFrame({"known": rows.keys(), "T*": rows.values()})
    assert largest_effect(frame) == pytest.approx(0.02)


def test_what_ignoring_a_correlation_costs_under_a_limit():
    table = limit_table().set_index("correlation")
    np.testing.assert_allclose(table[[*"ABC"]].sum(axis=1), 1)
    np.testing.assert_allclose(table.loc[0.0, "ignoring it"], table.loc[0.0, "T*"], rtol=1e-3)
    others = table.drop(0.0)
    assert (others["ignoring it"] > 1.1 * others["T*"]).all()
    # B enters the region at the cost w_B 0.3² / (2 (2 - 2ρ)), and no cost is below 1 / T*.
    correlations = table.index.to_numpy()
    assert (table["T*"] * table["B"] >= 2 * (2 - 2 * correlations) / 0.3**2 * (1 - 1e-3)).all()
