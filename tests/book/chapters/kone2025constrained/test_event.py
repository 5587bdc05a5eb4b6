"""The check of Lemma 4.3 and Proposition C.3 accepts what is true and notices what is not."""

import numpy as np

from pareto_book.chapters.kone2025constrained import event
from pareto_core.geometry.partition import Partition, valid_partitions
from pareto_core.geometry.polyhedron import orthant

MEANS = np.array([[1.0, 1.0], [0.4, 0.2], [0.2, -0.1]])  # optimal, dominated, dominated or outside


def moment(width, estimate=MEANS):
    """The three arms with the same width and radius for each."""
    same = np.full(3, width)
    return event.Moment(orthant([0.0, 0.0]), MEANS, estimate, same, same)


def test_the_lemma_and_the_proposition_hold_on_random_moments():
    found = event.check_event(120, np.random.default_rng(0))
    assert (found.wrong, found.missed) == (0, 0)
    assert found.stopped > 20 and found.running > 20


def test_a_definition_with_half_the_widths_is_noticed():
    assert event.check_event(120, np.random.default_rng(0)).missed_half > 0


def test_estimates_outside_of_their_regions_are_noticed(monkeypatch):
    def anywhere(means, beta, radius, rng):
        return means + rng.uniform(-1, 1, means.shape)

    monkeypatch.setattr(event, "on_the_verge", anywhere)
    assert event.check_event(120, np.random.default_rng(0)).wrong > 0


def test_a_round_answers_when_all_is_known():
    answer, pair = event.one_round(moment(1e-3))
    assert pair is None
    assert [part.tolist() for part in answer] == [[0], [1], [2]]


def test_a_round_compares_when_the_widths_are_large():
    answer, (leader, challenger) = event.one_round(moment(0.5))
    assert answer is None
    assert leader != challenger == 0


def test_an_arm_is_under_explored_as_long_as_its_reason_is():
    answer = Partition(np.array([0]), np.array([1, 2]), np.array([], dtype=int))
    outside = Partition(np.array([0]), np.array([1]), np.array([2]))
    state = moment(0.1)  # 4 widths are below the gaps, 2 radii above the distance of arm 2
    assert event.is_under_explored(state, answer).tolist() == [False, False, False]
    assert event.is_under_explored(state, outside).tolist() == [False, False, True]
    assert event.resolved(state, [1, 2])


def test_the_regions_have_two_and_three_objectives():
    assert [region.n_objectives for region in event.REGIONS] == [2, 2, 2, 3, 3, 3]
    assert len(valid_partitions(MEANS, event.REGIONS[0])) == 2
