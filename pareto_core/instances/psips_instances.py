"""The synthetic instances of PSIPS, posterior sampling for the Pareto set.

They are those of its authors' program (cyrille-kone/psips, of the paper arXiv 2411.04939).
"""

import numpy as np

from pareto_core.checks.arguments import check_count, check_generator, check_number
from pareto_core.geometry.dominance import gaps
from pareto_core.instances.instance import Instance

__all__ = ["five_arms", "five_coins", "line_of_arms", "random_arms"]

FIVE_ARMS = (
    (0.72875559, 1.20119222),
    (0.45524805, -0.63317069),
    (0.62826926, 1.27683777),
    (0.94570734, 2.31592981),
    (2.08131887, 1.4809387),
)

FIVE_COINS = (
    (0.2528313, 0.50961513),
    (0.49083348, 0.04864432),
    (0.40864574, 0.8624948),
    (0.08210546, 0.37149325),
    (0.99130959, 0.39292875),
)

HARDNESS = (100, 500)  # range of the sum of squared inverse gaps of a random instance

VARIANCE = 0.5  # of the noise of arms on a line, and of random arms


def five_arms(correlation: float = 0.0) -> Instance:
    """Five arms whose two objectives have unit variance and a correlation.

    Parameters
    ----------
    correlation : float, default 0.0
        Between -1 and 1.

    Returns
    -------
    Instance

    Raises
    ------
    ValueError
        If ``correlation`` is not in (-1, 1).

    Examples
    --------
    >>> from pareto_core.instances import psips_instances
    >>> psips_instances.five_arms(0.5).pareto_set
    array([3, 4])
    """
    if not -1 < check_number(correlation, "correlation") < 1:
        raise ValueError(f"correlation = {correlation!r}; expected a number between -1 and 1")
    return Instance(
        FIVE_ARMS,
        covariance=[[1.0, correlation], [correlation, 1.0]] if correlation else None,
        name="five_arms",
        provenance=f"program of arXiv 2411.04939, with correlation {correlation:g}",
    )


def five_coins() -> Instance:
    """Five arms with two Bernoulli objectives.

    Returns
    -------
    Instance

    Examples
    --------
    >>> from pareto_core.instances import psips_instances
    >>> psips_instances.five_coins().pareto_set
    array([2, 4])
    """
    return Instance(
        FIVE_COINS,
        noise="bernoulli",
        name="five_coins",
        provenance="program of arXiv 2411.04939",
    )


def line_of_arms(n_arms: int) -> Instance:
    """Optimal arms on a line, each worse by 1/4 in objective 1 and better by 1/4 in objective 2.

    Parameters
    ----------
    n_arms : int
        Number K of arms, at least 2; PSIPS was tried with 10 to 18.

    Returns
    -------
    Instance

    Examples
    --------
    >>> from pareto_core.instances import psips_instances
    >>> psips_instances.line_of_arms(3).means[:, 0].tolist()
    [0.0, -0.25, -0.5]
    """
    step = np.arange(check_count(n_arms, "n_arms", at_least=2))
    return Instance(
        np.column_stack([-step, step]) / 4,
        variance=[VARIANCE, VARIANCE],
        name="line_of_arms",
        provenance=f"program of arXiv 2411.04939, {n_arms} arms",
    )


def random_arms(rng: np.random.Generator) -> Instance:
    """Five arms uniform in a square, drawn until their hardness is in a given range.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of the means.

    Returns
    -------
    Instance
        The sum of its squared inverse gaps is from 100 to 500.

    Examples
    --------
    >>> import numpy as np
    >>> from pareto_core.instances import psips_instances
    >>> psips_instances.random_arms(np.random.default_rng(0)).n_arms
    5
    """
    check_generator(rng)
    hardness = np.inf
    while not HARDNESS[0] <= hardness <= HARDNESS[1]:
        means = rng.uniform(-1, 1, (5, 2))
        hardness = (1 / gaps(means) ** 2).sum()
    return Instance(
        means,
        variance=[VARIANCE, VARIANCE],
        name="random_arms",
        provenance="program of arXiv 2411.04939, means drawn anew",
    )


MAKERS = {
    "five_arms": five_arms,
    "five_coins": five_coins,
    "line_of_arms": line_of_arms,
    "random_arms": random_arms,
}
"""Functions that make the instances, by name."""
