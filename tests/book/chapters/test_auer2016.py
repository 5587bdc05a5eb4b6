"""What the chapter on racing computes: rounds of a race."""

from itertools import pairwise

import pareto_core as pc
from pareto_book.chapters import auer2016


def test_a_race_ends_with_its_answer_and_samples_active_arms_only():
    instance = pc.Instance([[3.0, 0.0], [0.0, 3.0], [-3.0, -3.0]])
    race = list(auer2016.rounds_of_run(pc.Racing(radius="hoeffding"), instance, seed=1))
    assert race[-1].accepted.tolist() == [True, True, False]
    for before, after in pairwise(race):
        assert (after.active == before.staying).all()
