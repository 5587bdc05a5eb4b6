"""Observations along a run."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import LARGEST_COUNTS, check_array, check_count, shown
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import renewed
from pareto_core.instances.registry import as_instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.interruption import interruptible
from pareto_core.loop.run import CompiledRun
from pareto_core.simulation.preparation import prepare
from pareto_core.simulation.runs import decision_generator, run_generator

__all__ = ["Trajectory", "trajectory"]


class Trajectory(NamedTuple):
    """Observations at some times of a run.

    Attributes
    ----------
    times : ndarray of int, shape (n,)
        Samples of all arms; fewer than requested once the run has ended.
    counts : ndarray of int, shape (n, K), or (n, K, d)
        Samples of each arm, or of each arm and objective if these are measured separately.
    means, scatter : ndarray, shape (n, K, d)
        Averages of the rewards and sums of squares about them, in the units that the algorithm
        sees: whitened, if it assumes rewards of unit variance.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> found = pc.trajectory(pc.TrackAndStop(delta=0.1), instance, [3, 30])
    >>> found.times, found.means.shape
    (array([ 3, 30]), (2, 3, 2))
    """

    times: np.ndarray
    counts: np.ndarray
    means: np.ndarray
    scatter: np.ndarray


def trajectory(
    algorithm: Algorithm,
    instance: Instance | str,
    times: ArrayLike,
    run: int = 0,
    seed: int = 0,
) -> Trajectory:
    """Follow one run of `simulate`, and keep its observations at some times.

    Parameters
    ----------
    algorithm : Algorithm
        A compiled algorithm.
    instance : Instance, str or path-like
        Means and noise; a name or a file is loaded by `load_instance`.
    times : array_like of int, shape (n,)
        Numbers of samples, ascending. If an algorithm takes several samples at once, the
        observations are those of the first moment with at least that number.
    run, seed : int, default 0
        Number of the run, and seed of its simulation.

    Raises
    ------
    ValueError
        If an argument is out of range, or the algorithm is not compiled or cannot play the
        instance.

    See Also
    --------
    simulate : many runs, and their results.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.trajectory(pc.UniformSampling(delta=0.1), instance, [3, 6]).counts
    array([[1, 1, 1],
           [2, 2, 2]])
    """
    preparation = prepare([algorithm], as_instance(instance))
    check_count(run, "run", at_least=0)
    check_count(seed, "seed", at_least=0)
    asked = _checked_times(times)
    ((_, parameters),), _, source = preparation.shared
    problem = preparation.problem
    machine = algorithm.begin(problem, decision_generator(seed, run), parameters)
    if not isinstance(machine, CompiledRun):
        raise ValueError(f"algorithm = {algorithm!r}; expected a compiled algorithm")
    source = renewed(source)
    rng, has_ended, found = run_generator(seed, run), False, []
    with interruptible():  # once, and not for each time
        for time in asked:
            has_ended = has_ended or machine.advance(source, rng, time)
            record = machine.record
            found.append([each.copy() for each in (record.counts, record.means, record.scatter)])
    counts, means, scatter = (np.array(each) for each in zip(*found, strict=True))
    if algorithm.samples == "values":
        shape = (len(counts), problem.n_arms, problem.n_objectives)
        counts, means, scatter = (each.reshape(shape) for each in (counts, means, scatter))
    times = counts.reshape(len(counts), -1).sum(axis=1)
    return Trajectory(times, counts, means, scatter)


def _checked_times(times):
    given = check_array(times, "times")
    whole = given.ndim == 1 and given.size > 0 and (given % 1 == 0).all() and given[0] >= 1
    if not whole or (np.diff(given) < 0).any() or given[-1] > LARGEST_COUNTS:
        raise ValueError(
            f"times = {shown(times)}; expected ascending whole numbers from 1 to {LARGEST_COUNTS}"
        )
    return [int(time) for time in given]
