"""Arms that are withdrawn by their supplier while a session runs."""

import numpy as np
import pytest
from references.seeds import MORE

import pareto_core as pc
import pareto_lab as lab
from pareto_core.simulation.statistics import rate_interval

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [0.4, 0.4], [1.5, 1.5]])
RULES = ("joint_subsets", "pairs_subsets")


def new_session(rule="joint_subsets", inner=None, budget=None):
    algorithm = pc.Certified(inner or pc.APE(), 0.1, rule)
    return lab.Session(algorithm, 4, 2, 1.0, budget=budget)


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


@pytest.mark.slow
def test_the_answer_among_the_remaining_arms(tmp_path):
    session, told, data = new_session(), np.zeros(4, int), rewards(1)
    go_on(session, told, data)
    assert session.recommendation.tolist() == [3]
    session.retire(3, "no longer sold", still_counts=False)
    go_on(session, told, data)
    assert session.ended_by == "answer"
    assert session.recommendation.tolist() == [0, 1, 2]
    session.retire(0, "supplier <gone>", still_counts=False)
    assert session.ended_by == "answer"
    assert session.recommendation.tolist() == [1, 2]
    status = session.status()
    assert status.statements.tolist()[::3] == ["retired", "retired"]
    assert "no longer counts: no longer sold" in status.reasons[3]
    assert any("No longer part of the question: 3, 0" in each.text for each in status.remarks)
    assert 3 not in status.front and 3 not in status.optimal
    session.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "were retired" in text and "supplier &lt;gone&gt;" in text


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


@pytest.mark.parametrize(("lead", "ended_by"), [(0.2, "retired"), (0.6, None), (-0.6, None)])
def test_it_goes_on_if_the_end_of_an_interval_may_decide(lead, ended_by):
    """Arm 1 is worse in the second objective, and leads in the first, or does not."""
    session = lab.Session(pc.Certified(pc.UniformSampling(), delta=0.1), 2, 2, 1.0)
    arms = np.repeat([0, 1], [16, 30])
    session.tell_all({"arm": arms, 0: lead * arms, 1: 9.0 * (arms == 0)}, repeat=True)
    session.retire(0, "sold out", still_counts=True)
    assert session.ended_by == ended_by


def test_rewards_of_a_retired_arm_are_used_at_once():
    session, told, data = new_session("joint"), np.zeros(4, int), rewards(4)
    session.tell_all({"arm": [0, 2] * 20, "0": [1.0, -5.0] * 20, "1": [0.0, -5.0] * 20})
    session.retire(2, "too expensive", still_counts=True)
    assert session.pulls.tolist() == [1, 0, 20, 0]
    go_on(session, told, data)
    assert session.recommendation.tolist() == [3]
    with pytest.raises(RuntimeError, match="recommendation is final"):
        session.retire(3, "withdrawn", still_counts=True)


@pytest.mark.parametrize(
    ("algorithm", "noise", "told", "gap"),
    [
        (pc.Certified(variance="unknown"), "unknown", (60, 9), 5.0),
        (pc.Certified(variance="unknown"), ["unknown"], (60, 9), 1.5),
        (pc.Certified(pc.UniformSampling(), epsilon=0.5), 1.0, (100, 20), 0.0),
        (pc.Certified(pc.UniformSampling(), check_every=100), 1.0, (30, 30), 3.0),
    ],
)
def test_a_session_goes_on_where_the_other_arms_can_decide(algorithm, noise, told, gap):
    """Whatever is known of the noise, up to an accuracy, and if all is decided already."""
    session, rng = lab.Session(algorithm, 2, 1, noise), np.random.default_rng(0)
    for arm, number in enumerate(told):
        session.tell_all({"arm": [arm] * number, 0: rng.normal(arm * gap, 1, number)})
    session.retire(0, "sold out", still_counts=True)
    while not session.finished:
        session.tell(session.ask(), rng.normal(gap, 1, 1))
    assert session.ended_by == "answer"
    assert session.pulls[0] == told[0]


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
