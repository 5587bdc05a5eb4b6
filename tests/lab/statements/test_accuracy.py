"""Sessions with an accuracy: units and names, what is stated, files and reports."""

import types

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.statements.arm_statements import of_pareto_set

MEANS = {"A": (10.0, 5.0), "B": (10.0, 5.0), "C": (20.0, 1.0), "D": (13.0, 9.0)}
DEVIATIONS = {"yield": 0.5, "cost": 2.0}


def new_session(epsilon=None, noise=DEVIATIONS):
    epsilon = {"yield": 0.5, "cost": 2} if epsilon is None else epsilon
    variance = "unknown" if noise == "unknown" else "known"
    return lab.Session(
        pc.Certified(pc.UniformSampling(), epsilon=epsilon, variance=variance),
        arms=list(MEANS),
        objectives={"cost": "min", "yield": "max"},
        units={"cost": "EUR"},
        standard_deviation=noise,
    )


@pytest.mark.compiled
def test_arms_are_equal_within_an_accuracy_in_the_caller_s_units_and_names(tmp_path):
    session = new_session()
    assert session.algorithm.epsilon == (2.0, 0.5)
    arms = np.repeat(list(MEANS), 150)
    noise = np.random.default_rng(1).standard_normal((arms.size, 2)) * [2.0, 0.5]
    rewards = np.array([MEANS[arm] for arm in arms]) + noise
    session.tell_all({"arm": arms, "cost": rewards[:, 0], "yield": rewards[:, 1]})
    status = session.status()
    assert status.near_optimal == ["A", "B"]
    assert status.statements.tolist()[:2] == ["equal within ε"] * 2
    assert (status.optimal, status.dominated) == (["D"], ["C"])
    assert session.ended_by == "answer"
    assert session.recommendation.tolist() == ["A", "B", "D"]
    session.save(tmp_path / "session.json")
    assert str(lab.load_session(tmp_path / "session.json").status()) == str(status)
    session.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "contains every optimal arm, and no arm that is worse than another arm by ε" in text


def test_the_status_states_when_the_session_will_have_ended():
    session = new_session()
    end = session.algorithm.latest_end(session.design.problem)
    meaning, latest = (each.text for each in session.status().remarks[-2:])
    assert "with ε = 2 EUR in cost, 0.5 in yield" in meaning
    assert f"has used {end.samples_of_each[0]} rewards of every arm" in latest
    assert f"after {end.samples} rewards in all" in latest


@pytest.mark.parametrize(
    "settings",
    [
        {"epsilon": {"yield": 0.5, "cost": 0}},
        {"noise": "unknown"},
        {"epsilon": 1e-9},
    ],
)
def test_the_status_states_that_no_end_can_be_told(settings):
    assert new_session(**settings).status().remarks[-1].text.startswith("No latest end can be told")


def test_an_arm_that_is_kept_though_it_loses_and_wins_nothing_is_flagged():
    certificate = types.SimpleNamespace(optimal=[0], dominated=[], near_optimal=[1, 2])
    design = types.SimpleNamespace(n_arms=3, arms=["S45", "S30", "S44"])
    averages = np.array([[-34.8, 99.98], [-50.2, 99.99], [-34.7, 99.9]])
    _, reasons = of_pareto_set(certificate, design, averages, (0.5, 0.2))
    words = "looks worse than S45, S44 by more than ε somewhere, better by more nowhere"
    assert reasons.tolist() == ["", words, ""]
