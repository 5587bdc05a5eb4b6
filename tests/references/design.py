"""Slow, transparent versions of the optimal designs and their roundings."""

import itertools
import math
from fractions import Fraction

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pareto_core.regression.design import g_optimal_design

SEEDS = st.integers(0, 2**32)
SHAPES = st.tuples(st.integers(1, 9), st.integers(1, 4))


def gaussian(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def small_integers(shape):
    return arrays(float, shape, elements=st.integers(-2, 2))


TIED = SHAPES.flatmap(small_integers)
GAUSSIAN = st.builds(gaussian, SHAPES, SEEDS)
TALL = st.builds(
    lambda h, more, seed: gaussian((h + more, h), seed), *[st.integers(1, 4)] * 2, SEEDS
)


@st.composite
def duplicated(draw):
    features = draw(GAUSSIAN)
    return features[draw(st.lists(st.integers(0, len(features) - 1), min_size=1, max_size=9))]


@st.composite
def low_rank(draw):
    n_arms, h = draw(SHAPES)
    inner = draw(st.integers(1, 2))
    return draw(small_integers((n_arms, inner))) @ draw(small_integers((inner, h)))


@st.composite
def scaled(draw):
    """Columns or rows of different orders of magnitude."""
    features = draw(GAUSSIAN)
    axis, most = draw(st.sampled_from([(1, 27), (0, 10)]))
    powers = draw(arrays(float, features.shape[axis], elements=st.integers(-most, most)))
    return features * np.exp2(powers if axis == 1 else powers[:, None])


UNSCALED = st.one_of(TIED, low_rank(), GAUSSIAN, duplicated()).filter(np.any)
FEATURES = st.one_of(UNSCALED, scaled())
NEARLY_DEPENDENT = TALL.map(
    lambda x: np.column_stack([x, x[:, 0] + 1e-9 * gaussian(len(x), seed=2**40)])
)


@st.composite
def with_pulls(draw, features):
    features = draw(features.filter(lambda features: features.any(axis=1).all()))
    return features, draw(arrays(int, len(features), elements=st.integers(0, 3)).filter(np.any))


@st.composite
def with_weights(draw):
    """Features, and weights of some arms that span the space."""
    features = draw(TALL)
    weights = draw(
        arrays(float, len(features), elements=st.sampled_from([0, 1e-3, 0.5, 0.7, 1, 3]))
    )
    assume(rank(features[weights > 0]) == features.shape[1])
    return features, weights


@st.composite
def with_design(draw):
    """(features, weights of a design, their support p, dimension h)."""
    features = draw(UNSCALED)
    weights = g_optimal_design(features).weights
    return features, weights, np.count_nonzero(weights), rank(features)


def exact(array):
    return np.vectorize(lambda x: Fraction(float(x)), otypes=[object])(np.asarray(array))


def eliminate(matrix, columns):
    """Reduced echelon form of the first ``columns`` columns: (matrix, pivots)."""
    matrix, pivots = matrix.copy(), []
    for column in range(columns):
        row = len(pivots)
        found = next((k for k in range(row, len(matrix)) if matrix[k, column]), None)
        if found is None:
            continue
        matrix[[row, found]] = matrix[[found, row]]
        matrix[row] /= matrix[row, column]
        for k in range(len(matrix)):
            if k != row and matrix[k, column]:
                matrix[k] -= matrix[k, column] * matrix[row]
        pivots.append(column)
    return matrix, pivots


def rank(features):
    return len(eliminate(exact(features), np.shape(features)[1])[1])


def variances(features, pulls):
    """x' V^+ x of every arm, infinite outside the span of the sampled arms; exact."""
    points, pulls = exact(features), exact(pulls)
    h = points.shape[1]
    matrix, pivots = eliminate(np.hstack([(points.T * pulls) @ points, points.T]), h)
    result = np.full(len(points), np.inf)
    for i, x in enumerate(points):
        if not any(matrix[len(pivots) :, h + i]):  # V a = x has a solution
            result[i] = sum(x[pivots] * matrix[: len(pivots), h + i])
    return result


def quick_variances(features, weights):
    """These variances for many arms that span the space, from the least-squares problem."""
    root = np.sqrt(weights)[:, None] * features
    triangle = np.linalg.qr(root / np.linalg.norm(features, axis=0), mode="r")
    scaled = features / np.linalg.norm(features, axis=0)
    return (np.linalg.solve(triangle.T, scaled.T) ** 2).sum(axis=0)


def mirror_descent(features, tolerance):
    """Algorithm 4 on features that span the space: (weights, steps)."""
    n_arms, h = features.shape
    w, t = np.full(n_arms, 1 / n_arms), 1
    lipschitz = quick_variances(features, w).max()
    while (gradient := quick_variances(features, w)).max() > h * (1 + tolerance):
        w = w * np.exp(math.sqrt(2 * math.log(n_arms)) / lipschitz / math.sqrt(t) * gradient)
        w, t = w / w.sum(), t + 1
    return w, t - 1


def greedy_ends(pulls, number, scores):
    """All results of giving each sample to an arm of highest score; ties within 1e-9 branch."""
    ends = {tuple(pulls)}
    for _ in range(number - sum(pulls)):
        ends = {
            (*pulls[:arm], pulls[arm] + 1, *pulls[arm + 1 :])
            for pulls in ends
            for score in [scores(np.array(pulls))]
            for arm in np.flatnonzero(score >= score.max() * (1 - 1e-9))
        }
    return ends


def apportion(features, weights, number):
    """ceil((N - p) w_i) each, the rest one by one where the variance is largest: all results.

    Where it is infinite for several arms: to the one farthest from the span of those
    sampled, when the features' columns are made orthonormal.
    """
    points = np.linalg.qr(features).Q
    spare = max(number - np.count_nonzero(weights), 0)

    def scores(pulls):
        matrix = (points.T * pulls) @ points
        inverse = np.linalg.pinv(matrix, rcond=1e-9, hermitian=True)
        far = ((points - points @ inverse @ matrix) ** 2).sum(axis=1)
        return far if far.max() > 1e-9 else np.einsum("if,fg,ig->i", points, inverse, points)

    shares = spare * weights / weights.sum()  # next to a whole number, rounding may decide
    choices = [{math.ceil(w * (1 - 1e-12)), math.ceil(w * (1 + 1e-12))} for w in shares]
    starts = [each for each in itertools.product(*choices) if sum(each) <= number]
    return set().union(*(greedy_ends(start, number, scores) for start in starts))


def levels(seed):
    """768 arms with 9 features of few values, one of them a sum of others."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, size, 768) for size in (12, 4, 4, 5, 2, 3, 7)]
    return np.column_stack([*columns, columns[0] + columns[3], np.ones(768)]).astype(float)
