"""Characteristic times by cutting planes.

Every alternative gives a linear upper bound on the transportation cost, its gradient. A linear
program maximises the smallest bound found so far. The next proportions are halfway between its
solution and the best proportions known, where all alternatives that cost less than twice the
minimum (1.3 times with features) add their bounds. The dual weights of the program average the
gradients, and the largest entry of any average is an upper bound on 1/T*.

An alternative moves few arms, so the bounds are kept as a sparse matrix: near the optimum of
thousands of arms, about as many alternatives as arms cost the same. Among more than `FEW_BOUNDS`,
those that the last `PATIENCE` linear programs did not use are dropped.
"""

from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used

FEW_BOUNDS = 2048  # up to which all bounds are kept, and the simplex method is used
PATIENCE = 5  # linear programs that may leave a bound unused before it is dropped


class CharacteristicTime(NamedTuple):
    """A characteristic time with its certificate.

    Attributes
    ----------
    time : float
        T*, or c~ with a floor, in samples per nat of log(1/delta). It is the time of ``weights``,
        and therefore never below the true time.
    weights : ndarray, shape (K,) or (K, d)
        Proportions of the arms that attain ``time``; of the arms and objectives, if these are
        measured separately.
    relative_gap : float
        Certified: the true T* lies in [time / (1 + relative_gap), time].
    iterations : int
        Number of best responses, or of Newton steps.

    Examples
    --------
    >>> import pareto_core as pc
    >>> time = pc.characteristic_time([[0.0], [1.0]])
    >>> print(round(time.time, 3), time.weights.round(3))
    8.0 [0.5 0.5]
    """

    time: float
    weights: np.ndarray
    relative_gap: float
    iterations: int


def certified_time(linear_bounds, n_arms, relative_gap, max_iterations, least_unit=0.0):
    """Maximise a transportation cost over all proportions of the arms."""
    query = np.full(n_arms, 1 / n_arms)
    bounds = scipy.sparse.csr_array((0, n_arms))
    unused = np.empty(0, int)  # linear programs since the last one that used a bound
    best, lower, upper = query, 0.0, np.inf
    for iteration in range(1, max_iterations + 1):
        value, found = linear_bounds(query)
        if value == 0.0:
            return CharacteristicTime(np.inf, query, 0.0, iteration)
        if value > lower:
            best, lower = query, value
        bounds = scipy.sparse.vstack([bounds, scipy.sparse.csr_array(found)], format="csr")
        unused = np.append(unused, np.zeros(len(found), int))
        solution, dual = _maximise_smallest(bounds, np.maximum(best, least_unit), lower)
        upper = min(upper, float((dual @ bounds).max()))
        if upper <= lower * (1 + relative_gap):
            gap = max(upper / lower - 1, 0.0)
            return CharacteristicTime(1 / lower, best, gap, iteration)
        query = 0.5 * (solution + best)
        unused = np.where(dual > 0, 0, unused + 1)
        if unused.size > FEW_BOUNDS:
            bounds, unused = bounds[unused < PATIENCE], unused[unused < PATIENCE]
    raise not_certified(relative_gap, max_iterations, lower, upper)


def not_certified(relative_gap, iterations, lower, upper):
    """Error for a time that is not certified."""
    return RuntimeError(
        f"characteristic time not certified to {relative_gap} after {iterations} "
        f"iterations: the bounds on 1/T* are {lower} and {upper}"
    )


def _maximise_smallest(bounds, units, value):
    """Maximise the smallest of several linear functions over the simplex; return also the dual."""
    count, n_arms = bounds.shape
    objective = np.zeros(n_arms + 1)
    objective[-1] = -1
    in_units = bounds.copy()
    in_units.data = -bounds.data * units[bounds.indices] / value
    in_units.eliminate_zeros()
    result = scipy.optimize.linprog(
        objective,
        A_ub=scipy.sparse.hstack([in_units, np.ones((count, 1))], format="csc"),
        b_ub=np.zeros(count),
        A_eq=scipy.sparse.csc_array(np.append(units, 0)[None]),
        b_eq=[1],
        bounds=[(0, None)] * n_arms + [(None, None)],
        method="highs" if count <= FEW_BOUNDS else "highs-ipm",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.status != 0:
        raise RuntimeError(
            f"the linear program of the characteristic time failed: {result.message}"
        )
    dual = np.maximum(-result.ineqlin.marginals, 0)
    solution = np.maximum(result.x[:-1], 0) * units
    return solution / solution.sum(), dual / dual.sum()
