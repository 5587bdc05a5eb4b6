"""Which pairs of arms are close (Auer et al. 2016, Algorithm 2)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.algorithms.pareto.racing import RacingCover, start_covering
from pareto_core.checks.arguments import check_count
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import make_source
from pareto_core.instances.registry import as_instance
from pareto_core.loop.interruption import new_flag
from pareto_core.loop.run import NO_LIMITS, SAMPLE, STOPPED, compile_run
from pareto_core.questions import OPTIMAL

__all__ = ["ClosePairs", "close_pairs"]


class ClosePairs(NamedTuple):
    """Result of `close_pairs`.

    Attributes
    ----------
    edges : ndarray of bool, shape (n, n)
        Whether the row's candidate covers the column's: M(column, row) is at most
        epsilon / 2.
    pulls : ndarray of int, shape (K,)
        Samples of each arm.
    """

    edges: np.ndarray
    pulls: np.ndarray


def close_pairs(
    instance: Instance, candidates: ArrayLike, algorithm: RacingCover, seed: int = 0
) -> ClosePairs:
    """Sample some arms until it is certain which pairs of them are close."""
    if not isinstance(algorithm, RacingCover):
        raise ValueError(f"algorithm = {algorithm!r}; expected a RacingCover")
    instance = as_instance(instance)
    arms = np.asarray(candidates)
    if (
        arms.ndim != 1
        or arms.size == 0
        or not np.issubdtype(arms.dtype, np.integer)
        or np.unique(arms).size < arms.size
        or arms.min() < 0
        or arms.max() >= instance.n_arms
    ):
        raise ValueError(
            f"candidates = {candidates!r}; expected distinct arms below {instance.n_arms}"
        )
    played = instance.standardised() if algorithm.noise.is_unit else instance
    state = algorithm.start(played.problem, None)
    parameters = algorithm.parameters(played.problem)
    state.race.labels[arms] = OPTIMAL
    state.race.n_active[0] = 0
    start_covering(parameters, state)
    if arms.size > 1:
        source = make_source(played)
        run = compile_run(algorithm.select, algorithm.stop, algorithm.recommend)
        rng = np.random.default_rng(check_count(seed, "seed", at_least=0))
        answer = np.empty(played.n_arms, np.bool_)
        rest = source, rng, NO_LIMITS, new_flag(), answer
        ending, _, _ = run(SAMPLE, parameters, state, *rest)
        if ending != STOPPED:
            raise ValueError(f"instance = {played.name!r}; it ran out of observations")
    return ClosePairs(state.edges[np.ix_(arms, arms)].copy(), state.record.counts.copy())
