"""Game-cPSI: asymptotically optimal exploration for the constrained Pareto set."""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.algorithms.ada_hedge import AdaHedge, ada_hedge, gain
from pareto_core.algorithms.settings import check_settings
from pareto_core.algorithms.stopping import (
    Evidence,
    EvidenceParameters,
    Threshold,
    stop_when_conclusive,
    sufficient_evidence,
)
from pareto_core.algorithms.tracking import follow_sum, in_first_round
from pareto_core.checks.words import ThresholdName
from pareto_core.compiling.kernels import part
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import (
    CONSTRAINED_PARETO_SET,
    DOMINATED,
    INFEASIBLE,
    OPTIMAL,
    PARTITION,
    Question,
)
from pareto_core.transport.metric import region_of
from pareto_core.transport.moves import write_move
from pareto_core.transport.oracle import label_answer
from pareto_core.transport.walk import cheapest_alternative

__all__ = ["GameCPSI"]

NONE, TIME, RISK = 0, 1, 2
OPTIMISM = {"none": NONE, "time": TIME, "risk": RISK}


class GameCPSIParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    evidence: EvidenceParameters
    optimism: int
    explained: bool


class GameCPSIState(NamedTuple):
    """State of one run."""

    record: Record
    learner: AdaHedge
    targets: np.ndarray  # (K,) samples that each arm should have by now
    gains: np.ndarray  # (K,)
    gradient: np.ndarray  # (K,)
    alternative: np.ndarray  # (K, d) the best response of nature to the learner's weights
    evidence: Evidence


@part
def _write_gains(parameters, state):
    """Optimistic value of a sample of each arm against nature's response."""
    record, gains = state.record, state.gains
    samples, slack = record.time[0], 0.0
    if parameters.optimism == TIME:
        slack = np.log(samples) + np.log(1.0 + np.log(samples))
    elif parameters.optimism == RISK:
        slack = sufficient_evidence(parameters.evidence.test, record)
    for i in range(gains.shape[0]):
        squares = 0.0
        for c in range(record.means.shape[1]):
            squares += (record.means[i, c] - state.alternative[i, c]) ** 2
        gains[i] = 0.5 * (np.sqrt(squares) + np.sqrt(2.0 * slack / record.counts[i])) ** 2


@part
def _respond(parameters, state):
    """Compute nature's response to the learner's weights: the cheapest alternative."""
    means, weights = state.record.means, state.learner.weights
    region, oracle = parameters.evidence.region, state.evidence.oracle
    cheapest_alternative(means, weights, None, region, np.inf, oracle)
    write_move(means, weights, None, oracle, state.alternative, state.gradient)


@part
def _select(parameters, state):
    """Each arm once; then track the sum of the learner's weights."""
    if in_first_round(state.record):
        return state.record.time[0], 1
    _respond(parameters, state)
    arm = follow_sum(state.targets, state.learner.weights, state.record.counts)
    _write_gains(parameters, state)
    gain(state.learner, state.gains)
    return arm, 1


@part
def _recommend(parameters, state, answer):
    """Mark the empirical answer; if reasons are asked for, write a label for every arm."""
    oracle = state.evidence.oracle
    label_answer(state.record.means, None, parameters.evidence.region, oracle)
    for i in range(answer.shape[0]):
        if not parameters.explained:
            answer[i] = oracle.labels[i] == OPTIMAL
        elif oracle.labels[i] == OPTIMAL:
            answer[i] = OPTIMAL
        else:
            answer[i] = DOMINATED if oracle.inside.room[i] >= 0.0 else INFEASIBLE


@dataclasses.dataclass(frozen=True)
class GameCPSI(Algorithm):
    r"""Play the game behind the lower bound: AdaHedge against the cheapest alternative.

    The learner chooses weights of the arms. Nature responds with the cheapest alternative
    :math:`\lambda`: means with a different answer. Each arm gains
    :math:`\frac12(\|\hat\mu_i-\lambda_i\|+\xi_i)^2`, an optimistic value of one sample. The arm
    furthest behind the sum of all weights so far is sampled. The run stops when the cost of the
    cheapest alternative exceeds :math:`\beta(t,\delta)` (Kone et al. 2025, constrained,
    Algorithm 2). Rewards must have unit variance, so `simulate` whitens an instance and its
    polyhedron first.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    explained : bool, default False
        Answer with a `Partition`: rejected arms are labelled dominated if their empirical mean
        is feasible, and infeasible otherwise (Appendix G.2). The test does not cover these
        labels, so their error rate may exceed ``delta``.
    optimism : {"risk", "time", "none"}, default "risk"
        ``"time"``: :math:`\xi_i^2=2\beta(t,1/t)/T_i` with the default threshold. It vanishes as
        delta decreases, so the number of samples approaches :math:`T^*\ln(1/\delta)`, as Theorem
        B.2 states. ``"risk"``: :math:`\xi_i^2=2\beta(t,\delta)/T_i`. It does not vanish, because
        :math:`T_i` grows no faster than :math:`\beta`, and costs a constant factor at any delta.
        ``"none"``: :math:`\xi_i=0`. The formula is lost from our copy of the paper.
    check_every : int, default 1
        Test whether to stop when t is a multiple of this.
    threshold : str, default "iterated_logarithm"
        :math:`\beta(t,\delta)`, see `TrackAndStop`. The default, :math:`\ln((1+\ln t)/\delta)`,
        replaces the threshold of the experiments, which is lost from our copy of the
        paper. ``"mixture"``, `confidence.thresholds.mixture_threshold`, is proven (Lemma B.1).

    See Also
    --------
    pareto_core.algorithms.constrained.ecape.ECAPE : a rule with confidence intervals.
    pareto_core.bounds.complexity.characteristic_time : the lower bound.

    References
    ----------
    Kone, Kaufmann & Richert 2025, Constrained Pareto set identification with bandit feedback,
    arXiv:2506.08127: Algorithm 2.

    Examples
    --------
    >>> import pareto_core as pc
    >>> region = pc.orthant([-0.5, -0.5])
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], polyhedron=region)
    >>> pc.simulate(pc.GameCPSI(delta=0.1), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    delta: float = 0.1
    explained: bool = False
    optimism: Literal["none", "time", "risk"] = "risk"
    check_every: int = 1
    threshold: ThresholdName = "iterated_logarithm"

    reads = frozenset({"polyhedron"})
    select = staticmethod(_select)
    stop = staticmethod(stop_when_conclusive)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_settings(self, GameCPSI)

    @property
    def question(self) -> Question:
        """The constrained Pareto set, or a partition of the arms if ``explained``."""
        return PARTITION if self.explained else CONSTRAINED_PARETO_SET

    @property
    def stopping(self) -> Threshold:
        """The test; the optimism "risk" depends on ``delta``, too. See `Algorithm`."""
        is_aimed = self.optimism == "risk"
        return Threshold(
            self.threshold, self.delta, self.check_every, sampling_ignores_delta=not is_aimed
        )

    def parameters(self, problem: Problem) -> GameCPSIParameters:
        """See `Algorithm.parameters`."""
        evidence = self.stopping.parameters(problem, _region(problem))
        return GameCPSIParameters(evidence, OPTIMISM[self.optimism], self.explained)

    def start(self, problem: Problem, rng: np.random.Generator) -> GameCPSIState:
        """See `Algorithm.start`."""
        n_arms, n_objectives = problem.n_arms, problem.n_objectives
        return GameCPSIState(
            empty_record(problem),
            ada_hedge(n_arms),
            np.ones(n_arms),
            np.zeros(n_arms),
            np.zeros(n_arms),
            np.empty((n_arms, n_objectives)),
            self.stopping.allocate(problem, _region(problem)),
        )


def _region(problem):
    """Region of a problem; refuses a problem without a polyhedron."""
    return region_of(check_polyhedron(problem.polyhedron, problem.n_objectives))
