"""The state: the same events leave the same state on every way there."""

import pytest
from references.sessions import CHEAP, queues_of_rewards, state_of

import pareto_core as pc
import pareto_lab as lab
from pareto_core.loop.run import CompiledRun
from pareto_lab.experiment.queued_run import QueuedRun
from pareto_lab.experiment.state import State

ARMS = [0, 0, 0, 1, 1, 1, 2]
WAYS = [  # to be interrupted
    (State, "apply", 1),
    (QueuedRun, "advance", 1),
    (QueuedRun, "_observe", 2),
]
REWARDS = queues_of_rewards(0)[ARMS, range(len(ARMS))]


def new_session():
    return lab.Session(CHEAP, 4, 2, 1.0, budget=40)


def told_as_a_table():
    session = new_session()
    session.ask_many(len(ARMS))
    session.tell_all({"arm": ARMS, 0: REWARDS[:, 0], 1: REWARDS[:, 1]})
    return session


def interrupt(monkeypatch, kind, name, call):
    """Let a call of a method of a class be interrupted: the one with this number."""
    method, calls = getattr(kind, name), []

    def interrupted(self, *arguments):
        calls.append(arguments)
        if len(calls) == call:
            raise KeyboardInterrupt
        return method(self, *arguments)

    monkeypatch.setattr(kind, name, interrupted)


@pytest.mark.parametrize(("kind", "name", "call"), WAYS)
def test_after_an_interruption_the_same_table_adds_the_remaining_samples(
    kind, name, call, monkeypatch
):
    table = {"tube": [f"tube {k}" for k in range(len(ARMS))], "arm": ARMS}
    table |= {c: REWARDS[:, c] for c in range(2)}
    session = new_session()
    with monkeypatch.context() as patched:
        interrupt(patched, kind, name, call)
        with pytest.raises(KeyboardInterrupt):
            session.tell_all(table, id="tube")
    session.tell_all(table, id="tube")
    assert (session.pulls + session.waiting).sum() == len(ARMS)


def test_an_interrupted_decision_is_made_later(monkeypatch):
    """A session whose algorithm was about to stop does not go on past its end."""
    session = lab.Session(pc.UniformSampling(budget=3), 3, 2, 1.0)
    for _ in range(2):
        session.tell(session.ask(), [0.0, 1.0])
    arm = session.ask()
    with monkeypatch.context() as patched:
        interrupt(patched, CompiledRun, "stop", 1)
        with pytest.raises(KeyboardInterrupt):
            session.tell(arm, [1.0, 0.0])
            assert session.finished
    assert session.samples == 3
    with pytest.raises(RuntimeError, match="finished"):
        session.ask()


@pytest.mark.parametrize(("kind", "name", "call"), WAYS[1:])
def test_an_interrupted_withdrawal_changes_nothing(kind, name, call, monkeypatch):
    session = told_as_a_table()
    before = state_of(session)
    with monkeypatch.context() as patched:
        interrupt(patched, kind, name, call)
        with pytest.raises(KeyboardInterrupt):
            session.withdraw(ARMS[0], REWARDS[0])
    assert state_of(session) == before
    assert session.withdrawn == []
