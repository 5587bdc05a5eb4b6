"""The feasible region: membership, distances to its boundary, and invalid input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import polyhedron as reference

from pareto_core.geometry.polyhedron import Polyhedron, hypercube, ordered_cone, orthant, simplex


@st.composite
def regions(draw, scales=(1.0,), most=6):
    """A polyhedron around an inner point, often with repeated rows, and points of all kinds."""
    m, d = draw(st.integers(0, most)), draw(st.integers(1, 3))
    A = draw(arrays(float, (m, d), elements=st.integers(-3, 3)))
    inner = draw(arrays(float, d, elements=st.integers(-4, 4)))
    b = A @ inner + draw(arrays(float, m, elements=st.sampled_from([1.0, 1.0, 2.0, 6.0])))
    scale = draw(arrays(float, m, elements=st.sampled_from(scales)))
    points = inner + draw(arrays(float, (4, d), elements=st.integers(-6, 6)))
    return Polyhedron(A * scale[:, None], b * scale), points


SCALED = regions(scales=(2.0**-27, 1.0, 2.0**27))  # without rounding


@pytest.mark.slow
@settings(max_examples=60)
@given(st.one_of(regions(), SCALED))
def test_distances_equal_the_exact_ones(region):
    polyhedron, points = region
    kept = np.abs(polyhedron.A).max(axis=1, initial=0) > 0
    A, b = polyhedron.A[kept], polyhedron.b[kept]
    inside = polyhedron.contains(points)
    assert inside.tolist() == [reference.contains(polyhedron.A, polyhedron.b, x) for x in points]
    expected = [reference.boundary_distance(A, b, x) for x in points]
    distances = polyhedron.boundary_distance(points)
    np.testing.assert_allclose(distances, expected, rtol=1e-12, atol=1e-13)


def test_named_regions():
    assert orthant([1.0, -2.0]).contains([[1, -2], [0.9, 0], [2, -2.1]]).tolist() == [1, 0, 0]
    assert simplex(2, 3.0).contains([[1, 2], [2, 2], [-1, 0]]).tolist() == [1, 0, 0]
    assert ordered_cone(3).contains([[1, 1, 2], [2, 1, 3], [0, 2, 1]]).tolist() == [1, 0, 0]
    assert hypercube(1).contains([[0.0], [1.0], [1.1]]).tolist() == [1, 1, 0]
    assert ordered_cone(1).n_objectives == 1
    np.testing.assert_allclose(simplex(2).boundary_distance([[1.0, 1.0]]), np.sqrt(0.5))
    np.testing.assert_allclose(ordered_cone(2).boundary_distance([[0, 1], [1, 0]]), np.sqrt(0.5))


def test_rows_of_extreme_size_are_scaled_without_overflow():
    for size in (5e-324, 1e-300, 1e300):
        box = Polyhedron([[size, size], [-size, 0], [0, -size]], [size, size, size])
        np.testing.assert_allclose(np.linalg.norm(box.normals, axis=1), 1)
        np.testing.assert_allclose(box.boundary_distance([[1.0, 1.0]]), np.sqrt(0.5))


def test_equal_regions_have_equal_hashes_and_arrays_are_read_only():
    first, second = hypercube(2), hypercube(2)
    assert first == second and hash(first) == hash(second)
    assert first != hypercube(2, 2.0) and first != simplex(2) and first != "cube"
    assert eval(repr(first)) == first
    for array in (first.A, first.b, first.normals, first.offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5.0


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("shift", [0.0, 1.0, 3.0])
def test_thin_regions_are_accepted_and_flat_and_empty_ones_refused(size, shift):
    def strip(width):
        return Polyhedron([[1, 1], [-2, -2]], [size * (shift + width), -2 * size * shift])

    assert strip(1e-6 * max(shift, 1.0)).n_objectives == 2
    for width in (-1e-6, -1.0) if shift == 0 else (0.0, 1e-12, -1e-6, -1.0):
        with pytest.raises(ValueError, match="expected a polyhedron with interior points"):
            strip(width)


@pytest.mark.slow
@settings(max_examples=200)
@given(st.integers(1, 4), st.integers(0, 10**6))
def test_a_single_point_is_refused(d, seed):
    rng = np.random.default_rng(seed)
    tight, loose = rng.normal(size=(d, d)), rng.normal(size=(5, d))
    tight = np.vstack([tight, -rng.uniform(0.1, 1, d) @ tight])  # a positive combination is zero
    point, room = rng.integers(1, 4, d), 10.0 ** rng.integers(-12, 1, 5)
    A = np.vstack([tight, loose])
    b = np.append(tight @ point, loose @ point + room)
    with pytest.raises(ValueError, match="interior points"):
        Polyhedron(A, b)


def test_a_point_far_from_a_thin_region_has_a_finite_distance():
    strip = Polyhedron([[1.0, 1.0], [-1.0, -1.0]], [1 + 1e-7, -1.0])
    for far in (1.0, 1e6, 1e12):
        distances = strip.boundary_distance([[far, far], [-far, -far]])
        expected = [(2 * far - 1 - 1e-7) / np.sqrt(2), (2 * far + 1) / np.sqrt(2)]
        np.testing.assert_allclose(distances, expected, rtol=1e-12)


BAD = [
    ([1.0, 2.0], [1.0], r"^A has shape \(2,\) and b has shape \(1,\)"),
    ([[1.0, 2.0]], 1.0, r"b has shape \(\)"),
    ([[1.0, 2.0]], [[1.0]], r"b has shape \(1, 1\)"),
    (np.empty((1, 0)), [1.0], r"^A has shape \(1, 0\)"),
    (None, None, r"^A"),
    ([[1.0, np.nan]], [1.0], "^A = .*finite"),
    ([[1.0, 2.0]], [np.inf], "b = .*finite"),
    ([["x"]], [1.0], "^A = .*real numbers"),
    ([[1.0]], ["x"], "^b = .*real numbers"),
    ([[1.0, 1.0], [0.0, 0.0]], [1.0, -1e-9], "^A = .*not empty"),
    ([[1e-300, 0.0]], [1e300], "^A = .*too small relative to b"),
    ([[1.0], [-1.0]], [1.0, -1.0], "^A = .*interior points"),
]


@pytest.mark.parametrize(("A", "b", "message"), BAD)
def test_invalid_rows_are_refused(A, b, message):
    with pytest.raises(ValueError, match=message):
        Polyhedron(A, b)


@pytest.mark.parametrize("method", ["contains", "boundary_distance"])
@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([1.0, 2.0], r"shape \(2,\)"),
        ([[1.0, 2.0, 3.0]], "3 columns; expected 2"),
        ([[1.0, np.nan]], r"\[0, 1\] = nan"),
        ([["a", "b"]], "real numbers"),
        (np.empty((0, 2)), r"shape \(0, 2\)"),
    ],
)
def test_invalid_points_are_refused(method, points, message):
    with pytest.raises(ValueError, match="^points.*" + message):
        getattr(hypercube(2), method)(points)


@pytest.mark.parametrize(
    ("region", "arguments", "message"),
    [
        *((each, (0,), "n_objectives = 0") for each in (hypercube, simplex, ordered_cone)),
        (hypercube, ("2",), "n_objectives = '2'"),
        (hypercube, (2, 0.0), "side = "),
        (simplex, (2, 0.0), "total = "),
        (orthant, (1.0,), "lower = "),
        (orthant, ([],), "lower = "),
    ],
)
def test_sizes_of_named_regions_are_checked(region, arguments, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        region(*arguments)
