"""What has been observed: the part of its state that every algorithm has."""

from typing import NamedTuple

import numpy as np

from pareto_core._kernels import kernel
from pareto_core.instances.instance import Problem

__all__ = ["Record", "empty_record", "observe"]


class Record(NamedTuple):
    """What has been observed so far.

    Examples
    --------
    >>> import pareto_core as pc
    >>> record = pc.empty_record(pc.Problem(n_arms=2, n_objectives=1))
    >>> record.counts, record.time
    (array([0, 0]), array([0]))
    """

    counts: np.ndarray  # (K,) samples of each arm
    sums: np.ndarray  # (K, d) sums of their rewards
    means: np.ndarray  # (K, d) their averages
    scatter: np.ndarray  # (K, d) sums of squares about the averages
    time: np.ndarray  # (1,) samples of all arms


def empty_record(problem: Problem) -> Record:
    """Record of no observation.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.empty_record(pc.Problem(n_arms=2, n_objectives=1)).means
    array([[0.],
           [0.]])
    """
    shape = (problem.n_arms, problem.n_objectives)
    return Record(
        np.zeros(problem.n_arms, np.int64),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(1, np.int64),
    )


@kernel
def observe(record, arm, number, total, scatter):
    """Add ``number`` rewards of ``arm``, of this sum and scatter (Chan et al. 1979)."""
    before = record.counts[arm]
    record.time[0] += number
    record.counts[arm] += number
    for c in range(total.shape[0]):
        shift = total[c] / number - record.means[arm, c]
        record.scatter[arm, c] += scatter[c] + shift**2 * before * number / (before + number)
        record.sums[arm, c] += total[c]
        record.means[arm, c] = record.sums[arm, c] / record.counts[arm]
