"""The claims on cells, on small cases."""

import numpy as np
import pytest

from pareto_book.chapters.crepon2024 import cells, work


def test_the_bound_of_lemma_5():
    assert [cells.cell_bound(p, 2) for p in (1, 2, 7)] == [2, 3, 8]
    assert cells.cell_bound(3, 3) == 10


def test_counts_of_gaussian_points_are_those_of_the_lemma():
    found = cells.counts_of_lemma5(np.random.default_rng(0), largest=4)
    assert found == {"lemma5_exact": (0, 16)}


@pytest.mark.slow
def test_scaling_has_the_same_cells_as_a_count():
    found = work.measure_scaling({2: 4, 3: 4}, [2, 4], instances=2, seed=0)
    assert found.cells[3].tolist() == [cells.cell_bound(p, 3) for p in range(5)]
    assert set(found.bounded) == set(found.nodes)
    assert found.doubling(2).runs == 4
