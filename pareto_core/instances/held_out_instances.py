"""Ten instances drawn once from a stated law, for judging algorithms that were not tuned on them.

The law and the seed were written down before any algorithm ran on an instance, and no instance is
omitted. A first law, under which nine of ten instances had almost no dominated arm, was replaced
before any algorithm had run.
"""

import functools

import numpy as np

from pareto_core.checks.arguments import check_count
from pareto_core.geometry.dominance import gaps
from pareto_core.instances.instance import Instance

__all__ = ["N_HELD_OUT", "held_out_instance"]

N_HELD_OUT = 10
SEED = 20261124
SMALLEST_GAP = 0.25  # in standard deviations of the noise: runs end in a reasonable time


def held_out_instance(number: int) -> Instance:
    """One of the ten held-out instances.

    The number of arms is uniform on 4 to 12, the number of objectives on 2 to 4, and c on [-1, 1].
    Means are standard normal, and c times the average of an arm's means is subtracted from each of
    them: with c = -1 the objectives agree and few arms are optimal, with c = 1 they conflict and
    every arm is optimal. Means are drawn again until the smallest gap (Kone et al. 2023) is at
    least 0.25. The noise is Gaussian with unit variance.

    Parameters
    ----------
    number : int
        1 to 10.

    Returns
    -------
    Instance

    Raises
    ------
    ValueError
        If `number` is not an integer from 1 to 10.

    Examples
    --------
    >>> from pareto_core.instances.held_out_instances import held_out_instance
    >>> held_out_instance(1).name
    'held_out_1'
    """
    check_count(number, "number", at_most=N_HELD_OUT)
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(number,)))
    n_arms, n_objectives, c = rng.integers(4, 13), rng.integers(2, 5), rng.uniform(-1, 1)
    smallest = 0.0
    while smallest < SMALLEST_GAP:
        means = rng.standard_normal((n_arms, n_objectives))
        means -= c * means.mean(axis=1, keepdims=True)
        smallest = gaps(means).min()
    return Instance(
        means,
        name=f"held_out_{number}",
        provenance=f"drawn once from the law of held-out instances, seed {SEED}",
    )


MAKERS = {
    f"held_out_{number}": functools.partial(held_out_instance, number)
    for number in range(1, N_HELD_OUT + 1)
}
"""Functions that make the instances, by name."""
