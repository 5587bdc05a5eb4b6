"""Number of samples before an unknown variance has an upper bound."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_counts, check_probability
from pareto_core.confidence.unknown_variance import residual_degrees, variance_grid

__all__ = ["least_samples"]


def least_samples(counts: ArrayLike, n_objectives: int, delta: float) -> int:
    """Total number of samples at which an unknown variance first has an upper bound (Theorem 4).

    Before that, every interval is infinite and no statement about an arm is possible.

    Parameters
    ----------
    counts : array_like of int, shape (K,)
        Samples of each arm so far. Further samples are assumed to go to the arms with the fewest.
    n_objectives : int
        Number d.
    delta : float
        Error probability of all statements together.

    Returns
    -------
    int
        The sum of ``counts`` if the variance has a bound already.

    Raises
    ------
    ValueError
        If ``delta`` is not in (0, 1), or ``counts`` are not whole numbers.

    Examples
    --------
    >>> from pareto_lab.experiment.first_statement import least_samples
    >>> least_samples([0] * 12, n_objectives=2, delta=0.1)
    96
    """
    grid = variance_grid(-np.log(check_probability(delta, "delta")), n_objectives)
    counts = check_counts(counts, "counts")
    level = 0
    while residual_degrees(grid, np.maximum(counts, level)) <= 0:
        level += 1
    return int(np.maximum(counts, level).sum())
