"""Arms that are announced, whose share of the risk is paid before they arrive."""

import json

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab

NAMES = {"arms": ["A", "B"], "objectives": {"x": "max", "y": "min"}}


def new(arms_to_come=2, algorithm=None, **rest):
    algorithm = algorithm or pc.Certified(pc.UniformSampling(), delta=0.09)
    options = {**NAMES, "standard_deviation": 1.0, **rest}
    return lab.Session(algorithm, **options, arms_to_come=arms_to_come)


def told(session, n=20, seed=0):
    rng = np.random.default_rng(seed)
    arms = [*session.design.arms] * n
    values = rng.normal(size=(len(arms), 2))
    session.tell_all({"arm": arms, "x": values[:, 0], "y": values[:, 1]})
    return session


def intervals(session, delta):
    return session.status(delta).boxes.tolist()


def test_each_set_of_arms_has_an_equal_share_of_the_risk():
    session = told(new())
    twin = told(new(0, pc.Certified(pc.UniformSampling(), delta=0.09 / 3)))
    assert session.algorithm.delta == pytest.approx(0.03)
    assert session.pulls.tolist() == twin.pulls.tolist()
    assert intervals(session, 0.3) == intervals(twin, 0.3 / 3)
    assert session.status(0.3).delta == 0.3
    session.add_arm("C", made_from_data=False)
    twin.add_arm("C", made_from_data=False)
    assert intervals(told(session, seed=1), 0.3) == intervals(told(twin, seed=1), 0.3 / 3)
    assert session.algorithm.delta == pytest.approx(0.03)


def test_the_status_and_the_report_say_what_is_paid(tmp_path):
    session = told(new())
    session.add_arm("C", made_from_data=False)
    (text,) = [each.text for each in session.status(0.09).remarks if "Announced" in each.text]
    assert "Announced arms: 2, of which 1 arrived." in text
    assert "have the risk 0.03," in text and "at least 0.91" in text
    assert not any("Experiments before" in each.text for each in session.status().remarks)
    session.report(tmp_path / "mine.html")
    assert "Announced arms: 2, of which 1 arrived." in (tmp_path / "mine.html").read_text()


def test_more_arms_than_announced_are_a_new_experiment():
    session = new(1)
    with pytest.raises(ValueError, match="paid in advance"):
        session.add_arm("C", made_from_data=False, delta=0.05)
    session.add_arm("C", made_from_data=False)
    with pytest.raises(ValueError, match="as many arms have arrived"):
        session.add_arm("D", made_from_data=False)
    after = session.successor([*"ABCD"], use_rewards=True)
    assert [each.delta for each in after.predecessors] == [0.045, 0.045]
    assert after.algorithm.delta == 0.045
    assert any("at least 0.81" in each.text for each in after.status(0.1).remarks)


def test_a_session_is_restored_with_its_announced_arms(tmp_path):
    path = tmp_path / "mine.json"
    session = told(new())
    session.save(path)
    assert json.loads(path.read_text())["content"]["arms_to_come"] == 2
    session.add_arm("C", made_from_data=False)
    session.save(path)
    again = lab.load_session(path)
    assert str(again.status()) == str(session.status())
    assert again.algorithm == session.algorithm
    again.add_arm("D", made_from_data=False)
    again.save(path)
    with pytest.raises(ValueError, match="as many arms have arrived"):
        lab.load_session(path).add_arm("E", made_from_data=False)
    with pytest.raises(ValueError, match="different session"):
        new(3).save(path)


def test_an_arm_is_left_out_at_the_risk_of_the_session():
    session = new(1, pc.Certified(pc.UniformSampling(), delta=0.1, rule="pairs"))
    table = {"arm": [*"AB"] * 30, "x": [3.0, 0.0] * 30, "y": [0.0, 3.0] * 30}
    session.tell_all(table)
    session.add_arm("C", made_from_data=False)
    session.retire("B", "no longer sold", still_counts=False)
    assert [each.arm for each in session.retired] == ["B"]


@pytest.mark.parametrize(
    ("number", "rest", "message"),
    [
        (-1, {}, "arms_to_come = -1"),
        (1.5, {}, "arms_to_come = 1.5"),
        (1, {"algorithm": pc.EGE(budget=24)}, "no risk to divide"),
        (1, {"algorithm": pc.SeparateTopTwo()}, "separately"),
        (1, {"standard_deviation": np.ones((2, 2))}, "for each arm"),
    ],
)
def test_arms_that_could_not_arrive_are_not_announced(number, rest, message):
    with pytest.raises(ValueError, match=message):
        new(number, **rest)


def test_a_plan_has_the_share_of_the_risk():
    means = [[0.0, 0.0], [2.0, -2.0]]
    options = {"runs": 3, "progress": False, "n_jobs": 1}
    plan = new().plan(means, delta=0.3, **options)
    twin = new(0, pc.Certified(pc.UniformSampling(), delta=0.09 / 3))
    assert plan.samples.tolist() == twin.plan(means, delta=0.3 / 3, **options).samples.tolist()
