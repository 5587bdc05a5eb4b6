"""MO-SE: its loop, both readings of t, and how often it is wrong."""

import numpy as np
import pytest
from references import best_arms as reference
from scipy.stats import binomtest

from pareto_core import MOSE, Instance, simulate
from pareto_core.simulation.runs import run_generator
from pareto_lab import Session

MEANS = {
    1: [[2.0], [0.0], [-0.5]],
    3: [[1.5, 0.2, 0.0], [0.0, 1.3, 1.0], [-0.4, -0.6, 2.0], [0.3, -0.5, -1.0]],
}


@pytest.mark.slow
@pytest.mark.parametrize("d", MEANS)
@pytest.mark.parametrize("count", ["arm", "total"])
def test_runs_are_those_of_the_plain_loop(d, count):
    means = np.array(MEANS[d])
    n_arms = len(means)
    for run in range(3):
        session = Session(MOSE(delta=0.2, count=count), n_arms, d, 1.0)
        plain = reference.MOSELoop(n_arms, d, 0.2, count)
        rng = run_generator(5, run)
        while not session.finished:
            arm = session.ask()
            assert arm == plain.arm()
            reward = means[arm] + [rng.standard_normal() for _ in range(d)]
            session.tell(arm, reward)
            plain.observe(reward)
            assert session.finished == plain.finished
        runs = simulate(MOSE(0.2, count), Instance(means), run + 1, seed=5, progress=False)
        assert runs.samples[run] == session.samples == plain.samples
        assert runs.pulls[run].tolist() == plain.counts.tolist()
        assert runs.answers[run].tolist() == session.recommendation.tolist() == plain.best


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
