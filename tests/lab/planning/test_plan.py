"""Plans: simulated experiments are those of a session, and nothing of the session changes."""

import numpy as np
import pandas as pd
import pytest
from references.arms import InTurn

import pareto_core as pc
import pareto_lab as lab
from pareto_core.simulation.runs import run_generator
from pareto_core.simulation.statistics import rate_interval
from pareto_lab.planning import planner
from pareto_lab.planning.planner import GROWTH, Experiment

NAMES = ["A", "B", "C"]
OBJECTIVES = {"gain": "max", "loss": "min"}
MEANS = np.array([[3.0, 10.0], [0.0, 50.0], [2.0, 0.0]])
DEVIATION = [1.0, 10.0]
CHEAP = pc.UniformSampling()  # one sample at a time, in turn


def session_of(algorithm=CHEAP, standard_deviation=DEVIATION, **options):
    given = {"arms": NAMES, "objectives": OBJECTIVES, "costs": [1.0, 2.0, 0.5]} | options
    return lab.Session(algorithm, standard_deviation=standard_deviation, **given)


def plan_of(session, means=MEANS, runs=6, **options):
    return session.plan(means, runs, progress=False, n_jobs=1, **options)


def experiment(session, number, seed):
    """Samples and costs of one experiment of a plan, by a session that is told each reward."""
    rng, n_arms = run_generator(seed, number), session.n_arms
    found, look = np.full((2, n_arms + 1), np.inf), n_arms
    while not session.finished:
        arm = session.ask()
        index = session.design.arm_number(arm)
        reward = MEANS[index] + np.array([1, -1]) * DEVIATION * rng.standard_normal(2)
        session.tell(arm, reward)
        at_rest = session.finished or session._state.run._next_arm is None
        if at_rest and (session.samples >= look or session.finished):
            certain = n_arms - len(session.status().open)
            first = np.isinf(found[0, :certain])
            found[:, :certain][:, first] = [[session.samples], [session.spent]]
            look = max(int(GROWTH * session.samples), session.samples + 1)
    found[:, -1] = session.samples, session.spent
    return found


@pytest.mark.parametrize("algorithm", [CHEAP, InTurn(0.3), pc.TrackAndStop()])
def test_an_experiment_is_that_of_a_session(algorithm):
    plan = plan_of(session_of(algorithm), runs=3, seed=5)
    for number in range(3):
        expected = experiment(session_of(algorithm), number, 5)
        np.testing.assert_array_equal(plan.samples[number], expected[0])
        np.testing.assert_allclose(plan.costs[number], expected[1])
    assert np.isfinite(plan.samples[:, 0]).any()


def test_a_session_is_not_changed_and_an_experiment_depends_on_seed_and_number_alone():
    session = session_of(budget=500)
    session.tell_all({"arm": NAMES, "gain": MEANS[:, 0], "loss": MEANS[:, 1]})
    before = session._content()
    plan_of(session)
    assert session._content() == before
    plan = plan_of(session)
    more = session.plan(MEANS, 9, progress=False, n_jobs=3)
    np.testing.assert_array_equal(more.samples[:6], plan.samples)
    assert (plan_of(session, seed=1).samples != plan.samples).any()


@pytest.mark.parametrize(
    "means",
    [
        MEANS.tolist(),
        dict(zip(NAMES[::-1], MEANS[::-1].tolist(), strict=True)),
        pd.DataFrame(MEANS, NAMES, list(OBJECTIVES)).iloc[::-1, ::-1],
        pd.DataFrame(MEANS, columns=list(OBJECTIVES)).assign(arm=NAMES, note="x").iloc[::-1],
    ],
)
def test_means_by_name(means):
    assert plan_of(session_of(), means, runs=1).assumptions.means.tolist() == MEANS.tolist()


def test_the_noise_is_stated_or_given():
    session = session_of()
    assert plan_of(session, runs=1).assumptions.deviation.tolist() == [DEVIATION] * 3
    found = plan_of(session, runs=1, standard_deviation={"loss": 3.0, "gain": 2.0})
    assert found.assumptions.deviation.tolist() == [[2.0, 3.0]] * 3
    bounded = session_of(standard_deviation=None, bounds=[[0.0, 8.0], [-5.0, 95.0]])
    assert plan_of(bounded, runs=1).assumptions.deviation.tolist() == [[4.0, 50.0]] * 3


def test_within_the_budget():
    session = session_of(budget=25)
    plan = plan_of(session, runs=40, standard_deviation=[2.0, 20.0])
    inside = (plan.costs <= 25).sum(axis=0)
    table = plan.table
    assert 0 < inside[-1] < 40
    np.testing.assert_allclose(table["within_budget"], inside / 40)
    ends = [rate_interval(int(each), 40) for each in inside]
    np.testing.assert_allclose(table[["within_low", "within_high"]], ends)
    low, high = 1 - np.array(ends[0][::-1])
    assert f"within the budget: {1 - inside[0] / 40:.2f} [{low:.2f}, {high:.2f}]." in repr(plan)
    ordered = np.sort(plan.costs[:, -1])
    found = table[["cost_low", "cost_median", "cost_high"]].to_numpy()[-1]
    assert found.tolist() == ordered[[3, 19, 35]].tolist()


def test_a_run_is_cut_off():
    session = session_of(pc.APE(), budget=30)
    plan = plan_of(session, runs=2, max_samples=7)
    assert np.isinf(plan.samples[:, -1]).all()
    assert plan.table["never"].tolist()[-1] == 1
    assert "at 7 samples at the latest" in " ".join(repr(plan).split())
    assert "not reached" in repr(plan)
    assert plan_of(session, runs=1).max_samples == 600  # ten budgets at the least cost


def test_a_representation_for_people():
    plan = plan_of(session_of(budget=100), runs=4)
    text = repr(plan)
    assert text.startswith("Plan: 4 simulated experiments of UniformSampling(")
    for part in ("2 of 3 arms certain", "within 100", "cost, 90 %", "have the given means"):
        assert part in text
    assert "<table" in plan._repr_html_() and "the given means" in plan._repr_html_()
    assert "cost" not in repr(plan_of(session_of(costs=None), runs=2)).split("\n\n")[1]


def test_every_question_can_be_planned():
    constrained = session_of(pc.ECAPE(), polyhedron=pc.Polyhedron([[-1.0, 0.0]], [-1.0]))
    assert np.isfinite(plan_of(constrained, runs=1).samples[:, 0]).all()
    best = session_of(pc.MOBAI(), standard_deviation=[0.01, 0.1])
    assert np.isfinite(plan_of(best, runs=2, max_samples=3000).samples).all()
    linear = lab.Session(pc.GEGE(budget=20), 3, 2, 1.0, features=np.eye(3)[:, :2] + 0.1)
    assert np.isfinite(plan_of(linear, runs=1).samples[:, -1]).all()


def test_designs_that_cannot_be_planned_are_refused():
    mixed = session_of(pc.Certified(), {"gain": 1.0, "loss": "unknown"})
    with pytest.raises(ValueError, match="does not state the noise; expected a standard dev"):
        mixed.plan(MEANS, progress=False)
    correlated = session_of(pc.TopTwoIDS(), None, covariance=[[1.0, 0.5], [0.5, 1.0]])
    with pytest.raises(ValueError, match="with a covariance, which the simulated noise has"):
        correlated.plan(MEANS, standard_deviation=1.0, progress=False)
    boxes = pc.WidestBox(epsilon=500.0, bounds=((-600.0, 600.0), (-700.0, 800.0)))
    with pytest.raises(ValueError, match="requires bounded rewards; expected one for Gaussian"):
        lab.Session(boxes, 3, 2).plan(MEANS, progress=False)


COVARIANCE = [[1.0, -6.0], [-6.0, 100.0]]


def test_the_simulated_noise_has_the_stated_covariance():
    session = session_of(pc.TopTwoIDS(threshold="proven"), None, covariance=COVARIANCE)
    plan = plan_of(session, runs=2)
    assert np.isfinite(plan.samples[:, -1]).all()
    experiment = Experiment(session.algorithm, session.design, plan.assumptions, *[None] * 4)
    instance, scale = planner._instance(experiment), session.design.scale
    np.testing.assert_allclose(instance.means * scale, MEANS)
    for covariance in instance.covariance:
        np.testing.assert_allclose(covariance * np.outer(scale, scale), COVARIANCE)


def test_noise_of_several_kinds_is_that_of_each_objective():
    algorithm = pc.Certified(pc.UniformSampling())
    means = [[3.0, 5.1], [0.0, 5.1], [-3.0, 0.1]]
    session = session_of(algorithm, {"gain": 0.5, "loss": 0})
    plan = plan_of(session, means, runs=3)
    assert plan.assumptions.deviation.tolist() == [[0.5, 0.0]] * 3
    assert np.isfinite(plan.samples[:, -1]).all()  # A dominates B, although their losses tie
