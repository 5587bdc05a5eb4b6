"""MO-SE: its loop, both readings of t, and how often it is wrong."""

import numpy as np
import pytest
from references import best_arms as reference
from scipy.stats import binomtest

from pareto_core import MOSE, Instance, simulate

MEANS = {
    1: [[2.0], [0.0], [-0.5]],
    3: [[1.5, 0.2, 0.0], [0.0, 1.3, 1.0], [-0.4, -0.6, 2.0], [0.3, -0.5, -1.0]],
}


@pytest.mark.parametrize("d", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("count", ["arm", "total"])
def test_runs_are_those_of_the_plain_loop(d, count):
    means = np.array(MEANS[d])
    for run in range(3):
        plain = reference.MOSELoop(*means.shape, 0.2, count)
        reference.assert_is_the_plain_loop(MOSE(0.2, count), means, plain, run)


@pytest.mark.statistical
@pytest.mark.slow
# Of 400 runs at a rate of 2 delta, at most 40 err with probability 5e-8.
@pytest.mark.parametrize("instances", [20, pytest.param(60, marks=pytest.mark.thorough)])
def test_error_rate_is_at_most_delta_with_the_samples_of_the_arm_and_not_with_all(instances):
    rng = np.random.default_rng(3)
    errors, total = {"arm": 0, "total": 0}, 0
    for number in range(instances):
        shape = int(rng.integers(2, 6)), int(rng.integers(1, 4))
        instance = Instance(2 * rng.standard_normal(shape))
        total += 20
        for count in errors:
            runs = simulate(
                MOSE(0.1, count), instance, 20, number, max_samples=10**6, progress=False
            )
            errors[count] += int((~runs.correct & runs.stopped).sum())
    assert total == 20 * instances
    assert errors["arm"] / total <= 0.1
    assert binomtest(errors["total"], total, 0.1, alternative="less").pvalue < 0.01 or (
        errors["total"] > errors["arm"]
    )
