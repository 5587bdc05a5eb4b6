"""The ledger: all rewards enter by `settle`, and leave the same state on every way there."""

import numpy as np
import pytest
from references.sessions import CHEAP, queues_of_rewards, state_of

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.experiment.ledger import Ledger
from pareto_lab.experiment.queued_run import QueuedRun
from pareto_lab.experiment.samples import Sample

ARMS = [0, 0, 0, 1, 1, 1, 2]
REWARDS = queues_of_rewards(0)[ARMS, range(len(ARMS))]


def new_session():
    return lab.Session(CHEAP, 4, 2, 1.0, budget=40)


def told_one_by_one():
    session = new_session()
    for arm, reward in zip(ARMS, REWARDS, strict=True):
        session.tell(session.ask(), reward)
        assert arm == session._ledger.queued_run.used[-1][0]
    return session


def told_as_a_table():
    session = new_session()
    session.ask_many(len(ARMS))
    session.tell_all({"arm": ARMS, 0: REWARDS[:, 0], 1: REWARDS[:, 1]})
    return session


def corrected():
    session = new_session()
    session.tell(session.ask(), [500.0, 500.0])
    for reward in REWARDS[1:]:
        session.tell(session.ask(), reward)
    session.withdraw(0, [500.0, 500.0], instead=REWARDS[0])
    return session


@pytest.mark.parametrize("tell", [told_one_by_one, told_as_a_table, corrected])
@pytest.mark.parametrize("is_restored", [False, True])
def test_every_way_in_leaves_the_same_state(tell, is_restored, tmp_path):
    session, expected = tell(), told_one_by_one()
    if is_restored:
        session.save(tmp_path / "mine.json")
        session = lab.load_session(tmp_path / "mine.json")
    assert state_of(session) == state_of(expected)
    assert session.spent == expected.spent == len(ARMS)
    assert session._ledger.requested.tolist() == [3, 3, 1, 0]


def test_a_reward_that_was_not_requested_costs_nothing():
    ledger = Ledger(CHEAP, new_session().design, 0)
    ledger.settle([Sample("row 1", 0, np.zeros(2))])
    assert ledger.queued_run.run.record.counts.tolist() == [1, 0, 0, 0]
    assert ledger.spent == 0
    ledger.request()
    ledger.settle([Sample("row 2", 0, np.zeros(2)), Sample("row 3", 0, np.zeros(2))])
    assert ledger.spent == 1
    assert ledger.outstanding.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("tell", [told_one_by_one, told_as_a_table, corrected])
def test_every_reward_is_received_by_the_queued_run(tell, monkeypatch):
    received, receive = [], QueuedRun.receive

    def spy(self, arm, reward):
        received.append((arm, reward))
        receive(self, arm, reward)

    monkeypatch.setattr(QueuedRun, "receive", spy)
    session = tell()
    last = received[-session.samples :]
    assert sorted(arm for arm, _ in last) == sorted(ARMS)
    np.testing.assert_array_equal([reward for _, reward in last], REWARDS)


def interrupt(monkeypatch, name, call):
    """Let a call of a method of `QueuedRun` be interrupted: the one with this number."""
    method, calls = getattr(QueuedRun, name), []

    def interrupted(self, *arguments):
        calls.append(arguments)
        if len(calls) == call:
            raise KeyboardInterrupt
        return method(self, *arguments)

    monkeypatch.setattr(QueuedRun, name, interrupted)


@pytest.mark.parametrize(("name", "call"), [("receive", 3), ("advance", 1)])
def test_after_an_interruption_the_same_table_adds_the_remaining_samples(name, call, monkeypatch):
    table = {"tube": [f"tube {k}" for k in range(len(ARMS))], "arm": ARMS}
    table |= {c: REWARDS[:, c] for c in range(2)}
    session = new_session()
    with monkeypatch.context() as patched:
        interrupt(patched, name, call)
        with pytest.raises(KeyboardInterrupt):
            session.tell_all(table, id="tube")
    session.tell_all(table, id="tube")
    assert (session.pulls + session.waiting).sum() == len(ARMS)


def test_an_interrupted_decision_is_made_later():
    """A session whose algorithm was about to stop does not go on past its end."""
    session = lab.Session(pc.UniformSampling(budget=3), 3, 2, 1.0)
    for _ in range(2):
        session.tell(session.ask(), [0.0, 1.0])
    run = session._ledger.queued_run
    stop, calls = run.run.stop, []

    def interrupted():
        calls.append(None)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return stop()

    run.run.stop = interrupted
    with pytest.raises(KeyboardInterrupt):
        session.tell(session.ask(), [1.0, 0.0])
    assert run.stopped and len(calls) == 2
    assert session.samples == 3
    with pytest.raises(RuntimeError, match="finished"):
        session.ask()


@pytest.mark.parametrize("name", ["receive", "advance"])
def test_an_interrupted_withdrawal_changes_nothing(name, monkeypatch):
    session = told_as_a_table()
    before = state_of(session)
    with monkeypatch.context() as patched:
        interrupt(patched, name, 1)
        with pytest.raises(KeyboardInterrupt):
            session.withdraw(ARMS[0], REWARDS[0])
    assert state_of(session) == before
    assert session.withdrawn == []
