"""The rule of top-two sampling: sample by sample, its forced rounds, its costs, its parameters."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.loop.record import observe

PROBLEMS = ("pareto_set", "best_arm_per_objective", "constrained_pareto_set", "partition")
NEED_REGION = ("constrained_pareto_set", "partition")


def runs_stuck_on_the_forced_minimum(adds_forced_sample, runs, samples):
    """Runs in which arm 1 is sampled only when forced, for "is any arm positive?".

    The best proportions are those of arm 1 alone. The rule adds forced samples to the targets, or
    adds the shares in forced rounds too.
    """
    means = np.array([1.0, 1.6] + 20 * [-1.0])
    n_arms, each, rng = len(means), np.arange(runs), np.random.default_rng(0)
    sums = means + rng.standard_normal((runs, n_arms))
    counts, targets = np.ones((2, runs, n_arms))
    for t in range(n_arms, samples):
        average = sums / counts
        positive = counts * np.maximum(average, 0) ** 2
        none = ~positive.any(axis=1)
        closest = (counts * average**2)[none].argmin(axis=1)  # would be positive instead
        positive[none] = np.arange(n_arms) == closest[:, None]
        growth = positive / positive.sum(axis=1, keepdims=True)
        rarest = counts.argmin(axis=1)
        forced = counts.min(axis=1) <= np.sqrt(t) - n_arms / 2
        if adds_forced_sample:
            growth[forced] = np.arange(n_arms) == rarest[forced, None]
        targets += growth
        arms = np.where(forced, rarest, (targets - counts).argmax(axis=1))
        counts[each, arms] += 1
        sums[each, arms] += means[arms] + rng.standard_normal(runs)
    return int((counts[:, 1] <= np.sqrt(samples) - n_arms / 2 + 1).sum())


def test_targets_must_grow_by_the_forced_samples():
    """Otherwise the arm waits for ever in about every sixth run."""
    assert runs_stuck_on_the_forced_minimum(False, 100, 3000) >= 5
    assert runs_stuck_on_the_forced_minimum(True, 100, 3000) == 0


@pytest.mark.thorough
def test_targets_must_grow_by_the_forced_samples_in_long_runs():
    assert runs_stuck_on_the_forced_minimum(False, 150, 10_000) >= 10
    assert runs_stuck_on_the_forced_minimum(True, 150, 10_000) == 0


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


@pytest.mark.slow
@pytest.mark.compiled
def test_it_takes_fewer_samples_than_track_and_stop_on_the_vaccines():
    instance = pc.load_instance("cov_boost")
    first, second = (
        pc.simulate(each, instance, 60, progress=False).samples.mean()
        for each in (pc.TopTwoIDS(alternative_every=5), pc.TrackAndStop(gradient_every=10))
    )
    assert first < second


@pytest.mark.parametrize("problem", NEED_REGION)
def test_a_polyhedron_is_required(problem):
    with pytest.raises(ValueError, match="polyhedron"):
        pc.simulate(pc.TopTwoIDS(problem=problem), pc.Instance(np.eye(2)), 1, progress=False)


def test_a_polyhedron_is_refused_if_the_question_does_not_use_it():
    instance = pc.Instance(np.eye(2), polyhedron=pc.orthant([0.0, 0.0]))
    with pytest.raises(ValueError, match="polyhedron"):
        pc.simulate(pc.TopTwoIDS(), instance, 1, progress=False)
