"""Top-two sampling for each question: its allocation, its forced samples, and several risks."""

import dataclasses

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.loop.record import observe
from pareto_core.regression.design import least_squares_means

PARETO_SET, BEST_ARMS, CONSTRAINED = (
    "pareto_set",
    "best_arm_per_objective",
    "constrained_pareto_set",
)
NEED_REGION = (CONSTRAINED, "partition")
MEANS = np.array([[1.0, -0.1], [0.0, 1.0], [-0.6, -0.5], [0.4, 0.4], [-0.5, 0.3]])
COSTS = (1.0, 5.0, 1.0, 0.2, 2.0)
REGION = pc.orthant([-0.2, -0.2])
RNG = np.random.default_rng(3)
FEATURES, THETA = RNG.standard_normal((8, 3)), RNG.standard_normal((3, 2))
OF_FEATURES = tuple(RNG.uniform(0.2, 5.0, 8))  # costs
EACH = ((1.0, 5.0), (2.0, 0.3), (1.0, 1.0), (0.5, 4.0), (1.0, 1.0))  # costs of arm and objective
VARIANCES = ([1.0, 3.0], [[1.0, 2.0], [3.0, 1.0], [0.5, 1.0], [1.0, 1.0], [2.0, 0.5]])
CASES = [  # algorithm, with or without costs, and what is known of the arms
    *((pc.TopTwoIDS(1e-300, problem=each), COSTS, {"polyhedron": REGION}) for each in NEED_REGION),
    *((pc.TopTwoIDS(1e-300, problem=each), COSTS, {}) for each in (PARETO_SET, BEST_ARMS)),
    *(
        (pc.TopTwoIDS(1e-300, problem=each, linear=True), OF_FEATURES, {"features": FEATURES})
        for each in (PARETO_SET, BEST_ARMS)
    ),
    *(
        (pc.SeparateTopTwo(1e-300, problem=each), EACH, known)
        for each in (PARETO_SET, BEST_ARMS)
        for known in ({}, *({"variance": each} for each in VARIANCES))
    ),
]


def evidence_at(algorithm, means, spent, known, costs):
    """Evidence at these samples for a unit of cost, against the easiest answer at these costs."""
    if algorithm.problem == "partition":
        partition, _ = pc.easiest_partition(means, REGION, costs=costs)
        return pc.partition_cost(means, spent, REGION, partition).value
    if "variance" in known:  # of separate measurements
        return evidence_at(algorithm, means, spent / known["variance"], {}, costs)
    return pc.transport_cost(means, spent, problem=algorithm.problem, **known).value


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("has_costs", [False, True])
@pytest.mark.parametrize(("algorithm", "costs", "known"), CASES)
def test_the_allocation_becomes_optimal(algorithm, costs, known, has_costs):
    """At the estimated means, the evidence per sample, or per unit of cost, is nearly 1 / T*."""
    is_separate, is_linear = algorithm.samples == "values", "features" in known
    costs = costs if has_costs else None
    algorithm = dataclasses.replace(algorithm, costs=costs)
    truth = FEATURES @ THETA if is_linear else MEANS
    instance = pc.Instance(truth, **known)
    runs = pc.simulate(algorithm, instance, 2, max_samples=100_000, progress=False)
    for pulls, means in zip(runs.pulls, runs.means, strict=True):
        if is_linear:
            means = least_squares_means(FEATURES, pulls, pulls[:, None] * means)
        best = pc.characteristic_time(
            means, problem=algorithm.problem, costs=costs, separate=is_separate, **known
        )
        spent = pulls / (pulls * (1.0 if costs is None else np.array(costs))).sum()
        found = evidence_at(algorithm, means, spent, known, costs)
        assert 0.97 < found * best.time < 1 + 1e-3


def test_there_is_no_evidence_before_the_features_are_spanned():
    problem = pc.Problem(3, 1, features=np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    run = pc.TopTwoIDS(linear=True).begin(problem, np.random.default_rng(0))
    for _ in range(5):
        observe(run.record, 2, 1, np.array([100.0]), np.zeros(1))
        assert not run.stop()
        assert run.estimates() is None
    assert run.select()[0] in run.state.explored  # the first that has no samples
