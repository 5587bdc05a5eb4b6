"""Costs and budgets: how a session ends, and what it refuses afterwards."""

import numpy as np
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


def tell_equal_rewards(session, most=10**6):
    """Tell equal rewards for all arms until the session ends."""
    arms = []
    while not session.finished and len(arms) < most:
        arms.append(session.ask())
        session.tell(arms[-1], [0.0, 0.0])
    return arms


@pytest.mark.parametrize(
    ("budget", "arms"),
    [
        (1, [0]),
        (2.99, [0]),
        (3, [0, 1]),
        (7.5, [0, 1, 2, 3]),
        (8.4, [0, 1, 2, 3]),
        (15, 2 * [0, 1, 2, 3]),
    ],
)
def test_the_session_ends_when_it_cannot_pay_for_the_next_sample(budget, arms):
    session = session_of(budget)
    assert tell_equal_rewards(session) == arms
    assert session.ended_by == "budget"
    assert session.finished
    assert session.spent == sum(COSTS[arm] for arm in arms)
    assert session.budget == budget


def test_without_costs_a_budget_is_a_number_of_samples():
    session = session_of(11, None)
    assert tell_equal_rewards(session) == [0, 1, 2, 3] * 2 + [0, 1, 2]
    assert (session.ended_by, session.spent) == ("budget", 11)


@pytest.mark.slow
def test_costs_without_exact_floats_add_up():
    session = session_of(300.3, [0.1, 0.1, 0.1, 0.1])
    assert len(tell_equal_rewards(session)) == 3003


def test_a_batch_is_paid_for_as_a_whole():
    """The algorithm wants three samples of each arm at once, and decides after them."""
    session = session_of(12, [1.0, 2.0, 2.0, 2.0], CHEAP)
    assert tell_equal_rewards(session) == [0, 0, 0, 1, 1, 1]
    assert (session.ended_by, session.spent) == ("budget", 9)


def test_the_answer_of_a_spent_budget_is_the_empirical_one():
    algorithm = pc.APE()
    session = session_of(7.5, algorithm=algorithm)
    for arm in range(4):
        session.tell(arm, [0.1 * arm, 0.0])
    assert session.ended_by == "budget"
    assert session.recommendation.tolist() == [3]
    assert session._state.run.answer().tolist() != [3]


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


@pytest.mark.parametrize("budget", [5.0, 12.0, 20.0, 31.5])
def test_no_more_is_asked_for_than_the_budget_pays(budget):
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


def test_outstanding_samples_are_accepted_after_the_end():
    """The samples requested in advance leave no money for the arm that the algorithm wants."""
    session = lab.Session(pc.APE(), 4, 2, 1.0, costs=[1.0] * 4, budget=30)
    for arm in range(4):
        session.tell(arm, [1.0 * arm, 0.0])
    session.ask_many(99)
    rng = np.random.default_rng(0)
    while not session.finished:
        arm = int(rng.choice(np.flatnonzero(session.outstanding)))
        session.tell(arm, [-10.0 * arm, 0.0])
    assert session.ended_by == "budget"
    for arm in np.repeat(np.arange(4), session.outstanding).tolist():
        session.tell(arm, [0.0, 0.0])
    assert session.ended_by == "budget"
    assert session.spent <= 30
    assert session.outstanding.sum() == 0


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


@pytest.mark.parametrize("budget", [3.0, 2.0, 0.0, None, "9", np.nan])
def test_a_budget_is_never_lowered(budget):
    session = session_of(3.0)
    with pytest.raises(ValueError, match=r"^budget = .*; expected"):
        session.raise_budget(budget)
    assert session.budget == 3.0
    with pytest.raises(ValueError, match="budget = 9; expected a session that has a budget"):
        lab.Session(CHEAP, 4, 2, 1.0).raise_budget(9)


def test_costs_do_not_change_which_arms_are_selected():
    rewards, dear, plain = queues_of_rewards(1), session_of(None), lab.Session(IN_TURN, 4, 2, 1.0)
    for session in (dear, plain):
        while not session.finished:
            arm = session.ask()
            session.tell(arm, rewards[arm, session.pulls[arm]])
    assert used(dear) == used(plain)
    assert dear.spent == plain.pulls @ COSTS


def test_a_wrapped_algorithm_gets_the_costs():
    def told(algorithm, deviation=1.0):
        return lab.Session(algorithm, 4, 2, deviation, costs=COSTS).algorithm

    assert told(pc.Certified(pc.TrackAndStop())).algorithm.costs == tuple(COSTS)
    assert told(pc.WidestBox(), None).costs == tuple(COSTS)
    assert told(pc.TrackAndStop(), "unknown").algorithm.costs == tuple(COSTS)
    for own in (pc.Certified(pc.TrackAndStop(costs=(3.0, 2.0, 1.0, 1.0))), pc.Certified(pc.APE())):
        assert told(own) == own
