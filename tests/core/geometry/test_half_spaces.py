"""The quadratic program: exact answers, vertices of many rows, and rounding errors."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from references import polyhedron as reference
from references.noise import closest

from pareto_core.geometry import half_spaces
from pareto_core.geometry.triangles import factorise


def random_program(seed):
    """Rows, right-hand sides, metric and start; degenerate or badly scaled in some cases."""
    rng = np.random.default_rng(seed)
    d = rng.integers(1, 4)
    m = rng.integers(0, 6)
    normals = rng.integers(-3, 4, (m, d)) if rng.integers(2) else rng.standard_normal((m, d))
    normals = normals.astype(float)
    normals[(normals == 0).all(axis=1), 0] = 1.0
    inner = rng.integers(-5, 6, d).astype(float)
    offsets = normals @ inner + rng.choice([0.0, 0.0, 1e-6, 1.0, 5.0], m)
    size = 2.0 ** rng.choice([-27, 0, 27], m)
    start = inner + rng.integers(-9, 10, d)
    if rng.integers(2):
        metric = 10.0 ** rng.choice([-8, -4, 0, 4, 8], d)
    else:
        factor = rng.standard_normal((d, d))
        metric = factor @ factor.T + rng.choice([1e-3, 1.0]) * np.eye(d)
        scale = rng.choice([1.0, 1e2, 1e-2], d) if rng.integers(2) else np.ones(d)
        metric = metric * np.outer(scale, scale)
    return normals * size[:, None], offsets * size, metric, start


def solve(normals, offsets, metric, start):
    """(half the squared distance, point) in a metric that is a matrix or its diagonal."""
    d, point = len(start), np.empty(len(start))
    if np.ndim(metric) == 2:
        factor = np.zeros((d, d))
        factorise(metric, np.zeros(d), factor)
        metric = factor
    space = half_spaces.allocate_half_spaces(*normals.shape)
    return half_spaces.project(normals, offsets, metric, start, point, space), point


# rounding moves the solution out of an active row
MOVED = (
    np.array([[-1.0, 1], [2e-5, 0], [2e7, 1e7], [-2, -2]]),
    np.array([-2, 6e-5, 8e7, -3]),
    np.ones(2),
    np.array([3.0, 4]),
)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.integers(0, 2**63).map(random_program))
@example(MOVED)
def test_the_solution_is_exact(case):
    normals, offsets, metric, start = case
    expected, closest_point = reference.project(*case)
    if expected == np.inf:  # rounding of the right-hand sides made it flat
        return
    half_squares, point = solve(*case)
    metric = np.diag(metric) if np.ndim(metric) == 1 else metric
    size = max(each @ np.abs(metric) @ each for each in np.abs([start, closest_point]))
    assert half_squares == pytest.approx(expected, rel=1e-8, abs=1e-12 * size)
    move = point - start
    assert 0.5 * move @ metric @ move == pytest.approx(half_squares, rel=1e-8, abs=1e-12 * size)
    lengths = np.sqrt(np.einsum("kb,bc,kc->k", normals, np.linalg.inv(metric), normals))
    terms = np.abs(normals) @ (np.abs(point) + np.abs(start)) + np.abs(offsets)
    rounding = terms / lengths + np.sqrt(2 * half_squares)
    assert ((offsets - normals @ point) / lengths >= -1e-11 * rounding).all()


@pytest.mark.parametrize("d", [2, 3, 4])
@pytest.mark.parametrize("away", [1e-9, 1e-3, 1e5])
def test_hundred_rows_meeting_in_one_vertex(d, away):
    rng = np.random.default_rng(d)
    normals = rng.normal(size=(100, d))
    normals[:, 0] = np.abs(normals[:, 0])  # so that the cone has interior points, at -e_1
    vertex = rng.normal(size=d)
    offsets = normals @ vertex
    rows = [(0, *row) for row in zip(normals, offsets, strict=True)]
    for direction in rng.normal(size=(20, d)):
        start = vertex + away * direction
        expected, moved = closest(start[None], np.ones(1), np.eye(d)[None], [], rows)
        half_squares, point = solve(normals, offsets, np.ones(d), start)
        accuracy = 1e-9 * away + 1e-14
        assert np.sqrt(2 * half_squares) == pytest.approx(np.sqrt(2 * expected), abs=accuracy)
        np.testing.assert_allclose(point, moved[0], rtol=0, atol=1e3 * accuracy)
        assert (normals @ point <= offsets + 1e-12 * (1 + away)).all()


@pytest.mark.parametrize("angle", [1e-2, 1e-5, 1e-7])
@pytest.mark.parametrize("ratio", [1.0, 1e8])
def test_almost_opposite_rows_make_a_needle(angle, ratio):
    normals = np.array([[-angle, 1.0], [-angle, -1.0]])  # |x_2| <= angle x_1
    metric = np.array([1.0, ratio])
    half_squares, point = solve(normals, np.zeros(2), metric, np.array([-1.0, 0.0]))
    np.testing.assert_allclose(point, 0, atol=1e-8)
    assert half_squares == pytest.approx(0.5, rel=1e-8)
    half_squares, point = solve(normals, np.zeros(2), metric, np.array([1.0, 1.0]))
    slope = np.array([1.0, angle])  # the solution is on the ray along it
    share = (slope @ (metric * [1.0, 1.0])) / (slope @ (metric * slope))
    np.testing.assert_allclose(point, share * slope, rtol=1e-8)


def test_rounding_errors_are_no_contradiction():
    # x <= 1/3 and x >= 1/3, where the rows' scales round 1/3 differently
    for a, b in [(3.0, 7.0), (0.7, 1.1), (1e8 / 7, 3e-8)]:
        normals, offsets = np.array([[a], [-b]]), np.array([a / 3, -b / 3 * (1 + 1e-15)])
        for start in (5.0, -5.0, 1e6):
            half_squares, point = solve(normals, offsets, np.ones(1), np.array([start]))
            assert point[0] == pytest.approx(1 / 3, rel=1e-9)
            assert half_squares == pytest.approx(0.5 * (start - 1 / 3) ** 2)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_rows_that_contradict_each_other_give_infinity(scale):
    triangle = np.array([[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]])  # they sum to zero
    for offsets in ([0.0, 0.0, -1e-6], [-1.0, -1.0, 1.0]):
        half_squares, _ = solve(scale * triangle, scale * np.array(offsets), np.ones(2), np.ones(2))
        assert half_squares == np.inf
