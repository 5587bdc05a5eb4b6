"""Published allocations: how they are read, and what is stated of them."""

import re

import numpy as np
import pandas as pd
import pytest

import pareto_core as pc
from pareto_book.chapters.ranking_selection.fig_losses import LEAST, loss_of
from pareto_book.chapters.ranking_selection.published import METHODS, losses, problems
from pareto_book.chapters.ranking_selection.rates import own_rows, published_rows, show_rules


@pytest.fixture(scope="module")
def every():
    return problems()


@pytest.mark.slow
def test_each_problem_has_its_own_shares_and_rates(every):
    sizes = [(each.n_objectives, each.n_arms) for each in every]
    assert sizes == [
        size for size in [(3, 20), (3, 50), (3, 100), (4, 20), (4, 50)] for _ in range(10)
    ]
    for each in every:
        assert each.instance.means.shape == (each.n_arms, each.n_objectives)
        for method in METHODS:
            assert each.shares[method].shape == (each.n_arms,)
            assert each.shares[method].sum() == pytest.approx(1, abs=1e-6)
    has_brute_force = [not np.isnan(each.brute_force) for each in every]
    assert has_brute_force == [True] * 20 + [False] * 30


@pytest.mark.slow
def test_losses_are_those_of_the_transportation_cost(every):
    frame = losses(every[:1])
    assert list(frame["method"]) == list(METHODS)
    means, covariance = every[0].instance.means, every[0].instance.covariance
    best = pc.characteristic_time(means, covariance=covariance)
    assert frame["optimum"].to_numpy() == pytest.approx(1 / best.time)
    for _, row in frame.iterrows():
        shares = every[0].shares[row["method"]]
        assert row["exact"] == pc.transport_cost(means, shares, covariance=covariance).value
    assert (loss_of(frame) >= LEAST).all()
    assert frame["exact"].to_numpy() == pytest.approx(frame["own"].to_numpy(), rel=1e-5)


def table(**columns):
    """Two problems with three allocations each, all at the best rate but for what is given."""
    names = ("optimum", "exact", "phantom", "published", "own", "phantom at optimum")
    first = dict.fromkeys(names, 1.0) | columns
    shared = {"d": 3, "K": 20, "method": METHODS, "brute force": [1.0, np.nan, np.nan]}
    frames = [pd.DataFrame(shared | values) for values in (first, dict.fromkeys(names, 1.0))]
    return pd.concat(frames, ignore_index=True)


def test_the_farthest_published_rate_counts():
    rows = published_rows(table(published=[1.0, 1.25, 0.9], exact=[1.0, 0.5, 1.0]))
    assert rows["phantom_rates"] == pytest.approx(0.8)
    assert rows["brute_force_rates"] == 1.0
    assert rows["score_is_accurate"] == 0.75


def test_differences_are_counted():
    frame = table(
        exact=[0.5, 0.9, 0.8],
        phantom=[0.4, 0.9, 0.8],
        own=[1.0, 0.9, 0.7],
        **{"phantom at optimum": 0.6},
    )
    rows = own_rows(frame)
    assert rows["phantoms_exact"] == 5
    assert rows["phantoms_below"] == pytest.approx(20)
    assert rows["phantoms_at_optimum"] == pytest.approx(80)
    assert rows["phantoms_worst"] == pytest.approx(60)
    assert rows["same_shares"] == 4
    assert rows["other_shares_rate"] == 1.0
    assert rows["loss_score"] == pytest.approx((10 + 0.01) / 2)
    assert rows["loss_score_worst"] == pytest.approx(10)
    assert (rows["odd_published"], rows["odd_own"]) == (50.0, 100.0)
    assert (rows["second_odd_published"], rows["second_odd_own"]) == (0.0, 0.0)


def test_rules_beside_the_optimum():
    shown = show_rules([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]).data
    rows = re.findall(r"<tr><td>(\w+)</td><td>[^<]*</td><td>([\d.]+) %</td></tr>", shown)
    assert [name for name, _ in rows] == ["optimum", "phantom", "SCORE", "MOCBA", "equal"]
    assert float(rows[0][1]) == 0
    assert float(rows[4][1]) > 1
