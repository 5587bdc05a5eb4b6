"""Cells of assignments, counted against the bound of Lemma 5."""

import math

import numpy as np

from pareto_core.geometry.cells import count_nodes

__all__ = ["cell_bound", "counts_of_lemma5"]


def cell_bound(p: int, d: int) -> int:
    """The bound of Lemma 5: binomial(p + d - 1, d - 1)."""
    return math.comb(p + d - 1, d - 1)


def counts_of_lemma5(rng: np.random.Generator, largest: int = 11) -> dict[str, tuple[int, int]]:
    """Count the cells of Gaussian points for all numbers of arms and objectives up to a size."""
    sizes = range(1, largest + 1)
    visited = {d: count_nodes(rng.normal(size=(largest, d))) for d in sizes}
    cells = {(p, d): visited[d][p] for d in sizes for p in sizes}
    return {"lemma5_exact": (sum(cells[size] != cell_bound(*size) for size in cells), len(cells))}
