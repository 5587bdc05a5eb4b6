"""What the chapter *One rule* computes besides simulating."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters import one_rule


def test_the_shares_of_the_evidence_sum_to_one():
    path = one_rule.fluid_path(one_rule.Case(pc.load_instance("six_arms")), 1000)
    assert np.allclose(path.shares.sum(axis=1), 1)
    assert np.allclose(path.targets.sum(axis=1), path.times)


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
