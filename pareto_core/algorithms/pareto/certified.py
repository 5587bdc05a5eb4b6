"""A proven stopping rule for any algorithm that identifies the Pareto set."""

import dataclasses
import inspect
from collections.abc import Callable, Collection, Sequence
from typing import Any, Self

import numpy as np

from pareto_core.algorithms.pareto.certified_kernels import (
    CertifiedParameters,
    CertifiedPythonRun,
    CertifiedRun,
    CertifiedState,
    certified_state,
    kernels_around,
    noise_within,
    recommend_certified,
)
from pareto_core.algorithms.pareto.track_and_stop import TrackAndStop
from pareto_core.algorithms.pareto.uniform import UniformSampling
from pareto_core.algorithms.proven_stopping import Proven
from pareto_core.checks.arguments import (
    LARGEST_COUNTS,
    check_choice,
    check_count,
    check_probability,
    shown,
)
from pareto_core.checks.words import CertifiedRule, RuleName, Variance
from pareto_core.confidence.accuracy import (
    Epsilon,
    as_epsilon,
    epsilon_for,
    in_order_of,
    is_exact,
    judge_accurate,
)
from pareto_core.confidence.latest_end import LatestEnd
from pareto_core.confidence.noise_kinds import EQUAL, KNOWN, UNKNOWN, UNKNOWNS
from pareto_core.confidence.proven_rules import JOINT, RULES, SUBSET_RULES
from pareto_core.instances.instance import Instance, Problem
from pareto_core.loop.algorithm import Algorithm, PythonAlgorithm
from pareto_core.loop.parts import ANY, COVARIANCE, UNIT, Noise
from pareto_core.loop.python_run import PythonRun
from pareto_core.loop.run import CompiledRun
from pareto_core.questions import PARETO_SET

__all__ = ["Certified"]

VARIANCES = (KNOWN, *UNKNOWNS)


@dataclasses.dataclass(frozen=True)
class Certified(Algorithm):
    r"""Sample by any algorithm, and stop when the answer is proven.

    The answer is the Pareto set of the empirical means. It is wrong with probability at most
    ``delta``, whichever arms the inner algorithm samples (the appendix *Proofs*). If the inner
    algorithm would stop earlier, the run continues with samples of the arms that lack evidence.

    Parameters
    ----------
    algorithm : Algorithm, default TrackAndStop()
        An algorithm for the Pareto set, with the default ``threshold`` if it has that parameter.
        Its own risk affects only its sampling; where it does not, it must be the default or
        ``delta``. A `PythonAlgorithm` needs only ``select``, and ``start`` if it has a memory;
        without a ``stop`` of its own it samples until the answer is proven.
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    rule : {"joint", "pairs", "joint_subsets", "pairs_subsets"}, default "joint"
        ``"joint"`` sums evidence over objectives, whose noise must be independent (Theorem 2), or
        of known covariance, with larger variances for objectives that are positively correlated
        (Theorem 3b); ``"pairs"`` is valid for any correlation between the objectives (Theorem 3).
        Both hold if the arms differ in their known variances. An inner algorithm that does not
        use them then samples as if the variances were one. ``"joint_subsets"`` and
        ``"pairs_subsets"`` need more samples, and are valid for every set of remaining arms at once
        (Section 14 of the appendix), so arms may be left out of the question while the experiment
        runs; see `retire`. They take no ``epsilon``.
    variance : {"known", "unknown", "unknown, equal"}, default "known"
        With ``"unknown"``, the noise is Gaussian, and its variance may differ between arms and
        objectives (Section 17); this rule holds for any correlation, and ``rule`` says only
        whether arms may be left out. With ``"unknown, equal"``, it is in
        each objective the same for all arms (Theorem 4), which needs fewer samples, and is wrong
        if it is not the same. In both cases `TrackAndStop` and `TopTwoIDS` sample by the variances
        of the rewards so far, but for one sample in four, which is of an arm that lacks evidence;
        others sample as if the variance were one. With ``"known"``, a session may state noise
        that differs in kind between objectives: known, unknown or none (Section 13).
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
        If the inner algorithm answers a different question, measures objectives separately, has a
        parameter for the noise, or states a threshold or a risk that would have no effect; when a
        run begins, if the objectives of the instance are correlated, the rule is ``"joint"`` and
        the variance ``"unknown, equal"``.

    See Also
    --------
    pareto_core.confidence.certificates.Certificate : what is certain about each arm.
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
    The appendix *Proofs* of the book: Theorems 2 to 4, 11 with ``epsilon``, Section 13 for missing
    values, and Section 14.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> algorithm = pc.Certified(pc.APE(), delta=0.01)
    >>> pc.simulate(algorithm, instance, runs=1, progress=False).answers
    array([[ True,  True, False]])

    A sampling rule in plain Python, which the proven rule stops:

    >>> class InTurn(pc.PythonAlgorithm):
    ...     def select(self, record, memory):
    ...         return record.counts.argmin()
    >>> runs = pc.simulate(pc.Certified(InTurn()), instance, 1, n_jobs=1, progress=False)
    >>> runs.answers
    array([[ True,  True, False]])
    """

    algorithm: Algorithm = dataclasses.field(default_factory=TrackAndStop)
    delta: float = 0.1
    rule: CertifiedRule = JOINT
    variance: Variance = "known"
    check_every: int = 1
    epsilon: Epsilon | None = None

    _added = ("epsilon",)
    __repr__ = Algorithm.__repr__  # without an accuracy as before: kept runs are identified by it
    recommend = staticmethod(recommend_certified)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        _check_inner(self.algorithm, self.delta)
        check_choice(self.rule, "rule", (*RULES, *SUBSET_RULES))
        check_choice(self.variance, "variance", VARIANCES)
        check_count(self.check_every, "check_every")
        object.__setattr__(self, "epsilon", as_epsilon(self.epsilon))
        if self.is_for_subsets and not self._is_exact:
            raise ValueError(
                f"epsilon = {shown(self.epsilon)} with rule = {self.rule!r}, which is not proven "
                f"for it; expected None, or rule = {self.bets!r}"
            )

    @property
    def stopping(self) -> Proven:
        """The proven rule; see `Algorithm`.

        With ``epsilon``, the most samples that an arm may have depend on delta.
        """
        return Proven(
            self.bets,
            self.delta,
            self.check_every,
            self.variance,
            self.epsilon,
            self.is_for_subsets,
            sampling_ignores_delta=self.algorithm.stopping.can_go_on and self._is_exact,
        )

    @property
    def _is_exact(self):
        """Whether the answer is the Pareto set itself."""
        return is_exact(self.epsilon)

    @property
    def bets(self) -> RuleName:
        """How the rule bets on objectives: "joint" or "pairs"."""
        return SUBSET_RULES.get(self.rule, self.rule)

    @property
    def is_for_subsets(self) -> bool:
        """Whether arms may be left out of the question while the experiment runs."""
        return self.rule in SUBSET_RULES

    @property
    def reads(self) -> Collection[str]:
        """What the inner algorithm reads; see `Algorithm`."""
        return self.algorithm.reads

    @property
    def noise(self) -> Noise:
        """The covariances are used unless the variance is unknown; see `Algorithm`."""
        return {KNOWN: COVARIANCE, UNKNOWN: ANY, EQUAL: UNIT}[self.variance]

    @property
    def select(self) -> Callable:
        """The kernel that chooses an arm; see `Algorithm`."""
        return self._kernels()[0]

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return self._kernels()[1]

    def _kernels(self):
        """Kernels ``select`` and ``stop``."""
        inner = self.algorithm
        return kernels_around(inner.select, inner.stop, inner.stopping.can_go_on)

    def with_delta(self, delta: float) -> Self:
        """Return the same algorithm with a different risk; see `Algorithm.with_delta`."""
        inner = self.algorithm
        inner = inner.with_delta(delta) if _has_ignored_delta(inner) else inner
        return dataclasses.replace(self, algorithm=inner, delta=delta)

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
        """When a run surely ends, whatever the rewards are; None if it may not.

        It may not without an ``epsilon`` above 0 in each objective, if the variance is unknown, or
        if more than 2^53 samples of an arm are needed.

        Parameters
        ----------
        problem : Problem
            Size and noise of the experiment, such as ``session.design.problem``. Rewards that are
            divided by ``problem.unit`` have the covariances ``problem.covariance``, both 1 by
            default. `Instance.problem` does not know the noise: use, for a variance common to all
            arms, ``instance.problem._replace(unit=np.sqrt(instance.variance))``.

        Examples
        --------
        >>> import pareto_core as pc
        >>> pc.Certified(epsilon=0.5).latest_end(pc.Problem(n_arms=3, n_objectives=1))
        LatestEnd(samples_of_each=array([501, 501, 501]), samples=1503)
        """
        if self._is_exact:
            return None
        needed = self.stopping.parameters(problem).needed
        if needed[0] > LARGEST_COUNTS:
            return None
        return LatestEnd(needed, sum(needed.tolist()))

    def parameters(self, problem: Problem) -> CertifiedParameters:
        """See `Algorithm.parameters`."""
        inner_problem = self._inner_problem(problem)
        inner = self.algorithm.parameters(inner_problem)
        noise = None if inner_problem is problem else noise_within(inner)
        return CertifiedParameters(inner, self.stopping.parameters(problem), noise)

    def start(self, problem: Problem, rng: np.random.Generator) -> CertifiedState:
        """See `Algorithm.start`."""
        inner = self.algorithm.start(self._inner_problem(problem), rng)
        return certified_state(inner.record, inner, self.stopping, problem)

    def _inner_problem(self, problem):
        """The problem for the inner algorithm: with covariances, if variances are estimated."""
        kinds, inner = {*self.stopping.kinds(problem)}, self.algorithm
        reads_noise = inner.noise.reads_covariance and not isinstance(inner, UniformSampling)
        if not reads_noise or kinds.isdisjoint(UNKNOWNS):
            return problem
        shape = problem.n_arms, problem.n_objectives, problem.n_objectives
        return problem._replace(covariance=np.broadcast_to(np.eye(problem.n_objectives), shape))

    def begin(
        self, problem: Problem, rng: np.random.Generator, parameters: Any = None
    ) -> CompiledRun | PythonRun:
        """See `Algorithm.begin`."""
        is_python = isinstance(self.algorithm, PythonAlgorithm)
        run = CertifiedPythonRun if is_python else CertifiedRun
        return run(self, problem, rng, parameters or self.parameters(problem))

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
            raise ValueError(
                f"arm = {arm} is the last that may be sampled; expected a different arm"
            )
        state.may_sample[arm] = False
        state.evidence.work.remaining[arm] = still_counts
        if not still_counts:
            state.evidence.ledger.dominated[:] = False  # by an arm that may have left


def _check_inner(inner, delta):
    """Check the inner algorithm of `Certified`, whose risk is ``delta``."""
    if not isinstance(inner, Algorithm) or isinstance(inner, Certified):
        raise ValueError(f"algorithm = {inner!r}; expected an Algorithm other than Certified")
    if inner.samples == "values":
        raise ValueError(
            f"algorithm = {inner!r} measures objectives separately; expected its own threshold "
            "'proven'"
        )
    if inner.question is not PARETO_SET:
        raise ValueError(f"algorithm = {inner!r}; expected one for the Pareto set")
    if inner.noise.is_stated:
        raise ValueError(
            f"algorithm = {inner!r}; expected one that does not state the noise itself, since "
            "the rule takes rewards to have unit variance"
        )
    stated, default = getattr(inner, "threshold", None), _default(inner, "threshold")
    if isinstance(stated, str) and stated != default:
        raise ValueError(
            f"algorithm = {inner!r} has the stopping rule {stated!r}, which Certified replaces by "
            f"its own; expected threshold = {default!r}, the default, or the algorithm without "
            "Certified"
        )
    if _has_ignored_delta(inner) and inner.delta != delta:
        raise ValueError(
            f"algorithm = {inner!r} has the risk {inner.delta!r}, which its sampling ignores, in "
            f"Certified with delta = {delta!r}; expected the risk as delta of Certified alone"
        )


def _has_ignored_delta(inner):
    """Whether an inner algorithm has a risk, not the default, that affects only its own stop."""
    rule = inner.stopping
    is_ignored = rule.can_go_on and rule.sampling_ignores_delta and hasattr(inner, "delta")
    return is_ignored and inner.delta != _default(inner, "delta")


def _default(algorithm, name):
    """Default of a parameter of an algorithm's constructor; None without such a parameter."""
    parameter = inspect.signature(type(algorithm)).parameters.get(name)
    return None if parameter is None else parameter.default
