"""`Certified` with an accuracy: right answers, surely an end, units, and refusals."""

import numpy as np
import pytest
from references import accuracy
from references.runs import assert_same_runs

from pareto_core import (
    EGE,
    Certified,
    Instance,
    Problem,
    TrackAndStop,
    UniformSampling,
    simulate,
)
from pareto_core.loop.record import observe
from pareto_core.loop.run import CompiledRun
from pareto_core.simulation.preparation import prepare
from pareto_core.simulation.statistics import rate_interval

TIED = Instance([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])
ENDLESS = UniformSampling(costs=(1.0, 1e6, 1e6))  # samples the cheap arm almost always
INNER = [TrackAndStop(), EGE(budget=24), ENDLESS]


def quietly(algorithm, instance=TIED, runs=4, **settings):
    return simulate(algorithm, instance, runs, progress=False, n_jobs=1, **settings)


def by_hand(algorithm, problem, reward, longest=10**6):
    """Samples of each arm when a run stops, if ``reward(arm, counts)`` gives the rewards."""
    run = CompiledRun(algorithm, problem, np.random.default_rng(0))
    while run.record.time[0] < longest:
        arm, number = run.select()
        total = number * reward(arm, run.record)
        observe(run.record, arm, number, total, np.zeros(problem.n_objectives))
        if run.stop():
            return run.record.counts
    raise AssertionError("the run has not stopped")


HARD = {
    "tied": lambda arm, record: np.zeros(2),
    "at the margin": lambda arm, record: np.full(2, 0.5 * arm),
    "half of the margin": lambda arm, record: np.full(2, 0.25 * arm),
    "a front": lambda arm, record: np.array([0.25 * arm, -0.25 * arm]),
    "never the leader": lambda arm, record: np.full(2, -float(record.counts[arm] > 5)),
}


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("data", HARD)
@pytest.mark.parametrize("inner", INNER, ids=repr)
def test_a_run_ends_in_time_whatever_the_rewards_are(inner, data):
    algorithm, problem = Certified(inner, epsilon=1.0, check_every=1000), Problem(3, 2)
    end = algorithm.latest_end(problem)
    counts = by_hand(algorithm, problem, HARD[data])
    assert (counts <= end.samples_of_each).all()


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize(
    "means",
    [
        [[0.0, 0.0], [0.0, 0.0], [0.3, 0.29]],
        [[0.0], [0.3], [0.3], [0.0]],
        [[0.0, 0.0], [0.0, -5.0], [-0.01, -9.0]],
    ],
    ids=str,
)
@pytest.mark.parametrize("rule", ["joint", "pairs"])
def test_wrong_answers_are_as_rare_as_promised(means, rule):
    algorithm = Certified(UniformSampling(), delta=0.5, rule=rule, epsilon=0.3)
    runs = quietly(algorithm, Instance(means), 300)
    assert runs.stopped.all()
    assert rate_interval((~runs.correct).sum(), 300, 0.99)[1] < 0.5


# Units


@pytest.mark.compiled
def test_the_accuracy_is_in_the_unit_of_the_rewards():
    algorithm = Certified(UniformSampling(), epsilon=(0.6, 0.3))
    plain = quietly(algorithm)
    units = np.array([8.0, 0.25])
    scaled = Instance(TIED.means * units, variance=units**2)
    same = quietly(Certified(UniformSampling(), epsilon=tuple(algorithm.epsilon * units)), scaled)
    np.testing.assert_array_equal(plain.pulls, same.pulls)
    np.testing.assert_array_equal(plain.correct, same.correct)
    preparation = prepare([algorithm], scaled)
    assert preparation.problem.unit.tolist() == units.tolist()
    assert prepare([UniformSampling(budget=8)], scaled).problem.unit is None


def test_the_latest_end_uses_the_unit_of_the_problem():
    algorithm = Certified(epsilon=1.0)
    end = algorithm.latest_end(Problem(3, 1, unit=np.array([2.0])))
    assert end.samples_of_each.tolist() == [501, 501, 501]
    assert end.samples == 3 * 501
    assert algorithm.latest_end(Problem(3, 1)).samples < end.samples


def test_no_latest_end_is_told_where_there_may_be_none():
    problem = Problem(3, 2)
    for algorithm in (
        Certified(),
        Certified(epsilon=0),
        Certified(epsilon=(1.0, 0.0)),
        Certified(epsilon=1.0, variance="unknown, equal"),
        Certified(epsilon=1e-9),
    ):
        assert algorithm.latest_end(problem) is None


# Answers


def test_an_answer_is_judged_by_its_guarantee():
    rng = np.random.default_rng(0)
    for _ in range(200):
        means = rng.integers(0, 4, (4, rng.integers(1, 4))) * 0.25
        epsilon = rng.integers(0, 3, means.shape[1]) * 0.25 + 0.25
        judge = Certified(epsilon=tuple(epsilon)).judge(Instance(means))
        answer = rng.random(4) < 0.6
        assert judge(answer) is accuracy.is_right(answer, means, epsilon)


# Names, files and words


def test_an_accuracy_may_be_given_by_name():
    named = Instance(TIED.means, objectives=["yield", "purity"])
    by_name = Certified(UniformSampling(), epsilon={"purity": 0.3, "yield": 0.6})
    in_order = Certified(UniformSampling(), epsilon=[0.6, 0.3])
    assert by_name.for_objectives(["yield", "purity"]) == in_order
    assert_same_runs(quietly(by_name, named, 2), quietly(in_order, named, 2))
    with pytest.raises(ValueError, match=r"^epsilon = \(1\.0, 1\.0, 1\.0\); expected 2 numbers"):
        quietly(Certified(epsilon=[1.0, 1.0, 1.0]))
    for wrong in ({"yield": 1.0}, {"yield": 1.0, "purity": 1.0, "cost": 1.0}, {"a": 1.0, "b": 1.0}):
        with pytest.raises(
            ValueError, match=r"^epsilon = .*expected one number for each of the obj"
        ):
            quietly(Certified(epsilon=wrong), named)
    with pytest.raises(ValueError, match=r"^epsilon = .*in the order of the objectives"):
        by_name.latest_end(Problem(4, 2))


@pytest.mark.parametrize(
    ("epsilon", "message"),
    [
        (-1.0, r"epsilon = -1\.0; expected a number, at least 0"),
        ("much", "epsilon = 'much'; expected a finite number"),
        (np.nan, "epsilon = nan; expected a finite number"),
        (True, "epsilon = True; expected a finite number"),
        ([], "epsilon"),
        ([[1.0]], r"epsilon = \[\[1\.0\]\]; expected a number, or one per objective"),
        ([1.0, -1.0], r"epsilon = -1\.0; expected a number, at least 0"),
        ({}, "epsilon = {}; expected one number for the name of each objective"),
        ({"a": -1}, r"epsilon\['a'\] = -1; expected a number, at least 0"),
        ({0: 1.0}, r"epsilon = {0: 1\.0}; expected one number for the name"),
    ],
)
def test_a_bad_accuracy_is_refused(epsilon, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        Certified(epsilon=epsilon)
