"""A proven stopping rule around any algorithm for the Pareto set."""

import dataclasses
import json

import numpy as np
import pytest
from references.python_algorithms import PythonAPE
from references.runs import assert_same_runs

from pareto_book.error_rates import error_probability, fit_proposals
from pareto_book.rivals import PAL
from pareto_core import (
    APE,
    EGE,
    MOBAI,
    Certificate,
    Certified,
    Instance,
    Problem,
    Racing,
    TopTwoIDS,
    TrackAndStop,
    UniformSampling,
    pareto_set,
    simulate,
)
from pareto_core.simulation.statistics import rate_interval
from pareto_lab import Session, load_session
from pareto_lab.experiment import session_file

MEANS = np.array([[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0], [-1.0, 0.0]])
INSTANCE = Instance(MEANS)
AROUND = [
    APE(),
    APE(k=1),
    EGE(budget=24),
    Racing(),
    UniformSampling(budget=10),
]


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


@pytest.mark.compiled
@pytest.mark.statistical
def test_an_unknown_variance_costs_little_and_errs_no_more():
    near = Instance([[0.0, 0.0], [-0.06, -0.9]], variance=[0.04, 9.0])
    settings = {"runs": 200, "max_samples": 4000, "n_jobs": 1}
    known, unknown = (
        quietly(Certified(UniformSampling(), 0.5, variance=each), near, **settings)
        for each in ("known", "unknown, equal")
    )
    errors = (unknown.stopped & ~unknown.correct).sum()
    assert rate_interval(errors, 200)[1] < 0.5
    assert unknown.stopped.mean() > 0.9
    assert 1 < unknown.samples.mean() / known.samples.mean() < 3
    far = {**settings, "runs": 20, "max_samples": 10**5}
    tight = Instance([[0.0, 0.0], [-0.05, -0.05]])
    known, unknown = (
        quietly(Certified(UniformSampling(), 0.1, variance=each), tight, **far)
        for each in ("known", "unknown, equal")
    )
    assert unknown.stopped.all()
    assert 1 < unknown.samples.mean() / known.samples.mean() < 1.15


def test_an_unknown_variance_is_that_of_the_rewards():
    """In whatever unit a session is told them, if the arms are chosen in the same way."""
    rng, samples = np.random.default_rng(5), []
    noise = rng.standard_normal((5000, 2))
    for unit in (1.0, 64.0):
        session = Session(Certified(UniformSampling(), variance="unknown, equal"), 4, 2, 1.0)
        while not session.finished:
            session.tell(arm := session.ask(), unit * (MEANS[arm] + noise[session.samples]))
        samples.append(session.samples)
    assert samples[0] == samples[1] > 100


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("rule", ["joint", "pairs"])
def test_almost_equal_objectives_do_not_raise_the_error_rate(rule):
    d, runs = 16, 150
    means = np.zeros((2, d + 1))  # the last tells that arm 1 is optimal, not arm 0
    means[0], means[1, -1] = -1e-3, 20.0
    same = np.full((d + 1, d + 1), 1 - 1e-9) + 1e-9 * np.eye(d + 1)
    same[-1] = same[:, -1] = np.eye(d + 1)[-1]
    instance = Instance(means, covariance=same)
    found = quietly(Certified(UniformSampling(), 0.2, rule), instance, runs, max_samples=1500)
    assert rate_interval((found.stopped & ~found.correct).sum(), runs)[1] < 0.2


@pytest.mark.compiled
@pytest.mark.statistical
def test_certified_error_rate_is_at_most_delta_for_a_bad_inner_algorithm():
    hard = Instance([[0.0, 0.0], [-0.1, -3.0]])
    algorithm = Certified(APE(delta=0.5), delta=1e-3)
    request = {"max_samples": 400, "n_jobs": 1}
    proposals = fit_proposals(algorithm, hard, 150, seed=1, **request)
    found = error_probability(algorithm, hard, proposals, 300, seed=2, **request)
    assert found.effective_errors > 5
    assert found.high < 1e-3


def test_a_certificate_decides_on_the_same_data():
    """Its shares are smaller, by those of the boxes and of what is bet on any arm."""
    runs = quietly(Certified(UniformSampling(), delta=0.05), runs=4)
    for pulls, means in zip(runs.pulls, runs.means, strict=True):
        for delta, decided in ((0.1, True), (0.01, False)):
            certificate = Certificate(4, 2, delta)
            certificate.update(pulls, means)
            assert certificate.is_decided is decided


# Files


def written(path, algorithm):
    """File of a session around what is said to be an algorithm."""
    Session(Certified(), 4, 2, 1.0).save(path)
    document = json.loads(path.read_text())
    document["content"]["parameters"]["algorithm"] = algorithm
    document["sha256"] = session_file.digest(document["content"])
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        ({"algorithm": "Session", "parameters": {}}, "algorithm = 'Session'; expected one of"),
        ({"algorithm": "APE", "parameters": {"k": 0}}, "k = 0"),
        ({"algorithm": "APE", "parameters": {"speed": 1}}, "speed"),
        ({"algorithm": "APE", "parameters": None}, "can't be restored"),
        ({"algorithm": ["APE"], "parameters": {}}, r"algorithm = \['APE'\]"),
        ({"algorithm": "MOBAI", "parameters": {}}, "expected one for the Pareto set"),
        (
            {"algorithm": "Certified", "parameters": {}},
            "expected an Algorithm other than Certified",
        ),
        ({"algorithm": "APE"}, "algorithm = {'algorithm': 'APE'}"),
        ("APE", "algorithm = 'APE'"),
        (None, "algorithm = None"),
    ],
)
def test_a_file_with_an_invalid_inner_algorithm_is_refused(algorithm, message, tmp_path):
    path = written(tmp_path / "session.json", algorithm)
    with pytest.raises(ValueError, match=message) as caught:
        load_session(path)
    assert str(caught.value).startswith(str(path))


def test_a_store_distinguishes_inner_algorithms(tmp_path):
    first = quietly(Certified(APE(), delta=0.2), store=tmp_path)
    second = quietly(Certified(APE(k=1), delta=0.2), store=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    assert not np.array_equal(first.pulls, second.pulls)
    assert_same_runs(first, quietly(Certified(APE(), delta=0.2), store=tmp_path))
    assert len(list(tmp_path.iterdir())) == 2


# Refusals


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
