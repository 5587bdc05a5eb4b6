"""The cheapest alternative, against brute force over all assignments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import pareto as reference
from references.seeds import MORE, examples

from pareto_core import transport_cost
from pareto_core.transport import branch_and_bound
from pareto_core.transport.addition import dominator_bound

GENERAL = ("branch_and_bound", "cells")
EXACT = 1e-10
MOST_OPTIMAL = 7


def methods(means):
    return (*GENERAL, "sweep") if means.shape[1] == 2 else GENERAL


def tied_instance(rng, p, d):
    """About p optimal arms and a few below them: generic, tied, duplicated, badly scaled."""
    front = rng.standard_normal((p, d))
    if d > 1 and rng.integers(4):
        front -= front.mean(axis=1, keepdims=True)  # on this plane no arm dominates another
    below = [
        front[rng.integers(p, size=rng.integers(1, p + 1))].min(axis=0) - rng.exponential(0.2, d)
        for _ in range(rng.integers(1, 4))
    ]
    means = np.vstack([front, *below])
    if rng.integers(3) == 0:
        means = np.round(means * rng.choice([3, 10]))  # ties
    if rng.integers(4) == 0:
        means = np.vstack([means, means[rng.integers(len(means))]])  # a duplicate
    weights = rng.uniform(0.1, 1, len(means))
    weights[p:] *= rng.choice([1, 10])  # the heavier they are, the more optimal arms step aside
    if rng.integers(2):
        weights = np.ceil(4 * weights)
    means = means * 10.0 ** rng.choice([-8, 0, 8], size=rng.choice([1, d]))
    weights *= 10.0 ** rng.choice([-8, 0, 8])
    weights *= 10 ** (rng.choice([0, 4, 8]) * rng.uniform(-1, 1, len(means)))
    if rng.integers(6) == 0:
        weights[rng.integers(len(means))] = 0
    return means, weights


def instances():
    def build(seed):
        rng = np.random.default_rng(seed)
        d = rng.choice([1, 2, 2, 3, 3, 4, 4])
        return tied_instance(rng, rng.integers(1, MOST_OPTIMAL + 1), d)

    few = st.integers(0, 2**63).map(build)
    return few.filter(lambda pair: len(reference.pareto_set(pair[0])) <= MOST_OPTIMAL)


def rounding(means, weights, alternative):
    """How much the cost may change because a meeting point is rounded to a float.

    All arms that meet move by the same rounding error, and at the minimum the cost
    changes with its square only.
    """
    moved = alternative != means
    error = np.where(moved, np.spacing(np.abs(alternative)), 0).max(axis=0) * len(means)
    return 0.5 * weights.sum() * (error**2).sum()


def assert_same_cost(found, expected, slack=0.0):
    assert abs(found - expected) <= EXACT * expected + slack, (found, expected)


@pytest.mark.slow
@examples(500)
@given(instances())
def test_every_method_equals_brute_force(instance):
    means, weights = instance
    expected, alternative = reference.transport(means, weights)
    slack = rounding(means, weights, alternative)
    for method in methods(means):
        value, gradient, alternative, _ = transport_cost(means, weights, method)
        assert_same_cost(value, expected, slack)
        slack = max(slack, rounding(means, weights, alternative))
        assert_same_cost(reference.cost_of(means, weights, alternative), value, slack)
        assert_same_cost(weights @ gradient, value, slack)


def random_instance(rng, p, d):
    """About p optimal arms and a few dominated ones."""
    front = np.abs(rng.standard_normal((p, d)))
    front /= np.linalg.norm(front, axis=1, keepdims=True)
    below = front[rng.integers(p, size=5)] * rng.uniform(0, 1.1, (5, 1))
    means = np.vstack([front, below])
    kind = rng.integers(3)
    if kind == 1:
        means = np.round(means * 8)
    elif kind == 2:
        means = np.vstack([means, means[rng.integers(len(means), size=3)]])
    weights = 10 ** rng.uniform(-8, 8, len(means)) if rng.integers(2) else rng.random(len(means))
    weights[rng.random(len(means)) < 0.02] = 0
    return means, np.maximum(weights, 1e-30 * (weights.max() == 0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("d", "p", "trials"), [(2, 64, 2000), (3, 24, 2000), (4, 12, 1200), (5, 12, 700)]
)
@MORE
def test_methods_agree_on_many_instances(d, p, trials, times):
    rng = np.random.default_rng(d)
    for _ in range(times * trials):
        means, weights = random_instance(rng, int(rng.integers(1, p + 1)), d)
        expected = transport_cost(means, weights, "cells")
        slack = rounding(means, weights, expected.alternative)
        for method in methods(means):
            found = transport_cost(means, weights, method)
            assert_same_cost(found.value, expected.value, slack)
            assert_same_cost(weights @ found.gradient, expected.value, slack)


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_the_search_counts_the_nodes_that_it_bounds(d):
    means = np.vstack([np.full((2, d), [[2.0], [3.0]]), np.zeros(d)])
    space, point = branch_and_bound.search_space(3, d), np.empty(d)
    for size, upper, nodes in ((0, np.inf, 1), (1, 0.0, 1), (1, np.inf, 2), (2, np.inf, d + 2)):
        # the root; a leaf below it; with two arms also a node for each objective of the first
        front = np.arange(size)
        branch_and_bound.free_target(means, np.ones(3), front, size, 2, upper, point, space)
        assert space.nodes[0] == nodes


@pytest.mark.parametrize("method", ["sweep", "branch_and_bound", "cells"])
@pytest.mark.parametrize("exponent", [1000, 1023, -1000, -1074])
def test_the_cost_is_linear_in_weights_of_any_size(method, exponent):
    means, weights = [[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0], [0.4, 0.4]], np.ones(4)
    expected = transport_cost(means, weights, method)
    found = transport_cost(means, np.ldexp(weights, exponent), method)
    assert found.value == np.ldexp(expected.value, exponent)
    assert (found.gradient == expected.gradient).all()
    assert (found.alternative == expected.alternative).all()


@examples(200)
@given(instances())
def test_the_bound_by_a_dominator_is_at_most_the_cost_of_freeing_an_arm(instance):
    means, weights = instance
    front = np.array(reference.pareto_set(means))
    for target in set(range(len(means))) - set(front.tolist()):
        expected, alternative = reference.free_arm(means, weights, front, target)
        bound = dominator_bound(means, weights, front, 0, len(front), target, np.inf)
        assert bound <= expected * (1 + EXACT) + rounding(means, weights, alternative)


@examples(200)
@given(instances())
def test_the_smallest_push_of_the_arm_changes_its_status(instance):
    means, weights = instance
    optimal = reference.pareto_set(means)
    for method in methods(means):
        cost = transport_cost(means, weights, method)
        was_optimal, pushed = cost.arm in optimal, cost.alternative.copy()
        pushed[cost.arm] = np.nextafter(pushed[cost.arm], -np.inf if was_optimal else np.inf)
        assert (cost.arm in reference.pareto_set(pushed)) != was_optimal


@pytest.mark.parametrize("method", [*GENERAL, "sweep"])
def test_ties_name_a_removal_before_an_addition(method):
    # arms 0 and 1 are optimal and 1 apart; arm 2 is dominated by arm 0 only, which is 1 ahead
    means = [[0.0, 3.0], [1.0, 0.0], [-1.0, 1.0]]
    tied = transport_cost(means, [1.0, 1.0, 1.0], method)
    assert tied.value == 0.25
    assert tied.arm in (0, 1)
    assert transport_cost(means, [1.0, 1.0, 0.5], method).arm == 2  # the addition costs less
    assert transport_cost(means, [1.0, 1.0, 0.0], method).arm == 2  # it costs nothing


def test_an_arm_of_weight_zero_outside_the_front_precedes_optimal_arms_of_weight_zero():
    means = [[0.0, 3.0], [1.0, 0.0], [-1.0, 1.0]]
    assert transport_cost(means, [0.0, 1.0, 0.0]).arm == 2
