"""D-Tracking for the best arm of every objective."""

import numpy as np
import pytest
from references import best_arms as reference
from references.best_arms import hard_instances
from references.error_rate import assert_rarely_wrong
from references.runs import run_quietly

from pareto_core import DTracking, characteristic_time
from pareto_core.bounds.surrogate import surrogate_space
from pareto_core.bounds.surrogate.solver import average_surrogates, iteration_memory
from pareto_core.confidence.thresholds import iterated_logarithm_threshold
from pareto_core.instances.generators import distinct_best_arms

MEANS = {
    1: [[1.0], [0.0], [-0.5]],
    3: [[1.0, 0.2, 0.0], [0.0, 1.3, 0.9], [-0.4, -0.6, 2.0], [0.3, -0.5, -1.0]],
}


def solver(n_arms, n_objectives, iterations, warm_start):
    """Algorithm 3 as a run of its own would go through it, or exact weights."""
    equal = np.full(n_arms, 1 / n_arms)
    last = equal.copy()
    space = surrogate_space(n_arms, n_objectives)
    memory = iteration_memory(iterations or 0, n_arms, n_objectives)

    def solve(means):
        if iterations is None:
            return characteristic_time(means, 1e-9, problem="best_arm_per_objective").weights
        if not warm_start:
            last[:] = equal
        assert average_surrogates(means, last, space, memory) < 1e-11
        return last

    return solve


@pytest.mark.compiled
@pytest.mark.parametrize("d", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("iterations", "warm_start", "tracking"),
    [(1, False, "D"), (7, False, "D"), (7, True, "C"), (None, False, "D"), (None, False, "C")],
)
def test_runs_are_those_of_the_plain_loop(d, iterations, warm_start, tracking):
    def needed(samples):
        return iterated_logarithm_threshold(samples, 1e-4)

    means = np.array(MEANS[d])
    algorithm = DTracking(1e-4, iterations, warm_start, tracking)
    for run in range(3):
        solve = solver(*means.shape, iterations, warm_start)
        plain = reference.DTrackingLoop(*means.shape, needed, solve, tracking)
        reference.assert_is_the_plain_loop(algorithm, means, plain, run, most=400)


@pytest.mark.statistical
def test_exact_weights_reach_the_characteristic_time():
    instance = distinct_best_arms(6, 3, np.random.default_rng(4))
    best = characteristic_time(instance.means, problem="best_arm_per_objective")
    runs = run_quietly(DTracking(delta=1e-300), instance, 4, max_samples=30_000)
    attained = [
        1 / reference.confusion_cost(instance.means, pulls / pulls.sum()) for pulls in runs.pulls
    ]
    assert np.mean(attained) == pytest.approx(best.time, rel=0.1)


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {},
        pytest.param({"tracking": "C"}, marks=pytest.mark.thorough),
        {"iterations": 5},
        pytest.param({"iterations": 5, "warm_start": True}, marks=pytest.mark.thorough),
    ],
)
def test_error_rate_is_at_most_delta(settings):
    algorithm = DTracking(delta=0.1, **settings)
    assert_rarely_wrong(algorithm, hard_instances(100), 20, max_samples=10**6)
