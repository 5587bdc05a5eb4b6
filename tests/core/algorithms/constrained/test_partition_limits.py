"""Constrained problems that are equivalent to easier ones, or cannot be solved."""

import numpy as np
import pytest
from references import pareto as reference
from references.algorithms import kinds_for
from references.partition_algorithms import ECAPELoop, follow, nearly_smallest, parts

from pareto_core import (
    ECAPE,
    Instance,
    Polyhedron,
    RacingCP,
    TwoStage,
    simulate,
)
from pareto_core.algorithms.constrained.partition_evidence import BONUSES
from pareto_core.geometry.polyhedron import hypercube, orthant
from pareto_core.questions import PARTITION
from pareto_lab import Session

ALGORITHMS = kinds_for(PARTITION)
EVERY_ALGORITHM = pytest.mark.parametrize("kind", ALGORITHMS)
MEANS = np.array([[1.0, 0.2], [0.0, 1.3], [-0.4, -0.6], [0.3, -0.5]])
EVERYTHING = {
    "no rows": Polyhedron(np.zeros((0, 2)), []),
    "a row of zeros": Polyhedron([[0.0, 0.0]], [1.0]),
    "far away": Polyhedron([[1.0, 1.0]], [1e9]),
}


class UnconstrainedLoop(ECAPELoop):
    """Adaptive exploration of the Pareto set of all arms, without a word on feasibility."""

    def cases(self):
        front = reference.pareto_set(self.y)
        rest = [i for i in self.everyone if i not in front]
        inside = {
            i: min((self.M_low(i, j) for j in front if j != i), default=np.inf) for i in front
        }
        return inside, {i: max(self.m_low(i, j) for j in front) for i in rest}

    def challengers_of(self, b):
        return nearly_smallest({j: self.M_low(b, j) for j in self.everyone if j != b})

    def answer(self):
        front = reference.pareto_set(self.y)
        return front, [i for i in self.everyone if i not in front], []


@pytest.mark.parametrize("bonus", BONUSES)
@pytest.mark.parametrize("name", EVERYTHING)
def test_if_all_arms_are_feasible_runs_equal_those_without_constraints(name, bonus):
    algorithm = ECAPE(0.2, bonus=bonus, variance_bound=0.05)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        session = Session(algorithm, 4, 2, polyhedron=EVERYTHING[name])
        loop = UnconstrainedLoop(4, 2, algorithm, EVERYTHING[name])
        while not session.finished:
            arm = session.ask()
            assert arm in loop.arms()
            reward = MEANS[arm] + np.sqrt(0.05) * rng.standard_normal(2)
            session.tell(arm, reward)
            loop.observe(arm, reward)
            assert session.finished == loop.finished
        assert parts(session.recommendation) == loop.answer() == ([0, 1], [2, 3], [])


@pytest.mark.parametrize("name", EVERYTHING)
@EVERY_ALGORITHM
def test_if_all_arms_are_feasible_the_answer_is_the_pareto_set(kind, name):
    runs = simulate(kind(), Instance(MEANS, polyhedron=EVERYTHING[name]), 20, progress=False)
    assert runs.correct.all()
    assert (runs.answers == [2, 2, 1, 1]).all()


@EVERY_ALGORITHM
def test_of_arms_far_apart_only_feasibility_is_in_question(kind):
    # no arm dominates another, and leads are long: what is left is which arms are in the box
    means = np.array([[0.5, 0.5], [-9.0, 9.5], [9.0, -8.0], [20.0, -30.0]])
    instance = Instance(means, variance=[0.04, 0.04], polyhedron=hypercube(2))
    runs = simulate(kind(), instance, 20, progress=False)
    assert runs.correct.all()
    assert (runs.answers == [2, 0, 0, 0]).all()
    if kind in (ECAPE, TwoStage, RacingCP):
        assert (runs.pulls[:, 1:] <= 4).all()
        assert (runs.pulls[:, 0] > 4).all()


@EVERY_ALGORITHM
def test_all_arms_may_be_infeasible(kind):
    means = np.array([[-1.0, 2.0], [-2.0, -2.0], [2.0, -1.5], [-3.0, -0.1]])
    instance = Instance(means, polyhedron=orthant([0.0, 0.0]))
    runs = simulate(kind(), instance, 20, progress=False)
    assert runs.correct.all()
    assert (runs.answers == 0).all()
    assert parts(kind().question.read(runs.answers[0])) == ([], [], [0, 1, 2, 3])


@EVERY_ALGORITHM
def test_an_arm_on_the_border_keeps_a_run_going_until_it_is_cut_off(kind):
    instance = Instance([[0.0, 2.0], [2.0, 0.5], [-3.0, -3.0]], polyhedron=orthant([0.0, -9.0]))
    runs = simulate(kind(delta=1e-3), instance, 3, max_samples=3000, progress=False)
    assert (runs.samples == 3000).all()
    assert not runs.stopped.any()
    assert not runs.correct.any()
    assert (runs.answers[:, 1] == 2).all()


def test_a_dominated_arm_on_the_border_stops_only_the_two_stages():
    means = [[2.0, 2.0], [0.0, 0.5], [-3.0, -3.0]]
    instance = Instance(means, polyhedron=orthant([0.0, -9.0]))
    for kind in ALGORITHMS:
        runs = simulate(kind(delta=1e-3), instance, 3, max_samples=3000, progress=False)
        assert (runs.stopped == (kind is not TwoStage)).all()
        assert (runs.correct == runs.stopped).all()


@EVERY_ALGORITHM
def test_equal_arms_keep_a_run_going(kind):
    rewards = np.array([[1.0, 1.0], [1.0, 1.0], [-9.0, 0.0]])
    session, loop = follow(
        kind(variance_bound=0.01), orthant([0.0, 0.0]), 3, 2, lambda arm: rewards[arm], most=150
    )
    assert not session.finished
    assert loop.answer() == ([0], [1], [2])


@pytest.mark.slow
@EVERY_ALGORITHM
def test_a_session_in_other_units_is_the_same(kind):
    deviation = np.array([8.0, 0.25])
    region = Polyhedron([[-1.0, 0.5], [0.0, -1.0]], [0.2, 1.0])
    in_units = region.divided_by(1 / deviation)
    plain = Session(kind(), 4, 2, 1.0, polyhedron=region)
    scaled = Session(kind(), 4, 2, standard_deviation=deviation, polyhedron=in_units)
    rng = np.random.default_rng(1)
    while not plain.finished:
        arm = plain.ask()
        assert scaled.ask() == arm
        reward = MEANS[arm] + rng.standard_normal(2)
        plain.tell(arm, reward)
        scaled.tell(arm, reward * deviation)
        assert scaled.finished == plain.finished
    assert parts(scaled.recommendation) == parts(plain.recommendation)
    np.testing.assert_allclose(scaled.means, plain.means * deviation)
