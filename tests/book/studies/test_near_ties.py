"""The second arm of a wide instance is dominated by a small gap."""

import pytest

from pareto_book.studies.near_ties import wide_instance


def test_the_second_arm_is_dominated_by_the_gap():
    instance = wide_instance(4, gap=0.25)
    assert instance.means.tolist() == [[0.0] * 4, [-0.25, -0.25, -0.25, -10.0]]
    assert instance.pareto_set.tolist() == [0]
    assert instance.name == "wide, d = 4"


def test_with_one_objective_the_arms_differ_by_the_gap():
    instance = wide_instance(1)
    assert instance.means.tolist() == [[0.0], [-0.05]]
    assert instance.name == "two arms"


@pytest.mark.parametrize("n_objectives", [0, -1, 1.5])
def test_an_invalid_number_of_objectives_is_refused(n_objectives):
    with pytest.raises(ValueError, match="n_objectives"):
        wide_instance(n_objectives)
