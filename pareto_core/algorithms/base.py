"""What an algorithm is, and the one loop that runs all of them.

An algorithm is a frozen dataclass of its hyper-parameters and three compiled
functions over one state:

* ``select(parameters, state)`` returns the next arm, and how many samples of it;
* ``stop(parameters, state)`` tells, once they are in, whether to stop;
* ``recommend(parameters, state, answer)`` writes the recommended arms.

The state is a NamedTuple whose field ``record`` holds what every algorithm needs;
its other fields are the algorithm's own. `compile_run` makes the loop that a
simulation calls and `session.Session` feeds a reader's own observations to the same
three functions.
"""

import functools
from typing import ClassVar, NamedTuple

import numpy as np

from pareto_core._borrowing import borrowed
from pareto_core._kernels import kernel
from pareto_core.questions import PARETO_SET

__all__ = ["Algorithm"]


class Record(NamedTuple):
    """What has been observed so far."""

    counts: np.ndarray  # (K,) samples of each arm
    sums: np.ndarray  # (K, d) sums of their rewards
    means: np.ndarray  # (K, d) their averages
    scatter: np.ndarray  # (K, d) sums of squares about the averages
    time: np.ndarray  # (1,) samples of all arms


def empty_record(problem):
    """Record of no observation."""
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


class Algorithm:
    """Base class of the algorithms: hyper-parameters in, sessions and simulations out.

    A subclass is a frozen dataclass that sets the three compiled functions and
    defines ``parameters`` and ``state``.
    """

    select: ClassVar
    stop: ClassVar
    recommend: ClassVar
    question: ClassVar = PARETO_SET
    sampling_ignores_delta: ClassVar = False  # so that one run stops once for each delta
    variance_bound = None  # of the noise; a parameter of some algorithms

    @property
    def needs_unit_variance(self):
        """Whether the rewards must have unit variance: unless a bound on it is given."""
        return self.variance_bound is None

    def parameters(self, problem):
        """NamedTuple of numbers that the compiled functions read."""
        raise NotImplementedError

    def state(self, problem):
        """Fresh state, before the first sample."""
        raise NotImplementedError

    def session(self, n_arms, n_objectives, standard_deviation=1.0, features=None, polyhedron=None):
        """Start a session for the reader's own observations.

        Parameters
        ----------
        n_arms : int
            Number K of arms, at least 2.
        n_objectives : int
            Number d of objectives.
        standard_deviation : float or array_like, shape (d,), default 1.0
            Of the noise in each objective; rewards are divided by it.
        features : array_like, shape (K, h), optional
            Feature vector of each arm, for algorithms that generalise over arms.
        polyhedron : Polyhedron, optional
            Feasible region of the means, in the caller's own units, for algorithms that look
            for the constrained Pareto set.

        Returns
        -------
        Session

        Raises
        ------
        ValueError
            If an argument is out of range.
        """
        from pareto_core.algorithms.session import Session  # which observes by this module

        return Session(self, n_arms, n_objectives, standard_deviation, features, polyhedron)


@functools.cache
def compile_run(select, stop, recommend, draw):
    """Make the loop of one algorithm: sample until it stops, then recommend.

    Returns
    -------
    function
        ``run(parameters, state, source, rng, max_samples, answer)``: fills ``answer``
        and returns whether the algorithm stopped by itself, rather than because
        ``max_samples`` were drawn or the source ran dry.
    """

    @kernel
    def run(parameters, state, source, rng, max_samples, answer):
        parameters, state, source = borrowed(parameters), borrowed(state), borrowed(source)
        total = np.empty(state.record.means.shape[1])
        scatter = np.empty(state.record.means.shape[1])
        stopped = False
        while not stopped and state.record.time[0] < max_samples:
            arm, wanted = select(parameters, state)
            wanted = min(wanted, max_samples - state.record.time[0])
            number = draw(source, arm, wanted, rng, total, scatter)
            if number == 0:
                break
            observe(state.record, arm, number, total, scatter)
            stopped = stop(parameters, state)
        recommend(parameters, state, answer)
        return stopped

    return run
