"""Steps of proofs that count arms: the true ones are bounded by 1, and the misprints are not."""

import numpy as np
import pytest

from pareto_book.chapters.kone2025linear import counts


def test_arms_are_halved_until_one_is_left():
    assert counts.active_arms(8) == [8, 4, 2, 1]
    assert counts.active_arms(11) == [11, 6, 3, 2, 1]


@pytest.mark.parametrize("step", [counts.summed_arms, counts.worst_half])
def test_halving_satisfies_the_steps_of_theorem_1_and_slower_rounds_do_not(step):
    assert max(step(counts.active_arms(h)) for h in range(2, 200)) <= 1
    assert step([16, 15, 14, 13, 5, 1]) > 1


def test_a_gap_belongs_to_at_most_two_sums():
    found = [counts.most_shared_rounds(h) for h in range(2, 200)]
    assert max(found) == 2 and found[:3] == [0, 0, 1]


def test_the_two_misprints():
    assert counts.floored_half(6) == 1 < counts.floored_half(7)
    assert counts.power_of_gap(np.array([0.5, 0.25])) == 1
    assert counts.power_of_gap(np.array([0.26])) == pytest.approx(16 * 0.26**2)
