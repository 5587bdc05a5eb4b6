"""Bounds of rewards, for algorithms that make no other assumption about the noise."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_magnitude, shown
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI, GAUSSIAN, POOL, UNIFORM

if TYPE_CHECKING:
    from pareto_core.loop.algorithm import Algorithm

__all__ = ["bounds_of_each", "check_bounds", "refuse_unbounded"]


def check_bounds(bounds: ArrayLike) -> tuple:
    """Check bounds, one pair or one per objective; return a tuple of floats or of pairs."""
    given = check_magnitude(check_array(bounds, "bounds"), "bounds")
    if given.ndim not in (1, 2) or given.shape[-1] != 2 or given.size == 0:
        raise ValueError(
            f"bounds = {shown(bounds)}; expected (low, high), or such a pair for each objective"
        )
    if not (given[..., 0] < given[..., 1]).all():
        raise ValueError(f"bounds = {shown(bounds)}; expected low < high")
    pairs = tuple((low, high) for low, high in given.reshape(-1, 2).tolist())
    return pairs if given.ndim == 2 else pairs[0]


def bounds_of_each(bounds: ArrayLike, n_objectives: int) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds of the objectives, two arrays of shape (d,)."""
    given = np.array(bounds)
    if given.ndim == 2 and len(given) != n_objectives:
        raise ValueError(
            f"bounds = {shown(bounds)}; expected {n_objectives} pairs, one per objective"
        )
    low, high = np.broadcast_to(given, (n_objectives, 2)).T.copy()
    return low, high


def refuse_unbounded(algorithm: "Algorithm", instance: Instance) -> None:
    """Refuse an instance whose rewards may exceed the bounds that an algorithm requires."""
    bounds = algorithm.noise.reward_bounds
    if bounds is None:
        return
    low, high = bounds_of_each(bounds, instance.n_objectives)
    least, largest = _extremes(instance)
    if (least < low).any() or (largest > high).any():
        raise ValueError(
            f"instance = {instance.name!r} has {instance.noise} rewards from {least.tolist()} to "
            f"{largest.tolist()} for {algorithm!r}; expected all within its bounds"
        )


def _extremes(instance):
    """Least and largest reward of any arm in each objective."""
    shape = (instance.n_objectives,)
    if instance.noise == GAUSSIAN:
        return np.full(shape, -np.inf), np.full(shape, np.inf)
    if instance.noise == POOL:
        rewards = np.concatenate(instance.observations)
        return rewards.min(axis=0), rewards.max(axis=0)
    if instance.noise == UNIFORM:
        half = np.sqrt(3 * instance.variance)
        return (instance.means - half).min(axis=0), (instance.means + half).max(axis=0)
    if instance.noise == BERNOULLI:
        return np.zeros(shape), np.ones(shape)
    raise ValueError(f"noise = {instance.noise!r}; expected one whose bounds are known here")
