"""Instances on which a wrong answer is nearly right."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.guarantee.instances import best, border, duel, fan, wide


@pytest.mark.parametrize("n_arms", [2, 4, 12])
def test_each_arm_of_the_fan_nearly_dominates_the_first(n_arms):
    instance = fan(n_arms)
    assert 0 in pc.pareto_set(instance.means)
    for k in range(1, n_arms):
        means = instance.means.copy()
        means[k, 1] += 0.11
        assert 0 not in pc.pareto_set(means)


def test_other_instances_have_the_answers_that_the_chapter_states():
    assert duel().pareto_set.tolist() == [0]
    assert best().means[:, 0].argmax() == 1
    polyhedron, means = border().polyhedron, border().means
    inside = (polyhedron.offsets - means @ polyhedron.normals.T).min(axis=1)
    assert inside.tolist() == pytest.approx([0.1, 0.5, -3.0])
    assert np.array_equal(duel().features, np.eye(2))


def test_the_second_wide_arm_is_dominated_by_the_gap():
    instance = wide(4, gap=0.25)
    assert instance.means.tolist() == [[0.0] * 4, [-0.25, -0.25, -0.25, -10.0]]
    assert instance.pareto_set.tolist() == [0]
    assert instance.name == "wide, d = 4"


def test_with_one_objective_the_arms_differ_by_the_gap():
    instance = wide(1)
    assert instance.means.tolist() == [[0.0], [-0.05]]
    assert instance.name == "two arms"
