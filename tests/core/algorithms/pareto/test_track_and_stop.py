"""Track-and-Stop: the loop, its answers, and its sessions."""

import numpy as np
import pytest
from references import pareto as reference
from scipy.stats import binomtest

from pareto_core import Instance, TrackAndStop, characteristic_time, simulate
from pareto_core.confidence.thresholds import mixture_threshold, stylised_threshold
from pareto_core.simulation.runs import run_generator
from pareto_lab import Session

EASY = Instance([[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0]])
MEANS = {
    1: [[1.0], [0.0], [-0.5]],
    2: [[1.0, 0.2], [0.0, 1.3], [-0.4, -0.6], [0.3, -0.5]],
    3: [[0.9, 0.0, 0.1], [0.0, 1.1, -0.8], [-0.7, -0.9, -0.8], [0.2, -0.5, 0.8]],
}


def run_quietly(algorithm, instance, runs=1, **settings):
    return simulate(algorithm, instance, runs, progress=False, **settings)


def assert_is_the_plain_loop(algorithm, means, seed, run):
    """Follow a session with the plain loop, and check that a simulation draws the same run.

    Where two arms lag equally (after the first step any two that met half way do), rounding
    decides, and the plain loop follows the session.
    """
    means = np.array(means)
    n_arms, d = means.shape
    session, plain = (
        Session(algorithm, n_arms, d, 1.0),
        reference.TrackAndStopLoop(n_arms, d, algorithm),
    )
    rng = run_generator(seed, run)
    while not session.finished:
        arm = session.ask()
        assert arm in plain.arms()
        reward = means[arm] + [rng.standard_normal() for _ in range(d)]
        session.tell(arm, reward)
        plain.observe(arm, reward)
        assert session.finished == plain.stops()
    runs = run_quietly(algorithm, Instance(means), runs=run + 1, seed=seed)
    assert runs.samples[run] == session.samples == plain.counts.sum()
    assert runs.pulls[run].tolist() == plain.counts.tolist()
    assert np.flatnonzero(runs.answers[run]).tolist() == plain.answer()


@pytest.mark.slow
@pytest.mark.parametrize("d", MEANS)
@pytest.mark.parametrize("tracking", ["C", "D"])
@pytest.mark.parametrize(("gradient_every", "check_every"), [(1, 1), (10, 25)])
def test_runs_are_those_of_the_plain_loop(d, tracking, gradient_every, check_every):
    algorithm = TrackAndStop(
        delta=0.2, tracking=tracking, gradient_every=gradient_every, check_every=check_every
    )
    for run in range(3):
        assert_is_the_plain_loop(algorithm, MEANS[d], seed=5, run=run)


@pytest.mark.parametrize("exploration", ["square_root", "evidence", "none"])
@pytest.mark.parametrize("tracking", ["C", "D"])
def test_runs_are_those_of_the_plain_loop_with_each_exploration(exploration, tracking):
    algorithm = TrackAndStop(1e-4, tracking, gradient_every=5, exploration=exploration)
    assert_is_the_plain_loop(algorithm, [[1.0, 1.0], [-3.0, -3.0], [0.3, 0.4]], seed=1, run=0)


@pytest.mark.compiled
def test_forced_exploration_samples_every_arm_like_the_square_root_of_the_time():
    # an arm far below the others would hardly be sampled; T* is 200 for the first two
    far = Instance([[0.2], [0.0], [-20.0]])
    samples = 10_000
    most = {"max_samples": samples, "runs": 4}
    forced = run_quietly(TrackAndStop(delta=1e-300), far, **most)
    free = run_quietly(TrackAndStop(delta=1e-300, exploration="none"), far, **most)
    assert (forced.pulls.min(axis=1) >= np.sqrt(samples) - 3 / 2 - 1).all()
    assert (free.pulls.min(axis=1) < np.sqrt(samples) - 3 / 2 - 1).any()


def small_instances(count):
    """Random instances of 3 to 6 arms in 1 to 3 objectives that take some hundred samples."""
    rng = np.random.default_rng(2024)
    while count:
        means = rng.standard_normal((int(rng.integers(3, 7)), int(rng.integers(1, 4))))
        if characteristic_time(means, relative_gap=0.01).time < 150:
            count -= 1
            yield Instance(means)


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize("instances", [80, pytest.param(200, marks=pytest.mark.thorough)])
def test_error_rate_is_at_most_delta(instances):
    delta, errors, total = 0.1, 0, 0
    for number, instance in enumerate(small_instances(instances)):
        algorithm = TrackAndStop(delta=delta, tracking="CD"[number % 2])
        runs = run_quietly(algorithm, instance, runs=10, seed=number)
        assert runs.stopped.all()
        errors += int((~runs.correct).sum())
        total += len(runs.correct)
    assert total == 10 * instances
    assert errors / total <= delta
    assert binomtest(errors, total, delta, alternative="greater").pvalue > 0.01


@pytest.mark.statistical
def test_answers_on_an_easy_instance_are_nearly_always_right():
    runs = run_quietly(TrackAndStop(delta=0.01), EASY, runs=500)
    assert runs.stopped.all()
    assert runs.correct.mean() >= 0.99


@pytest.mark.statistical
def test_two_arms_in_one_dimension_stop_at_the_threshold():
    # t g = t / T* on average with half the samples each, so t is near T* beta(t), T* = 8 / gap^2
    delta, time = 1e-8, 8 / 0.25**2
    expected = time
    for _ in range(50):
        expected = time * stylised_threshold(int(expected), delta)
    runs = run_quietly(TrackAndStop(delta=delta), Instance([[0.25], [0.0]]), runs=300)
    assert runs.samples.mean() == pytest.approx(expected, rel=0.05)
    assert runs.pulls.sum(axis=0) / runs.samples.sum() == pytest.approx([0.5, 0.5], abs=0.02)
    assert runs.correct.all()


@pytest.mark.parametrize(("threshold", "check_every"), [("stylised", 1), ("mixture", 7)])
def test_stops_at_the_first_check_with_evidence_above_the_threshold(threshold, check_every):
    means = np.array([[0.6, 0.0], [0.0, 0.9], [-0.5, -0.5]])
    algorithm = TrackAndStop(delta=0.05, threshold=threshold, check_every=check_every)
    session = Session(algorithm, 3, 2, 1.0)
    while not session.finished:
        arm = session.ask()
        session.tell(arm, means[arm])
        if session.samples < 3 or session.samples % check_every:
            assert not session.finished
            continue
        evidence = reference.transport(session.means, session.pulls.astype(float))[0]
        if threshold == "stylised":
            needed = stylised_threshold(session.samples, 0.05)
        else:
            needed = mixture_threshold(session.pulls, 2, 0.05)
        assert session.finished == (evidence >= needed)
    assert session.recommendation.tolist() == [0, 1]
