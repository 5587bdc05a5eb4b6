"""Top-two sampling that measures one objective of one arm at a time."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.error_rates import Proposals, error_probability, fit_proposals
from pareto_core.instances.instance import unfolded_instance
from pareto_lab import compare

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5], [0.3, 0.2]])
COSTS = ((1.0, 5.0), (2.0, 0.3), (1.0, 1.0), (0.5, 4.0))


QUESTIONS = pytest.mark.parametrize("problem", ["pareto_set", "best_arm_per_objective"])


@pytest.mark.slow
@pytest.mark.compiled
@QUESTIONS
def test_without_a_second_objective_it_is_top_two_ids(problem):
    instance = pc.Instance([[0.0], [1.0], [0.6]])
    settings = {"runs": 5, "progress": False}
    for threshold in ("stylised", "mixture", "gamma", "iterated_logarithm", "proven"):
        both = {"threshold": threshold, "problem": problem}
        joint = pc.simulate(pc.TopTwoIDS(**both), instance, **settings)
        found = pc.simulate(pc.SeparateTopTwo(**both), instance, **settings)
        np.testing.assert_array_equal(found.pulls[:, :, 0], joint.pulls)
        np.testing.assert_array_equal(found.answers, joint.answers)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("costs", [None, COSTS])
@pytest.mark.parametrize("variance", [None, [1.0, 3.0], [[1, 2], [3, 1], [0.5, 1], [1, 1]]])
@QUESTIONS
def test_the_allocation_becomes_optimal(costs, variance, problem):
    """At the estimated means, the evidence per unit of cost is nearly 1 / T*."""
    algorithm = pc.SeparateTopTwo(1e-200, costs=costs, problem=problem)
    one = {"problem": problem}
    instance = pc.Instance(MEANS, variance=variance)
    runs = pc.simulate(algorithm, instance, 2, progress=False)
    each = np.ones((4, 2)) if costs is None else np.array(costs)
    noise = 1.0 if variance is None else np.array(variance)
    for pulls, means in zip(runs.pulls, runs.means, strict=True):
        best = pc.characteristic_time(means, costs=each, variance=variance, separate=True, **one)
        found = pc.transport_cost(means, pulls / (pulls * each).sum() / noise, **one).value
        assert 0.97 < found * best.time < 1 + 1e-3


@pytest.mark.compiled
def test_a_trajectory_is_a_simulated_run(tmp_path):
    instance, algorithm = pc.Instance(3 * MEANS, variance=[1.0, 9.0]), pc.SeparateTopTwo()
    (run,) = [pc.simulate(algorithm, instance, 1, progress=False, store=tmp_path)]
    kept = pc.simulate(algorithm, instance, 1, progress=False, store=tmp_path)
    found = pc.trajectory(algorithm, instance, [3, int(run.samples[0])])
    assert found.times.tolist() == [3, run.samples[0]]
    for each in (run, kept):
        np.testing.assert_array_equal(found.counts[-1], each.pulls[0])
        np.testing.assert_allclose(found.means[-1] * [1.0, 3.0], each.means[0])


@pytest.mark.parametrize("noise", ["gaussian", "uniform", "bernoulli", "pool"])
def test_pairs_have_the_rewards_of_their_objectives(noise):
    means = np.array([[0.2, 0.7], [0.5, 0.1], [0.4, 0.4]])
    settings = {"variance": [1.0, 4.0]} if noise in ("gaussian", "uniform") else {}
    if noise == "pool":
        rewards = [row + np.arange(4.0)[:, None] * [1.0, -1.0] for row in means]
        instance = pc.Instance.from_observations(rewards)
    else:
        instance = pc.Instance(means, noise=noise, **settings)
    found = unfolded_instance(instance)
    np.testing.assert_allclose(found.means.reshape(3, 2), instance.means)
    np.testing.assert_allclose(
        found.variance.reshape(3, 2), np.broadcast_to(instance.variance, (3, 2))
    )
    assert found.noise == noise
    if noise == "pool":
        np.testing.assert_array_equal(found.observations[3], rewards[1][:, [1]])


def test_instances_and_uses_that_it_cannot_serve_are_refused():
    algorithm, plain = pc.SeparateTopTwo(), pc.Instance(MEANS)
    correlated = pc.Instance(MEANS, covariance=[[1.0, 0.5], [0.5, 1.0]])
    with pytest.raises(ValueError, match="correlated objectives for SeparateTopTwo"):
        pc.simulate(algorithm, correlated, 1)
    with pytest.raises(ValueError, match=r"costs = .*array of shape \(4, 2\)"):
        pc.simulate(pc.SeparateTopTwo(costs=[1.0, 1.0, 1.0]), plain, 1)
    with pytest.raises(ValueError, match="measures objectives separately"):
        pc.Certified(algorithm)
    with pytest.raises(ValueError, match="expected one that samples all objectives"):
        fit_proposals(algorithm, plain, runs=10)
    proposals = Proposals(MEANS[None], np.ones(1))
    with pytest.raises(ValueError, match="expected one that samples all objectives"):
        error_probability(algorithm, plain, proposals, runs=10)
    with pytest.raises(ValueError, match="expected one that samples all objectives"):
        compare([algorithm], [plain], runs=1)
