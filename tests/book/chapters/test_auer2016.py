"""What the chapter on racing computes: rounds, grids, statements and bonuses."""

from itertools import pairwise

import pytest

import pareto_core as pc
from pareto_book.chapters import auer2016


def test_a_race_ends_with_its_answer_and_samples_active_arms_only():
    instance = pc.Instance([[3.0, 0.0], [0.0, 3.0], [-3.0, -3.0]])
    race = list(auer2016.rounds_of_run(pc.Racing(radius="hoeffding"), instance, seed=1))
    assert race[-1].accepted.tolist() == [True, True, False]
    for before, after in pairwise(race):
        assert (after.active == before.staying).all()


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
