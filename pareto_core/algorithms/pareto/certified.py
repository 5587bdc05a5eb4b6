"""A proven stopping rule for any algorithm that identifies the Pareto set."""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from pareto_core.algorithms.pareto.accuracy_stopping import (
    AccuracyState,
    accuracy_parameters,
    allocate_accuracy,
    is_accurate,
    rarest_unfinished,
    recommend_unbeaten,
)
from pareto_core.algorithms.pareto.evidence import recommend_front
from pareto_core.algorithms.pareto.proven_stopping import (
    ProvenStoppingState,
    allocate_proven_stopping,
    is_proven,
    proven_parameters,
)
from pareto_core.algorithms.pareto.track_and_stop import TrackAndStop
from pareto_core.checks.arguments import check_choice, check_count, check_probability
from pareto_core.checks.words import RuleName, Variance
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.accuracy import (
    Epsilon,
    as_epsilon,
    epsilon_for,
    in_order_of,
    is_exact,
    judge_accurate,
)
from pareto_core.confidence.latest_end import LARGEST, LatestEnd
from pareto_core.confidence.proven_rules import JOINT, RULES
from pareto_core.instances.instance import Instance, Problem
from pareto_core.loop.algorithm import Algorithm, PythonAlgorithm
from pareto_core.loop.choices import choice, verdict
from pareto_core.loop.record import Record
from pareto_core.questions import PARETO_SET

__all__ = ["Certified"]

VARIANCES = ("known", "unknown")


class CertifiedParameters(NamedTuple):
    """Parameters of the inner algorithm and of the stopping rule."""

    inner: tuple
    evidence: tuple  # ProvenParameters, or AccuracyParameters


class CertifiedState(NamedTuple):
    """State of the inner algorithm and of the stopping rule."""

    record: Record  # of the inner algorithm
    inner: tuple
    has_stopped: np.ndarray  # (1,) whether the inner algorithm alone would have stopped
    evidence: ProvenStoppingState | AccuracyState


@part
def _closest_dominator(means, arm, front, size):
    """Arm of the front whose smallest lead over ``arm`` is largest; -1 if there is no other arm."""
    closest, largest = -1, -np.inf
    for f in range(size):
        lead = np.inf
        for c in range(means.shape[1]):
            lead = min(lead, means[front[f], c] - means[arm, c])
        if lead > largest and front[f] != arm:
            closest, largest = front[f], lead
    return closest


@kernel
def _arm_that_lacks_evidence(weakest, front, size, record):
    """The rarer arm of the pair for which the rule lacked evidence at its last test.

    Parameters
    ----------
    weakest : ndarray of int, shape (2,)
        See `proven_rules.Work`.
    front : ndarray of int
        Arms of the answer at that test, the first ``size`` entries.
    size : int
    record : Record
    """
    arm, rival = weakest[0], weakest[1]
    if arm < 0 or record.counts.min() ** 2 < record.time[0]:
        return record.counts.argmin()
    if rival < 0:
        rival = _closest_dominator(record.means, arm, front, size)
    return rival if rival >= 0 and record.counts[rival] < record.counts[arm] else arm


@functools.cache
def _kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` around those of an algorithm."""

    @kernel
    def select_certified(parameters, state):
        if state.has_stopped[0]:
            evidence, response = state.evidence, state.evidence.response
            size = response.found[0]["size"]
            weakest = evidence.work.weakest
            return _arm_that_lacks_evidence(weakest, response.front, size, state.record), 1
        return choice(select(parameters.inner, state.inner))

    @kernel
    def stop_certified(parameters, state):
        if not can_go_on and not state.has_stopped[0]:
            state.has_stopped[0] = verdict(stop(parameters.inner, state.inner))
        return is_proven(parameters.evidence, state.evidence, state.record)

    return select_certified, stop_certified


@functools.cache
def _accurate_kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` of the rule with an accuracy around those of an algorithm."""

    @kernel
    def select_accurate(parameters, state):
        record, evidence, needed = state.record, state.evidence, parameters.evidence.needed
        if not state.has_stopped[0]:
            arm, number = choice(select(parameters.inner, state.inner))
            left = needed[arm] - record.counts[arm]
            state.has_stopped[0] = number > left  # the inner algorithm is not asked again
            if left > 0:
                return arm, min(number, left)
        work, size = evidence.work, evidence.size[0]
        arm = _arm_that_lacks_evidence(work.weakest, work.front, size, record)
        if record.counts[arm] >= needed[arm]:
            other = rarest_unfinished(needed, record)
            arm = other if other >= 0 else arm  # none is left only if rounding hides epsilon
        return arm, 1

    @kernel
    def stop_accurate(parameters, state):
        if not can_go_on and not state.has_stopped[0]:
            state.has_stopped[0] = verdict(stop(parameters.inner, state.inner))
        return is_accurate(parameters.evidence, state.evidence, state.record)

    return select_accurate, stop_accurate


@dataclasses.dataclass(frozen=True)
class Certified(Algorithm):
    r"""Sample by any algorithm, and stop when the answer is proven.

    The answer is the Pareto set of the empirical means. It is wrong with probability at most
    ``delta``, whichever arms the inner algorithm samples (the appendix *Proofs*). If the inner
    algorithm would stop earlier, the run continues with samples of the arms that lack evidence.

    Parameters
    ----------
    algorithm : Algorithm, default TrackAndStop()
        A compiled algorithm for the Pareto set. Its own risk affects only its sampling.
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    rule : {"joint", "pairs"}, default "joint"
        ``"joint"`` sums evidence over objectives, whose noise must be independent (Theorem 2),
        and refuses instances with a covariance; ``"pairs"`` is valid for any correlation between
        the objectives (Theorem 3). Both hold if the arms differ in their known variances.
        An inner algorithm that does not use them then samples as if the variances were one.
    variance : {"known", "unknown"}, default "known"
        With ``"unknown"``, the rule estimates the variance of each objective, for Gaussian noise
        with the same variance for all arms (Theorem 4); the inner algorithm samples as if the
        variance were one.
    check_every : int, default 1
        Number of samples between two tests, or half a per cent of the samples so far if that is
        larger.
    epsilon : float, sequence of d floats, or mapping of str to float, optional
        Accuracy of each objective, in the unit of the rewards as you state them, or by the name of
        the objective: differences that do not matter. Every optimal arm is then in the answer, and
        no arm that is worse than another arm by ``epsilon`` or more in every objective. An arm of
        the answer may be far worse than another arm in all objectives but one. `simulate` counts
        such answers as correct. By default, and with 0, the answer is the Pareto set.

    Raises
    ------
    ValueError
        If an argument is out of range, or the algorithm is not compiled, answers a different
        question, or has a parameter for the noise; when a run begins, if the objectives of the
        instance are correlated and the rule is ``"joint"``, or if ``epsilon`` does not fit the
        objectives.

    See Also
    --------
    pareto_core.confidence.certificate.Certificate : what is certain about each arm.
    pareto_core.confidence.evidence.proven_evidence : the evidence that the rule uses.

    Notes
    -----
    Without ``epsilon`` a run does not end if arms are tied. With a positive ``epsilon`` in every
    objective and a known variance, it surely ends, whatever the rewards are and whichever arms the
    inner algorithm asks for: the rule stops as soon as each arm k has a number :math:`n_k` of
    samples that is known in advance (`latest_end`), and no arm is sampled more often, so that at
    most :math:`\sum_kn_k` samples are taken. Once the inner algorithm asks for more of an arm, the
    run continues with samples of the arms that lack evidence. If ``epsilon`` is 0 in some
    objective, a run may not end when arms are tied there. If the variance is unknown, no such
    number can be told in advance, because the noise may have any size. The end is sure in exact
    arithmetic: ``epsilon`` must exceed the rounding errors of the averages.

    An inner algorithm that looks for the exact Pareto set spends its samples on ties. Where many
    arms are nearly tied, `UniformSampling` may need fewer.

    References
    ----------
    The appendix *Proofs* of the book: Theorems 2 to 4, and 11 with ``epsilon``.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> algorithm = pc.Certified(pc.APE(), delta=0.01)
    >>> pc.simulate(algorithm, instance, runs=1, progress=False).answers
    array([[ True,  True, False]])

    Two arms that are tied, and one that is clearly worse:

    >>> tied = pc.Instance([[1.0], [1.0], [0.0]])
    >>> algorithm = pc.Certified(pc.APE(), epsilon=0.5)
    >>> pc.simulate(algorithm, tied, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    algorithm: Algorithm = dataclasses.field(default_factory=TrackAndStop)
    delta: float = 0.1
    rule: RuleName = JOINT
    variance: Variance = "known"
    check_every: int = 1
    epsilon: Epsilon | None = None

    def __post_init__(self):
        inner = self.algorithm
        if not isinstance(inner, Algorithm) or isinstance(inner, PythonAlgorithm | Certified):
            raise ValueError(f"algorithm = {inner!r}; expected a compiled algorithm")
        if inner.question is not PARETO_SET:
            raise ValueError(f"algorithm = {inner!r}; expected one for the Pareto set")
        if inner.knows_noise:
            raise ValueError(
                f"algorithm = {inner!r}; expected one that does not state the noise itself, since "
                "the rule takes rewards to have unit variance"
            )
        check_probability(self.delta, "delta")
        check_choice(self.rule, "rule", RULES)
        check_choice(self.variance, "variance", VARIANCES)
        check_count(self.check_every, "check_every")
        object.__setattr__(self, "epsilon", as_epsilon(self.epsilon))

    def __repr__(self):
        given = ", ".join(f"{name}={each!r}" for name, each in self.hyper_parameters().items())
        return f"{type(self).__name__}({given})"

    @property
    def sampling_ignores_delta(self) -> bool:
        """True if the inner algorithm can continue after it would have stopped.

        False with ``epsilon``, because the most samples that an arm may have depend on delta.
        """
        return self.algorithm.can_go_on and self._is_exact

    @property
    def _is_exact(self):
        """Whether the answer is the Pareto set itself."""
        return is_exact(self.epsilon)

    @property
    def needs_independence(self) -> bool:
        """True with the rule "joint"."""
        return self.rule == JOINT

    @property
    def uses_features(self) -> bool:
        """See `Algorithm`."""
        return self.algorithm.uses_features

    @property
    def uses_covariance(self) -> bool:
        """True unless the variance is unknown."""
        return self.variance == "known"

    @property
    def select(self) -> Callable:
        """The kernel that chooses an arm; see `Algorithm`."""
        return self._kernels()[0]

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return self._kernels()[1]

    @property
    def recommend(self) -> Callable:
        """The kernel that writes the answer; see `Algorithm`."""
        return recommend_front if self._is_exact else recommend_unbeaten

    def _kernels(self):
        """Kernels ``select`` and ``stop``."""
        inner = self.algorithm
        around = _kernels_around if self._is_exact else _accurate_kernels_around
        return around(inner.select, inner.stop, inner.can_go_on)

    def hyper_parameters(self) -> dict[str, Any]:
        """Arguments of the constructor, by name; ``epsilon`` only if it is given."""
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {name: each for name, each in given.items() if (name, each) != ("epsilon", None)}

    def for_objectives(self, names: Sequence) -> Self:
        """Return the same algorithm, with ``epsilon`` in the order of the objectives."""
        epsilon = in_order_of(self.epsilon, names)
        return self if epsilon is self.epsilon else dataclasses.replace(self, epsilon=epsilon)

    def judge(self, instance: Instance, played: Instance | None = None) -> Callable:
        """Return a function that tells whether an answer is right up to ``epsilon``.

        See `Algorithm.judge`.
        """
        if self._is_exact:
            return super().judge(instance, played)
        return judge_accurate(instance.means, epsilon_for(self.epsilon, instance.n_objectives))

    def latest_end(self, problem: Problem) -> LatestEnd | None:
        """When a run surely ends, whatever the rewards are.

        Parameters
        ----------
        problem : Problem
            Size and noise of the experiment, such as ``session.design.problem``. Rewards that are
            divided by ``problem.unit`` have the covariances ``problem.covariance``, both 1 by
            default. `Instance.problem` does not know the noise: use, for a variance common to all
            arms, ``instance.problem._replace(unit=np.sqrt(instance.variance))``.

        Returns
        -------
        LatestEnd or None
            None if a run may not end: without ``epsilon``, if it is 0 in some objective, if the
            variance is unknown, or if more than 2^53 samples of an arm are needed.

        Raises
        ------
        ValueError
            If ``epsilon`` does not fit the objectives.

        Examples
        --------
        >>> import pareto_core as pc
        >>> pc.Certified(epsilon=0.5).latest_end(pc.Problem(n_arms=3, n_objectives=1))
        LatestEnd(samples_of_each=array([501, 501, 501]), samples=1503)
        """
        if self._is_exact:
            return None
        needed = self._evidence_parameters(problem).needed
        if needed[0] > LARGEST:
            return None
        return LatestEnd(needed, sum(needed.tolist()))

    def _evidence_parameters(self, problem):
        """Parameters of the stopping rule."""
        unknown = self.variance == "unknown"
        proof = proven_parameters(self.check_every, self.rule, self.delta, problem, unknown)
        if self._is_exact:
            return proof
        return accuracy_parameters(proof, epsilon_for(self.epsilon, problem.n_objectives), problem)

    def parameters(self, problem: Problem) -> CertifiedParameters:
        """See `Algorithm.parameters`."""
        return CertifiedParameters(
            self.algorithm.parameters(problem), self._evidence_parameters(problem)
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> CertifiedState:
        """See `Algorithm.start`."""
        inner = self.algorithm.start(problem, rng)
        allocate = allocate_proven_stopping if self._is_exact else allocate_accuracy
        return CertifiedState(inner.record, inner, np.zeros(1, np.bool_), allocate(problem))
