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


@pytest.mark.parametrize("forced", [True, False])
def test_runs_are_those_of_the_plain_loop_with_and_without_forced_exploration(forced):
    algorithm = TrackAndStop(delta=1e-4, forced_exploration=forced, gradient_every=5)
    assert_is_the_plain_loop(algorithm, [[1.0, 1.0], [-3.0, -3.0], [0.3, 0.4]], seed=1, run=0)


@pytest.mark.compiled
def test_forced_exploration_samples_every_arm_like_the_square_root_of_the_time():
    # an arm far below the others would hardly be sampled; T* is 200 for the first two
    far = Instance([[0.2], [0.0], [-20.0]])
    samples = 10_000
    most = {"max_samples": samples, "runs": 4}
    forced = run_quietly(TrackAndStop(delta=1e-300), far, **most)
    free = run_quietly(TrackAndStop(delta=1e-300, forced_exploration=False), far, **most)
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


@pytest.mark.parametrize("value", [0, 1, -0.1, 2, np.nan, np.inf, "0.1", None, True])
def test_delta_is_checked(value):
    with pytest.raises(ValueError, match=r"^delta = "):
        TrackAndStop(delta=value)


@pytest.mark.parametrize("name", ["gradient_every", "check_every"])
@pytest.mark.parametrize("value", [0, -1, 2.5, "1", None, True])
def test_periods_are_checked(name, value):
    with pytest.raises(ValueError, match=f"^{name} = "):
        TrackAndStop(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tracking", "d"),
        ("tracking", None),
        ("threshold", "mixtur"),
        ("threshold", 1),
        ("forced_exploration", 1),
        ("forced_exploration", None),
    ],
)
def test_choices_are_checked(name, value):
    with pytest.raises(ValueError, match=f"^{name} = {value!r}"):
        TrackAndStop(**{name: value})


@pytest.mark.parametrize("d", MEANS)
def test_session_fed_the_same_rewards_is_the_simulated_run(d):
    algorithm = TrackAndStop(delta=0.1, gradient_every=3, check_every=2)
    means = np.array(MEANS[d])
    runs = run_quietly(algorithm, Instance(means), runs=5, seed=8)
    rng = run_generator(8, 4)
    session = Session(algorithm, *means.shape, standard_deviation=1.0)
    while not session.finished:
        arm = session.ask()
        session.tell(arm, means[arm] + rng.standard_normal(d))
    assert session.samples == runs.samples[4]
    assert session.pulls.tolist() == runs.pulls[4].tolist()
    assert session.recommendation.tolist() == np.flatnonzero(runs.answers[4]).tolist()


def test_standard_deviation_puts_a_session_into_the_units_of_a_whitened_instance():
    deviation = np.array([0.1, 40.0])
    algorithm = TrackAndStop(delta=0.1)
    instance = Instance(np.array(MEANS[2]) * deviation, variance=deviation**2)
    runs = run_quietly(algorithm, instance, seed=3)
    rng = run_generator(3, 0)
    session = Session(algorithm, 4, 2, standard_deviation=deviation)
    rewards = {k: [] for k in range(4)}
    while not session.finished:
        arm = session.ask()
        rewards[arm].append(instance.means[arm] + deviation * rng.standard_normal(2))
        session.tell(arm, rewards[arm][-1])
    assert session.samples == runs.samples[0]
    assert session.pulls.tolist() == runs.pulls[0].tolist()
    averages = [np.mean(rewards[k], axis=0) for k in range(4)]
    np.testing.assert_allclose(session.means, averages, rtol=1e-12)


def test_one_standard_deviation_serves_all_objectives():
    sessions = [Session(TrackAndStop(), 3, 2, standard_deviation=s) for s in (2.0, [2.0, 2.0])]
    for session in sessions:
        while not session.finished:
            arm = session.ask()
            session.tell(arm, 2 * EASY.means[arm])
    assert sessions[0].samples == sessions[1].samples


def test_ask_returns_the_same_arm_until_it_has_been_told():
    session = Session(TrackAndStop(), 3, 2, 1.0)
    for _ in range(8):
        arm = session.ask()
        assert session.ask() == arm
        session.tell(arm, [0.1, 0.2])
        assert session.samples == session.pulls.sum()


@pytest.mark.parametrize(
    ("arm", "reward", "message"),
    [
        (1, [0.0, 0.0], "arm = 1; expected 0"),
        (-1, [0.0, 0.0], "arm = -1; expected 0"),
        (False, [0.0, 0.0], "arm = False"),
        ("0", [0.0, 0.0], "arm = '0'"),
        (None, [0.0, 0.0], "arm = None"),
        (0, [0.0, np.nan], "reward"),
        (0, [np.inf, 0.0], "reward"),
        (0, [0.0], "reward"),
        (0, [0.0, 0.0, 0.0], "reward"),
        (0, [[0.0, 0.0]], "reward"),
        (0, 0.0, "reward"),
        (0, ["a", "b"], "reward"),
        (0, None, "reward"),
    ],
)
def test_tell_refuses_unrequested_rewards_and_records_nothing(arm, reward, message):
    session = Session(TrackAndStop(), 3, 2, 1.0)
    with pytest.raises(ValueError, match=f"^{message}"):
        session.tell(arm, reward)
    assert session.samples == 0
    assert (session.means == 0).all()
    assert session.ask() == 0


def test_a_finished_session_takes_no_more_rewards():
    session = Session(TrackAndStop(), 3, 2, 1.0)
    while not session.finished:
        arm = session.ask()
        session.tell(arm, 10 * EASY.means[arm])
    with pytest.raises(RuntimeError, match="finished"):
        session.ask()
    with pytest.raises(RuntimeError, match="finished"):
        session.tell(0, [0.0, 0.0])
    assert session.recommendation.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 2), "n_arms"),
        ((2.5, 2), "n_arms"),
        ((2, 0), "n_objectives"),
        ((2, 2, 0.0), "standard_deviation"),
        ((2, 2, -1.0), "standard_deviation"),
        ((2, 2, np.nan), "standard_deviation"),
        ((2, 2, [1.0, np.inf]), "standard_deviation"),
        ((2, 2, [1.0]), "standard_deviation"),
        ((2, 2, [1.0, 1.0, 1.0]), "standard_deviation"),
        ((2, 2, "one"), "standard_deviation"),
    ],
)
def test_size_and_noise_of_a_session_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        Session(TrackAndStop(), *(*arguments, 1.0)[:3])


@pytest.mark.parametrize("d", [1, 2, 3])
def test_equal_optimal_arms_never_stop_but_are_cut_off(d):
    means = np.zeros((4, d))
    means[:2] = 1.0
    runs = run_quietly(TrackAndStop(delta=1e-3), Instance(means), runs=3, max_samples=3000)
    assert not runs.stopped.any()
    assert not runs.correct.any()
    assert (runs.samples == 3000).all()


@pytest.mark.parametrize("d", [1, 2, 3])
def test_rewards_that_are_all_equal_do_not_break_a_session(d):
    session = Session(TrackAndStop(), 3, d, 1.0)
    for _ in range(200):
        session.tell(session.ask(), np.ones(d))
    assert not session.finished
    assert session.recommendation.tolist() == [0, 1, 2]
