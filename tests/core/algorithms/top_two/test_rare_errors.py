"""Error rates of TopTwoIDS that are too small to count, for each question and noise."""

import numpy as np
import pytest
from scipy.stats import binomtest

import pareto_core as pc
from pareto_book.error_rates import error_probabilities, error_probability, fit_proposals
from pareto_book.error_rates.estimate import weighted_count_interval

BEST_ARMS, CONSTRAINED = "best_arm_per_objective", "constrained_pareto_set"
MEANS = np.array([[0.0, 0.0], [-0.1, -1.0], [-1.0, 0.3]])
TILTED = np.array([[1.0, 0.8], [0.8, 1.0]])
OWN = np.array([TILTED, [[1.0, -0.3], [-0.3, 0.5]], [[2.0, 0.0], [0.0, 1.0]]])
FEATURES = np.array([[1.0, 0.0], [0.0, 1.0], [0.8, 0.8], [0.9, -0.5]])
LINEAR = FEATURES @ np.array([[0.6, -0.2], [0.0, 0.5]])
REGION = pc.Polyhedron([[-1.0, 0.0]], [0.0])
INSTANCES = {
    "one covariance": pc.Instance(MEANS, covariance=TILTED),
    "a covariance per arm": pc.Instance(MEANS, covariance=OWN),
    "features": pc.Instance(LINEAR, features=FEATURES),
    "a region": pc.Instance([[0.3, 0.0], [-0.3, -1.0], [1.0, -0.5]], polyhedron=REGION),
}
CASES = [
    ("pareto_set", "one covariance"),
    ("pareto_set", "a covariance per arm"),
    ("pareto_set", "features"),
    (BEST_ARMS, "one covariance"),
    (BEST_ARMS, "a covariance per arm"),
    (BEST_ARMS, "features"),
    (CONSTRAINED, "a region"),
]
EACH_CASE = pytest.mark.parametrize(("problem", "name"), CASES)
RISKS = (0.1, 1e-3)
OPTIONS = {"max_samples": 100, "n_jobs": 1}


def rule(problem, name, delta=0.1):
    return pc.TopTwoIDS(delta, problem=problem, linear=name == "features")


def estimated(problem, name, fitting, runs):
    """Estimated error rates at the two risks."""
    algorithm, instance = rule(problem, name), INSTANCES[name]
    proposals = fit_proposals(algorithm, instance, fitting, seed=1, deltas=RISKS, **OPTIONS)
    return error_probabilities(algorithm, instance, proposals, RISKS, runs, seed=2, **OPTIONS)


@pytest.mark.statistical
@pytest.mark.slow
@EACH_CASE
def test_error_rate_too_small_to_count_is_at_most_delta(problem, name):
    for each in estimated(problem, name, 150, 300):
        assert each.effective_errors > 2
        assert 0 < each.probability <= each.high < each.delta


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.thorough
@EACH_CASE
def test_error_rate_is_at_most_delta_in_many_runs(problem, name):
    for each in estimated(problem, name, 1000, 4000):
        assert each.effective_errors > 20
        assert 0 < each.probability <= each.high < 0.3 * each.delta


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.thorough
@EACH_CASE
def test_agrees_with_counting(problem, name):
    """At a risk at which errors are frequent enough to be counted."""
    algorithm, instance = rule(problem, name, 0.5), INSTANCES[name]
    proposals = fit_proposals(algorithm, instance, 400, seed=1, **OPTIONS)
    found = error_probability(algorithm, instance, proposals, 3000, seed=2, **OPTIONS)
    runs = pc.simulate(algorithm, instance, 8000, seed=3, progress=False, **OPTIONS)
    errors = int((runs.stopped & ~runs.correct).sum())
    counted = binomtest(errors, 8000).proportion_ci(0.999, "exact")
    low, high = weighted_count_interval(found.contributions, 1.0, 0.999)
    assert errors >= 10
    assert found.effective_errors >= 50
    assert counted.low <= high
    assert low <= counted.high
    assert high < 3 * low
