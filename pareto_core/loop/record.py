"""The record of all observations, a part of the state of every algorithm."""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import inner
from pareto_core.instances.instance import Problem

__all__ = ["Record", "check_record", "empty_record", "observe"]


class Record(NamedTuple):
    """All observations so far.

    Attributes
    ----------
    counts : ndarray of int, shape (K,)
        Samples of each arm.
    sums, means : ndarray, shape (K, d)
        Sums and averages of their rewards; zero before the first sample.
    scatter : ndarray, shape (K, d)
        Sums of squared deviations from the averages.
    time : ndarray of int, shape (1,)
        Number of samples of all arms.
    observed : ndarray of int, shape (K, d)
        Values of each arm and objective, of which ``sums``, ``means`` and ``scatter`` are made;
        ``counts`` in every column unless values are missing.

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
    scatter: np.ndarray  # (K, d) sums of squared deviations from the averages
    time: np.ndarray  # (1,) samples of all arms
    observed: np.ndarray  # (K, d) int64, values of each arm and objective


def empty_record(problem: Problem) -> Record:
    """Allocate the record of a run before its first sample.

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
        np.zeros(shape, np.int64),
    )


def check_record(record: Record, problem: Problem) -> None:
    """Refuse a record without the arrays of `empty_record`, because kernels do not check them."""
    named = list(zip(Record._fields, record, empty_record(problem), strict=True))
    for k, (name, found, model) in enumerate(named):
        fits = type(found) is np.ndarray and found.flags.carray
        if not fits or (found.dtype, found.shape) != (model.dtype, model.shape):
            raise ValueError(
                f"start returned a record whose {name} does not fit the problem; expected a "
                f"contiguous, writeable array of {model.dtype} of shape {model.shape}, as "
                "empty_record(problem) makes it"
            )
        for other, before, _ in named[:k]:
            if np.may_share_memory(found, before):
                raise ValueError(
                    f"start returned a record whose {name} and {other} share their memory; "
                    "expected separate arrays, as empty_record(problem) makes them"
                )


@inner
def observe(record, arm, number, total, scatter):
    """Add ``number`` rewards of ``arm`` (Chan et al. 1979); a sum of NaN was not observed."""
    record.time[0] += number
    record.counts[arm] += number
    for c in range(total.shape[0]):
        if np.isnan(total[c]):
            continue
        before = record.observed[arm, c]
        record.observed[arm, c] += number
        shift = total[c] / number - record.means[arm, c]
        record.scatter[arm, c] += scatter[c] + shift**2 * before * number / (before + number)
        record.sums[arm, c] += total[c]
        record.means[arm, c] = record.sums[arm, c] / record.observed[arm, c]
