"""A proven stopping rule around an algorithm in plain Python."""

import numpy as np
import pytest
from references.python_algorithms import AtRandom
from references.runs import assert_same_runs

import pareto_core as pc
import pareto_lab as lab
from pareto_core.instances.noise import make_source
from pareto_core.simulation.scheduling import backend_of

MEANS = np.array([[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0], [-1.0, 0.0]])
INSTANCE = pc.Instance(MEANS)


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


@pytest.mark.parametrize("settings", [{}, {"rule": "pairs"}, {"variance": "unknown"}])
def test_in_turn_it_is_certified_uniform_sampling(settings):
    compiled, python = (
        quietly(pc.Certified(inner, 0.05, **settings), seed=3)
        for inner in (pc.UniformSampling(), InTurn())
    )
    assert_same_runs(python, compiled)


@pytest.mark.parametrize("inner", [AtRandom(), Twice()], ids=str)
def test_any_rule_goes_on_until_its_answer_is_proven(inner):
    runs = quietly(pc.Certified(inner, delta=1e-3), max_samples=10**4)
    assert runs.stopped.all()
    assert runs.correct.all()


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


def test_processes_run_it_unless_told_otherwise():
    assert backend_of(pc.Certified(InTurn()), None) == "processes"
    assert backend_of(pc.Certified(pc.APE()), None) == "threads"


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
