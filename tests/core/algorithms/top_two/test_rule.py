"""The rule of top-two sampling: sample by sample, its forced rounds, its costs, its parameters."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.loop.record import observe


@pytest.mark.compiled
@pytest.mark.parametrize("exploration", ["evidence", "square_root", "none"])
def test_samples_follow_the_targets(exploration):
    """Lemma 1 of the appendix: no arm is ahead by more than 1, or behind by more than ln K."""
    n_arms, rng = 7, np.random.default_rng(0)
    algorithm = pc.TopTwoIDS(delta=1e-300, exploration=exploration)
    run = algorithm.begin(pc.Problem(n_arms, 2), rng)
    means = rng.standard_normal((n_arms, 2))
    for t in range(2000):
        arm, number = run.select()
        observe(run.record, arm, number, means[arm] + rng.standard_normal(2), np.zeros(2))
        if t >= n_arms:
            ahead = run.record.counts - run.state.targets
            assert -np.log(n_arms) - 1e-9 <= ahead.min() <= ahead.max() <= 1 + 1e-9


@pytest.mark.compiled
@pytest.mark.parametrize("exploration", ["evidence", "square_root"])
def test_every_arm_gets_its_minimum(exploration):
    """Lemma 3 of the appendix, with ten arms."""
    algorithm = pc.TopTwoIDS(1e-300, exploration=exploration)
    instance = pc.Instance([[0.0], [0.1], *([-3.0 - k] for k in range(8))])
    for samples in (10, 30, 100, 1000, 20_000):
        runs = pc.simulate(algorithm, instance, 4, max_samples=samples, progress=False)
        root = np.sqrt(samples)
        assert runs.pulls.min() >= (root / 5 if exploration == "evidence" else root - 5) - 1


@pytest.mark.compiled
def test_an_arm_that_was_unlucky_at_first_is_sampled_again():
    means = np.zeros((6, 2))
    means[0] = 0.7
    instance = pc.Instance(means)
    found = pc.simulate(pc.TopTwoIDS(), instance, 200, max_samples=5000, progress=False)
    assert found.stopped.all()
    never = pc.TopTwoIDS(exploration="none")
    found = pc.simulate(never, instance, 200, max_samples=5000, progress=False)
    assert not found.stopped.all()
