r"""Shares by MOCBA, which divides the samples by formulas, one pair of arms at a time.

For two arms i and j, the objective l(i, j) is the one in which j is the least likely to be better
than i: the smallest

.. math::
    v_{ijc}=\frac{\delta|\delta|}{\sigma_{ic}^2/\alpha_i+\sigma_{jc}^2/\alpha_j},\qquad
    \delta=\mu_{jc}-\mu_{ic}.

The arm that is the most likely to dominate i, its rival :math:`j_i`, has the largest such value.
Arm i is in :math:`S_A`, where its own role as a dominated arm decides, if the magnitude of this
value is smaller than that of all :math:`v_{hil(h,i)}` with :math:`j_h=i`, and in :math:`S_B`
otherwise. Of equal magnitudes that of the later arm counts as the smaller one, so that :math:`S_A`
is not empty. With :math:`\delta` and l those of the pair,

.. math::
    \alpha_h\propto\frac{\sigma_{hl}^2+\sigma_{j_hl}^2\,\alpha_h/\alpha_{j_h}}{\delta^2}
    \ (h\in S_A),\qquad
    \alpha_i^2=\sum_{h\in S_A,\,j_h=i}\frac{\sigma_{il}^2}{\sigma_{hl}^2}\alpha_h^2\ (i\in S_B).

On the right are the current shares. Without any, the shares count as equal in the values, and the
variance of the dominating arm is neglected, as that arm gets most of the samples.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.allocations.given_problem import given_problem
from pareto_core.checks.arguments import check_weights
from pareto_core.compiling.kernels import kernel

__all__ = ["mocba_allocation", "write_mocba_shares"]


class Rivals(NamedTuple):
    """For each arm, the arm that is the most likely to dominate it."""

    arm: np.ndarray  # (K,)
    objective: np.ndarray  # (K,) in which that arm is the least likely to be better
    value: np.ndarray  # (K,) magnitude of the value of the pair
    decides: np.ndarray  # (K,) bool: whether the arm is in S_A


def mocba_allocation(
    means: ArrayLike, variance: ArrayLike | None = None, weights: ArrayLike | None = None
) -> np.ndarray:
    r"""Shares of the samples by MOCBA, multi-objective optimal computing budget allocation.

    See `pareto_core.allocations.mocba` for the rule, which does not use correlations between
    objectives. An arm of :math:`S_B` that is the rival of no arm of :math:`S_A` has no share, so
    that the rate of the shares can be 0.

    Parameters
    ----------
    means : array_like, shape (K, d)
        One row per arm, one column per objective; larger is better.
    variance : array_like, shape (d,) or (K, d), optional
        Variance of each objective, of all arms or each; 1 by default.
    weights : array_like, shape (K,), optional
        Current samples of each arm, or its share, all positive. By default the rule does not use
        them.

    Returns
    -------
    ndarray, shape (K,)
        Shares with sum 1. Arms of :math:`S_A` that equal their rivals in the decisive objective,
        whose :math:`\delta` is 0, have equal shares, and the other arms of :math:`S_A` have none.

    Raises
    ------
    ValueError
        If ``means``, ``variance`` or ``weights`` is invalid.

    See Also
    --------
    characteristic_time : the shares at which the error rate falls fastest
    score_allocation : shares by scores

    References
    ----------
    Lee, Chew, Teng & Goldsman 2010, Finding the non-dominated Pareto set for multi-objective
    simulation models, IIE Transactions 42(9).

    Chen & Lee 2011, Stochastic simulation optimization: an optimal computing budget allocation,
    World Scientific: Equations (6.40) to (6.45), as O2DESNet.Optimizer/SAR/MOCBA.cs of
    li-haobin/O2DESNet at commit c9db1f6 cites and computes them; that is the rule without
    ``weights``.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.mocba_allocation([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]).round(3)
    array([0.414, 0.293, 0.293])
    """
    means, covariance = given_problem(means, variance, None)
    variance = np.diagonal(covariance, axis1=1, axis2=2).copy()
    if weights is None:
        weights = np.empty(0)
    else:
        weights = check_weights(weights, len(means))
        if not (weights > 0).all():
            arm = int(weights.argmin())
            raise ValueError(f"weights[{arm}] = {weights[arm]}; expected positive weights")
    shares = np.empty(len(means))
    write_mocba_shares(means, variance, weights, shares)
    return shares


@kernel
def write_mocba_shares(means, variance, weights, shares):
    """Write the shares of MOCBA. O(K^2 d).

    Parameters
    ----------
    means, variance : ndarray, shape (K, d)
    weights : ndarray, shape (K,) or (0,)
        Current samples of each arm, all positive; empty for the rule without them.
    shares : ndarray, shape (K,)
        Modified in place.
    """
    n_arms = means.shape[0]
    rivals = _find_rivals(means, variance, weights)
    shares[:] = 0.0
    for h in range(n_arms):
        if rivals.decides[h]:
            j, c = rivals.arm[h], rivals.objective[h]
            spread = variance[h, c]
            if weights.shape[0] > 0:
                spread += variance[j, c] * weights[h] / weights[j]
            shares[h] = spread / (means[j, c] - means[h, c]) ** 2
    if shares.max() == np.inf:
        for h in range(n_arms):
            shares[h] = 1.0 if shares[h] == np.inf else 0.0
    _write_rivals_shares(variance, rivals, shares)
    shares[:] /= shares.sum()


@kernel
def _find_rivals(means, variance, weights):
    """Find the `Rivals` of all arms."""
    n_arms = means.shape[0]
    rivals = Rivals(
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.full(n_arms, -np.inf),
        np.ones(n_arms, np.bool_),
    )
    for i in range(n_arms):
        for j in range(n_arms):
            if i != j:
                value, objective = _least_value(means, variance, weights, i, j)
                if value > rivals.value[i]:
                    rivals.arm[i], rivals.objective[i], rivals.value[i] = j, objective, value
        rivals.value[i] = abs(rivals.value[i])
    for i in range(n_arms):
        j = rivals.arm[i]
        smaller, equal = rivals.value[i] < rivals.value[j], rivals.value[i] == rivals.value[j]
        if smaller or (equal and i > j):
            rivals.decides[j] = False
    return rivals


@kernel
def _least_value(means, variance, weights, i, j):
    """Value of arm j against arm i in the objective where it is smallest, and that objective."""
    least, objective = np.inf, 0
    for c in range(means.shape[1]):
        gap = means[j, c] - means[i, c]
        spread = variance[i, c] + variance[j, c]
        if weights.shape[0] > 0:
            spread = variance[i, c] / weights[i] + variance[j, c] / weights[j]
        value = gap * abs(gap) / spread
        if value < least:
            least, objective = value, c
    return least, objective


@kernel
def _write_rivals_shares(variance, rivals, shares):
    """Write the shares of the arms of S_B, from those of the arms of S_A whose rivals they are."""
    squares = np.zeros(shares.shape[0])
    for h in range(shares.shape[0]):
        if rivals.decides[h]:
            i, c = rivals.arm[h], rivals.objective[h]
            squares[i] += variance[i, c] / variance[h, c] * shares[h] ** 2
    for i in range(shares.shape[0]):
        if not rivals.decides[i]:
            shares[i] = np.sqrt(squares[i])
