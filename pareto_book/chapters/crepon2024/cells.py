"""Cells of assignments: their linear programs, ties, and the claims of Lemma 5."""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import linprog

import pareto_core as pc
from pareto_core.geometry.cells import count_nodes

__all__ = [
    "cell_bound",
    "counts_of_lemma5",
    "furthest",
    "points_outside",
    "ties_frame",
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
    taken = (points - freed[:, None]).argmin(-1)
    return sum(tuple(each) not in known for each in taken)


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
    most = max(tests[p, d] / (d * p * cell_bound(p, d)) for p, d in cells)
    return {
        "lemma5_exact": (sum(cells[size] != cell_bound(*size) for size in cells), len(cells)),
        "cells_d2": (sum(cells[p, 2] != p + 1 for p in sizes), len(sizes)),
        "cells_d3": (int((added != np.arange(1, largest) + 2).sum()), len(added)),
        "tree_tests": (most, len(cells)),
    }


def ties_frame(fronts: Mapping[str, Any]) -> pd.DataFrame:
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
