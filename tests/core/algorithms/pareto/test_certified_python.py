"""A proven stopping rule around an algorithm in plain Python."""

import numpy as np
import pytest
from references.python_algorithms import AtRandom, PythonAPE, PythonRacing

import pareto_core as pc
import pareto_lab as lab
from pareto_core.instances.noise import make_source
from pareto_core.simulation.scheduling import backend_of

MEANS = np.array([[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0], [-1.0, 0.0]])
INSTANCE = pc.Instance(MEANS)
COLUMNS = ("samples", "correct", "stopped", "pulls", "means", "answers")


class InTurn(pc.PythonAlgorithm):
    """Chooses, and neither stops nor answers."""

    def select(self, record, memory):
        return record.counts.argmin()


class Never(InTurn):
    def select(self, record, memory):
        return 0


class Twice(InTurn):
    def select(self, record, memory):
        return record.counts.argmin(), 2


def quietly(algorithm, runs=4, instance=INSTANCE, **settings):
    return pc.simulate(algorithm, instance, runs, n_jobs=1, progress=False, **settings)


def assert_same_runs(first, second):
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(first, column), getattr(second, column))


@pytest.mark.parametrize("rule", ["joint", "pairs"])
def test_in_turn_it_is_uniform_sampling_with_the_proven_threshold(rule):
    threshold = {"joint": "proven", "pairs": "proven_correlated"}[rule]
    compiled = quietly(pc.UniformSampling(delta=0.05, threshold=threshold), seed=3)
    assert_same_runs(quietly(pc.Certified(InTurn(), 0.05, rule), seed=3), compiled)


def test_with_unknown_variance_it_is_certified_uniform_sampling():
    settings = {"delta": 0.05, "rule": "pairs", "variance": "unknown"}
    compiled = quietly(pc.Certified(pc.UniformSampling(), **settings))
    assert_same_runs(quietly(pc.Certified(InTurn(), **settings)), compiled)


@pytest.mark.parametrize("inner", [PythonAPE(), PythonRacing(), AtRandom(), Twice()], ids=str)
def test_any_rule_goes_on_until_its_answer_is_proven(inner):
    runs = quietly(pc.Certified(inner, delta=1e-3), max_samples=10**4)
    assert runs.stopped.all()
    assert runs.correct.all()


def test_the_rule_samples_until_it_would_stop():
    rng, inner = np.random.default_rng(0), PythonAPE(delta=0.1)
    alone = lab.Session(inner, 4, 2, 1.0)
    certified = lab.Session(pc.Certified(inner, delta=1e-4), 4, 2, 1.0)
    while not alone.finished:
        arm = alone.ask()
        assert certified.ask() == arm
        reward = MEANS[arm] + rng.standard_normal(2)
        alone.tell(arm, reward)
        certified.tell(arm, reward)
    assert not certified.finished
    while not certified.finished:
        arm = certified.ask()
        certified.tell(arm, MEANS[arm] + rng.standard_normal(2))
    assert certified.recommendation.tolist() == [0, 1]


def test_a_rule_that_forgets_arms_proves_nothing():
    runs = quietly(pc.Certified(Never()), runs=1, max_samples=200)
    assert not runs.stopped.any()


def test_ties_are_all_in_the_answer():
    session = lab.Session(pc.Certified(InTurn()), 3, 2, 1.0)
    for arm, reward in enumerate([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]):
        session.tell(arm, reward)
    assert session._state.run.run.answer().tolist() == [True, True, False]


def test_a_copy_goes_on_by_itself():
    algorithm = pc.Certified(InTurn(), delta=0.5)
    run = algorithm.begin(INSTANCE.problem, np.random.default_rng(0))
    twin = run.copy()
    twin.play(make_source(INSTANCE), np.random.default_rng(1), 50)
    assert twin.record.time[0] > 0
    assert run.record.time[0] == 0
    assert run.state.evidence.times.tolist() == [0, 0]
    assert twin.state.evidence.times[0] == twin.record.time[0]


def test_runs_at_several_risks_are_refused_as_the_rule_may_stop():
    with pytest.raises(ValueError, match="sampling does not depend on delta"):
        pc.simulate_deltas(pc.Certified(InTurn()), INSTANCE, [0.1, 0.01], 2, progress=False)


def test_processes_run_it_unless_told_otherwise():
    assert backend_of(pc.Certified(InTurn()), None) == "processes"
    assert backend_of(pc.Certified(pc.APE()), None) == "threads"


def test_a_store_distinguishes_rules(tmp_path):
    for rule in (InTurn(), Twice()):
        quietly(pc.Certified(rule), store=tmp_path, store_key="first")
    assert len(list(tmp_path.iterdir())) == 2


def test_a_session_is_saved_and_restored(tmp_path):
    session = lab.Session(pc.Certified(InTurn(), rule="pairs"), 2, 2, 1.0)
    for _ in range(3):
        arm = session.ask()
        session.tell(arm, [5.0 * arm, 5.0 * arm])
    session.save(tmp_path / "mine.json")
    with pytest.raises(ValueError, match="InTurn"):
        lab.load_session(tmp_path / "mine.json")
    restored = lab.load_session(tmp_path / "mine.json", algorithms=[InTurn])
    while not restored.finished:
        assert restored.ask() == session.ask()
        for each in (restored, session):
            each.tell(each.ask(), [5.0 * each.ask(), 5.0 * each.ask()])
    assert session.recommendation.tolist() == [1]


def test_a_wrong_choice_is_named():
    class Wrong(InTurn):
        def select(self, record, memory):
            return 7

    with pytest.raises(ValueError, match="select returned arm 7; expected one of 0 to 3"):
        quietly(pc.Certified(Wrong()))
