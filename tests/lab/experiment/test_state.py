"""The state: the same events leave the same state on every way there."""

import pytest
from references.sessions import CHEAP, queues_of_rewards, state_of

import pareto_lab as lab
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


@pytest.mark.parametrize(("kind", "name", "call"), WAYS[1:])
def test_an_interrupted_withdrawal_changes_nothing(kind, name, call, monkeypatch):
    session = new_session()
    session.tell_all({"arm": ARMS, 0: REWARDS[:, 0], 1: REWARDS[:, 1]})
    before = state_of(session)
    with monkeypatch.context() as patched:
        interrupt(patched, kind, name, call)
        with pytest.raises(KeyboardInterrupt):
            session.withdraw(ARMS[0], REWARDS[0])
    assert state_of(session) == before
    assert session.withdrawn == []
