"""A proven stopping rule around any algorithm for the Pareto set."""

import dataclasses

import numpy as np
import pytest
from references.python_algorithms import PythonAPE
from references.runs import assert_same_runs
from references.sessions import rewrite

from pareto_book.rivals import PAL
from pareto_core import (
    APE,
    EGE,
    MOBAI,
    Certified,
    Instance,
    Problem,
    PythonAlgorithm,
    Racing,
    TopTwoIDS,
    TrackAndStop,
    UniformSampling,
    pareto_set,
    simulate,
)
from pareto_core.confidence.noise_kinds import EQUAL
from pareto_core.instances.noise import make_source
from pareto_core.loop.record import observe
from pareto_core.simulation.scheduling import backend_of
from pareto_lab import Session, load_session

MEANS = np.array([[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0], [-1.0, 0.0]])
INSTANCE = Instance(MEANS)
AROUND = [APE(k=1), EGE(budget=24)]


def quietly(algorithm, instance=INSTANCE, runs=6, **settings):
    return simulate(algorithm, instance, runs, progress=False, **settings)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("inner", AROUND, ids=repr)
def test_any_algorithm_goes_on_until_its_answer_is_proven(inner):
    runs = quietly(Certified(inner, delta=1e-4), max_samples=10**5)
    assert runs.stopped.all()
    assert runs.correct.all()
    for answer, means in zip(runs.answers, runs.means, strict=True):
        assert np.flatnonzero(answer).tolist() == pareto_set(means).tolist()


@pytest.mark.parametrize("threshold", ["proven", "proven_correlated"])
def test_around_track_and_stop_it_is_the_threshold_of_track_and_stop(threshold):
    rule = {"proven": "joint", "proven_correlated": "pairs"}[threshold]
    around = quietly(Certified(TrackAndStop(), delta=0.05, rule=rule), seed=4)
    assert_same_runs(around, quietly(TrackAndStop(delta=0.05, threshold=threshold), seed=4))


@pytest.mark.parametrize("inner", [APE(delta=0.1), PythonAPE(delta=0.1)])
def test_the_inner_algorithm_samples_until_it_would_stop(inner):
    rng, alone = np.random.default_rng(0), Session(inner, 4, 2, 1.0)
    certified = Session(Certified(inner, delta=1e-4), 4, 2, 1.0)
    while not alone.finished:
        arm = alone.ask()
        assert certified.ask() == arm
        reward = MEANS[arm] + rng.standard_normal(2)
        alone.tell(arm, reward)
        certified.tell(arm, reward)
    assert not certified.finished


def test_later_samples_are_of_arms_that_lack_evidence():
    """Not the same arm over and over, and no arm is forgotten."""
    runs = quietly(Certified(EGE(budget=8), delta=1e-6), max_samples=10**5)
    assert runs.correct.all()
    assert (runs.pulls.min(axis=1) ** 2 >= 0.5 * runs.samples).all()
    uniform = quietly(UniformSampling(delta=1e-6, threshold="proven"), max_samples=10**5)
    assert runs.samples.mean() < 1.5 * uniform.samples.mean()


@pytest.mark.parametrize("inner", [UniformSampling(), TrackAndStop(), TopTwoIDS()])
@pytest.mark.parametrize("variance", [EQUAL, "unknown"])
def test_an_unknown_variance_is_that_of_the_rewards(inner, variance):
    """In whatever unit a session is told them."""
    rng, samples = np.random.default_rng(5), []
    noise = rng.standard_normal((5000, 2))
    for unit in (1.0, 64.0):
        session = Session(Certified(inner, variance=variance), 4, 2, variance)
        while not session.finished:
            session.tell(arm := session.ask(), unit * (MEANS[arm] + noise[session.samples]))
        samples.append(session.samples)
    assert samples[0] == samples[1] > 60


@pytest.mark.parametrize("variance", [EQUAL, "unknown"])
def test_sampling_uses_the_variances_of_the_rewards_so_far(variance):
    deviations = np.array([[0.1, 3.0], [1.0, 0.0], [10.0, 0.0], [0.5, 0.0]])
    rewards, rng = [[] for _ in MEANS], np.random.default_rng(1)
    run = Certified(TopTwoIDS(), variance=variance).begin(INSTANCE.problem, rng)
    for told in range(40):
        arm, _ = run.select()
        found = run.parameters.noise.variance
        counts = np.array([len(each) for each in rewards])
        if told < 12:
            assert counts[arm] < 3
        else:
            squares = np.array([np.var(each, axis=0) * len(each) for each in rewards])
            pooled = squares.sum(axis=0) / (told - 4)
            own = (squares + pooled) / counts[:, None]
            np.testing.assert_allclose(found, own if variance == "unknown" else [pooled] * 4)
        rewards[arm].append(MEANS[arm] + deviations[arm] * rng.standard_normal(2))
        observe(run.record, arm, 1, rewards[arm][-1], np.zeros(2))


@pytest.mark.slow
def test_runs_in_threads_do_not_share_estimates_of_variances():
    algorithm = Certified(TopTwoIDS(), variance="unknown")
    one, two = (quietly(algorithm, runs=12, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert_same_runs(one, two)


@pytest.mark.slow
def test_arms_that_are_far_away_get_the_rewards_that_a_proof_needs():
    """An estimate of the variance alone leaves them with too few, behind the noisy arm."""
    means = np.array([[400.0, -10], [300, -20], [200, -16], [350, -26], [120, -8]])
    variance = np.array([3.0, 3, 3, 3, 45])[:, None, None] ** 2 * np.diag([1, 0.0044])
    algorithm = Certified(TopTwoIDS(), variance="unknown")
    assert quietly(algorithm, Instance(means, covariance=variance)).samples.max() < 500


# Around an algorithm in plain Python


class InTurn(PythonAlgorithm):
    """Chooses, and neither stops nor answers."""

    def select(self, record, memory):
        return record.counts.argmin()


@pytest.mark.parametrize("settings", [{}, {"rule": "pairs"}, {"variance": "unknown"}])
def test_in_turn_it_is_certified_uniform_sampling(settings):
    compiled, python = (
        quietly(Certified(inner, 0.05, **settings), runs=4, seed=3, n_jobs=1)
        for inner in (UniformSampling(), InTurn())
    )
    assert_same_runs(python, compiled)


def test_a_copy_goes_on_by_itself():
    algorithm = Certified(InTurn(), delta=0.5)
    run = algorithm.begin(INSTANCE.problem, np.random.default_rng(0))
    twin = run.copy()
    twin.play(make_source(INSTANCE), np.random.default_rng(1), 50)
    assert twin.record.time[0] > 0
    assert run.record.time[0] == 0
    assert run.state.evidence.times.tolist() == [0, 0]
    assert twin.state.evidence.times[0] == twin.record.time[0]


def test_processes_run_it_unless_told_otherwise():
    assert backend_of(Certified(InTurn()), None) == "processes"
    assert backend_of(Certified(APE()), None) == "threads"


# Refusals


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        ({"algorithm": "Session", "parameters": {}}, "algorithm = 'Session'; expected one of"),
        ({"algorithm": "APE", "parameters": {"k": 0}}, "k = 0"),
        ({"algorithm": "APE", "parameters": {"speed": 1}}, "speed"),
        ({"algorithm": "MOBAI", "parameters": {}}, "expected one for the Pareto set"),
        ({"algorithm": "APE"}, "algorithm = {'algorithm': 'APE'}"),
        (None, "algorithm = None"),
    ],
)
def test_a_file_with_an_invalid_inner_algorithm_is_refused(algorithm, message, tmp_path):
    path = tmp_path / "session.json"
    Session(Certified(), 4, 2, 1.0).save(path)
    rewrite(path, parameters=Certified().hyper_parameters() | {"algorithm": algorithm})
    with pytest.raises(ValueError, match=message) as caught:
        load_session(path)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"algorithm": None}, "algorithm = None; expected an Algorithm other than Certified"),
        ({"algorithm": APE}, "algorithm = .*; expected an Algorithm other than Certified"),
        (
            {"algorithm": Certified()},
            "algorithm = Certified.*; expected an Algorithm other than Certified",
        ),
        ({"algorithm": MOBAI()}, "algorithm = MOBAI.*; expected one for the Pareto set"),
        (
            {"algorithm": Racing(variance_bound=1.0)},
            "algorithm = Racing.*; expected one that does not",
        ),
        ({"algorithm": PAL()}, "algorithm = PAL.*; expected one that does not state the noise"),
        (
            {"algorithm": TopTwoIDS(threshold="proven")},
            "algorithm = TopTwoIDS.* rule 'proven', which Certified replaces .* = 'stylised'",
        ),
        (
            {"algorithm": TrackAndStop(delta=0.01, threshold="mixture"), "delta": 0.01},
            "algorithm = TrackAndStop.* rule 'mixture', which Certified replaces",
        ),
        (
            {"algorithm": UniformSampling(delta=0.01)},
            r"algorithm = UniformSampling.* risk 0\.01, which its sampling ignores, in Certified "
            r"with delta = 0\.1; expected the risk as delta",
        ),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        Certified(**settings)


def test_an_inner_risk_that_has_no_effect_is_that_of_the_rule():
    algorithm = Certified(TrackAndStop(delta=0.05), 0.05)
    for delta in (0.1, 0.01):
        assert algorithm.with_delta(delta) == Certified(TrackAndStop(delta=delta), delta)
    assert Certified().with_delta(0.01) == Certified(delta=0.01)
    assert Certified(APE(delta=0.5)).with_delta(0.01) == Certified(APE(delta=0.5), 0.01)


def test_problems_that_the_inner_algorithm_refuses_are_refused():
    with pytest.raises(ValueError, match=r"^budget = 2; expected at least 4"):
        quietly(Certified(UniformSampling(budget=2)))
    unequal = dataclasses.replace(INSTANCE, variance=np.arange(1.0, 9.0).reshape(4, 2))
    with pytest.raises(ValueError, match="expected one variance per objective"):
        quietly(Certified(variance="unknown, equal"), unequal)


@pytest.mark.parametrize("rule", ["joint_subsets", "pairs_subsets"])
def test_arms_may_be_left_out_with_a_rule_for_subsets(rule):
    algorithm = Certified(APE(), delta=0.2, rule=rule)
    state = algorithm.start(Problem(3, 1), np.random.default_rng(0))
    algorithm.retire(state, 2, still_counts=False)
    algorithm.retire(state, 1, still_counts=True)
    assert state.may_sample.tolist() == [True, False, False]
    assert state.evidence.work.remaining.tolist() == [True, True, False]
    with pytest.raises(ValueError, match="arm = 0 is the last that may be sampled"):
        algorithm.retire(state, 0, still_counts=True)
    with pytest.raises(ValueError, match="expected rule = 'joint_subsets' or 'pairs_subsets'"):
        Certified(APE()).retire(state, 2, still_counts=False)
