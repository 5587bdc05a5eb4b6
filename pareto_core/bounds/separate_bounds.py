"""Characteristic times if each objective of an arm is measured by itself, at its own cost."""

import numpy as np

from pareto_core.bounds.cutting_planes import CharacteristicTime, certified_time
from pareto_core.bounds.extremes import refuse_extreme, uniform_weights
from pareto_core.checks.arguments import check_separate_costs, shown
from pareto_core.questions import BEST_ARMS, PARETO_SET
from pareto_core.transport.known_noise import checked_noise
from pareto_core.transport.near_separately import near_separate_gradients

LEAST_UNIT = 1e-6  # of a share in the linear programs: many of the best shares are 0
MOST_GRADIENTS = 2**21  # numbers in the gradients that are added per iteration


def separate_time(means, costs, variance, limits, most, problem, of_one, **refused):
    """As `characteristic_time` with ``separate=True``.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    costs : array_like, shape (d,) or (K, d), or None
    variance : array_like, shape (d,) or (K, d), or None
    limits : tuple
        Relative gap, and largest number of iterations.
    most : int
        Largest number of bounds added per iteration.
    problem : str
    of_one : Callable
        Maps means, shape (K, 1), and costs, shape (K,), to the time of the best arm.
    **refused
        Arguments that are not allowed here, and therefore have to be None.

    Raises
    ------
    ValueError
        If an argument is invalid, or does not allow separate measurements.
    """
    given = {name: value for name, value in refused.items() if value is not None}
    given |= {} if problem in (PARETO_SET.name, BEST_ARMS.name) else {"problem": problem}
    for name, value in given.items():
        raise ValueError(f"{name} = {shown(value)} with separate = True; expected the default")
    prices = np.ones(means.shape)
    if costs is not None:
        prices = check_separate_costs(costs, means.shape)
    if variance is not None:  # a unit of information costs this many times as much
        noise = checked_noise(variance, None, *means.shape)
        prices = prices * np.diagonal(noise, axis1=1, axis2=2)
    if problem == BEST_ARMS.name:
        return _best_arms_time(means, prices, of_one)
    near = _bounds_in_cost(means, prices, min(most, max(MOST_GRADIENTS // means.size, 1)))
    refuse_extreme(means.shape[1] * near(uniform_weights(means.size))[0], means, None, prices)
    found = certified_time(near, means.size, *limits, LEAST_UNIT)
    return CharacteristicTime(found.time, found.weights.reshape(means.shape), *found[2:])


def _best_arms_time(means, prices, of_one):
    """The time of the best arm of every objective: the sum of those of its objectives.

    An alternative concerns one objective, so that a share s of the cost gives evidence s / T* for
    it. The least evidence is largest if each share is proportional to T* of its objective.
    """
    found = [of_one(means[:, [c]], prices[:, c]) for c in range(means.shape[1])]
    times = np.array([each.time for each in found])
    gap, iterations = (
        max(each.relative_gap for each in found),
        sum(each.iterations for each in found),
    )
    if not np.isfinite(times).all():
        weights = uniform_weights(means.size).reshape(means.shape)
        return CharacteristicTime(np.inf, weights, gap, iterations)
    weights = np.column_stack([each.weights for each in found]) * (times / times.sum())
    return CharacteristicTime(float(times.sum()), weights, gap, iterations)


def _bounds_in_cost(means, prices, most):
    """Function that maps flat shares of the cost to the cost of an alternative and its bounds."""

    def linear_bounds(shares):
        gradients = np.empty((most, *means.shape))
        weights = shares.reshape(means.shape) / prices
        value, count = near_separate_gradients(means, weights, gradients)
        return value, (gradients[:count] / prices).reshape(count, means.size)

    return linear_bounds
