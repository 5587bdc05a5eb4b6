"""Game-cPSI: asymptotically optimal exploration for the constrained Pareto set."""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.algorithms.ada_hedge import AdaHedge, ada_hedge, gain
from pareto_core.checks.arguments import check_choice, check_count, check_probability
from pareto_core.checks.words import Threshold
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.thresholds import THRESHOLDS, threshold, threshold_constant
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
from pareto_core.transport.constrained_oracle import (
    ConstrainedResponse,
    allocate_constrained_response,
    cheapest_constrained_alternative,
    find_constrained_front,
    write_constrained_alternative,
)
from pareto_core.transport.oracle import search_method

__all__ = ["GameCPSI"]

NONE, TIME, RISK = 0, 1, 2
OPTIMISM = {"none": NONE, "time": TIME, "risk": RISK}


class GameCPSIParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    normals: np.ndarray  # (m, d) of the polyhedron
    offsets: np.ndarray  # (m,)
    method: int
    check_every: int
    threshold: int
    threshold_constant: float
    optimism: int
    explained: bool


class GameCPSIState(NamedTuple):
    """State of one run."""

    record: Record
    learner: AdaHedge
    targets: np.ndarray  # (K,) samples that each arm should have by now
    gains: np.ndarray  # (K,)
    proportions: np.ndarray  # (K,) shares of the samples
    alternative: np.ndarray  # (K, d) the answer of nature to the learner's weights
    response: ConstrainedResponse


@part
def _enough(parameters, record):
    """Threshold of the test at this time."""
    return threshold(
        parameters.threshold,
        record.time[0],
        record.counts,
        record.means.shape[1],
        parameters.threshold_constant,
    )


@part
def _write_gains(parameters, state):
    """What one more sample of each arm is worth against nature's answer, or may be."""
    record, gains = state.record, state.gains
    samples, slack = record.time[0], 0.0
    if parameters.optimism == TIME:
        slack = np.log(samples) + np.log(1.0 + np.log(samples))
    elif parameters.optimism == RISK:
        slack = _enough(parameters, record)
    for i in range(gains.shape[0]):
        squares = 0.0
        for c in range(record.means.shape[1]):
            squares += (record.means[i, c] - state.alternative[i, c]) ** 2
        gains[i] = 0.5 * (np.sqrt(squares) + np.sqrt(2.0 * slack / record.counts[i])) ** 2


@part
def _respond(parameters, state):
    """Nature's answer to the learner's weights: the cheapest alternative."""
    means, weights = state.record.means, state.learner.weights
    cheapest_constrained_alternative(
        means,
        weights,
        parameters.normals,
        parameters.offsets,
        parameters.method,
        np.inf,
        state.response,
    )
    write_constrained_alternative(means, weights, state.response, state.alternative)


@kernel
def _select(parameters, state):
    """Each arm once; then the arm furthest behind the sum of the learner's weights."""
    samples, counts = state.record.time[0], state.record.counts
    if samples < counts.shape[0]:
        return samples, 1
    _respond(parameters, state)
    furthest, lag = 0, -np.inf
    for i in range(counts.shape[0]):
        state.targets[i] += state.learner.weights[i]
        if state.targets[i] - counts[i] > lag:
            furthest, lag = i, state.targets[i] - counts[i]
    _write_gains(parameters, state)
    gain(state.learner, state.gains)
    return furthest, 1


@kernel
def _stop(parameters, state):
    """Whether every alternative costs more than the threshold, at the samples so far."""
    record = state.record
    samples, n_arms = record.time[0], record.counts.shape[0]
    if samples < n_arms or samples % parameters.check_every != 0:
        return False
    for i in range(n_arms):
        state.proportions[i] = record.counts[i] / samples
    enough = _enough(parameters, record) / samples
    cost = cheapest_constrained_alternative(
        record.means,
        state.proportions,
        parameters.normals,
        parameters.offsets,
        parameters.method,
        enough,
        state.response,
    )
    return cost >= enough


@kernel
def _recommend(parameters, state, answer):
    """Mark the empirical answer; with reasons, call the other arms what they look like."""
    means, response = state.record.means, state.response
    find_constrained_front(
        means, parameters.normals, parameters.offsets, parameters.method, response
    )
    for i in range(answer.shape[0]):
        if not parameters.explained:
            answer[i] = response.plain.optimal[i]
        elif response.plain.optimal[i]:
            answer[i] = OPTIMAL
        else:
            answer[i] = DOMINATED if response.feasible[i] else INFEASIBLE


@dataclasses.dataclass(frozen=True)
class GameCPSI(Algorithm):
    r"""Play the game behind the lower bound: AdaHedge against the cheapest alternative.

    The learner spreads its weight over the arms, nature answers with the cheapest means whose
    answer differs, and each arm gains :math:`\frac12(\|\hat\mu_i-\lambda_i\|+\xi_i)^2`, an
    optimistic value of what a sample of it is worth.
    The arm furthest behind the sum of all weights so far is sampled. It stops when the cost of
    the cheapest alternative exceeds :math:`\beta(t,\delta)` (Kone et al. 2025, constrained,
    Algorithm 2). Rewards are taken to have unit variance: `simulate` whitens an instance
    first, the polyhedron with it.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the probability of a wrong answer that is allowed.
    explained : bool, default False
        Answer with a `Partition`: arms that look feasible are called dominated, the others
        infeasible (Appendix G.2). The test is not made for that; the risk is not kept.
    optimism : {"risk", "time", "none"}, default "risk"
        ``"time"``: :math:`\xi_i^2=2\beta(t,1/t)/T_i` with the default threshold, which fades
        as delta falls, so that the samples approach :math:`T^*\ln(1/\delta)` as Theorem B.2
        says. ``"risk"``: :math:`\xi_i^2=2\beta(t,\delta)/T_i`, which does not fade, as
        :math:`T_i` grows no faster than :math:`\beta`, and costs a constant factor at any
        delta. ``"none"``: :math:`\xi_i=0`. Our copy of the paper has lost the formula.
    check_every : int, default 1
        Test whether to stop when t is a multiple of this.
    threshold : {"iterated_logarithm", "stylised", "mixture", "gamma"}
        :math:`\beta(t,\delta)`. ``"iterated_logarithm"``, :math:`\ln((1+\ln t)/\delta)`, is the
        default and stands for that of the experiments, which our copy of the paper has lost;
        ``"mixture"``, `confidence.mixture_threshold`, is the proven one of Lemma B.1.

    Raises
    ------
    ValueError
        If a parameter is out of range; when a run begins, if there is no polyhedron.

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
    threshold: Threshold = "iterated_logarithm"

    uses_polyhedron = True
    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        if not isinstance(self.explained, bool):
            raise ValueError(f"explained = {self.explained!r}; expected True or False")
        check_choice(self.optimism, "optimism", OPTIMISM)
        check_count(self.check_every, "check_every")
        check_choice(self.threshold, "threshold", THRESHOLDS)

    @property
    def question(self) -> Question:
        """Which arms are optimal; with reasons for the others if `explained`."""
        return PARTITION if self.explained else CONSTRAINED_PARETO_SET

    @property
    def sampling_ignores_delta(self) -> bool:
        """Unless its optimism depends on delta."""
        return self.optimism != "risk"

    def parameters(self, problem: Problem) -> GameCPSIParameters:
        """See `Algorithm.parameters`."""
        region = check_polyhedron(problem.polyhedron, problem.n_objectives)
        return GameCPSIParameters(
            *region.rows(),
            search_method(problem.n_objectives),
            self.check_every,
            THRESHOLDS[self.threshold].number,
            threshold_constant(self.threshold, self.delta, problem.n_arms * problem.n_objectives),
            OPTIMISM[self.optimism],
            self.explained,
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> GameCPSIState:
        """See `Algorithm.start`."""
        n_arms, n_objectives = problem.n_arms, problem.n_objectives
        n_rows = check_polyhedron(problem.polyhedron, n_objectives).normals.shape[0]
        return GameCPSIState(
            empty_record(problem),
            ada_hedge(n_arms),
            np.ones(n_arms),
            np.zeros(n_arms),
            np.empty(n_arms),
            np.empty((n_arms, n_objectives)),
            allocate_constrained_response(n_rows, n_arms, n_objectives),
        )
