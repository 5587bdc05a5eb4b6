"""Checkers of Example 2 and of Section 7 pass true cases and catch corrupted ones."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.auer2016 import examples, sparse_covers

PROVEN = {"radius": "hoeffding", "pairs": "sum", "variance_bound": 0.01}
COVERING = pc.RacingCover(epsilon=0.5, tolerance=0.1, **PROVEN)


@pytest.fixture
def few_choices(monkeypatch):
    monkeypatch.setattr(examples, "CHOICES", ((0.3,), (1.0, 1.99)))


def test_no_cover_of_table_1_is_sparser(few_choices):
    found = examples.check_sparseness()
    assert {name: each.value for name, each in found.items()} == {
        "example2_optimal": 5,
        "example2_distances": 0,
        "example2_three": 3,
        "example2_sparse": 0,
    }


def test_other_points_than_those_of_table_1_are_caught(few_choices, monkeypatch):
    right = examples.table_1
    monkeypatch.setattr(examples, "table_1", lambda alpha: right(alpha) + 1e-3 * np.eye(5))
    assert examples.check_sparseness()["example2_distances"].value > 0


def test_sparser_covers_are_caught(monkeypatch):
    monkeypatch.setattr(examples, "CHOICES", ((0.1,), (2.1,)))  # where Example 2 claims nothing
    found = examples.check_sparseness()
    assert found["example2_three"].value == 1
    assert found["example2_sparse"].value > 0


def test_the_third_arm_of_example_1_is_optimal_above_the_front(monkeypatch):
    grid = np.linspace(-0.2, 0.2, 11)
    assert examples.count_wrong_sides(grid) == 0
    right = examples.example_1
    monkeypatch.setattr(examples, "example_1", lambda theta: right(-theta))
    assert examples.count_wrong_sides(grid) == 10


def test_samples_that_grow_with_the_square_have_the_exponent_two():
    rng = np.random.default_rng(0)
    few = rng.uniform(90, 110, 40)
    found = examples.growth_of(16 * few, few, 4)
    assert found.value == pytest.approx(2)
    assert found.interval[0] < 2 < found.interval[1]


def test_covers_fail_only_beyond_one_radius():
    cases = sparse_covers.cover_cases(COVERING, np.random.default_rng(0), count=0)[::6]
    found = sparse_covers.check_covers(COVERING, cases)
    inside, beyond = found[0.999], found[1.1]
    assert not inside["fails"].any()
    assert inside["algorithm2_edges"].min() > 1
    assert inside["lemma19"].min() > 1
    assert inside["lemma20"].max() <= 1
    assert beyond["fails"].any()
    assert beyond["lemma19"].min() < 1 or beyond["lemma20"].max() > 1


def test_algorithm_2_samples_no_further_than_lemma_22_allows():
    race = pc.Racing(epsilon=0.5, **PROVEN)
    by_tolerance, by_distance = sparse_covers.sampling_of(race, COVERING, seed=0, k=0)
    assert (by_tolerance < 1).all()
    assert (np.minimum(by_tolerance, by_distance) < 1).all()
    careless = pc.RacingCover(epsilon=0.5, tolerance=0.4, **PROVEN)
    n = sparse_covers.sampling_of(race, careless, seed=0, k=0)[0]
    assert len(n) == len(by_tolerance)


@pytest.mark.slow
def test_a_cover_that_keeps_all_vertices_is_caught():
    assert sparse_covers.check_graphs()["lemma21"].value == 0
    everything = sparse_covers.check_graphs(lambda edges: np.arange(len(edges)))
    assert everything["lemma21"].value == 4095  # all but the graph without edges


def test_covers_of_random_fronts_are_sparse(monkeypatch):
    assert sparse_covers.check_covers_of_fronts(np.random.default_rng(0), 30) == {
        "section7_cover": (0, None, 30)
    }
    monkeypatch.setattr(sparse_covers.covers, "sparse_cover", lambda edges: np.arange(1))
    wrong = sparse_covers.check_covers_of_fronts(np.random.default_rng(0), 30)
    assert wrong["section7_cover"].value > 0
