"""The checks of the lemmas pass what is true, and find what is corrupted."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.crepon2024 import assignments, lemmas


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def gaussian(rng, n_arms, d):
    return lambda: (rng.normal(size=(n_arms, d)), lemmas.random_weights(rng, n_arms))


# Lemma 1


GRID = np.array([[[a, b], [c, 1]] for a in (0, 2) for b in (0, 2) for c in (0, 2)])


def test_lemma1_holds_without_ties():
    assert not any(lemmas.breaks_lemma1(mu, GRID, False).any() for mu in GRID)


def test_lemma1_with_equal_arms_has_counterexamples():
    mu, equal = np.array([[1, 1], [0, 0]]), np.array([[[1, 1], [1, 1]]])
    assert lemmas.breaks_lemma1(mu, equal, False).all()
    assert not lemmas.breaks_lemma1(mu, equal, True).any()


# Lemmas 2 and 3


def removal(means, weights):
    return assignments.removal_cost(means, weights, 0, 1)


def test_the_closed_form_of_a_removal_is_that_of_a_program(rng):
    draw = gaussian(rng, 2, 3)
    assert lemmas.disagreements(draw, lemmas.removal_by_program, removal, 10) == 0


def test_a_removal_in_the_wrong_direction_is_found(rng):
    def reversed_removal(means, weights):
        return assignments.removal_cost(means, weights, 1, 0)

    draw = gaussian(rng, 2, 3)
    assert lemmas.disagreements(draw, lemmas.removal_by_program, reversed_removal, 10) >= 9


def test_a_route_without_a_value_is_found(rng):
    draw = gaussian(rng, 2, 3)
    assert lemmas.disagreements(draw, removal, lambda means, weights: np.nan, 10) == 10


@pytest.mark.parametrize("size", [(7, 2), (6, 3)])
def test_all_assignments_cost_what_valid_cells_cost(rng, size):
    cells, everything = lemmas.cost_by("cells"), assignments.cost_by_all_assignments
    assert lemmas.disagreements(gaussian(rng, *size), cells, everything, 2) == 0


def test_weights_that_are_not_those_of_the_arms_are_found(rng):
    def uniform(means, weights):
        return assignments.cost_by_all_assignments(means, np.full_like(weights, weights.mean()))

    draw = gaussian(rng, 7, 2)
    assert lemmas.disagreements(draw, lemmas.cost_by("cells"), uniform, 2) == 2


def test_each_assignment_has_one_minimum_in_each_objective(rng):
    means, weights = gaussian(rng, 6, 3)()
    numbers = assignments.numbers_of_minima(means, weights)
    n_optimal = len(pc.pareto_set(means))
    assert len(numbers) == (6 - n_optimal) * 3**n_optimal * 3
    assert set(numbers) == {1}


def test_a_function_that_is_not_convex_is_found():
    levels, negative = np.array([1.0]), np.array([-3.0])
    assert len(assignments.minima_of_pieces(0.0, 1.0, levels, -negative)) == 1
    assert len(assignments.minima_of_pieces(0.0, 1.0, levels, negative)) == 0


# Lemmas 4 and 7


def test_the_walk_lists_the_cells_that_linear_programs_find(rng):
    assert lemmas.wrong_cells(rng.normal(size=(3, 3))) == 0


def test_a_cell_that_is_left_out_is_found(rng, monkeypatch):
    points = rng.normal(size=(2, 3))
    listed = list(map(tuple, pc.iterate_cells(points, closed=True)))
    monkeypatch.setattr(pc, "iterate_cells", lambda points, closed: listed[1:])
    assert lemmas.wrong_cells(points) == 1


def test_shortest_paths_are_right_after_updates(rng):
    points = rng.normal(size=(4, 3))
    wrong, leaves = lemmas.wrong_paths(points)
    assert (wrong, leaves) == (0, pc.count_cells(points))


def test_wrong_paths_are_found(rng):
    wrong, leaves = lemmas.wrong_paths(rng.normal(size=(4, 3)), shift=1e-6)
    assert wrong == leaves > 0
