"""The claims on cells: bound, ties and the worked example, on small cases."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.crepon2024 import cells, lemmas, work

EXAMPLE = np.array([[1.0, 2.0], [2.0, 1.0]])


def test_the_bound_of_lemma_5():
    assert [cells.cell_bound(p, 2) for p in (1, 2, 7)] == [2, 3, 8]
    assert cells.cell_bound(3, 3) == 10


def test_a_linear_program_finds_both_ends_of_the_worked_example():
    difference = np.array([-1.0, 1.0])
    assert cells.furthest(difference, EXAMPLE, (0, 1)) == 1
    assert cells.furthest(-difference, EXAMPLE, (0, 1)) == 1
    assert cells.furthest(np.zeros(2), EXAMPLE, (1, 0)) is None
    assert cells.valid_by_programs(EXAMPLE) == {(0, 0), (0, 1), (1, 1)}


def test_points_are_in_cells_of_the_same_arms_only():
    rng = np.random.default_rng(0)
    points, freed = rng.normal(size=(3, 3)), rng.normal(size=(50, 3))
    assert cells.points_outside(points, freed) == 0


def test_a_cell_that_is_left_out_leaves_points_outside(monkeypatch):
    rng = np.random.default_rng(0)
    points, freed = rng.normal(size=(3, 3)), 3 * rng.normal(size=(200, 3))
    monkeypatch.setattr(pc, "iterate_cells", lambda points: [])
    assert cells.points_outside(points, freed) == 200


def test_a_point_that_is_not_a_number_is_outside():
    rng = np.random.default_rng(0)
    points, freed = rng.normal(size=(3, 3)), rng.normal(size=(50, 3))
    freed[7, 1] = np.nan
    assert cells.points_outside(points, freed) == 1


def test_counts_that_are_not_numbers_exceed_the_bound(monkeypatch):
    counts = {2: np.array([1, 2, np.nan, 4])}
    assert not cells.most_over_bound(counts)[0] <= 1
    frame = cells.ties_frame(dict(list(cells.TIED.items())[:2])).astype({"with interior": float})
    frame.loc[0, "with interior"] = np.nan
    monkeypatch.setattr(cells, "ties_frame", lambda: frame)
    monkeypatch.setattr(cells, "counts_of_lemma5", lambda rng: {})
    others = cells.rows_of_lemma5({2: np.array([1, 2])}, seed=0)["lemma5"]["others"]
    assert not others["their cells with interior points"] <= 1
    assert others["three fronts with tied differences"] > 1


def test_counts_of_gaussian_points_are_those_of_the_lemma():
    found = cells.counts_of_lemma5(np.random.default_rng(0), largest=4)
    assert found["lemma5_exact"] == (0, 16)
    assert found["cells_d2"] == (0, 4) and found["cells_d3"] == (0, 3)
    assert found["tree_tests"][0] <= 1


def test_tied_fronts_exceed_the_bound_unless_cells_have_an_interior():
    ties = cells.ties_frame(dict(list(cells.TIED.items())[:2]))
    assert (ties["non-empty cells"] > ties["bound"]).all()
    assert (ties["with interior"] <= ties["bound"]).all()
    assert (ties["non-empty cells"] == ties["by linear programs"]).all()


def test_a_count_above_the_bound_is_found():
    counts = {2: np.array([1, 2, 3, 4]), 3: np.array([1, 3, 6, 11])}
    assert cells.most_over_bound(counts) == (1.1, 6)


@pytest.mark.slow
def test_scaling_has_the_same_cells_as_a_count():
    found = work.measure_scaling({2: 4, 3: 4}, [2, 4], instances=2, seed=0)
    assert found.cells[3].tolist() == [cells.cell_bound(p, 3) for p in range(5)]
    assert set(found.bounded) == set(found.nodes)
    assert found.doubling(2).runs == 4


def test_random_weights_sum_to_one():
    assert np.isclose(lemmas.random_weights(np.random.default_rng(0), 5).sum(), 1)
