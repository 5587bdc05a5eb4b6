"""Optimal designs: their certificate, and the variances of the estimates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import design as reference
from references.design import FEATURES, gaussian, levels
from scipy.linalg import qr

from pareto_core.regression.design import (
    g_optimal_design,
    least_squares_means,
    orthonormal_points,
    prediction_variances,
)
from pareto_core.regression.rounding import round_design

EXCHANGE, MIRROR = "vertex_exchange", "mirror_descent"


@pytest.mark.slow
@settings(max_examples=200)
@given(FEATURES, st.sampled_from([(0.1, EXCHANGE), (1e-6, EXCHANGE), (0.1, MIRROR)]))
def test_designs_are_certified(features, setting):
    design = g_optimal_design(features, *setting)
    weights, h = design.weights, reference.rank(features)
    assert weights.shape == (len(features),)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1, rel=1e-12)
    largest = reference.variances(features, weights).max()
    assert design.largest_variance == pytest.approx(largest, rel=1e-8)
    assert h * (1 - 1e-9) <= largest <= h * (1 + setting[0]) * (1 + 1e-8)
    assert design.dimension == h
    assert design.relative_gap == max(design.largest_variance / h - 1, 0) <= setting[0]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("method", [EXCHANGE, MIRROR])
def test_it_stops_at_the_first_certified_step(method, seed):
    features = gaussian((30, 4), seed)
    design = g_optimal_design(features, 0.01, method)
    again = g_optimal_design(features, 0.01, method, max_iterations=design.iterations)
    np.testing.assert_array_equal(again.weights, design.weights)
    assert again.iterations == design.iterations > 2
    fewer = design.iterations - 1
    with pytest.raises(RuntimeError, match=rf"not certified to 0\.01 after {fewer} steps"):
        g_optimal_design(features, 0.01, method, max_iterations=fewer)


@pytest.mark.parametrize("shape", [(4, 2), (6, 3), (9, 2), (15, 4)])
def test_mirror_descent_is_algorithm_4(shape):
    features = gaussian(shape)
    design = g_optimal_design(features, 0.01, MIRROR)
    weights, steps = reference.mirror_descent(features, 0.01)
    assert design.iterations == steps > 5
    assert design.weights == pytest.approx(weights, rel=1e-6)


@given(st.one_of(FEATURES, reference.NEARLY_DEPENDENT))
def test_points_are_the_features_in_an_orthonormal_basis(features):
    points = orthonormal_points(features)
    np.testing.assert_allclose(points.T @ points, np.eye(reference.rank(features)), atol=1e-12)
    size = np.abs(features).max()
    np.testing.assert_allclose(points @ (points.T @ features), features, atol=1e-12 * size)


@pytest.mark.parametrize("features", [gaussian((300, 12)), levels(0), levels(1)[:, ::3]])
def test_rounding_errors_do_not_accumulate_over_many_exchanges(features):
    design = g_optimal_design(features, 1e-10)
    independent = qr(features, pivoting=True)[2][: design.dimension]
    largest = reference.quick_variances(features[:, independent], design.weights).max()
    assert design.dimension == np.linalg.matrix_rank(features)
    assert design.largest_variance == pytest.approx(largest, rel=1e-11)
    assert largest <= design.dimension * (1 + 1.01e-10)


@pytest.mark.slow
@settings(max_examples=200)
@given(reference.with_pulls(FEATURES))
def test_prediction_variances_follow_the_definition(case):
    variances = prediction_variances(*case)
    np.testing.assert_allclose(variances, reference.variances(*case), rtol=1e-6)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (g_optimal_design, [np.zeros((2, 3))], "features are all zero; expected"),
        (g_optimal_design, [[1.0, 2.0]], r"features has shape \(2,\); expected \(K, d\) with K"),
        (g_optimal_design, [[[1.0, np.nan], [0.0, 1.0]]], r"features\[0, 1\] = nan"),
        (g_optimal_design, [np.eye(2), 0], "tolerance = 0; expected a number above 0"),
        (g_optimal_design, [np.eye(2), 0.1, "mirror"], ".*did you mean 'mirror_descent'"),
        (g_optimal_design, [np.eye(2), 0.1, MIRROR, 0], "max_iterations = 0; expected an integer"),
        (prediction_variances, [np.eye(2), [1.0, -0.5]], r"pulls\[1\] = -0.5; expected non-neg"),
        (round_design, [np.eye(2), [0, 0], 5], "weights are all zero"),
        (round_design, [np.eye(2), [1, 1, 1], 5], r"weights has shape \(3,\); expected \(2,\)"),
        (round_design, [np.diag([1.0, 2.0, 0.0]), [1, 1, 0], 1], "number = 1; .* at least 2"),
        (round_design, [np.eye(2), [1, 1], 5, "floor"], "rounding = 'floor'; expected one of app"),
    ],
)
def test_invalid_arguments_are_refused(function, arguments, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        function(*arguments)


@pytest.mark.parametrize(
    "scales",
    [(1e8, 1e-8), (1e200, 1e-200), (1.0, 1e-200), (1e-320, 1.0), (1.7e308, 1e-300)],
)
def test_no_direction_is_lost_at_very_different_scales(scales):
    plain = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.25]]
    design = g_optimal_design(np.array(plain) * scales)
    assert design.dimension == 2
    np.testing.assert_allclose(design.weights, g_optimal_design(plain).weights)


@pytest.mark.parametrize("seed", range(5))
def test_least_squares_means_solve_the_normal_equations(seed):
    rng = np.random.default_rng(seed)
    features, counts = rng.standard_normal((5, 3)), np.array([2, 0, 1, 3, 0])
    sums = counts[:, None] * rng.standard_normal((5, 2))
    theta = np.linalg.solve((features.T * counts) @ features, features.T @ sums)
    found = least_squares_means(features, counts, sums)
    np.testing.assert_allclose(found, features @ theta, rtol=1e-9, atol=1e-9)
    assert least_squares_means(features, np.array([2, 0, 0, 3, 0]), sums) is None
