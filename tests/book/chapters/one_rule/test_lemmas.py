"""The statements about the rule hold on true cases, and corrupted ones are caught."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.one_rule import lemmas
from pareto_book.chapters.one_rule.cases import Case
from pareto_book.chapters.one_rule.fluid import fluid_path
from pareto_book.chapters.one_rule.rule_path import rule_path

SIX = pc.load_instance("six_arms")
REGION = pc.orthant([0.3, 0.3])
CASES = {
    "pareto_set": Case("six arms", SIX),
    "best_arm_per_objective": Case("six arms", SIX, "best_arm_per_objective"),
    "constrained_pareto_set": Case(
        "six arms", pc.Instance(SIX.means, polyhedron=REGION), "constrained_pareto_set"
    ),
}
ROUNDING = 1e-9
QUESTION = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
VERSION = pytest.mark.parametrize("exploration", ["forced", "mixing"])


def path_of(case, exploration="forced", horizon=200):
    return rule_path(case, horizon, np.random.default_rng(3), exploration)


@QUESTION
def test_the_facts_hold_at_random_weights(case):
    assert min(lemmas.facts_slacks(case, 100, np.random.default_rng(1))) > -ROUNDING


def test_a_gradient_that_belongs_to_no_alternative_breaks_fact_b(monkeypatch):
    case, cost = CASES["pareto_set"], Case.cost

    def scaled(self, weights, means=None):
        found = cost(self, weights, means)
        return found._replace(gradient=0.5 * found.gradient)

    monkeypatch.setattr(Case, "cost", scaled)
    assert lemmas.facts_slacks(case, 50, np.random.default_rng(1))[0] < -1e-3


@QUESTION
@VERSION
def test_lemma_3_and_4_hold_along_noisy_paths(case, exploration):
    path = path_of(case, exploration)
    assert (path.targets.sum(axis=1) - path.times).max() < ROUNDING
    assert lemmas.tracking_slack(path) > -ROUNDING
    assert lemmas.fewest_samples_slack(path) > -ROUNDING
    assert lemmas.forced_rounds_slack(path) > -ROUNDING
    assert lemmas.one_step_slack(case, path, case.optimum().weights) > -ROUNDING
    assert path.forced.any() == (exploration == "forced")


def test_targets_that_grow_by_other_shares_break_lemma_4():
    case = CASES["pareto_set"]
    path = path_of(case)
    steps = np.diff(path.targets, axis=0)[:, ::-1]  # the shares of other arms
    wrong = path._replace(targets=np.vstack([path.targets[:1], 1 + steps.cumsum(axis=0)]))
    assert lemmas.one_step_slack(case, wrong, case.optimum().weights) < -1e-3


def test_counts_that_do_not_follow_the_targets_break_lemma_3():
    path = path_of(CASES["pareto_set"], horizon=800)
    wrong = path._replace(counts=path.counts[:, ::-1])
    assert lemmas.tracking_slack(wrong) < -1
    late = path._replace(forced=np.ones_like(path.forced))
    assert lemmas.forced_rounds_slack(late) < 0
    few = path._replace(counts=np.ones_like(path.counts))
    assert lemmas.fewest_samples_slack(few) < -1


@QUESTION
def test_proposition_1_holds_for_every_question(case):
    path, optimum = fluid_path(case, 600), case.optimum()
    slack = lemmas.average_slack(path, optimum)
    assert 0.3 < slack < 1.0  # the bound is not far off
    halved = path._replace(costs=path.costs * 0.5)
    assert lemmas.average_slack(halved, optimum) < 0


def test_proposition_2_holds_where_the_region_of_the_answer_is_convex():
    case = CASES["best_arm_per_objective"]
    path, optimum = fluid_path(case, 600), case.optimum()
    step, total, last = lemmas.convex_slacks(path, optimum)
    assert step > -1e-7  # attained where one pair of arms is all that matters
    assert total > -ROUNDING
    assert last > -ROUNDING
    even = path._replace(shares=np.full_like(path.shares, 1 / 6))
    assert lemmas.convex_slacks(even, optimum)[0] < -0.1
    slow = path._replace(costs=path.costs * 0.5)
    assert min(lemmas.convex_slacks(slow, optimum)[1:]) < -0.1


def test_proposition_2_holds_for_pareto_sets_where_two_arms_meet():
    """Each dominated arm is dominated by one arm only; the region is not convex."""
    means = [[0.0, 2.0], [1.0, 1.2], [2.0, 0.0], [1.6, -0.5]]
    case = Case("one dominates", pc.Instance(means))
    path, optimum = fluid_path(case, 600), case.optimum()
    assert ((path.shares > 0).sum(axis=1) == 2).all()
    assert min(lemmas.convex_slacks(path, optimum)) > -1e-4


def test_the_step_of_proposition_2_fails_for_some_pareto_sets():
    means = np.random.default_rng(0).normal(size=(5, 8, 2))[4]
    case = Case("three arms move", pc.Instance(means))
    path = fluid_path(case, 600)
    assert (path.shares > 0).sum(axis=1).max() == 3
    assert lemmas.convex_slacks(path, case.optimum())[0] < -0.005
