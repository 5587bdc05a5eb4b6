"""Basis of a dual simplex method: rows that are tight at a point, exchanged one by one.

The duals of a degenerate program, for example with equal weights, are often 0. If the duals of
several rows reach 0 almost together, the row with the best pivot leaves. If a pivot may be a
rounding error, the basis is inverted again. An attempt that has failed is repeated
with duals shifted away from 0, which changes the path to the optimum but not its value.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part

BOX, FLOOR, PAIR, CUT = 0, 1, 2, 3  # kinds of rows
ROUNDING = 2e-16  # share of a row's terms that counts as a rounding error
PIVOT = 1e-6  # least ratio of a pivot to its terms; below it the basis is inverted again
FRESH_PIVOT = 1e-14  # least ratio right after an inversion
TIE = 1e-14  # tolerance below 0 for a dual, to allow a better pivot

ROW = np.dtype([("kind", np.int64), ("arm", np.int64), ("objective", np.int64)], align=True)
STATE = np.dtype(
    [
        ("size", np.int64),  # rows
        ("fresh", np.bool_),  # whether the basis was just inverted
        ("pivots", np.int64),  # exchanges so far
    ],
    align=True,
)


class Basis(NamedTuple):
    """Up to N rows, followed by the entering row."""

    state: np.ndarray  # (1,) STATE
    rows: np.ndarray  # (N + 1, N) the rows
    limits: np.ndarray  # (N + 1,) their right-hand sides
    names: np.ndarray  # (N + 1,) ROW: kind, arm and objective of each row
    pieces: np.ndarray  # (N + 1, K) pieces of the rows that are cuts
    point: np.ndarray  # (N,) point at which the rows are tight
    inverse: np.ndarray  # (N, N) inverse of the rows, transposed; column 0 holds the true duals
    duals: np.ndarray  # (N,) duals, shifted away from 0 if the first attempts fail
    along: np.ndarray  # (N,) coefficients of the entering row on the other rows; work array
    noise: np.ndarray  # (N,) sums of the absolute terms of these coefficients


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
    """Violation of the entering row; 0 if it may be rounding."""
    last = basis.point.shape[0]
    excess, terms = -basis.limits[last], abs(basis.limits[last])
    for j in range(basis.state[0]["size"]):
        term = basis.rows[last, j] * basis.point[j]
        excess += term
        terms += abs(term)
    return excess if excess > ROUNDING * terms else 0.0


@kernel
def exchange(basis):
    """Exchange a row of the basis for the last row; return whether that is possible."""
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
    """Row whose dual reaches 0 first, by the best pivot among near-ties; or -1."""
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
    """Update all arrays except the inverse when the last row replaces the leaving row."""
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
    """Update the inverse when the row with coefficients ``along`` replaces the leaving row."""
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
    """Invert the basis from scratch: its rows replace unit vectors, best pivots first."""
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
    """Correct the duals and the point by the residuals of the rows of the basis."""
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
