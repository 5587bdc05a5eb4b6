"""MO-BAI: its loop, its stopping rule, and how often it is wrong."""

import numpy as np
import pytest
from references import best_arms as reference
from references.best_arms import hard_instances
from references.error_rate import assert_rarely_wrong
from references.martingales import least_removal
from references.runs import run_quietly

import pareto_core as pc
from pareto_core import MOBAI, characteristic_time
from pareto_core.bounds.surrogate import surrogate_space, write_surrogate
from pareto_core.confidence.thresholds import gamma_threshold, iterated_logarithm_threshold
from pareto_core.instances.generators import distinct_best_arms
from pareto_core.simulation.statistics import rate_interval

MEANS = {
    1: [[1.0], [0.0], [-0.5]],
    2: [[1.0, 0.2], [0.0, 1.3], [-0.4, -0.6], [0.3, -0.5]],
    4: [[0.9, 0.0, 0.1, 0.2], [0.0, 1.1, -0.8, 0.0], [-0.7, -0.9, -0.8, 1.0]],
}
THEORY = {"threshold": "gamma"}


def solver(n_arms, n_objectives, eta):
    """Surrogate proportions as a run of its own would find them."""
    space, proportions = surrogate_space(n_arms, n_objectives), np.empty(n_arms)

    def solve(means, weights):
        assert write_surrogate(means, weights, eta, space, proportions) < 1e-11
        return proportions.copy()

    return solve


@pytest.mark.slow
@pytest.mark.parametrize("d", MEANS)
@pytest.mark.parametrize("eta", [0.0, 0.1, 2.0])
def test_runs_are_those_of_the_plain_loop(d, eta):
    def needed(samples):
        return iterated_logarithm_threshold(samples, 1e-6)

    means = np.array(MEANS[d])
    for run in range(3):
        plain = reference.MOBAILoop(*means.shape, needed, solver(*means.shape, eta))
        reference.assert_is_the_plain_loop(MOBAI(1e-6, eta=eta), means, plain, run)


def test_the_proven_threshold_can_be_selected():
    def needed(samples):
        return gamma_threshold(samples, 3, 2, 0.05)

    means, algorithm = np.array([[0.6, 0.0], [0.0, 0.9], [-0.5, -0.5]]), MOBAI(0.05, **THEORY)
    plain = reference.MOBAILoop(3, 2, needed, solver(3, 2, algorithm.eta))
    reference.assert_is_the_plain_loop(algorithm, means, plain, run=0)


@pytest.mark.statistical
@pytest.mark.parametrize("eta", [0.1, 1.0])
def test_proportions_tend_to_those_of_the_characteristic_time(eta):
    instance = distinct_best_arms(6, 3, np.random.default_rng(4))
    best = characteristic_time(instance.means, problem="best_arm_per_objective", eta=eta)
    runs = run_quietly(MOBAI(delta=1e-300, eta=eta), instance, 4, max_samples=50_000)
    shares = runs.pulls / runs.samples[:, None]
    attained = [1 / reference.confusion_cost(instance.means, share) for share in shares]
    assert np.mean(attained) == pytest.approx(best.time, rel=0.1)


# Instances, and runs of each. Of 400 runs that err at a rate of 2 delta, more than 55 err, which is
# refused, with probability 0.999.
ERROR_RATES = [(40, 10), pytest.param(100, 20, marks=pytest.mark.thorough)]


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, THEORY])
@pytest.mark.parametrize(("instances", "runs_of_each"), ERROR_RATES)
def test_error_rate_is_at_most_delta(settings, instances, runs_of_each):
    assert_rarely_wrong(MOBAI(delta=0.1, **settings), hard_instances(instances), runs_of_each)


@pytest.mark.parametrize("seed", range(5))
def test_the_proven_rule_stops_when_each_best_arm_is_proven(seed):
    rng = np.random.default_rng(seed)
    instance = pc.Instance(np.array(MEANS[2]) + 0.1 * rng.standard_normal((4, 2)))
    algorithm = pc.MOBAI(delta=0.05, threshold="proven")
    found = pc.trajectory(algorithm, instance, [10**5], seed=seed)
    before = pc.trajectory(algorithm, instance, [found.times[-1] - 1], seed=seed)
    needed = np.log(2 * 3 / 0.05)
    least = [
        min(
            least_removal(
                seen.counts[-1][[leader, k]], seen.means[-1][leader, c] - seen.means[-1][k, c]
            )
            for c, leader in enumerate(pc.best_arms(seen.means[-1]))
            for k in range(4)
            if k != leader
        )
        for seen in (before, found)
    ]
    assert least[0] < needed <= least[1] + 1e-2


@pytest.mark.statistical
def test_the_proven_rule_controls_the_error_rate():
    instance = pc.Instance([[0.1, 0.0], [0.0, 0.1]])
    algorithm = pc.MOBAI(delta=0.5, threshold="proven")
    found = pc.simulate(algorithm, instance, 300, max_samples=2000, progress=False)
    assert rate_interval((found.stopped & ~found.correct).sum(), 300)[0] <= 0.5
