"""Arms that are withdrawn by their supplier while a session runs."""

import copy
import tempfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.seeds import MORE
from references.sessions import everything_of

import pareto_core as pc
import pareto_lab as lab
from pareto_core.simulation.statistics import rate_interval

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [0.4, 0.4], [1.5, 1.5]])
RULES = ("joint_subsets", "pairs_subsets")


def new_session(rule="joint_subsets", inner=None, delta=0.1, n_arms=4, **options):
    algorithm = pc.Certified(inner or pc.APE(), delta, rule)
    return lab.Session(algorithm, n_arms, 2, **{"standard_deviation": 1.0, **options})


def rewards(seed, means=MEANS, number=3000):
    noise = np.random.default_rng(seed).standard_normal((len(means), number, 2))
    return np.asarray(means)[:, None] + noise


def go_on(session, told, data, samples=10**6):
    """Tell up to ``samples`` rewards, as asked for; return the arms."""
    arms = []
    while not session.finished and len(arms) < samples:
        arms.append(session.ask())
        session.tell(arms[-1], data[arms[-1], told[arms[-1]]])
        told[arms[-1]] += 1
    return arms


# What is asked for


@pytest.mark.slow
@pytest.mark.parametrize("still_counts", [True, False])
@pytest.mark.parametrize(
    "inner", [pc.APE(), pc.TrackAndStop(), pc.EGE(budget=40)], ids=["APE", "TrackAndStop", "EGE"]
)
def test_a_retired_arm_is_never_asked_for_again(inner, still_counts):
    session, told, data = new_session(inner=inner, budget=600), np.zeros(4, int), rewards(0)
    go_on(session, told, data, 30)
    session.retire(3, "withdrawn", still_counts=still_counts)
    assert 3 not in go_on(session, told, data)
    if not session.finished:
        assert 3 not in session.ask_many(20)
    if not still_counts and session.ended_by == "answer":
        assert 3 not in session.recommendation


def test_outstanding_samples_of_it_may_be_told():
    session = new_session()
    arms = session.ask_many(8)
    number = arms.count(3)
    session.retire(3, "withdrawn", still_counts=True)
    for arm in arms:
        session.tell(arm, MEANS[arm])
    assert session.outstanding.sum() == 0 and number > 0
    assert session.pulls[3] == number and session.waiting[3] == 0
    assert session.status().samples[3] == number
    with pytest.raises(ValueError, match="arm = 3; expected"):
        session.tell(3, MEANS[3])


# What is stated


@pytest.mark.slow
def test_the_answer_among_the_remaining_arms():
    session, told, data = new_session(), np.zeros(4, int), rewards(1)
    go_on(session, told, data)
    assert session.recommendation.tolist() == [3]
    session.retire(3, "no longer sold", still_counts=False)
    go_on(session, told, data)
    assert session.ended_by == "answer"
    assert session.recommendation.tolist() == [0, 1, 2]
    session.retire(0, "no longer sold", still_counts=False)
    assert session.ended_by == "answer"
    assert session.recommendation.tolist() == [1, 2]
    status = session.status()
    assert status.statements.tolist()[::3] == ["retired", "retired"]
    assert "no longer counts: no longer sold" in status.reasons[3]
    assert any("No longer part of the question: 3, 0" in each.text for each in status.remarks)
    assert 3 not in status.front and 3 not in status.optimal


def test_it_does_not_end_before_it_must():
    session, told = new_session("joint"), np.zeros(4, int)
    data = rewards(3, [[3.0, 0.0], [0.0, 3.0], [-3.0, -3.0], [9.0, 9.0]])
    session.retire(3, "never delivered", still_counts=True)
    assert session.ended_by is None
    assert 20 < len(go_on(session, told, data)) < 400
    assert session.ended_by == "retired"
    assert session.status().open == [0, 1, 3]  # arm 3 may dominate every arm
    assert session.status().dominated == [2]
    with pytest.raises(RuntimeError, match="because 3 cannot be sampled again"):
        session.ask()
    assert "retired arms" in repr(session)


def test_certainly_dominated_arms_may_be_left_out_with_every_rule():
    session, told, data = new_session("joint"), np.zeros(4, int), rewards(4)
    with pytest.raises(ValueError, match=r"which is not certainly dominated.*joint_subsets"):
        session.retire(2, "too expensive", still_counts=False)
    assert session.retired == []
    table = {"arm": [0, 2] * 20, "0": [1.0, -5.0] * 20, "1": [0.0, -5.0] * 20}
    session.tell_all(table, repeat=True)
    assert session.status().dominated == [2]
    session.retire(2, "too expensive", still_counts=False)
    assert session.retired[0].still_counts
    assert session.pulls.tolist() == [1, 0, 20, 0]  # the rewards of arm 2 are used at once
    go_on(session, told, data)
    assert session.recommendation.tolist() == [3]


def test_it_still_counts_only_before_the_answer():
    session, told, data = new_session("joint"), np.zeros(4, int), rewards(5)
    go_on(session, told, data)
    with pytest.raises(RuntimeError, match="recommendation is final"):
        session.retire(3, "withdrawn", still_counts=True)


def test_the_report_has_the_reasons(tmp_path):
    session = new_session()
    session.retire(3, "supplier <gone>", still_counts=False)
    session.retire(2, "out of stock", still_counts=True)
    session.tell_all({"arm": [0, 1, 2, 3] * 2, "0": [1.0, 2] * 4, "1": [0.0, 3] * 4})
    session.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "were retired" in text and "out of stock" in text
    assert "supplier &lt;gone&gt;" in text
    assert "No longer sampled, but part of the question: 2" in text


# Files and withdrawals


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_withdrawals_find_the_same_session_however_it_was_told(data):
    """After a withdrawal the session depends on rewards and retirements, and a file has it all."""
    seed = data.draw(st.integers(0, 99))
    session, told, queues = new_session(), np.zeros(4, int), rewards(seed)
    queues[:, :3] += data.draw(st.sampled_from([0.0, 50.0]))
    for arm in data.draw(st.permutations(range(4)))[:2]:
        go_on(session, told, queues, data.draw(st.integers(0, 15)))
        still_counts = data.draw(st.booleans()) and session.ended_by != "answer"
        session.retire(arm, "withdrawn", still_counts=still_counts)
    go_on(session, told, queues, data.draw(st.integers(1, 15)))
    if not told.any():
        return
    arm = data.draw(st.sampled_from(np.flatnonzero(told).tolist()))
    wrong = queues[arm, data.draw(st.integers(0, int(told[arm]) - 1))]
    instead = MEANS[arm] if data.draw(st.booleans()) else None
    retired = [each[:3] for each in session.retired]
    session.withdraw(arm, wrong, instead, "mistyped")
    assert [each[:3] for each in session.retired] == retired
    again = copy.deepcopy(session)
    if session._state.rewards != [[]] * 4:
        again.withdraw(*_harmless(again))
    assert everything_of(again)[:4] == everything_of(session)[:4]
    with tempfile.TemporaryDirectory() as folder:
        session.save(f"{folder}/mine.json")
        assert everything_of(lab.load_session(f"{folder}/mine.json")) == everything_of(session)


def _harmless(session):
    """Arguments that replace a reward by itself, so that the run is repeated."""
    told = session._state.rewards
    arm = next(k for k, each in enumerate(told) if each)
    return arm, told[arm][-1], told[arm][-1]


# Whatever the user retires


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("rule", RULES)
@MORE
def test_answers_are_right_whichever_arms_are_retired(rule, times):
    """The user retires the arm that looks best as soon as anything is certain."""
    truth, delta, runs, wrong = np.array([[0.3], [0.25], [0.25], [3.0]]), 0.2, 25 * times, 0
    algorithm = pc.Certified(pc.UniformSampling(budget=4), delta, rule)
    for seed in range(runs):
        session = lab.Session(algorithm, 4, 1, 1.0)
        noise = np.random.default_rng(seed).standard_normal((4, 2000, 1))
        told = np.zeros(4, int)
        while not session.finished and told.sum() < 400:
            arm = session.ask()
            session.tell(arm, truth[arm] + noise[arm, told[arm]])
            told[arm] += 1
            if told.sum() % 10:
                continue
            left = np.setdiff1d(range(4), [each.arm for each in session.retired])
            certain = session.status(delta).open != left.tolist()
            if left.size > 2 and (certain or told.sum() % 60 == 0):
                best = left[session.means[left, 0].argmax()]
                session.retire(int(best), "withdrawn", still_counts=False)
        left = np.setdiff1d(range(4), [each.arm for each in session.retired])
        best = {int(k) for k in left[truth[left, 0] == truth[left, 0].max()]}
        status = session.status(delta)
        is_wrong = not set(status.optimal) <= best or bool(set(status.dominated) & best)
        if session.ended_by == "answer":
            is_wrong |= set(session.recommendation.tolist()) != best
        wrong += is_wrong
    assert rate_interval(wrong, runs)[1] < delta


# With an accuracy

TIED = {"A": [0.0, 0.0], "B": [0.0, 0.0], "C": [-4.0, -4.0]}


class InTurn(pc.PythonAlgorithm):
    """Samples the arm with the fewest samples."""

    def select(self, record, memory):
        return record.counts.argmin()


@pytest.mark.slow
@pytest.mark.parametrize("inner", [pc.TopTwoIDS(), InTurn()], ids=lambda each: type(each).__name__)
def test_with_an_accuracy_tied_arms_end_the_session(inner):
    algorithm, rng = pc.Certified(inner, epsilon=1.0), np.random.default_rng(0)
    session = lab.Session(algorithm, arms=list(TIED), n_objectives=2, standard_deviation=1.0)
    latest = algorithm.latest_end(session.design.problem).samples
    while not session.finished:
        if session.samples == 30 and not session.retired:
            session.retire("C", "no longer sold", still_counts=True)
        arm = session.ask()
        assert arm != "C" or not session.retired
        session.tell(arm, rng.normal(TIED[arm]))
    assert session.ended_by == "answer"
    assert session.recommendation.tolist() == ["A", "B"]
    assert 30 < session.samples <= latest
