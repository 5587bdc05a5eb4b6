"""Tables and figures of the chapter."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.one_rule import checks, fig_fluid, fig_potential
from pareto_book.chapters.one_rule.cases import Case

SIX = Case("six arms", pc.load_instance("six_arms"))


def test_distances_are_those_of_the_rule_and_of_the_nearest_rival():
    two, rule = np.array([0.5, 0.2]), fig_fluid.RULE
    found = [
        fig_fluid.Approach(SIX, np.array([1, 2]), {rule: 0.1 * two, "a": two, "b": 0.3 * two}),
        fig_fluid.Approach(SIX, np.array([1, 2]), {rule: 0.2 * two, "c": two}),
    ]
    assert checks.distances(found) == pytest.approx((0.04, 3.0))


def test_approach_follows_the_rule_and_a_kernel():
    rivals = {"MO-BAI": pc.MOBAI()}
    found = fig_fluid.approach(SIX._replace(problem="best_arm_per_objective"), rivals, [20, 400])
    assert list(found.distances) == [fig_fluid.RULE, "MO-BAI"]
    assert all(0 <= values[1] < values[0] < 1 for values in found.distances.values())


def test_the_potential_never_exceeds_what_the_steps_guarantee():
    found = fig_potential.potential_path(SIX, horizon=600, start=10)
    assert found.path.times[0] == 60
    assert (found.potential <= found.stated + 1e-9).all()
    assert found.stated[0] == found.potential[0] > found.stated[-1]


def test_slacks_include_proposition_2_only_where_it_is_proven():
    slacks = checks.slacks_of(SIX, 60, 0, covered=False)
    assert np.isnan(slacks.convex)
    assert slacks.least >= -1e-9
    assert "–" in checks.slack_table({"six": slacks}).data


def test_a_run_is_shown_beside_the_optimum():
    assert "t = 60" in checks.run_table(SIX, (30, 60), seed=0).data


def test_all_versions_are_counted():
    rates = checks.waiting_rates(600, runs=2, seed=0)
    assert list(rates) == list(checks.VERSIONS)
    assert checks.PROVEN in checks.waiting_table(rates, 600).data
