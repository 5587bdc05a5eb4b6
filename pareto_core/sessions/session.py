"""Sessions: an algorithm that decides about a reader's own experiment.

The rewards that a reader tells form one queue per arm, and the algorithm takes them from the
queues in its own order. So it does not matter to it in which order they come in, or how many
arms were asked for at once.
"""

import collections
import copy

import numpy as np

from pareto_core._checks import (
    LARGEST,
    check_array,
    check_count,
    check_matrix,
    check_path,
    check_size,
    shown,
)
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm, refuse_needless
from pareto_core.loop.record import observe
from pareto_core.sessions import session_file

__all__ = ["Session"]

MOST_MEANS = 10**6  # of an experiment
MOST_OUTSTANDING = 100_000  # samples that may be asked for and not told yet


class Session:
    """An experiment in progress: ask for an arm, tell its reward, until finished.

    `ask` names one arm at a time. `ask_many` names several, to be sampled in parallel, whose
    rewards may be told in any order. The algorithm uses the first reward told of an arm when
    it first wants a sample of that arm, the second the second time, and so on; a reward that
    it does not want yet waits. So it sees what it would have seen one sample at a time, and
    its guarantees hold unchanged, whatever the number of arms asked for at once, provided
    that

    * rewards of an arm are independent and have the same law, and
    * how long a reward takes, and whether it is told at all, does not depend on its value.

    Whether to stop is only ever decided on rewards that were told.

    Parameters
    ----------
    algorithm : Algorithm
        The algorithm that decides.
    n_arms, n_objectives : int
        Size of the experiment.
    standard_deviation : float or array_like, shape (d,)
        Of the noise in each objective; 1 for an algorithm that has it in its own parameters.
    features : array_like, shape (K, h), optional
        Feature vector of each arm, for an algorithm that uses them.
    polyhedron : Polyhedron, optional
        Feasible region of the means, for an algorithm that uses it.
    seed : int, default 0
        Of what the algorithm leaves to chance, if it does.

    Attributes
    ----------
    algorithm : Algorithm
        As given.
    n_arms, n_objectives, seed : int
        As given.
    finished : bool
        Whether the algorithm has stopped.

    Raises
    ------
    ValueError
        If an argument is out of range, does not fit, or would be ignored by the algorithm; if
        the noise is stated twice, here and by the algorithm; or if there are more than a
        million means.

    Examples
    --------
    >>> import pareto_core as pc
    >>> session = pc.Session(pc.TrackAndStop(delta=0.1), n_arms=2, n_objectives=1)
    >>> while not session.finished:
    ...     arm = session.ask()
    ...     session.tell(arm, [10.0 * arm])
    >>> session.recommendation
    array([1])

    Four samples at a time, told in another order, by two colleagues on two days:

    >>> session = pc.Session(pc.TrackAndStop(delta=0.1), n_arms=2, n_objectives=1)
    >>> arms = session.ask_many(4)
    >>> for arm in reversed(arms):
    ...     session.tell(arm, [0.1 * arm])
    >>> session.save("experiment.json")  # doctest: +SKIP
    >>> session = pc.load_session("experiment.json")  # doctest: +SKIP
    """

    def __init__(
        self,
        algorithm,
        n_arms,
        n_objectives,
        standard_deviation=1.0,
        features=None,
        polyhedron=None,
        seed=0,
    ):
        if not isinstance(algorithm, Algorithm):
            raise ValueError(f"algorithm = {shown(algorithm)}; expected an Algorithm")
        check_size(n_arms, n_objectives, MOST_MEANS)
        refuse_needless(algorithm, features, polyhedron)
        self.seed = check_count(seed, "seed", at_least=0)
        deviation = check_array(standard_deviation, "standard_deviation")
        if deviation.shape not in ((), (n_objectives,)) or not (
            np.isfinite(deviation).all() and (deviation > 0).all()
        ):
            raise ValueError(
                f"standard_deviation = {shown(standard_deviation)}; expected one positive "
                f"number, or {n_objectives}"
            )
        if algorithm.knows_noise and (deviation != 1).any():
            raise ValueError(
                f"standard_deviation = {shown(standard_deviation)} for {algorithm!r}, which "
                "states the noise itself; expected one of the two"
            )
        if features is not None:
            features = check_matrix(features, "features")
            if features.shape[0] != n_arms:
                raise ValueError(f"features has {features.shape[0]} rows; expected {n_arms}")
        region = polyhedron
        if polyhedron is not None:
            region = check_polyhedron(polyhedron, n_objectives).divided_by(
                np.broadcast_to(deviation, n_objectives)
            )
        self.algorithm = algorithm
        self.n_arms = n_arms
        self.n_objectives = n_objectives
        self.finished = False
        self._deviation, self._features, self._polyhedron = deviation, features, polyhedron
        self._problem = Problem(n_arms, n_objectives, features, region)
        self._run = algorithm.begin(self._problem, np.random.default_rng(seed))
        self._next_arm = None
        self._missing = 0
        self._log = []  # (arm, reward) of all observations, in the order used
        self._queues = [collections.deque() for _ in range(n_arms)]  # rewards not used yet
        self._outstanding = np.zeros(n_arms, np.int64)

    @property
    def samples(self):
        """Observations that the algorithm has used so far."""
        return int(self._run.record.time[0])

    @property
    def pulls(self):
        """Used observations of each arm, shape (K,)."""
        return self._run.record.counts.copy()

    @property
    def means(self):
        """Average used reward of each arm, shape (K, d); zero before its first observation."""
        return self._run.record.means * self._deviation

    @property
    def outstanding(self):
        """Samples of each arm that were asked for and not told yet, shape (K,)."""
        return self._outstanding.copy()

    @property
    def waiting(self):
        """Observations of each arm that were told and are not used yet, shape (K,)."""
        return np.array([len(queue) for queue in self._queues])

    @property
    def recommendation(self):
        """The answer: the algorithm's own once it has stopped, before that the empirical one.

        The arms that are looked for, ascending; the best arm of each objective; or a
        `Partition`, which has the reasons for rejecting the others. The empirical answer is
        what would be right if the means were those estimated so far, and means the same for
        all algorithms; it has no guarantee. It is None as long as there is an arm that no
        observation tells of.
        """
        if self.finished:
            return self._algorithms_answer()
        estimates = self._run.estimates()
        if estimates is None:
            return None
        return self.algorithm.question.solve(estimates, self._problem.polyhedron)

    def _algorithms_answer(self):
        """What the algorithm answers if it stops now: some answer all arms not yet excluded."""
        return self.algorithm.question.read(self._run.copy().answer())

    def ask(self):
        """Return the arm that the algorithm needs next; the same one until it has been told.

        It may be outstanding already, since `ask_many`. If that sample was lost, this is how
        to go on: sample the arm anew.

        Raises
        ------
        RuntimeError
            If the session is finished.
        """
        self._refuse_if_finished()
        arm = self._wanted()
        self._outstanding[arm] = max(self._outstanding[arm], 1)
        return arm

    def ask_many(self, n):
        """Return arms to sample next, all at once, besides those that are outstanding.

        The algorithm is run ahead on a copy, on the observations that wait and on imagined
        ones: the average reward of the arm, or before its first observation that of the other
        arms, so that it looks neither better nor worse than they do. What is imagined only
        decides which samples are asked for in advance; a poor guess costs samples, which wait
        for ever if they are never needed, and no guarantee.

        Parameters
        ----------
        n : int
            Largest number of arms, at least 1. With those outstanding, at most 100,000.

        Returns
        -------
        list of int
            At most n arms, an arm as often as it is to be sampled. There are fewer when the
            algorithm would stop before it has used them all, should the rewards be as
            imagined, or when its budget ends; there are none when the outstanding
            samples may be enough: tell these first. There is at least one when none is
            outstanding.

        Raises
        ------
        ValueError
            If ``n`` is not a positive integer, or too large.
        RuntimeError
            If the session is finished.
        """
        check_count(n, "n")
        if n + self._outstanding.sum() > MOST_OUTSTANDING:
            raise ValueError(
                f"n = {shown(n)} with {self._outstanding.sum()} samples outstanding; expected at "
                f"most {MOST_OUTSTANDING} together"
            )
        self._refuse_if_finished()
        ahead, coming, arms = self._copy_without_log(), self._outstanding.copy(), []
        while not ahead.finished and len(arms) < n:
            arm = ahead._wanted()
            if ahead._queues[arm]:
                ahead._use(ahead._queues[arm].popleft())
                continue
            if coming[arm]:
                coming[arm] -= 1
            else:
                arms.append(arm)
            ahead._use(ahead._imagined(arm))
        self._outstanding += np.bincount(arms, minlength=self.n_arms)
        return arms

    def tell(self, arm, reward):
        """Report one observed reward of an arm that was asked for.

        Parameters
        ----------
        arm : int
            An arm that `ask` or `ask_many` returned, and that is still outstanding; in any
            order. Rewards that come in after the algorithm has stopped are accepted, and
            not used.
        reward : array_like, shape (d,)
            What was observed, in the caller's own units; up to 1e150 standard deviations.

        Raises
        ------
        ValueError
            If the arm is not one of those asked for, or the reward is not d finite numbers.
            Nothing is recorded then.
        RuntimeError
            If the session is finished, and the arm is not outstanding.
        """
        asked = np.flatnonzero(self._outstanding).tolist()
        if not self.finished and self._wanted() not in asked:
            asked.append(self._wanted())
        if isinstance(arm, bool) or arm not in asked:
            self._refuse_if_finished()
            expected = f"{asked[0]}, the arm asked for"
            if len(asked) > 1:
                expected = f"one of {', '.join(map(str, asked))}, the arms asked for"
            raise ValueError(f"arm = {shown(arm)}; expected {expected}")
        arm = asked[asked.index(arm)]
        self._queues[arm].append(self._checked(reward))
        self._outstanding[arm] = max(self._outstanding[arm] - 1, 0)
        while not self.finished and any(self._queues) and self._queues[self._wanted()]:
            self._use(self._queues[self._wanted()].popleft())

    def save(self, path):
        """Write the session to a file, from which `load_session` restores it exactly.

        The file is JSON: the algorithm with its hyper-parameters, the size of the experiment,
        and all observations. It replaces an earlier state of the same session, and nothing
        else: not a file that holds an observation which this session has not got.

        Parameters
        ----------
        path : path-like
            Name of the file. It is written whole under another name, and then renamed.

        Raises
        ------
        ValueError
            If there is another file of that name, or the algorithm is not one of the package.
        OSError
            If the file can't be written.
        """
        session_file.write(self, check_path(path, "path"))

    def _refuse_if_finished(self):
        if self.finished:
            raise RuntimeError("the session is finished; its recommendation is final")

    def _wanted(self):
        """Arm whose reward the algorithm needs next."""
        if self._next_arm is None:
            self._next_arm, self._missing = self._run.select()
        return self._next_arm

    def _use(self, reward):
        """Give the algorithm a reward of the arm that it wants."""
        arm = self._wanted()
        self._log.append((arm, reward))
        scaled = reward / self._deviation
        observe(self._run.record, arm, 1, scaled, np.zeros(self.n_objectives))
        self._missing -= 1
        if self._missing == 0:
            self._next_arm = None
            self.finished = self._run.stop()

    def _checked(self, reward):
        """The reward as an array of d finite numbers."""
        observed = check_array(reward, "reward")
        if observed.shape != (self.n_objectives,) or not np.isfinite(observed).all():
            raise ValueError(
                f"reward = {shown(reward)}; expected {self.n_objectives} finite numbers, "
                "one per objective"
            )
        if (np.abs(observed) > LARGEST * np.minimum(self._deviation, 1)).any():
            raise ValueError(
                f"reward = {shown(reward)}; expected numbers of magnitude {LARGEST} at most, in "
                "their own unit and in standard deviations"
            )
        return observed

    def _copy_without_log(self):
        """A session in the same state, to be run ahead."""
        ahead = copy.copy(self)
        ahead._run = self._run.copy()
        ahead._queues = copy.deepcopy(self._queues)
        ahead._log = []
        return ahead

    def _imagined(self, arm):
        """Average reward of the arm, of those sampled if it is not, or zero if none is."""
        sampled = self.pulls > 0
        if sampled[arm] or not sampled.any():
            return self.means[arm]
        return self.means[sampled].mean(axis=0)
