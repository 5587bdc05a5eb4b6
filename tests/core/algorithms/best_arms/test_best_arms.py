"""MO-BAI, D-Tracking and MO-SE sample by sample against plain loops, and their proportions."""

import numpy as np
import pytest
from references import best_arms as reference
from references.martingales import least_removal
from references.runs import follow_run

import pareto_core as pc
from pareto_core.bounds.surrogate import surrogate_space, write_surrogate
from pareto_core.bounds.surrogate.solver import average_surrogates, iteration_memory

MEANS = {
    1: [[1.0], [0.0], [-0.5]],
    2: [[1.0, 0.2], [0.0, 1.3], [-0.4, -0.6], [0.3, -0.5]],
    4: [[0.9, 0.0, 0.1, 0.2], [0.0, 1.1, -0.8, 0.0], [-0.7, -0.9, -0.8, 1.0]],
}
OF_SEVERAL = pytest.mark.parametrize(
    "d", [1, *(pytest.param(d, marks=pytest.mark.slow) for d in (2, 4))]
)


def surrogates(n_arms, n_objectives, eta):
    """Surrogate proportions as a run of MO-BAI would find them."""
    space, proportions = surrogate_space(n_arms, n_objectives), np.empty(n_arms)

    def solve(means, weights):
        assert write_surrogate(means, weights, eta, space, proportions) < 1e-11
        return proportions.copy()

    return solve


def averages(n_arms, n_objectives, iterations, warm_start):
    """Algorithm 3 as a run of D-Tracking would go through it, or exact weights."""
    last = np.full(n_arms, 1 / n_arms)
    space = surrogate_space(n_arms, n_objectives)
    memory = iteration_memory(iterations or 0, n_arms, n_objectives)

    def solve(means):
        if iterations is None:
            return pc.characteristic_time(means, 1e-9, problem="best_arm_per_objective").weights
        if not warm_start:
            last[:] = 1 / n_arms
        assert average_surrogates(means, last, space, memory) < 1e-11
        return last

    return solve


def follow(algorithm, means, plain, most=10_000):
    follow_run(algorithm, pc.Problem(*means.shape), plain, means, np.random.default_rng(5), most)


@OF_SEVERAL
@pytest.mark.parametrize(
    ("eta", "threshold"),
    [(0.0, "iterated_logarithm"), (0.1, "iterated_logarithm"), (2.0, "gamma")],
)
def test_runs_of_mobai_are_those_of_the_plain_loop(d, eta, threshold):
    means = np.array(MEANS[d])
    algorithm = pc.MOBAI(1e-6, eta, threshold)
    plain = reference.MOBAILoop(algorithm, *means.shape, surrogates(*means.shape, eta))
    follow(algorithm, means, plain)


@pytest.mark.compiled
@OF_SEVERAL
@pytest.mark.parametrize(
    ("iterations", "warm_start", "tracking"),
    [(1, False, "D"), (7, False, "D"), (7, True, "C"), (None, False, "D"), (None, False, "C")],
)
def test_runs_of_d_tracking_are_those_of_the_plain_loop(d, iterations, warm_start, tracking):
    means = np.array(MEANS[d])
    algorithm = pc.DTracking(1e-4, iterations, warm_start, tracking)
    solve = averages(*means.shape, iterations, warm_start)
    plain = reference.DTrackingLoop(algorithm, *means.shape, solve)
    follow(algorithm, means, plain, most=400)


@OF_SEVERAL
@pytest.mark.parametrize("count", ["arm", "total"])
def test_runs_of_mose_are_those_of_the_plain_loop(d, count):
    means, algorithm = 2 * np.array(MEANS[d]), pc.MOSE(0.2, count)
    plain = reference.MOSELoop(algorithm, *means.shape)
    follow(algorithm, means, plain)


@pytest.mark.statistical
@pytest.mark.parametrize("eta", [0.1, 1.0])
def test_proportions_tend_to_those_of_the_characteristic_time(eta):
    instance = pc.generators.distinct_best_arms(6, 3, np.random.default_rng(4))
    best = pc.characteristic_time(instance.means, problem="best_arm_per_objective", eta=eta)
    algorithm = pc.MOBAI(1e-300, eta=eta)
    runs = pc.simulate(algorithm, instance, 4, max_samples=50_000, progress=False)
    shares = runs.pulls / runs.samples[:, None]
    attained = [
        1 / pc.transport_cost(instance.means, share, problem="best_arm_per_objective").value
        for share in shares
    ]
    assert np.mean(attained) == pytest.approx(best.time, rel=0.1)


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
