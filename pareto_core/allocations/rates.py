r"""Rates of single errors, as functions of the shares, with two derivatives.

An error is that a *mover* becomes as good as its *targets*: a dominated arm becomes as good as a
phantom, each coordinate of which is the mean of an optimal arm that is free to move in this
objective alone; or an optimal arm becomes as good as a second one, which moves as a whole. For
shares w the difference of the two estimated means has the covariance

.. math::
    M(w)=\frac{\Sigma_j}{w_j}+\mathrm{diag}_c\frac{\sigma^2_{a_cc}}{w_{a_c}}
    \qquad\text{or}\qquad M(w)=\frac{\Sigma_j}{w_j}+\frac{\Sigma_i}{w_i},

and the rate is :math:`f(w)=\max_{g\ge0}\ell'g-g'M(w)g/2`, with :math:`\ell` the lead of the targets
(`meeting_forces`). As a minimum of linear functions of w it is concave, and
:math:`f(tw)=tf(w)`. With g the forces, H the objectives of positive force and
:math:`x_k=1/w_k`, the derivatives follow from

.. math::
    \frac{\partial f}{\partial x_k}=-\frac{g'A_kg}2,\qquad
    \frac{\partial^2f}{\partial x_k\partial x_l}=g'A_kM_{HH}^{-1}A_lg,

where :math:`A_k` is the part of M that :math:`x_k` multiplies.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.allocations.phantom_points import FREE
from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.noise_removal import meeting_forces

FAR = 1e300  # a target that is this far below the mover does not count


class Rates(NamedTuple):
    """Several errors, and the work arrays of `write_parts`."""

    mover: np.ndarray  # (m,) the arm that becomes too good
    targets: np.ndarray  # (m, d) the arms that it reaches in each objective, or FREE
    whole: np.ndarray  # (m,) bool: whether the target is one arm, which moves as a whole
    lead: np.ndarray  # (m, d) by which the targets are ahead of the mover
    size: np.ndarray  # (1,) number of errors in use
    matrix: np.ndarray  # (d, d) covariance of the difference
    factor: np.ndarray  # (d, d) its Cholesky factor, in the objectives that are held
    held: np.ndarray  # (d,) bool: objectives of positive force
    forces: np.ndarray  # (d,)


@kernel
def allocate_rates(most, n_objectives):
    """Allocate `Rates` for at most ``most`` errors."""
    d = n_objectives
    return Rates(
        np.empty(most, np.int64),
        np.empty((most, d), np.int64),
        np.empty(most, np.bool_),
        np.empty((most, d)),
        np.zeros(1, np.int64),
        np.empty((d, d)),
        np.empty((d, d)),
        np.empty(d, np.bool_),
        np.empty(d),
    )


@kernel
def add_inclusion(means, mover, phantom, rates):
    """Add the error that the dominated arm ``mover`` reaches a phantom."""
    n = rates.size[0]
    rates.mover[n] = mover
    rates.whole[n] = False
    for c in range(means.shape[1]):
        arm = phantom[c]
        rates.targets[n, c] = arm
        rates.lead[n, c] = -FAR if arm == FREE else means[arm, c] - means[mover, c]
    rates.size[0] += 1


@kernel
def add_exclusion(means, mover, target, rates):
    """Add the error that ``mover`` becomes as good as ``target``, both Pareto optimal."""
    n = rates.size[0]
    rates.mover[n] = mover
    rates.whole[n] = True
    for c in range(means.shape[1]):
        rates.targets[n, c] = target
        rates.lead[n, c] = means[target, c] - means[mover, c]
    rates.size[0] += 1


@kernel
def rate_of(covariance, weights, rates, n):
    """Rate of error ``n``, with its forces and factor.

    A target without weight moves freely: it has no force in its objective.
    """
    d = rates.lead.shape[1]
    mover, matrix = rates.mover[n], rates.matrix
    if weights[mover] == 0.0:
        return 0.0
    own = 1.0 / weights[mover]
    for b in range(d):
        for c in range(d):
            matrix[b, c] = own * covariance[mover, b, c]
    for c in range(d):
        arm = rates.targets[n, c]
        if arm == FREE:
            for b in range(d):
                matrix[b, c] = matrix[c, b] = 0.0
            matrix[c, c] = 1.0
        elif not rates.whole[n]:
            matrix[c, c] += covariance[arm, c, c] / weights[arm]
    if rates.whole[n]:
        arm = rates.targets[n, 0]
        if weights[arm] == 0.0:
            return 0.0
        other = 1.0 / weights[arm]
        for b in range(d):
            for c in range(d):
                matrix[b, c] += other * covariance[arm, b, c]
    return meeting_forces(matrix, rates.lead[n], rates.held, rates.forces, rates.factor)


@part
def _substitute(rates, vector):
    """Replace a vector v by the solution z of L z = v in the objectives that are held."""
    for b in range(vector.shape[0]):
        if rates.held[b]:
            for c in range(b):
                if rates.held[c]:
                    vector[b] -= rates.factor[b, c] * vector[c]
            vector[b] /= rates.factor[b, b]
        else:
            vector[b] = 0.0


@kernel
def write_parts(covariance, weights, rates, n, arms, slopes, vectors):
    """Write the derivatives of error ``n`` after `rate_of`; return the number of arms.

    In relative changes of the weights, w_k (1 + delta_k), the gradient is ``slopes``, and the
    Hessian z_k' z_l - 2 slopes_k [k = l], with the vectors z. An arm can occur several times.

    Parameters
    ----------
    covariance : ndarray, shape (K, d, d)
    weights : ndarray, shape (K,)
    rates : Rates
    n : int
    arms : ndarray of int, shape (d + 1,)
        Modified in place.
    slopes : ndarray, shape (d + 1,)
        Modified in place.
    vectors : ndarray, shape (d + 1, d)
        Modified in place.
    """
    count = 1
    arms[0] = rates.mover[n]
    if rates.whole[n]:
        arms[1] = rates.targets[n, 0]
        count = 2
    for k in range(count):
        _write_whole(covariance, weights, rates, arms[k], slopes, vectors, k)
    if rates.whole[n]:
        return count
    for c in range(rates.lead.shape[1]):
        if rates.forces[c] > 0.0:
            arm = rates.targets[n, c]
            pull = covariance[arm, c, c] / weights[arm] * rates.forces[c]
            arms[count] = arm
            slopes[count] = 0.5 * pull * rates.forces[c]
            vectors[count, :] = 0.0
            vectors[count, c] = pull
            _substitute(rates, vectors[count])
            count += 1
    return count


@kernel
def _write_whole(covariance, weights, rates, arm, slopes, vectors, k):
    """Write the derivatives in the weight of an arm that moves in all objectives.

    Parameters
    ----------
    covariance : ndarray, shape (K, d, d)
    weights : ndarray, shape (K,)
    rates : Rates
    arm, k : int
        The arm, and the row of ``slopes`` and ``vectors``, which are modified in place.
    slopes : ndarray, shape (d + 1,)
    vectors : ndarray, shape (d + 1, d)
    """
    d = rates.forces.shape[0]
    total = 0.0
    for b in range(d):
        pull = 0.0
        for c in range(d):
            pull += covariance[arm, b, c] * rates.forces[c]
        vectors[k, b] = pull / weights[arm]
        total += vectors[k, b] * rates.forces[b]
    slopes[k] = 0.5 * total
    _substitute(rates, vectors[k])
