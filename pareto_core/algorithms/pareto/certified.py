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
    proven_parameters,
)
from pareto_core.algorithms.pareto.track_and_stop import TrackAndStop
from pareto_core.checks.arguments import check_choice, check_count, check_probability
from pareto_core.checks.words import RuleName, Variance
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.proven_rules import JOINT, RULES
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


class CertifiedState(NamedTuple):
    """State of the inner algorithm and of the stopping rule."""

    record: Record  # of the inner algorithm
    inner: tuple
    has_stopped: np.ndarray  # (1,) whether the inner algorithm alone would have stopped
    evidence: ProvenStoppingState


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
def _arm_that_lacks_evidence(evidence, record):
    """The rarer arm of the pair for which the rule lacked evidence at its last test."""
    arm, rival = evidence.work.weakest[0], evidence.work.weakest[1]
    if arm < 0 or record.counts.min() ** 2 < record.time[0]:
        return record.counts.argmin()
    if rival < 0:
        size = evidence.response.found[0]["size"]
        rival = _closest_dominator(record.means, arm, evidence.response.front, size)
    return rival if rival >= 0 and record.counts[rival] < record.counts[arm] else arm


@functools.cache
def _kernels_around(select, stop, can_go_on):
    """Kernels ``select`` and ``stop`` around those of an algorithm."""

    @kernel
    def select_certified(parameters, state):
        if state.has_stopped[0]:
            return _arm_that_lacks_evidence(state.evidence, state.record), 1
        return choice(select(parameters.inner, state.inner))

    @kernel
    def stop_certified(parameters, state):
        if not can_go_on and not state.has_stopped[0]:
            state.has_stopped[0] = verdict(stop(parameters.inner, state.inner))
        return is_proven(parameters.evidence, state.evidence, state.record)

    return select_certified, stop_certified


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
    rule : {"joint", "pairs"}, default "joint"
        ``"joint"`` sums evidence over objectives, whose noise must be independent (Theorem 2),
        and refuses instances with a covariance; ``"pairs"`` is valid for any correlation between
        the objectives (Theorem 3). Both hold if the arms differ in their known variances.
        An inner algorithm that does not use them then samples as if the variances were one.
    variance : {"known", "unknown"}, default "known"
        With ``"unknown"``, the rule estimates the variance of each objective, for Gaussian noise
        with the same variance for all arms (Theorem 4); the inner algorithm samples as if the
        variance were one. With ``"known"``, a session may state noise that differs in kind between
        objectives: known, unknown or none (Section 13).
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
    pareto_core.confidence.evidence.proven_evidence : the evidence that the rule uses.

    References
    ----------
    The appendix *Proofs* of the book: Theorems 2 to 4, and Section 13 for missing values.

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
    rule: RuleName = JOINT
    variance: Variance = "known"
    check_every: int = 1

    allows_missing_values = True
    recommend = staticmethod(recommend_front)

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

    @property
    def sampling_ignores_delta(self) -> bool:
        """True if the inner algorithm can continue after it would have stopped."""
        return self.algorithm.can_go_on

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
            proven_parameters(self.check_every, self.rule, self.delta, problem, unknown),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> CertifiedState:
        """See `Algorithm.start`."""
        inner = self.algorithm.start(problem, rng)
        return CertifiedState(
            inner.record, inner, np.zeros(1, np.bool_), allocate_proven_stopping(problem)
        )
