"""What the chapter *One rule* computes besides simulating."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters import one_rule
from pareto_book.chapters.one_rule import Case
from pareto_book.kept_runs.competitions import find_instance

SIX = Case(pc.load_instance("six_arms"))


def distances(case, proportions):
    time = case.optimum().time
    return [1 - time * case.cost(each).value for each in proportions]


def test_shares_sum_to_one_and_the_targets_approach_the_optimum():
    path = one_rule.fluid_path(SIX, 1000)
    assert np.allclose(path.shares.sum(axis=1), 1)
    assert np.allclose(path.targets.sum(axis=1), path.times)
    start, early, late = distances(SIX, path.targets[[0, 94, -1]] / path.times[[0, 94, -1], None])
    assert 0 <= late < 0.005 < early < start
    assert one_rule.divergence(SIX.optimum().weights, path.targets[-1]) < 2e-3


def test_a_mixture_gives_each_arm_its_uniform_part():
    _, entrants, instance = find_instance("five arms, oracle")
    optimal = np.array(entrants["oracle"].algorithm.proportions)
    mixed = np.array(entrants["oracle, 20% uniform"].algorithm.proportions)
    np.testing.assert_allclose(mixed, 0.8 * optimal + 0.2 / instance.n_arms, rtol=1e-5)


@pytest.mark.parametrize("n_pairs", [1, 3])
def test_the_closest_wrong_answers_of_pairs_have_the_same_cost(n_pairs):
    instance = one_rule.pairs_instance(n_pairs, 0.5)
    found = pc.characteristic_time(instance.means)
    assert found.time == pytest.approx(8 * n_pairs / 0.25, rel=1e-4)
    np.testing.assert_allclose(found.weights, 1 / instance.n_arms, rtol=1e-2)
    assert instance.pareto_set.tolist() == list(range(0, 2 * n_pairs, 2))


def test_the_least_evidence_of_a_pair_is_the_transportation_cost():
    algorithm = pc.TopTwoIDS(delta=1e-200)
    times, evidence = one_rule.pair_evidences(algorithm, 3, 1.0, 120, seed=1)
    run = pc.trajectory(algorithm, one_rule.pairs_instance(3, 1.0), times, seed=1)
    for k in range(60, times.size, 20):
        cost = pc.transport_cost(run.means[k], run.counts[k]).value
        assert abs(evidence[k].min()) == pytest.approx(cost)
