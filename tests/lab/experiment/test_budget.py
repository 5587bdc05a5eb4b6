"""Costs and budgets: how a session ends, and what it refuses afterwards."""

import copy

import pytest
from references.sessions import CHEAP, queues_of_rewards, used

import pareto_core as pc
import pareto_lab as lab

# Many budgets here pay for less than one sample of each arm.
pytestmark = pytest.mark.filterwarnings("ignore:budget = ")
COSTS = [1.0, 2.0, 4.0, 0.5]
IN_TURN = pc.UniformSampling(costs=(1.0,) * 4)  # arms take turns, whatever they cost


def session_of(budget, costs=COSTS, algorithm=IN_TURN):
    return lab.Session(algorithm, 4, 2, 1.0, costs=costs, budget=budget)


def tell_equal_rewards(session):
    """Tell equal rewards for all arms until the session ends."""
    arms = []
    while not session.finished:
        arms.append(session.ask())
        session.tell(arms[-1], [0.0, 0.0])
    return arms


@pytest.mark.parametrize(
    ("budget", "arms"),
    [
        (2.99, [0]),
        (3, [0, 1]),
        (8.4, [0, 1, 2, 3]),
        (15, 2 * [0, 1, 2, 3]),
    ],
)
def test_the_session_ends_when_it_cannot_pay_for_the_next_sample(budget, arms):
    session = session_of(budget)
    assert tell_equal_rewards(session) == arms
    assert session.ended_by == "budget"
    assert session.spent == sum(COSTS[arm] for arm in arms)


def test_costs_without_exact_floats_add_up():
    session = session_of(0.3, [0.1, 0.1, 0.1, 0.1])
    assert tell_equal_rewards(session) == [0, 1, 2]


def test_a_batch_is_paid_for_as_a_whole():
    """The algorithm wants three samples of each arm at once, and decides after them."""
    session = session_of(12, [1.0, 2.0, 2.0, 2.0], CHEAP)
    assert copy.deepcopy(session).ask_many(99) == [0, 0, 0, 1, 1, 1]
    assert tell_equal_rewards(session) == [0, 0, 0, 1, 1, 1]
    assert (session.ended_by, session.spent) == ("budget", 9)


def test_more_data_is_refused_after_the_budget():
    session = session_of(3.5)
    tell_equal_rewards(session)
    message = "of its budget of 3.5, 3 are spent, and the samples of arm 2 .* cost 4"
    frame = {"arm": [2], "0": [0.0], "1": [0.0]}
    for call in (
        session.ask,
        lambda: session.ask_many(2),
        lambda: session.tell(2, [0.0, 0.0]),
        lambda: session.tell_all(frame),
    ):
        with pytest.raises(RuntimeError, match=f"^the session is finished: {message}"):
            call()
    assert session.samples == 2


def test_no_more_is_asked_for_than_the_budget_pays():
    budget = 31.5
    session = session_of(budget)
    arms = session.ask_many(99)
    assert session.spent == sum(COSTS[arm] for arm in arms)
    assert session.spent <= budget < session.spent + COSTS[len(arms) % 4]
    assert session.ask_many(99) == []
    for arm in reversed(arms):
        assert session.ended_by is None
        session.tell(arm, [0.0, 0.0])
    assert session.ended_by == "budget"
    assert session.samples == len(arms)


def test_old_rewards_cost_nothing():
    session = session_of(3.0)
    session.ask_many(1)
    session.tell_all({"arm": [0, 1, 1, 2], "0": [0.0] * 4, "1": [0.0] * 4})
    assert session.spent == 1  # one of arm 0 was asked for
    assert session.pulls.tolist() == [1, 1, 1, 0]
    assert session.waiting.tolist() == [0, 1, 0, 0]
    assert tell_equal_rewards(session) == [3, 0]
    assert session.ended_by == "budget"  # 1 + 0.5 + 1, arm 1 waits, and arm 2 is next


def test_a_higher_budget_continues_the_same_run():
    rewards = queues_of_rewards(3) * 0.03
    whole, session = session_of(10**6), session_of(9.0)
    while not whole.finished:
        arm = whole.ask()
        whole.tell(arm, rewards[arm, whole.pulls[arm]])
    pauses = 0
    while session.ended_by != "answer":
        if session.ended_by == "budget":
            pauses += 1
            session.raise_budget(session.budget + 9)
        while not session.finished:
            arm = session.ask()
            session.tell(arm, rewards[arm, session.pulls[arm]])
    assert pauses > 1
    assert used(session) == used(whole)
    assert session.recommendation.tolist() == whole.recommendation.tolist()


def test_a_wrapped_algorithm_gets_the_costs():
    def told(algorithm, deviation=1.0):
        return lab.Session(algorithm, 4, 2, deviation, costs=COSTS).algorithm

    assert told(pc.Certified(pc.TrackAndStop())).algorithm.costs == tuple(COSTS)
    assert told(pc.WidestBox(), None).costs == tuple(COSTS)
    assert told(pc.TrackAndStop(), "unknown").algorithm.costs == tuple(COSTS)
    for own in (pc.Certified(pc.TrackAndStop(costs=(3.0, 2.0, 1.0, 1.0))), pc.Certified(pc.APE())):
        assert told(own) == own
