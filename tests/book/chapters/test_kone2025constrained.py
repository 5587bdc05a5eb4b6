"""What an arm is under a limit."""

import pareto_core as pc
from pareto_book.chapters.kone2025constrained import reasons_of


def test_six_arms_with_a_limit():
    six = pc.load_instance("six_arms")
    limit = pc.Polyhedron([[0.0, -1.0]], [-1.6])
    optimal, feasible, dominated = reasons_of(six.means, limit)
    assert optimal.tolist() == feasible.tolist() == [True, True, False, False, False, False]
    assert dominated.tolist() == [False, False, False, True, False, True]
