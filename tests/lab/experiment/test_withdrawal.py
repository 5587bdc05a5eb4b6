"""Withdrawn rewards: the session becomes the one in which the mistake was never made."""

import numpy as np
import pytest
from references.sessions import (
    CHEAP,
    answer_of,
    new_session,
    one_at_a_time,
    queues_of_rewards,
    told_of,
    used,
)

import pareto_core as pc
import pareto_lab as lab

WRONG = [-500.0, 700.0]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", [CHEAP, pc.TrackAndStop(), pc.ECAPE(), pc.GEGE(budget=20)])
def test_a_corrected_mistake_leaves_no_effect(algorithm):
    rewards, session, told = queues_of_rewards(5), new_session(algorithm), np.zeros(4, int)
    victim = session.ask()
    right = rewards[victim, 0]
    session.tell(victim, WRONG)
    told[victim] += 1
    for _ in range(6):
        if not session.finished:
            arm = session.ask()
            session.tell(arm, rewards[arm, told[arm]])
            told[arm] += 1
    session.withdraw(victim, WRONG, instead=right, reason="typed into the wrong row")
    while not session.finished:
        arm = session.ask()
        session.tell(arm, rewards[arm, told[arm]])
        told[arm] += 1
    alone = one_at_a_time(new_session(algorithm), rewards)
    assert used(session) == used(alone)
    assert answer_of(session) == answer_of(alone)
    (trace,) = session.withdrawn
    assert trace == (victim, tuple(WRONG), tuple(right), 0, True, "typed into the wrong row")


def test_a_waiting_reward_is_removed_from_its_queue():
    session = lab.Session(CHEAP, 4, 2, 1.0)
    session.ask_many(9)
    for arm, reward in ((2, 1.0), (2, 2.0), (0, 3.0), (2, 1.0)):
        session.tell(arm, [reward, 0.0])
    log = used(session)
    session.withdraw(2, [1.0, 0.0])  # the last that is equal
    assert told_of(session)[2] == [[1.0, 0.0], [2.0, 0.0]]
    session.withdraw(2, [1.0, 0.0], instead=[9.0, 9.0])
    assert told_of(session)[2] == [[9.0, 9.0], [2.0, 0.0]]
    assert used(session) == log
    assert [(each.place, each.counted) for each in session.withdrawn] == [(2, False), (0, False)]
    assert session.spent == 9  # what was sampled is paid for
    assert session.outstanding.sum() == 5


def test_later_rewards_move_up_after_a_withdrawal():
    session = lab.Session(pc.UniformSampling(), 3, 1, 1.0)
    for k in range(6):
        session.tell(session.ask(), [k / 10])
    session.withdraw(1, [0.1])
    assert told_of(session) == [[[0.0], [0.3]], [[0.4]], [[0.2], [0.5]]]
    assert [arm for arm, _ in used(session)] == [0, 1, 2, 0]
    assert session.waiting.tolist() == [0, 0, 1]
    assert session.ask() == 1


def test_a_withdrawal_can_reopen_a_session():
    session = lab.Session(
        pc.TrackAndStop(), arms=["A", "B"], objectives={"yield": "min"}, standard_deviation=1.0
    )
    session.tell("A", [12.0])
    session.tell("B", [1200.0])
    assert session.ended_by == "answer"
    session.withdraw("B", {"yield": 1200.0}, instead={"yield": 12.0}, reason="unit")
    assert session.ended_by is None
    assert session.means.tolist() == [[12.0], [12.0]]
    assert session.withdrawn[0].arm == "B"


def test_a_withdrawal_leaves_the_budget_spent():
    session = lab.Session(pc.UniformSampling(), 3, 1, 1.0, budget=3)
    for reward in (0.1, 0.2, 0.3):
        session.tell(session.ask(), [reward])
    assert session.ended_by == "budget"
    session.withdraw(1, [0.2])
    assert (session.ended_by, session.samples, session.spent) == ("budget", 1, 3)
    session.raise_budget(4)
    assert session.ask() == 1


NEITHER = "expected arm and reward, or id, or number"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, f"arm = None, reward = None, id = None, number = None; {NEITHER}"),
        ({"arm": 0, "id": "t1"}, f"arm = 0, reward = None, id = 't1', number = None; {NEITHER}"),
        ({"id": "t1", "number": 1}, f".*id = 't1', number = 1; {NEITHER}"),
        ({"arm": 0}, "reward = None; expected"),
        (
            {"arm": 3, "reward": [1, 0]},
            r"reward = \[1.0, 0.0\] was not told for arm 3; this",
        ),
        ({"arm": 0, "reward": [1.5, 0]}, r"reward = .* arm 0; expected one of its 1 .*\[1.0, 0"),
        ({"arm": 4, "reward": [1, 0]}, "arm = 4; expected one of 0, 1, 2, 3"),
        ({"arm": 0, "reward": [1]}, r"reward = \[1\]; expected 2 finite numbers"),
        ({"id": "t9"}, "id = 't9'; no such reward was told; expected a reward that counts"),
        ({"id": "t2"}, "id = 't2'; this reward was withdrawn before; expected a reward that"),
        ({"id": ""}, "id = '' is empty"),
        ({"number": 7}, "number = 7; no such reward was told"),
        ({"number": 2}, "number = 2; this reward was withdrawn before"),
        ({"number": 0}, "number = 0; expected an integer, at least 1"),
        ({"number": "1"}, "number = '1'; expected an integer"),
        ({"number": 1, "instead": [1]}, r"instead = \[1\]; expected 2 finite numbers"),
        ({"number": 1, "reason": None}, "reason = None; expected a str"),
        ({"number": 1, "reason": "x" * 1001}, "reason = 'xxx.*; expected a str of at most 1000"),
    ],
)
def test_invalid_arguments_are_named_and_nothing_changes(arguments, message):
    session = lab.Session(CHEAP, 4, 2, 1.0)
    session.tell(0, [1.0, 0.0], id="t1")
    session.tell(0, [2.0, 0.0], id="t2")
    session.withdraw(id="t2")
    before = session._content()
    with pytest.raises(ValueError, match=f"^{message}"):
        session.withdraw(**arguments)
    assert session._content() == before
