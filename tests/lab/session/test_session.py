"""Sessions: many samples at once, late rewards, the representation, and plain Python."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from references.python_algorithms import AtRandom
from references.sessions import (
    ALGORITHMS,
    answer_of,
    name_of,
    new_session,
    one_at_a_time,
    queues_of_rewards,
    used,
)

import pareto_core as pc
import pareto_lab as lab
from pareto_core.algorithms.registry import algorithms_by_name


def test_every_public_algorithm_is_here():
    public = {each for each in algorithms_by_name().values() if each.samples == "arms"}
    assert {type(each) for each in ALGORITHMS} == public


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=name_of)
@settings(max_examples=3)
@given(n=st.integers(1, 9), order=st.randoms(use_true_random=False), seed=st.integers(0, 99))
@example(n=1, order=None, seed=0)
@example(n=8, order=None, seed=0)
def test_many_at_once_in_any_order_is_the_same_as_one_at_a_time(algorithm, n, order, seed):
    rewards = queues_of_rewards(seed)
    session, told, in_work = new_session(algorithm), np.zeros(4, int), []
    while not session.finished:
        asked = session.ask_many(n)
        assert len(asked) <= n
        assert asked or in_work
        in_work += asked
        for _ in range(1 if order is None else order.randint(1, len(in_work))):
            arm = in_work.pop(0 if order is None else order.randrange(len(in_work)))
            session.tell(arm, rewards[arm, told[arm]])
            told[arm] += 1
        assert session.outstanding.tolist() == np.bincount(in_work, minlength=4).tolist()
        assert (session.waiting == told - session.pulls).all()
    alone = one_at_a_time(new_session(algorithm), rewards)
    assert used(session) == used(alone)
    assert answer_of(session) == answer_of(alone)


def test_late_rewards_are_accepted_and_not_used():
    session = lab.Session(pc.Racing(variance_bound=1.0), 3, 1)
    assert session.ask_many(7) == [0, 1, 2, 0, 1, 2, 0]
    for arm in (0, 1, 2):
        session.tell(arm, [1000.0 * arm])
    assert session.finished
    session.tell(1, [1e6])
    assert session.outstanding.tolist() == [2, 0, 1]
    assert session.waiting.tolist() == [0, 1, 0]
    assert session.means.tolist() == [[0.0], [1000.0], [2000.0]]
    assert session.recommendation.tolist() == [2]
    for call in (session.ask, lambda: session.ask_many(1), lambda: session.tell(1, [1e6])):
        with pytest.raises(RuntimeError, match="finished"):
            call()


def test_the_representation_is_a_few_lines():
    objectives = {"gain": "max", "fever": "min"}
    algorithm = pc.UniformSampling(budget=2)
    session = lab.Session(algorithm, 2, objectives=objectives, standard_deviation=1.0)
    session.ask_many(2)
    session.tell(0, [1.0, 2.0])
    lines = repr(session).splitlines()
    assert lines[0].startswith("<Session of UniformSampling(")
    assert lines[1:] == [
        " 2 arms: 0, 1",
        " 2 objectives: gain (max), fever (min)",
        " 1 rewards used, 0 waiting, 1 outstanding; running>",
    ]
    many = lab.Session(pc.TrackAndStop(), 1000, 2, 1.0, costs=np.ones(1000))
    assert len(repr(many)) < 500


def test_the_seed_controls_randomised_algorithms():
    sessions = [lab.Session(AtRandom(30), 3, 2, 1.0, seed=seed) for seed in (0, 1, 1)]
    first, second, again = (tuple(session.ask_many(30)) for session in sessions)
    assert first != second == again


def test_a_file_names_only_algorithms_that_are_known(tmp_path):
    session = lab.Session(AtRandom(), 3, 2, 1.0)
    session.save(path := tmp_path / "mine.json")
    with pytest.raises(ValueError, match="algorithm = 'AtRandom'; expected one of"):
        lab.load_session(path)
    for wrong in (AtRandom, [AtRandom()], [int], "AtRandom"):
        with pytest.raises(ValueError, match=r"algorithms = .*; expected subclasses"):
            lab.load_session(path, algorithms=wrong)


class Failing(pc.PythonAlgorithm):
    """Takes the arms in turn, and cannot say whether to stop from the third sample on."""

    def select(self, record, memory):
        return record.counts.argmin()

    def stop(self, record, memory):
        return False if record.time < 3 else None


def test_rewards_stay_within_reach_if_an_algorithm_fails(tmp_path):
    session = lab.Session(Failing(), 2, 1, 1.0)
    for _ in range(2):
        session.tell(session.ask(), [1.0])
    for _ in range(2):
        with pytest.raises(ValueError, match="stop returned None"):
            session.tell(session.ask(), [1.0])
    assert len(session.data()) == 2
    session.save(tmp_path / "mine.json")
