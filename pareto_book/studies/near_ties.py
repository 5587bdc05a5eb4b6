"""Instances with near-ties, on which algorithms err more often than on those of the papers."""

import numpy as np

from pareto_core.checks.arguments import check_count
from pareto_core.instances.instance import Instance

__all__ = ["wide_instance"]


def wide_instance(n_objectives: int, gap: float = 0.05) -> Instance:
    """Make an instance of two arms that nearly tie in all objectives but the last.

    The second arm is worse by `gap` in these objectives, and by 10 in the last one. It seems to be
    optimal if the order of the arms is wrong in at least one objective.

    Parameters
    ----------
    n_objectives : int
        Number of objectives. With a single objective, the arms differ by `gap`.
    gap : float, default 0.05
        Difference of the means.

    Returns
    -------
    Instance
        The instance *wide*, or *two arms* for a single objective.

    Raises
    ------
    ValueError
        If `n_objectives` is not a positive integer.

    Examples
    --------
    >>> wide_instance(3).means.tolist()
    [[0.0, 0.0, 0.0], [-0.05, -0.05, -10.0]]
    """
    means = np.zeros((2, check_count(n_objectives, "n_objectives")))
    means[1] = -gap
    means[1, -1] = -10.0 if n_objectives > 1 else -gap
    name = "two arms" if n_objectives == 1 else f"wide, d = {n_objectives}"
    return Instance(means, name=name)
