"""Top-two sampling with features: sample by sample, its error rate, allocation, and refusals."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.algorithms.top_two.linear import spanning_arms
from pareto_core.loop.record import observe
from pareto_core.regression.design import least_squares_means

PROBLEMS = ("pareto_set", "best_arm_per_objective")


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("costly", [False, True])
def test_the_allocation_becomes_optimal(problem, costly):
    """At the estimated means, the evidence per sample, or per unit of cost, is nearly 1 / T*."""
    rng = np.random.default_rng(3)
    features = rng.standard_normal((8, 3))
    instance = pc.Instance(features @ rng.standard_normal((3, 2)), features=features)
    costs = tuple(rng.uniform(0.2, 5.0, 8)) if costly else None
    algorithm = pc.TopTwoIDS(1e-300, problem=problem, linear=True, costs=costs)
    runs = pc.simulate(algorithm, instance, 4, max_samples=100_000, progress=False)
    each = np.array(costs) if costly else np.ones(8)
    for pulls, averages in zip(runs.pulls, runs.means, strict=True):
        means = least_squares_means(features, pulls, pulls[:, None] * averages)
        best = pc.characteristic_time(means, problem=problem, features=features, costs=costs)
        weights = pulls / (pulls @ each)
        found = pc.transport_cost(means, weights, problem=problem, features=features).value
        assert 0.98 < found * best.time < 1 + 1e-3


def test_explored_arms_span_the_features_and_only_they_are_forced():
    noc = pc.load_instance("noc")
    arms = spanning_arms(noc.problem)
    assert np.linalg.matrix_rank(noc.features[arms]) == len(arms) == 4
    algorithm = pc.TopTwoIDS(1e-300, linear=True)
    runs = pc.simulate(algorithm, noc, 2, max_samples=2000, progress=False)
    assert (runs.pulls[:, arms] >= np.sqrt(2000) - 2 - 1).all()
    assert (runs.pulls == 0).any()


def test_there_is_no_evidence_before_the_features_are_spanned():
    problem = pc.Problem(3, 1, features=np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    run = pc.TopTwoIDS(linear=True).begin(problem, np.random.default_rng(0))
    for _ in range(5):
        observe(run.record, 2, 1, np.array([100.0]), np.zeros(1))
        assert not run.stop()
        assert run.estimates() is None
    assert run.select()[0] in run.state.explored  # the first that has no samples


@pytest.mark.slow
def test_a_proven_threshold_needs_more_evidence():
    rng = np.random.default_rng(2)
    features = rng.standard_normal((5, 2))
    instance = pc.Instance(features @ rng.standard_normal((2, 2)), features=features)
    first, second = (
        pc.simulate(pc.TopTwoIDS(0.1, linear=True, threshold=each), instance, 5, progress=False)
        for each in ("stylised", "gamma")
    )
    assert second.stopped.all() and second.correct.all()
    assert (second.samples > first.samples).all()
