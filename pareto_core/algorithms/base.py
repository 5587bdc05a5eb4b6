"""What an algorithm is, and the one loop that runs all of them.

An algorithm is a frozen dataclass of its hyper-parameters and three compiled
functions over one state:

* ``select(parameters, state)`` returns the next arm, and how many samples of it;
* ``stop(parameters, state)`` tells, once they are in, whether to stop;
* ``recommend(parameters, state, answer)`` writes the recommended arms.

The state is a NamedTuple whose field ``record`` holds what every algorithm needs;
its other fields are the algorithm's own. `compile_run` makes the loop that a
simulation calls and `Session` feeds a reader's own observations to the same three
functions.
"""

import functools
from typing import ClassVar, NamedTuple

import numba
import numpy as np

from pareto_core._checks import check_array, check_count, check_means
from pareto_core._kernels import kernel
from pareto_core.constrained import check_polyhedron
from pareto_core.instances import Problem
from pareto_core.questions import PARETO_SET

__all__ = ["Algorithm", "Session"]


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
        return Session(self, n_arms, n_objectives, standard_deviation, features, polyhedron)


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
    features : array_like, shape (K, h), optional
        Feature vector of each arm.
    polyhedron : Polyhedron, optional
        Feasible region of the means.

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

    def __init__(
        self,
        algorithm,
        n_arms,
        n_objectives,
        standard_deviation=1.0,
        features=None,
        polyhedron=None,
    ):
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
        if features is not None:
            features = check_means(features, "features")
            if features.shape[0] != n_arms:
                raise ValueError(f"features has {features.shape[0]} rows; expected {n_arms}")
        if polyhedron is not None:
            polyhedron = check_polyhedron(polyhedron, n_objectives).divided_by(
                np.broadcast_to(deviation, n_objectives)
            )
        problem = Problem(n_arms, n_objectives, features, polyhedron)
        self._parameters = algorithm.parameters(problem)
        self._state = algorithm.state(problem)
        self._next_arm = None
        self._missing = 0

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
        """What the algorithm would answer now.

        The arms that it looks for, ascending; the best arm of each objective; or a
        `Partition`, which has the reasons for rejecting the others.
        """
        question = self.algorithm.question
        answer = question.empty(self.n_arms, self.n_objectives)
        self.algorithm.recommend(self._parameters, self._state, answer)
        return question.read(answer)

    def ask(self):
        """Return the arm to sample next; the same one until its rewards have been told.

        Raises
        ------
        RuntimeError
            If the session is finished.
        """
        if self.finished:
            raise RuntimeError("the session is finished; its recommendation is final")
        if self._next_arm is None:
            arm, number = self.algorithm.select(self._parameters, self._state)
            self._next_arm, self._missing = int(arm), int(number)
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
        scaled = observed / self._deviation
        observe(self._state.record, expected, 1, scaled, np.zeros(self.n_objectives))
        self._missing -= 1
        if self._missing == 0:
            self._next_arm = None
            self.finished = bool(self.algorithm.stop(self._parameters, self._state))


@functools.cache
def compile_run(select, stop, recommend, draw):
    """Compile the loop of one algorithm: sample until it stops, then recommend.

    Compiled anew in each process (Numba can't cache a function that closes over
    others), while the functions it calls come from the cache.

    Returns
    -------
    function
        ``run(parameters, state, source, rng, max_samples, answer)``: fills ``answer``
        and returns whether the algorithm stopped by itself, rather than because
        ``max_samples`` were drawn or the source ran dry.
    """

    @numba.njit(nogil=True, error_model="numpy")
    def run(parameters, state, source, rng, max_samples, answer):
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
