"""A proven stopping rule for any algorithm that identifies the Pareto set."""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.evidence import recommend_front
from pareto_core.algorithms.pareto.proven_stopping import (
    ProvenStoppingState,
    allocate_proven_stopping,
    is_proven,
    is_proven_among,
    proven_parameters,
)
from pareto_core.algorithms.pareto.track_and_stop import TrackAndStop
from pareto_core.checks.arguments import check_choice, check_count, check_probability
from pareto_core.checks.words import CertifiedRule, RuleName, Variance
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.proven_rules import JOINT, RULES
from pareto_core.confidence.subset_rule import SUBSET_RULES, write_front_among
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm, PythonAlgorithm
from pareto_core.loop.choices import choice, verdict
from pareto_core.loop.record import Record
from pareto_core.questions import PARETO_SET

__all__ = ["Certified"]

VARIANCES = ("known", "unknown")


class CertifiedParameters(NamedTuple):
    """Parameters of the inner algorithm and of the stopping rule."""

    inner: tuple
    evidence: tuple  # ProvenParameters
    subsets: bool  # whether the rule is valid for every set of remaining arms at once


class CertifiedState(NamedTuple):
    """State of the inner algorithm and of the stopping rule."""

    record: Record  # of the inner algorithm
    inner: tuple
    has_stopped: np.ndarray  # (1,) whether the inner algorithm alone would have stopped
    evidence: ProvenStoppingState
    may_sample: np.ndarray  # (K,) whether an arm may be sampled: all arms unless some are retired
    remaining: np.ndarray  # (K,) whether the question is about an arm, with a rule for subsets


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


@part
def _rarest(counts, may_sample):
    """The arm with the fewest samples among those that may be sampled."""
    rarest = -1
    for k in range(counts.shape[0]):
        if may_sample[k] and (rarest < 0 or counts[k] < counts[rarest]):
            rarest = k
    return rarest


@kernel
def _arm_that_lacks_evidence(evidence, record, may_sample):
    """The rarer arm of the pair for which the rule lacked evidence at its last test.

    If one of the pair may not be sampled, the evidence may be lacking for ever: then the rarest
    arm that may be.
    """
    arm, rival = evidence.work.weakest[0], evidence.work.weakest[1]
    rarest = _rarest(record.counts, may_sample)
    if arm < 0 or record.counts[rarest] ** 2 < record.time[0]:
        return rarest
    if rival < 0:
        size = evidence.response.found[0]["size"]
        rival = _closest_dominator(record.means, arm, evidence.response.front, size)
    if not may_sample[arm] or (rival >= 0 and not may_sample[rival]):
        return rarest
    return rival if rival >= 0 and record.counts[rival] < record.counts[arm] else arm


@part
def _is_possible(state, arm, number):
    """Whether a choice can be obeyed; algorithms that plan phases err once arms are retired."""
    return number >= 1 and 0 <= arm < state.may_sample.shape[0] and state.may_sample[arm]


@functools.cache
def _kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` around those of an algorithm."""

    @kernel
    def select_certified(parameters, state):
        if not state.has_stopped[0]:
            arm, number = choice(select(parameters.inner, state.inner))
            if state.may_sample.all() or _is_possible(state, arm, number):
                return arm, number
        return _arm_that_lacks_evidence(state.evidence, state.record, state.may_sample), 1

    @kernel
    def stop_certified(parameters, state):
        if not can_go_on and not state.has_stopped[0]:
            state.has_stopped[0] = verdict(stop(parameters.inner, state.inner))
        if parameters.subsets:
            return is_proven_among(
                parameters.evidence, state.evidence, state.record, state.remaining
            )
        return is_proven(parameters.evidence, state.evidence, state.record)

    return select_certified, stop_certified


@kernel
def _recommend_remaining(parameters, state, answer):
    """Mark the Pareto set of the empirical means of the remaining arms."""
    if not parameters.subsets:
        return recommend_front(parameters, state, answer)
    answer[:] = False
    front = state.evidence.work.front
    for f in range(write_front_among(state.record.means, state.remaining, front)):
        answer[front[f]] = True


@dataclasses.dataclass(frozen=True)
class Certified(Algorithm):
    """Sample by any algorithm, and stop when the answer is proven.

    The answer is the Pareto set of the empirical means. It is wrong with probability at most
    ``delta``, whichever arms the inner algorithm samples (the appendix *Proofs*). If the inner
    algorithm would stop earlier, the run continues with samples of the arms that lack evidence.

    Parameters
    ----------
    algorithm : Algorithm, default TrackAndStop()
        A compiled algorithm for the Pareto set. Its own risk affects only its sampling.
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    rule : {"joint", "pairs", "joint_subsets", "pairs_subsets"}, default "joint"
        ``"joint"`` sums evidence over objectives, whose noise must be independent (Theorem 2),
        and refuses instances with a covariance; ``"pairs"`` is valid for any correlation between
        the objectives (Theorem 3). Both hold if the arms differ in their known variances.
        An inner algorithm that does not use them then samples as if the variances were one.
        ``"joint_subsets"`` and ``"pairs_subsets"`` need more samples, and are valid for every set
        of remaining arms at once (Section 14 of the appendix), so arms may be left out of the
        question while the experiment runs; see `retire`.
    variance : {"known", "unknown"}, default "known"
        With ``"unknown"``, the rule estimates the variance of each objective, for Gaussian noise
        with the same variance for all arms (Theorem 4); the inner algorithm samples as if the
        variance were one.
    check_every : int, default 1
        Number of samples between two tests, or half a per cent of the samples so far if that is
        larger.

    Raises
    ------
    ValueError
        If an argument is out of range, or the algorithm is not compiled, answers a different
        question, or has a parameter for the noise; when a run begins, if the objectives of the
        instance are correlated and the rule is ``"joint"``.

    See Also
    --------
    pareto_core.confidence.certificate.Certificate : what is certain about each arm.
    pareto_core.confidence.subset_certificate.SubsetCertificate : the same if arms may leave.
    pareto_core.confidence.evidence.proven_evidence : the evidence that the rule uses.

    References
    ----------
    The appendix *Proofs* of the book: Theorems 2 to 4, and Section 14.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> algorithm = pc.Certified(pc.APE(), delta=0.01)
    >>> pc.simulate(algorithm, instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    algorithm: Algorithm = dataclasses.field(default_factory=TrackAndStop)
    delta: float = 0.1
    rule: CertifiedRule = JOINT
    variance: Variance = "known"
    check_every: int = 1

    recommend = staticmethod(_recommend_remaining)

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
        check_choice(self.rule, "rule", (*RULES, *SUBSET_RULES))
        check_choice(self.variance, "variance", VARIANCES)
        check_count(self.check_every, "check_every")

    @property
    def sampling_ignores_delta(self) -> bool:
        """True if the inner algorithm can continue after it would have stopped."""
        return self.algorithm.can_go_on

    @property
    def needs_independence(self) -> bool:
        """True with the rules "joint" and "joint_subsets"."""
        return self.bets == JOINT

    @property
    def bets(self) -> RuleName:
        """How the rule bets on objectives: "joint" or "pairs"."""
        return SUBSET_RULES.get(self.rule, self.rule)

    @property
    def is_for_subsets(self) -> bool:
        """Whether arms may be left out of the question while the experiment runs."""
        return self.rule in SUBSET_RULES

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
        inner = self.algorithm
        return _kernels_around(inner.select, inner.stop, inner.can_go_on)[0]

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        inner = self.algorithm
        return _kernels_around(inner.select, inner.stop, inner.can_go_on)[1]

    def hyper_parameters(self) -> dict[str, Any]:
        """See `Algorithm.hyper_parameters`."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def parameters(self, problem: Problem) -> CertifiedParameters:
        """See `Algorithm.parameters`."""
        unknown = self.variance == "unknown"
        return CertifiedParameters(
            self.algorithm.parameters(problem),
            proven_parameters(self.check_every, self.bets, self.delta, problem, unknown),
            self.is_for_subsets,
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> CertifiedState:
        """See `Algorithm.start`."""
        inner = self.algorithm.start(problem, rng)
        return CertifiedState(
            inner.record,
            inner,
            np.zeros(1, np.bool_),
            allocate_proven_stopping(problem),
            np.ones(problem.n_arms, np.bool_),
            np.ones(problem.n_arms, np.bool_),
        )

    def retire(self, state: CertifiedState, arm: int, still_counts: bool) -> None:
        """Never sample an arm again in a run.

        Parameters
        ----------
        state : CertifiedState
            Modified in place.
        arm : int
            At least one other arm must remain that may be sampled.
        still_counts : bool
            Whether the question remains the Pareto set of all arms, which a rule needs that is
            not valid for subsets. Otherwise the arm is left out of the question.

        Raises
        ------
        ValueError
            If ``still_counts`` is false and the rule is not valid for subsets, or no other arm
            may be sampled.
        """
        if not still_counts and not self.is_for_subsets:
            raise ValueError(
                f"still_counts = False with rule = {self.rule!r}, whose statements are about the "
                f"Pareto set of all arms; expected rule = {' or '.join(map(repr, SUBSET_RULES))}"
            )
        if not np.delete(state.may_sample, arm).any():
            raise ValueError(f"arm = {arm} is the last that may be sampled; expected another one")
        state.may_sample[arm] = False
        state.remaining[arm] = still_counts
