"""What an algorithm is, and the one loop that runs all of them.

An algorithm is a frozen dataclass of its hyper-parameters and three compiled
functions over one state:

* ``select(parameters, state)`` returns the next arm;
* ``stop(parameters, state)`` tells, after an observation, whether to stop;
* ``recommend(parameters, state, answer)`` marks the recommended arms.

The state is a NamedTuple whose field ``record`` holds what every algorithm needs;
its other fields are the algorithm's own. `compile_run` makes the loop that a
simulation calls and `Session` feeds a reader's own observations to the same three
functions.
"""

import functools
from typing import ClassVar, NamedTuple

import numba
import numpy as np

from pareto_core._checks import check_array, check_count
from pareto_core._kernels import kernel
from pareto_core.instances import draw

__all__ = ["Algorithm", "Session"]


class Record(NamedTuple):
    """What has been observed so far."""

    counts: np.ndarray  # (K,) samples of each arm
    sums: np.ndarray  # (K, d) sums of their rewards
    means: np.ndarray  # (K, d) their averages
    time: np.ndarray  # (1,) samples of all arms


def empty_record(n_arms, n_objectives):
    """Record of no observation."""
    return Record(
        np.zeros(n_arms, np.int64),
        np.zeros((n_arms, n_objectives)),
        np.zeros((n_arms, n_objectives)),
        np.zeros(1, np.int64),
    )


@kernel
def observe(record, arm, reward):
    """Add one reward of ``arm`` to the record."""
    record.time[0] += 1
    record.counts[arm] += 1
    for c in range(reward.shape[0]):
        record.sums[arm, c] += reward[c]
        record.means[arm, c] = record.sums[arm, c] / record.counts[arm]


class Algorithm:
    """Base class of the algorithms: hyper-parameters in, sessions and simulations out.

    A subclass is a frozen dataclass that sets the three compiled functions and
    defines ``parameters`` and ``state``.
    """

    select: ClassVar
    stop: ClassVar
    recommend: ClassVar
    needs_unit_variance: ClassVar[bool] = True

    def parameters(self, n_arms, n_objectives):
        """NamedTuple of numbers that the compiled functions read."""
        raise NotImplementedError

    def state(self, n_arms, n_objectives):
        """Fresh state, before the first sample."""
        raise NotImplementedError

    def session(self, n_arms, n_objectives, standard_deviation=1.0):
        """Start a session for the reader's own observations.

        Parameters
        ----------
        n_arms : int
            Number K of arms, at least 2.
        n_objectives : int
            Number d of objectives.
        standard_deviation : float or array_like, shape (d,), default 1.0
            Of the noise in each objective; rewards are divided by it.

        Returns
        -------
        Session

        Raises
        ------
        ValueError
            If an argument is out of range.
        """
        return Session(self, n_arms, n_objectives, standard_deviation)


class Session:
    """An experiment in progress: ask for an arm, tell its reward, until finished.

    Parameters
    ----------
    algorithm : Algorithm
        The algorithm that decides.
    n_arms, n_objectives : int
        Size of the experiment.
    standard_deviation : float or array_like, shape (d,)
        Of the noise in each objective.

    Examples
    --------
    >>> import pareto_core as pc
    >>> session = pc.TrackAndStop(delta=0.1).session(n_arms=2, n_objectives=1)
    >>> while not session.finished:
    ...     arm = session.ask()
    ...     session.tell(arm, [10.0 * arm])
    >>> session.recommendation
    array([1])
    """

    def __init__(self, algorithm, n_arms, n_objectives, standard_deviation=1.0):
        check_count(n_arms, "n_arms", at_least=2)
        check_count(n_objectives, "n_objectives")
        deviation = check_array(standard_deviation, "standard_deviation")
        if deviation.shape not in ((), (n_objectives,)) or not (
            np.isfinite(deviation).all() and (deviation > 0).all()
        ):
            raise ValueError(
                f"standard_deviation = {standard_deviation!r}; expected one positive number, "
                f"or {n_objectives}"
            )
        self.algorithm = algorithm
        self.n_arms = n_arms
        self.n_objectives = n_objectives
        self.finished = False
        self._deviation = deviation
        self._parameters = algorithm.parameters(n_arms, n_objectives)
        self._state = algorithm.state(n_arms, n_objectives)
        self._next_arm = None

    @property
    def samples(self):
        """Observations so far."""
        return int(self._state.record.time[0])

    @property
    def pulls(self):
        """Observations of each arm, shape (K,)."""
        return self._state.record.counts.copy()

    @property
    def means(self):
        """Average reward of each arm, shape (K, d); zero before its first observation."""
        return self._state.record.means * self._deviation

    @property
    def recommendation(self):
        """Arms that the algorithm would answer now, ascending."""
        answer = np.zeros(self.n_arms, np.bool_)
        self.algorithm.recommend(self._parameters, self._state, answer)
        return np.flatnonzero(answer)

    def ask(self):
        """Return the arm to sample next; the same one until it has been told.

        Raises
        ------
        RuntimeError
            If the session is finished.
        """
        if self.finished:
            raise RuntimeError("the session is finished; its recommendation is final")
        if self._next_arm is None:
            self._next_arm = int(self.algorithm.select(self._parameters, self._state))
        return self._next_arm

    def tell(self, arm, reward):
        """Report one observed reward of the arm that was asked for.

        Parameters
        ----------
        arm : int
            The arm that `ask` returned.
        reward : array_like, shape (d,)
            What was observed, in the caller's own units.

        Raises
        ------
        ValueError
            If the arm is not the one asked for, or the reward is not d finite numbers.
            Nothing is recorded then.
        RuntimeError
            If the session is finished.
        """
        expected = self.ask()
        if isinstance(arm, bool) or arm != expected:
            raise ValueError(f"arm = {arm!r}; expected {expected}, the arm asked for")
        observed = check_array(reward, "reward")
        if observed.shape != (self.n_objectives,) or not np.isfinite(observed).all():
            raise ValueError(
                f"reward = {reward!r}; expected {self.n_objectives} finite numbers, "
                "one per objective"
            )
        observe(self._state.record, expected, observed / self._deviation)
        self._next_arm = None
        self.finished = bool(self.algorithm.stop(self._parameters, self._state))


@functools.cache
def compile_run(select, stop, recommend):
    """Compile the loop of one algorithm: sample until it stops, then recommend.

    Compiled anew in each process (Numba can't cache a function that closes over
    others), while the three functions come from the cache.

    Returns
    -------
    function
        ``run(parameters, state, source, rng, max_samples, answer)``: fills ``answer``
        and returns whether the algorithm stopped by itself.
    """

    @numba.njit(nogil=True, error_model="numpy")
    def run(parameters, state, source, rng, max_samples, answer):
        reward = np.empty(source.means.shape[1])
        stopped = False
        while not stopped and state.record.time[0] < max_samples:
            arm = select(parameters, state)
            draw(source, arm, rng, reward)
            observe(state.record, arm, reward)
            stopped = stop(parameters, state)
        recommend(parameters, state, answer)
        return stopped

    return run
