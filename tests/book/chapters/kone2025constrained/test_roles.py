"""What an arm is under a limit, and by how much."""

import numpy as np

import pareto_core as pc
from pareto_book.chapters.kone2025constrained.roles import reasons_of

SIX = pc.load_instance("six_arms")
LIMIT = pc.Polyhedron([[0.0, -1.0]], [-1.6])


def test_six_arms_with_a_limit():
    found = reasons_of(SIX.means, LIMIT)
    assert SIX.labels[0] == "A"
    assert found.optimal.tolist() == [True, True, False, False, False, False]
    assert found.feasible.tolist() == [True, True, False, False, False, False]
    assert found.dominated.tolist() == [False, False, False, True, False, True]
    assert np.allclose(found.distance, [1.0, 0.5, 0.7, 0.1, 1.4, 0.9])
    assert np.allclose(found.lead[[0, 1, 3, 5]], [-0.5, -0.5, 0.4, 0.9])


def test_a_single_optimal_arm_has_nothing_beside_it():
    found = reasons_of([[1.0, 1.0], [0.5, 0.5]], pc.orthant([0.0, 0.0]))
    assert found.lead.tolist() == [-np.inf, 0.5]
