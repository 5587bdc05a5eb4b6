"""Projection in a metric that couples the coordinates: exact answers, and those of `project`."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import polyhedron as reference

from pareto_core.geometry.metric_projection import factorise, project_in_metric
from pareto_core.geometry.projection import project, projection_space


def program(seed):
    """Rows, right-hand sides, metric and start; degenerate or badly scaled in some cases."""
    rng = np.random.default_rng(seed)
    d = rng.integers(1, 4)
    m = rng.integers(0, 6)
    normals = rng.integers(-3, 4, (m, d)) if rng.integers(2) else rng.standard_normal((m, d))
    normals = normals.astype(float)
    normals[(normals == 0).all(axis=1), 0] = 1.0
    inner = rng.integers(-5, 6, d).astype(float)
    offsets = normals @ inner + rng.choice([0.0, 0.0, 1e-6, 1.0, 5.0], m)
    factor = rng.standard_normal((d, d))
    metric = factor @ factor.T + rng.choice([1e-3, 1.0]) * np.eye(d)
    scale = rng.choice([1.0, 1e2, 1e-2], d) if rng.integers(2) else np.ones(d)
    return normals, offsets, metric * np.outer(scale, scale), inner + rng.integers(-9, 10, d)


PROGRAMS = st.integers(0, 2**63).map(program)


def solve(normals, offsets, metric, start):
    """(half the squared distance, point)."""
    d = len(start)
    factor, point = np.zeros((d, d)), np.empty(d)
    factorise(metric, np.zeros(d), factor)
    space = projection_space(*normals.shape)
    return project_in_metric(normals, offsets, factor, start, point, space), point


@pytest.mark.slow
@settings(max_examples=150)
@given(PROGRAMS)
def test_the_solution_is_exact(case):
    normals, offsets, metric, start = case
    expected, closest = reference.project_in_metric(*case)
    if expected == np.inf:  # rounding of the right-hand sides made it flat
        return
    half_squares, point = solve(*case)
    size = start @ np.abs(metric) @ start + np.array(closest) @ np.abs(metric) @ closest
    assert half_squares == pytest.approx(expected, rel=1e-8, abs=1e-12 * abs(size))
    move = point - start
    assert 0.5 * move @ metric @ move == pytest.approx(half_squares, rel=1e-8, abs=1e-12 * size)
    lengths = np.sqrt(np.einsum("kb,bc,kc->k", normals, np.linalg.inv(metric), normals))
    terms = np.abs(normals) @ (np.abs(point) + np.abs(start)) + np.abs(offsets)
    rounding = terms / lengths + np.sqrt(2 * half_squares)
    assert ((offsets - normals @ point) / lengths >= -1e-11 * rounding).all()


@settings(max_examples=100)
@given(PROGRAMS)
def test_a_diagonal_metric_is_that_of_the_plain_projection(case):
    normals, offsets, metric, start = case
    diagonal, closest = np.diagonal(metric).copy(), np.empty(len(start))
    space = projection_space(*normals.shape)
    expected = project(normals, offsets, diagonal, start, closest, space)
    found, point = solve(normals, offsets, np.diag(diagonal), start)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-28 * (diagonal @ start**2))
    np.testing.assert_allclose(point, closest, rtol=1e-12, atol=1e-12)


def test_the_factor_is_that_of_cholesky():
    rng = np.random.default_rng(0)
    for d in range(1, 6):
        root, added = rng.standard_normal((d, d)), rng.random(d)
        matrix, factor = root @ root.T, np.zeros((d, d))
        factorise(matrix, added, factor)
        expected = np.linalg.cholesky(matrix + np.diag(added))
        np.testing.assert_allclose(factor, expected, rtol=1e-9, atol=1e-12)
