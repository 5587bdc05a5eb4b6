"""Basis of a dual simplex method: rows that are tight at a point, exchanged one by one.

The duals of a degenerate program, as with equal weights, are often 0. Of the rows whose
duals fall to 0 almost together the one with the best pivot leaves; a pivot that may be a
rounding error makes the basis be inverted anew; and an attempt that has failed is repeated
with duals shifted away from 0, which changes the way to the optimum but not its value.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part

BOX, FLOOR, PAIR, CUT = 0, 1, 2, 3  # kinds of rows
ROUNDING = 2e-16  # share of a row's terms that is taken for a rounding error
PIVOT = 1e-6  # share of its terms that a pivot must have, else the basis is inverted anew
FRESH_PIVOT = 1e-14  # and after that
TIE = 1e-14  # duals so close to 0 may fall below it for a better pivot

ROW = np.dtype([("kind", np.int64), ("arm", np.int64), ("objective", np.int64)], align=True)
STATE = np.dtype(
    [
        ("size", np.int64),  # rows
        ("fresh", np.bool_),  # whether it was just inverted
        ("pivots", np.int64),  # exchanges so far
    ],
    align=True,
)


class Basis(NamedTuple):
    """Up to N rows, and last the one that is to enter."""

    state: np.ndarray  # (1,) STATE
    rows: np.ndarray  # (N + 1, N) the rows
    limits: np.ndarray  # (N + 1,) their right-hand sides
    names: np.ndarray  # (N + 1,) ROW: what they are
    pieces: np.ndarray  # (N + 1, K) pieces of those that are cuts
    point: np.ndarray  # (N,) where the rows are tight
    inverse: np.ndarray  # (N, N) inverse of the rows, transposed; column 0 are the true duals
    duals: np.ndarray  # (N,) duals, shifted away from 0 if the first attempts fail
    along: np.ndarray  # (N,) the entering row in terms of the others; scratch
    noise: np.ndarray  # (N,) size of the terms that were added up for it


@kernel
def allocate_basis(n_arms, n_objectives):
    """Allocate a `Basis`."""
    n = min(n_arms, n_objectives) + 1
    return Basis(
        np.zeros(1, STATE),
        np.zeros((n + 1, n)),
        np.zeros(n + 1),
        np.zeros(n + 1, ROW),
        np.zeros((n + 1, n_arms), np.int64),
        np.zeros(n),
        np.zeros((n, n)),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
    )


@part
def entering_excess(basis):
    """By how much the row to enter is violated; 0 if that may be rounding."""
    last = basis.point.shape[0]
    excess, terms = -basis.limits[last], abs(basis.limits[last])
    for j in range(basis.state[0]["size"]):
        term = basis.rows[last, j] * basis.point[j]
        excess += term
        terms += abs(term)
    return excess if excess > ROUNDING * terms else 0.0


@kernel
def exchange(basis):
    """Let the last row enter in place of another; return whether that is possible.

    A small pivot may be a rounding error: then the basis is inverted anew before.
    """
    state = basis.state[0]
    leaving = -1
    while leaving < 0:
        leaving = _leaving_row(basis)
        if leaving < 0 and state["fresh"]:
            return False
        if leaving < 0:
            invert_basis(basis)
    _move(leaving, basis)
    _replace(leaving, basis)
    state["pivots"] += 1
    state["fresh"] = False
    return True


@part
def _leaving_row(basis):
    """Row whose dual falls to 0 first, or of several almost first the best pivot; or -1.

    It is -1 as well if the pivot is below a share of its terms, so may be a rounding error.
    """
    size, along, noise, duals = basis.state[0]["size"], basis.along, basis.noise, basis.duals
    row = basis.rows[basis.point.shape[0]]
    ratio = np.inf
    for k in range(size):
        total, terms = 0.0, 0.0
        for j in range(size):
            term = row[j] * basis.inverse[k, j]
            total += term
            terms += abs(term)
        along[k], noise[k] = total, terms
        if total > FRESH_PIVOT * terms:
            ratio = min(ratio, (duals[k] + TIE) / total)
    leaving = -1
    for k in range(size):
        if along[k] > FRESH_PIVOT * noise[k] and duals[k] <= ratio * along[k]:
            if leaving < 0 or along[k] > along[leaving]:
                leaving = k
    share = FRESH_PIVOT if basis.state[0]["fresh"] else PIVOT
    if leaving >= 0 and along[leaving] <= share * noise[leaving]:
        return -1
    return leaving


@part
def _move(leaving, basis):
    """Update all but the inverse when the last row takes the place of another."""
    size, last = basis.state[0]["size"], basis.point.shape[0]
    excess = -basis.limits[last]
    for j in range(size):
        excess += basis.rows[last, j] * basis.point[j]
        basis.rows[leaving, j] = basis.rows[last, j]
    step = excess / basis.along[leaving]
    for j in range(size):
        basis.point[j] -= step * basis.inverse[leaving, j]
    step = basis.duals[leaving] / basis.along[leaving]
    for k in range(size):
        basis.duals[k] = max(basis.duals[k] - step * basis.along[k], 0.0)
    basis.duals[leaving] = step
    basis.limits[leaving] = basis.limits[last]
    basis.names[leaving] = basis.names[last]
    if basis.names[last]["kind"] == CUT:
        for i in range(basis.pieces.shape[1]):
            basis.pieces[leaving, i] = basis.pieces[last, i]


@part
def _replace(leaving, basis):
    """Update the inverse when the row that ``along`` expresses takes the place of another."""
    size, inverse, along = basis.state[0]["size"], basis.inverse, basis.along
    pivot = along[leaving]
    for j in range(size):
        inverse[leaving, j] /= pivot
    for k in range(size):
        if k != leaving:
            for j in range(size):
                inverse[k, j] -= along[k] * inverse[leaving, j]


@kernel
def invert_basis(basis):
    """Invert the basis anew: its rows take the place of unit vectors, best pivots first."""
    state, inverse, along = basis.state[0], basis.inverse, basis.along
    size = state["size"]
    for k in range(size):
        for j in range(size):
            inverse[k, j] = 1.0 if j == k else 0.0
    for k in range(size):
        best = k
        for i in range(size):
            along[i] = 0.0
            for j in range(size):
                along[i] += basis.rows[k, j] * inverse[i, j]
            if i > k and abs(along[i]) > abs(along[best]):
                best = i
        along[k], along[best] = along[best], along[k]
        for j in range(size):
            inverse[k, j], inverse[best, j] = inverse[best, j], inverse[k, j]
        if along[k] != 0.0:
            _replace(k, basis)
    state["fresh"] = True
    _correct(basis)
    for k in range(size):
        basis.duals[k] = max(inverse[k, 0], 0.0)


@kernel
def _correct(basis):
    """Correct the duals and the point by what the rows of the basis leave over."""
    size = basis.state[0]["size"]
    rows, inverse, point, rest = basis.rows, basis.inverse, basis.point, basis.along
    for _ in range(2):
        for j in range(size):
            rest[j] = 1.0 if j == 0 else 0.0
            for k in range(size):
                rest[j] -= inverse[k, 0] * rows[k, j]
        for k in range(size):
            change = 0.0
            for j in range(size):
                change += rest[j] * inverse[k, j]
            inverse[k, 0] += change
        for k in range(size):
            rest[k] = basis.limits[k]
            for j in range(size):
                rest[k] -= rows[k, j] * point[j]
        for k in range(size):
            for j in range(size):
                point[j] += rest[k] * inverse[k, j]
