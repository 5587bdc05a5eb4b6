"""Top-two sampling for each question: its error rate, its allocation, and costs."""

import numpy as np
import pytest

import pareto_core as pc

BEST_ARMS, CONSTRAINED = "best_arm_per_objective", "constrained_pareto_set"
PROBLEMS = ("pareto_set", BEST_ARMS, CONSTRAINED, "partition")
NEED_REGION = (CONSTRAINED, "partition")


MEANS = np.array([[1.0, -0.1], [0.0, 1.0], [-0.6, -0.5], [0.4, 0.4], [-0.5, 0.3]])
COSTS = (1.0, 5.0, 1.0, 0.2, 2.0)
REGION = pc.orthant([-0.2, -0.2])


def cost_at(means, problem, weights, costs=None, **given):
    """Evidence per sample at these proportions, against the easiest answer at these costs."""
    if problem != "partition":
        return pc.transport_cost(means, weights, problem=problem, **given).value
    region = given.pop("polyhedron")
    partition, _ = pc.easiest_partition(means, region, costs=costs, **given)
    return pc.partition_cost(means, weights, region, partition, **given).value


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("costs", [None, COSTS])
def test_the_allocation_becomes_optimal(problem, costs):
    """At the estimated means, the evidence per sample, or per unit of cost, is nearly 1 / T*."""
    given = {"polyhedron": REGION} if problem in NEED_REGION else {}
    algorithm = pc.TopTwoIDS(1e-300, problem=problem, costs=costs)
    instance = pc.Instance(MEANS, **given)
    runs = pc.simulate(algorithm, instance, 2, max_samples=100_000, progress=False)
    each = np.ones(5) if costs is None else np.array(costs)
    for pulls, means in zip(runs.pulls, runs.means, strict=True):
        best = pc.characteristic_time(means, problem=problem, costs=costs, **given)
        found = cost_at(means, problem, pulls / (pulls @ each), costs, **given)
        assert 0.98 < found * best.time < 1 + 1e-3


@pytest.mark.compiled
@pytest.mark.parametrize("problem", PROBLEMS)
def test_risks_share_their_runs(problem):
    instance = pc.Instance(MEANS, polyhedron=REGION if problem in NEED_REGION else None)
    algorithm = pc.TopTwoIDS(problem=problem)
    together = pc.simulate_deltas(algorithm, instance, [0.1, 1e-3], 3, progress=False)
    for runs in together:
        alone = pc.simulate(runs.algorithm, instance, 3, progress=False)
        np.testing.assert_array_equal(alone.samples, runs.samples)
        np.testing.assert_array_equal(alone.answers, runs.answers)
