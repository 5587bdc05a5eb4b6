"""Instances whose number of arms grows."""

import pytest

from pareto_book.chapters.arena.growth import crowd, gradient_step


@pytest.mark.parametrize("n_infeasible", [0, 25])
def test_a_crowd_has_twenty_optimal_arms(n_infeasible):
    instance = crowd(100, 2, n_infeasible, 2.0)
    assert instance.n_arms == 100
    assert len(instance.pareto_set) >= 20


def test_the_gradient_is_updated_more_rarely_with_more_arms():
    steps = [gradient_step(n_arms) for n_arms in (2, 100, 10_000)]
    assert steps[0] >= 1
    assert steps == sorted(steps)
