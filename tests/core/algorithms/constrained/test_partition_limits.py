"""Constrained problems that are equivalent to easier ones, or cannot be solved."""

import numpy as np
import pytest
from references.algorithms import kinds_for
from references.partition_algorithms import follow

from pareto_core import (
    Instance,
    Polyhedron,
    TwoStage,
    simulate,
)
from pareto_core.geometry.polyhedron import orthant
from pareto_core.questions import PARTITION

ALGORITHMS = kinds_for(PARTITION)
EVERY_ALGORITHM = pytest.mark.parametrize("kind", ALGORITHMS)
MEANS = np.array([[1.0, 0.2], [0.0, 1.3], [-0.4, -0.6], [0.3, -0.5]])
EVERYTHING = {
    "no rows": Polyhedron(np.zeros((0, 2)), []),
    "a row of zeros": Polyhedron([[0.0, 0.0]], [1.0]),
    "far away": Polyhedron([[1.0, 1.0]], [1e9]),
}


@pytest.mark.parametrize("name", EVERYTHING)
@EVERY_ALGORITHM
def test_if_all_arms_are_feasible_the_answer_is_the_pareto_set(kind, name):
    runs = simulate(kind(), Instance(MEANS, polyhedron=EVERYTHING[name]), 20, progress=False)
    assert runs.correct.all()
    assert (runs.answers == [2, 2, 1, 1]).all()


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
