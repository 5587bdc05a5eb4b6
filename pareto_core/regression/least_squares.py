r"""Least-squares estimates in a linear model: of given means, and in a run, sample by sample.

With the counts :math:`n_k` and the sums :math:`s_k` of the rewards of each arm,
:math:`\hat\Theta=V^{-1}\sum_kx_ks_k^\top` with :math:`V=\sum_kn_kx_kx_k^\top`. A further sample y
of arm k changes V by a matrix of rank one, so that with :math:`u=V^{-1}x_k`, of the new V,

.. math::
    \hat\Theta\leftarrow\hat\Theta+u\,(y-\hat\Theta^\top x_k)^\top.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.triangles import factorise_information, solve_lower, solve_upper
from pareto_core.regression.design import DEPENDENT, feature_points

CONSISTENT = 1e-9  # share of an objective's largest mean that may be a rounding error
UPDATES = 256  # number of updates of rank one between two fits from the sums


class Fit(NamedTuple):
    """The estimate of one run."""

    counts: np.ndarray  # (K,) samples of each arm that the estimate includes
    sums: np.ndarray  # (K, d) sums of their rewards
    inverse: np.ndarray  # (h, h) of V
    coefficients: np.ndarray  # (h, d) the estimate of Theta
    means: np.ndarray  # (K, d) estimated means of all arms
    updates: np.ndarray  # (1,) updates since the last fit from the sums
    factor: np.ndarray  # (h, h) triangular factor of V
    direction: np.ndarray  # (h,) work array
    residual: np.ndarray  # (d,) work array
    moments: np.ndarray  # (h, d) work array


@kernel
def allocate_fit(n_arms, n_features, n_objectives):
    """Allocate a `Fit` without samples, whose arrays are zero."""
    return Fit(
        np.zeros(n_arms, np.int64),
        np.zeros((n_arms, n_objectives)),
        np.zeros((n_features, n_features)),
        np.zeros((n_features, n_objectives)),
        np.zeros((n_arms, n_objectives)),
        np.zeros(1, np.int64),
        np.empty((n_features, n_features)),
        np.empty(n_features),
        np.empty(n_objectives),
        np.empty((n_features, n_objectives)),
    )


@kernel
def refresh_fit(features, counts, sums, fit):
    """Fit the sums of all samples, if the sampled arms span the features; return whether."""
    share = factorise_information(features, counts, fit.factor, fit.direction)
    if share <= DEPENDENT:
        return False
    _write_inverse(fit)
    fit.moments[:, :] = 0.0
    for k in range(features.shape[0]):
        fit.counts[k] = counts[k]
        for c in range(sums.shape[1]):
            fit.sums[k, c] = sums[k, c]
            for f in range(features.shape[1]):
                fit.moments[f, c] += features[k, f] * sums[k, c]
    _multiply(fit.inverse, fit.moments, fit.coefficients)
    _multiply(features, fit.coefficients, fit.means)
    fit.updates[0] = 0
    return True


@kernel
def _write_inverse(fit):
    """Write the inverse of V = L L', column by column."""
    column = fit.direction
    for g in range(column.shape[0]):
        column[:] = 0.0
        column[g] = 1.0
        solve_lower(fit.factor, column)
        solve_upper(fit.factor, column)
        for f in range(column.shape[0]):
            fit.inverse[f, g] = column[f]


@kernel
def _multiply(left, right, product):
    """Write the product of two matrices."""
    for i in range(left.shape[0]):
        for c in range(right.shape[1]):
            entry = 0.0
            for f in range(right.shape[0]):
                entry += left[i, f] * right[f, c]
            product[i, c] = entry


@kernel
def _add_rewards(features, arm, number, total, fit):
    """Add rewards of one arm by an update of rank one; the arm's leverage is of the old V."""
    x, inverse, u = features[arm], fit.inverse, fit.direction
    leverage = 0.0
    for f in range(x.shape[0]):
        u[f] = 0.0
        for g in range(x.shape[0]):
            u[f] += inverse[f, g] * x[g]
        leverage += x[f] * u[f]
    scale = 1.0 + number * leverage
    for f in range(x.shape[0]):
        for g in range(f + 1):
            inverse[f, g] -= number * u[f] * u[g] / scale
            inverse[g, f] = inverse[f, g]
    for c in range(total.shape[0]):
        residual = total[c] - fit.sums[arm, c] - number * fit.means[arm, c]
        fit.residual[c] = residual / scale
        fit.sums[arm, c] = total[c]
        for f in range(x.shape[0]):
            fit.coefficients[f, c] += u[f] * fit.residual[c]
    fit.counts[arm] += number
    for k in range(features.shape[0]):
        along = 0.0
        for f in range(x.shape[0]):
            along += features[k, f] * u[f]
        for c in range(total.shape[0]):
            fit.means[k, c] += along * fit.residual[c]


@kernel
def follow_record(features, counts, sums, fit):
    """Add the samples of a run's record that the estimate, of spanning arms, does not include."""
    if fit.updates[0] >= UPDATES:  # removes what rounding has accumulated
        refresh_fit(features, counts, sums, fit)
        return
    for k in range(counts.shape[0]):
        number = counts[k] - fit.counts[k]
        if number > 0:
            _add_rewards(features, k, number, sums[k], fit)
            fit.updates[0] += 1


def linear_points(means, features):
    """Return the features in an orthonormal basis; refuse means that are not linear in them."""
    points = feature_points(features)
    if len(points) != len(means):
        raise ValueError(f"features has {len(points)} rows; expected {len(means)}, one per arm")
    if (points == points[0]).all():
        raise ValueError("features are the same for all arms; expected at least two distinct rows")
    misses = np.abs(means - points @ (points.T @ means))
    excess = misses - CONSISTENT * np.abs(means).max(axis=0)
    arm, c = (int(i) for i in np.unravel_index(excess.argmax(), excess.shape))
    if excess[arm, c] > 0:
        raise ValueError(
            f"means[{arm}, {c}] is at distance {misses[arm, c]:.3g} from the least-squares fit to "
            "the features; expected means that are linear in them"
        )
    return points
