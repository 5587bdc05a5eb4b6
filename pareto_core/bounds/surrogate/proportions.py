r"""Surrogate proportions: the sampling proportions of MO-BAI (Chen et al. 2024, Section 4).

The cost of confusing the best arm b of objective m with arm i is
:math:`g_{im}(w)=\frac{\Delta_{im}^2}{2}\frac{w_iw_b}{w_i+w_b}` per sample. This is concave
in w and homogeneous of degree 1, so that its linear approximation at w, evaluated at s, is

.. math::
    a_{im}s_i+c_{im}s_b,\qquad a_{im}=\frac{\Delta_{im}^2}{2}\frac{w_b^2}{(w_i+w_b)^2},\quad
    c_{im}=\frac{\Delta_{im}^2}{2}\frac{w_i^2}{(w_i+w_b)^2},

and the proportions that maximise the least of these approximations solve a linear
program, Equation (10).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.bounds.surrogate.program import surrogate_value
from pareto_core.bounds.surrogate.solver import surrogate_space, write_surrogate
from pareto_core.checks.arguments import check_means, check_non_negative, check_weights

__all__ = ["SurrogateProportions", "surrogate_proportions"]


class SurrogateProportions(NamedTuple):
    """Solution of the linear program, with its certificate.

    Attributes
    ----------
    proportions : ndarray, shape (K,)
        Surrogate proportions s.
    value : float
        Least linear approximation h(w, s), which s maximises, in squared units of the means.
    relative_gap : float
        Certified, up to rounding errors: the optimum is at most (1 + ``relative_gap``) ``value``.
    pivots : int
        Number of exchanges of rows.
    """

    proportions: np.ndarray
    value: float
    relative_gap: float
    pivots: int


def surrogate_proportions(means: ArrayLike, weights: ArrayLike, eta: float) -> SurrogateProportions:
    r"""Proportions that maximise the least linear approximation (Chen et al. 2024, Eq. (10)).

    Parameters
    ----------
    means : array_like, shape (K, M)
        Means, in units of the noise's standard deviation.
    weights : array_like, shape (K,)
        Proportions w of the samples so far, non-negative and not all zero; their scale does
        not matter. If both arms of a pair have weight 0, the linear approximation is
        that at equal weights, :math:`a=c=\Delta^2/8`.
    eta : float
        Relaxation, at least 0: every proportion is at least :math:`\eta/((1+\eta)K)`.

    Returns
    -------
    SurrogateProportions

    Raises
    ------
    ValueError
        If ``means`` or ``weights`` is not finite or has the wrong shape, if a weight is negative
        or all weights are zero, or if ``eta`` is negative.
    RuntimeError
        If the optimum cannot be certified to 1e-9, which may happen with dozens of objectives.

    References
    ----------
    Chen et al. 2024, Optimal multi-objective best arm identification with fixed confidence:
    Section 4.

    Examples
    --------
    >>> print(surrogate_proportions([[0.0], [1.0]], [0.5, 0.5], 0.1).value)
    0.125
    """
    means = check_means(means)
    n_arms, n_objectives = means.shape
    weights = check_weights(weights, n_arms)
    weights /= weights.max()
    eta = check_non_negative(eta, "eta")
    space = surrogate_space(n_arms, n_objectives)
    proportions = np.empty(n_arms)
    gap = write_surrogate(means, weights, eta, space, proportions)
    if not gap <= 1e-9:
        raise RuntimeError(f"surrogate proportions not certified: the relative gap is {gap}")
    value = surrogate_value(means, weights, proportions)
    return SurrogateProportions(proportions, value, gap, int(space.basis.state[0]["pivots"]))
