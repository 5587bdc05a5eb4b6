"""What the chapter on racing computes: rounds, grids, statements and bonuses."""

from itertools import pairwise

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters import auer2016

EPSILONS = np.array([0.1, 1.0])
LLVM = pc.load_instance("sw_llvm")


def grid(distance, samples=100, runs=20):
    """A grid whose runs hardly differ."""
    shape = (2, runs)
    jitter = 1 + 0.01 * np.random.default_rng(0).random(shape)
    distances = np.reshape(distance, (2, 1)) * jitter
    return auer2016.Grid(EPSILONS, distances, *np.ones((1, *shape), bool), samples * jitter, True)


def test_a_race_ends_with_its_answer_and_samples_active_arms_only():
    instance = pc.Instance([[3.0, 0.0], [0.0, 3.0], [-3.0, -3.0]])
    race = list(auer2016.rounds_of_run(pc.Racing(radius="hoeffding"), instance, seed=1))
    assert race[-1].accepted.tolist() == [True, True, False]
    for before, after in pairwise(race):
        assert (after.active == before.staying).all()


def test_statements_about_pal_have_their_signs():
    race, near, far = grid([0.05, 0.5], 300), grid([0.2, 0.1], 100), grid([0.01, 0.9], 400)
    found, other = (auer2016.against_pal(race, each) for each in (near, far))
    for name in ("fig2_pal_small", "fig2_pal_large"):
        assert found[name].value > 0 > other[name].value
    assert found["fig5_samples"].value == pytest.approx(3, rel=0.01)
    assert race.worst_of_ten[0, 0] == race.distance[0, :10].max()


def test_a_union_over_fewer_comparisons_has_a_smaller_bonus():
    problem = pc.Problem(n_arms=20, n_objectives=3)
    none, some, proven, every = (
        algorithm.parameters(problem).bonus_constant
        for algorithm in (
            auer2016.PartialUnion(),
            auer2016.PartialUnion(comparisons=60),
            pc.APE(bonus="mixture"),
            auer2016.PartialUnion(comparisons=570),
        )
    )
    assert none < some < proven == pytest.approx(every)
