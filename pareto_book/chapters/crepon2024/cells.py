"""Cells of assignments: their linear programs, ties, and the claims of Lemma 5."""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import linprog

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_core.geometry.cells import count_nodes

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "cell_bound",
    "counts_of_lemma5",
    "furthest",
    "most_over_bound",
    "points_outside",
    "rows_of_example",
    "rows_of_lemma5",
    "ties_frame",
    "ties_table",
    "valid_by_programs",
]


def cell_bound(p: int, d: int) -> int:
    """The bound of Lemma 5: binomial(p + d - 1, d - 1)."""
    return math.comb(p + d - 1, d - 1)


def furthest(direction: np.ndarray, points: np.ndarray, assignment: Sequence[int]) -> float | None:
    """Find the largest value of a linear function in a cell.

    Parameters
    ----------
    direction : ndarray, shape (d,)
        Coefficients of the function.
    points : ndarray, shape (p, d)
        Means of the optimal arms.
    assignment : sequence of int, length p
        Objective in which each of them is lowered.

    Returns
    -------
    float or None
        None if the cell is empty.
    """
    d = points.shape[1]
    rows, bounds = [], []
    for point, c in zip(points, assignment, strict=True):
        for j in np.delete(np.arange(d), c):
            rows.append(np.eye(d)[j] - np.eye(d)[c])
            bounds.append(point[j] - point[c])
    found = linprog(-direction, A_ub=np.array(rows), b_ub=bounds, bounds=(None, None))
    return -found.fun if found.status == 0 else None


def valid_by_programs(points: ArrayLike) -> set[tuple[int, ...]]:
    """Assignments whose cell is not empty, by a linear program for each.

    Parameters
    ----------
    points : array_like, shape (p, d)
        Means of the optimal arms.

    Returns
    -------
    set of tuple of int
    """
    points = np.array(points, dtype=float)
    p, d = points.shape
    return {
        assignment
        for assignment in itertools.product(range(d), repeat=p)
        if furthest(np.zeros(d), points, assignment) is not None
    }


def points_outside(points: np.ndarray, freed: np.ndarray) -> int:
    """Count the points whose cheapest assignment is not among the cells that are enumerated.

    A point that is not a number is in no cell.

    Parameters
    ----------
    points : ndarray, shape (p, d)
        Means of the optimal arms.
    freed : ndarray, shape (n, d)
        Points where a freed arm may be.

    Returns
    -------
    int
    """
    known = {tuple(each) for each in pc.iterate_cells(points)}
    above = points - freed[:, None]
    unknown = np.isnan(above).any(axis=(1, 2))
    taken = above.argmin(-1)
    return sum(nan or tuple(each) not in known for nan, each in zip(unknown, taken, strict=True))


def counts_of_lemma5(rng: np.random.Generator, largest: int = 11) -> dict[str, tuple[float, int]]:
    """Count the cells of Gaussian points for all numbers of arms and objectives up to a size.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of the points.
    largest : int, default 11
        Largest number of arms, and of objectives.

    Returns
    -------
    dict of str to (float, int)
        Value and number of cases, by the claim that they are about.
    """
    sizes = range(1, largest + 1)
    clouds = {d: rng.normal(size=(largest, d)) for d in sizes}
    visited = {d: count_nodes(clouds[d]) for d in sizes}
    cells = {(p, d): visited[d][p] for d in sizes for p in sizes}
    added = np.diff([cells[p, 3] for p in sizes])
    # Every child of every valid node is tested.
    tests = {(p, d): d * visited[d][:p].sum() for p, d in cells}
    most = np.max([tests[p, d] / (d * p * cell_bound(p, d)) for p, d in cells])
    return {
        "lemma5_exact": (sum(cells[size] != cell_bound(*size) for size in cells), len(cells)),
        "cells_d2": (sum(cells[p, 2] != p + 1 for p in sizes), len(sizes)),
        "cells_d3": (int((added != np.arange(1, largest) + 2).sum()), len(added)),
        "tree_tests": (most, len(cells)),
    }


TIED = {  # optimal arms in three objectives, by what the table calls them
    "(1,1,0), (0,0,1)": [[1, 1, 0], [0, 0, 1]],
    "(1,1,0), (0,0,1), (0.5,0.5,0.5)": [[1, 1, 0], [0, 0, 1], [0.5, 0.5, 0.5]],
    "the six permutations of (0,1,2)": list(itertools.permutations(range(3))),
}


def most_over_bound(counts: Mapping[int, np.ndarray]) -> tuple[float, int]:
    """Compare counts of cells with the bound of Lemma 5.

    Parameters
    ----------
    counts : dict of int to ndarray
        By number of objectives: cells of the first 0, 1, ..., p arms.

    Returns
    -------
    float, int
        The largest ratio of a count to its bound, and the number of cases.
    """
    ratios = [each[p] / cell_bound(p, d) for d, each in counts.items() for p in range(1, len(each))]
    return np.max(ratios), len(ratios)


def ties_frame(fronts: Mapping[str, Any] = TIED) -> pd.DataFrame:
    """Count the cells of tied arms in three objectives.

    Parameters
    ----------
    fronts : dict of str to array_like, shape (p, 3)
        Optimal arms by what the table calls them.

    Returns
    -------
    pandas.DataFrame
        The bound of Lemma 5, the cells that are not empty, also by linear programs, and the cells
        that have interior points.
    """
    return pd.DataFrame(
        [
            {
                "optimal arms": name,
                "bound": cell_bound(len(arms), 3),
                "non-empty cells": pc.count_cells(arms, closed=True),
                "by linear programs": len(valid_by_programs(arms)),
                "with interior": pc.count_cells(arms),
            }
            for name, arms in fronts.items()
        ]
    )


def rows_of_lemma5(counts: Mapping[int, np.ndarray], seed: int) -> dict[str, Any]:
    """Compare counts of cells with the bound of Lemma 5, with and without ties.

    Parameters
    ----------
    counts : dict of int to ndarray
        By number of objectives: cells of the first 0, 1, ..., p arms of a random front.
    seed : int
        Seed of the Gaussian points.

    Returns
    -------
    dict
        Rows for `record_rows`.
    """
    found: dict[str, Any] = dict(counts_of_lemma5(np.random.default_rng(seed)))
    largest, cases = most_over_bound(counts)
    ties = ties_frame()[["bound", "non-empty cells", "with interior"]]
    over_bound = ties.div(ties["bound"], axis=0).max(skipna=False)
    found["lemma5"] = {
        "value": largest,
        "runs": cases,
        "others": {
            "three fronts with tied differences": over_bound["non-empty cells"],
            "their cells with interior points": over_bound["with interior"],
        },
    }
    return found


def ties_table() -> "HTML":
    """Make a table of the cells of tied arms."""
    return show_table(ties_frame(), "Cells of tied arms, all of them Pareto optimal.")


def rows_of_example(points: np.ndarray, seed: int) -> dict[str, Any]:
    """Check the worked example of Figure 2, and that cells cover the space.

    Parameters
    ----------
    points : ndarray, shape (2, 2)
        Optimal arms of the example.
    seed : int
        Seed of the random points.

    Returns
    -------
    dict
        Rows for `record_rows`.
    """
    difference, middle = np.array([-1.0, 1.0]), (0, 1)
    rng = np.random.default_rng(seed)
    front, freed = rng.normal(size=(8, 4)), 3 * rng.normal(size=(5000, 4))
    return {
        "fig2_cells": pc.count_cells(points),
        "fig2_low": -furthest(-difference, points, middle),
        "fig2_high": furthest(difference, points, middle),
        "tessellation": (points_outside(front, freed), len(freed)),
    }
