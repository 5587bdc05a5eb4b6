"""Withdrawn rewards: the session becomes the one in which the mistake was never made."""

import numpy as np
import pytest
from references.sessions import (
    CHEAP,
    MOST,
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
    def go_on(most=4 * MOST):
        while not session.finished and told.sum() < most:
            arm = session.ask()
            session.tell(arm, rewards[arm, told[arm]])
            told[arm] += 1

    rewards, session, told = queues_of_rewards(5), new_session(algorithm), np.zeros(4, int)
    victim = session.ask()
    right = rewards[victim, 0]
    session.tell(victim, WRONG)
    told[victim] += 1
    go_on(7)
    session.withdraw(victim, WRONG, instead=right, reason="typed into the wrong row")
    go_on()
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
    session.withdraw(2, [9.0, 9.0])
    session.withdraw(2, [2.0, 0.0], instead=[3.0, 0.0])
    assert told_of(session)[2] == [[3.0, 0.0]]
    assert used(session) == log
    assert [(each.place, each.counted) for each in session.withdrawn] == [(2, False)] + 3 * [
        (0, False)
    ]
    assert session.spent == 9  # what was sampled is paid for
    assert session.outstanding.sum() == 5


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
