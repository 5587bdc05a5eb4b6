"""The quadratic program: exact answers, optimality conditions, vertices of many rows."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import polyhedron as reference
from scipy.optimize import nnls

from pareto_core.geometry import half_spaces
from pareto_core.geometry.triangles import factorise

SIZES = st.tuples(st.integers(0, 7), st.integers(1, 4))
INTEGERS = st.integers(-3, 3)
SCALES = st.sampled_from([1e-8, 1e-3, 1.0, 1e8])
METRICS = st.sampled_from([1e-8, 1e-4, 1.0, 3.0, 1e4, 1e8])
SOME = st.sampled_from([0.0, 0.0, 1e-6, 1.0, 5.0])  # slack of a row at an inner point


def without_zeros(rows):
    """The same rows, with a first entry for zero rows."""
    rows = rows.copy()
    rows[(rows == 0).all(axis=1), 0] = 1.0
    return rows


@st.composite
def programs(draw, sizes=SIZES, entries=INTEGERS, metrics=METRICS):
    """Rows, right-hand sides, metric and start; some point satisfies the rows exactly."""
    m, d = draw(sizes)
    normals = without_zeros(draw(arrays(float, (m, d), elements=entries)))
    inner = draw(arrays(float, d, elements=st.integers(-5, 5)))
    offsets = normals @ inner + draw(arrays(float, m, elements=SOME))
    metric = draw(arrays(float, d, elements=metrics))
    start = inner + draw(arrays(float, d, elements=st.integers(-9, 9)))
    scale = draw(arrays(float, m, elements=SCALES))
    return normals * scale[:, None], offsets * scale, metric, start


REAL = programs(entries=st.floats(-1, 1).map(lambda x: round(x, 6)))


def solve(normals, offsets, metric, start):
    """(half the squared distance, point)."""
    point = np.empty(len(start))
    space = half_spaces.allocate_half_spaces(*normals.shape)
    return half_spaces.project(normals, offsets, metric, start, point, space), point


def in_lengths(normals, offsets, metric, start, point):
    """Unit rows, their slacks at the point and the move, in the coordinates of the metric."""
    rows = normals / np.sqrt(metric)
    lengths = np.linalg.norm(rows, axis=1)
    slacks = (offsets - normals @ point) / lengths
    return rows / lengths[:, None], slacks, np.sqrt(metric) * (point - start)


def size_of_numbers(normals, offsets, metric, start, point):
    """Rounding errors of the slacks, row by row."""
    terms = np.abs(normals) * np.maximum(np.abs(start), np.abs(point))
    lengths = np.linalg.norm(normals / np.sqrt(metric), axis=1)
    return (np.abs(offsets) + terms.max(axis=1, initial=0)) / lengths


def check_optimality(program):
    half_squares, point = solve(*program)
    rows, slacks, move = in_lengths(*program, point)
    assert half_squares == pytest.approx(0.5 * move @ move, rel=1e-9, abs=1e-20 * program[2].max())
    rounding = size_of_numbers(*program, point) + np.linalg.norm(move)
    assert (slacks >= -1e-12 * rounding).all()
    active = rows[slacks <= 1e-10 * rounding]
    if half_squares == 0:
        np.testing.assert_array_equal(point, program[3])
        return
    # the move is against active rows only, and never along one
    _, rest = nnls(active.T, -move)
    of_points = np.linalg.norm(np.sqrt(program[2]) * np.maximum(np.abs(point), np.abs(program[3])))
    assert rest <= 1e-9 * np.linalg.norm(move) + 1e-13 * rounding.max() + 1e-14 * of_points


@pytest.mark.slow
@settings(max_examples=150)
@given(st.one_of(programs(), REAL))
@example(
    (
        np.array([[-1.0, 1], [2e-5, 0], [2e7, 1e7], [-2, -2]]),
        np.array([-2, 6e-5, 8e7, -3]),
        np.ones(2),
        np.array([3.0, 4]),
    )
)  # rounding moves the solution out of an active row
def test_the_solution_satisfies_the_conditions_of_optimality(program):
    check_optimality(program)


@pytest.mark.parametrize("d", [2, 3, 4])
@pytest.mark.parametrize("away", [1e-9, 1e-3, 1e5])
def test_hundred_rows_meeting_in_one_vertex(d, away):
    rng = np.random.default_rng(d)
    normals = rng.normal(size=(100, d))
    normals[:, 0] = np.abs(normals[:, 0])  # so that the cone has interior points, at -e_1
    vertex = rng.normal(size=d)
    for direction in rng.normal(size=(20, d)):
        start = vertex + away * direction
        check_optimality((normals, normals @ vertex, np.ones(d), start))


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


def coupled_program(seed):
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


COUPLED = st.integers(0, 2**63).map(coupled_program)


def solve_coupled(normals, offsets, metric, start):
    """(half the squared distance, point)."""
    d = len(start)
    factor, point = np.zeros((d, d)), np.empty(d)
    factorise(metric, np.zeros(d), factor)
    space = half_spaces.allocate_half_spaces(*normals.shape)
    return half_spaces.project(normals, offsets, factor, start, point, space), point


@pytest.mark.slow
@settings(max_examples=150)
@given(COUPLED)
def test_the_solution_in_a_coupled_metric_is_exact(case):
    normals, offsets, metric, start = case
    expected, closest = reference.project(*case)
    if expected == np.inf:  # rounding of the right-hand sides made it flat
        return
    half_squares, point = solve_coupled(*case)
    size = start @ np.abs(metric) @ start + np.array(closest) @ np.abs(metric) @ closest
    assert half_squares == pytest.approx(expected, rel=1e-8, abs=1e-12 * abs(size))
    move = point - start
    assert 0.5 * move @ metric @ move == pytest.approx(half_squares, rel=1e-8, abs=1e-12 * size)
    lengths = np.sqrt(np.einsum("kb,bc,kc->k", normals, np.linalg.inv(metric), normals))
    terms = np.abs(normals) @ (np.abs(point) + np.abs(start)) + np.abs(offsets)
    rounding = terms / lengths + np.sqrt(2 * half_squares)
    assert ((offsets - normals @ point) / lengths >= -1e-11 * rounding).all()
