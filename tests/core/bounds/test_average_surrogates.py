"""The average of surrogate proportions that D-Tracking iterates (Algorithm 3)."""

from itertools import pairwise

import numpy as np
import pytest
from references.surrogate import highs_optimum, random_means

from pareto_core.bounds.surrogate import (
    surrogate_proportions,
    surrogate_space,
    surrogate_value,
    write_surrogate,
)
from pareto_core.bounds.surrogate.solver import average_surrogates, iteration_memory


def iterate(means, iterations, weights):
    """Algorithm 3 from ``weights``, with an empty memory."""
    memory = iteration_memory(iterations, *means.shape)
    return average_surrogates(means, weights, surrogate_space(*means.shape), memory)


def averages(means, weights, n):
    """Weights after 0, 1, ..., n iterations of Algorithm 3, and each iteration's proportions."""
    steps = [weights]
    for k in range(1, n + 1):
        steps.append(weights.copy())
        assert iterate(means, k, steps[-1]) < 1e-11
    sums = [k * step for k, step in enumerate(steps)]
    return steps, [after - before for before, after in pairwise(sums)]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("uniform", [True, False])
@pytest.mark.parametrize(
    ("shape", "n"), [((20, 10), 60), ((206, 2), 60), ((3, 2), 20), ((2, 1), 5)]
)
def test_every_iteration_of_algorithm_3_adds_an_optimum(shape, n, uniform):
    rng = np.random.default_rng(shape[0])
    for kind in ["normal", "all leaders"]:
        means = random_means(rng, shape, kind)
        start = np.full(shape[0], 1 / shape[0]) if uniform else rng.dirichlet(np.ones(shape[0]))
        steps, proportions = averages(means, start, n)
        for weights, s in zip(steps[:-1], proportions, strict=True):
            assert s.sum() == pytest.approx(1, abs=1e-11)
            assert s.min() >= -1e-12
            optimum, cold = (
                highs_optimum(means, weights, 0),
                surrogate_proportions(means, weights, 0),
            )
            assert surrogate_value(means, weights, s) == pytest.approx(optimum, rel=1e-9)
            assert cold.value == pytest.approx(optimum, rel=1e-9)
            assert cold.relative_gap < 1e-11


@pytest.mark.compiled
@pytest.mark.parametrize("shape", [(20, 10), (60, 2)])
def test_algorithm_3_starts_each_iteration_from_its_optimum_in_the_last_call(shape):
    rng = np.random.default_rng(8)
    truth, n, count = random_means(rng, shape, "all leaders"), shape[0], 8
    memory, space = iteration_memory(count, *shape), surrogate_space(*shape)
    spaces, proportions = [surrogate_space(*shape) for _ in range(count)], np.empty(n)
    for _ in range(30):
        means = truth + 0.01 * rng.normal(size=shape)
        ours, weights, total, gaps = np.full(n, 1 / n), np.full(n, 1 / n), np.zeros(n), []
        for k, own in enumerate(spaces, start=1):
            gaps.append(write_surrogate(means, weights, 0.0, own, proportions))
            total += proportions
            weights = total / k
        assert average_surrogates(means, ours, space, memory) == max(gaps) < 1e-11
        np.testing.assert_array_equal(ours, weights)


def test_algorithm_3_without_iterations_does_not_change_the_weights():
    weights = np.array([0.5, 0.25, 0.25])
    assert iterate(np.eye(3), 0, weights) == 0
    np.testing.assert_array_equal(weights, [0.5, 0.25, 0.25])


@pytest.mark.parametrize("n_arms", [2, 5, 10])
def test_algorithm_3_approaches_the_oracle_weights(n_arms):
    # with one objective and equal gaps, the best arm has sqrt(K - 1) times the others' weight
    means, weights = np.eye(n_arms)[:, :1].copy(), np.full(n_arms, 1 / n_arms)
    iterate(means, 10_000, weights)
    other = 1 / (n_arms - 1 + np.sqrt(n_arms - 1))
    oracle = np.full(n_arms, other)
    oracle[0] = other * np.sqrt(n_arms - 1)
    best = surrogate_value(means, oracle, oracle)
    assert surrogate_value(means, weights, weights) == pytest.approx(best, rel=0.02)
