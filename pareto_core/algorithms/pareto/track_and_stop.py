"""Track-and-Stop for the Pareto set (Crepon, Garivier & Koolen 2024)."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.settings import as_costs, check_settings, costs_for
from pareto_core.algorithms.stopping import (
    Evidence,
    EvidenceParameters,
    recommend_front,
    stopping_named,
)
from pareto_core.algorithms.tracking import (
    EXPLORATIONS,
    follow_latest,
    follow_sum,
    in_first_round,
    least_samples,
    mix_doubts,
    rarest_arm_if_neglected,
    write_doubts,
)
from pareto_core.checks.words import Exploration, StoppingName, Tracking
from pareto_core.compiling.kernels import kernel, part, part_with_kernels
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import COVARIANCE, Stopping
from pareto_core.loop.record import Record, empty_record
from pareto_core.transport.gaps import write_gaps_of_labels
from pareto_core.transport.moves import write_move
from pareto_core.transport.walk import cheapest_alternative

__all__ = ["TrackAndStop"]

SMALLEST_WEIGHT = 1e-100  # a weight of exactly zero could never grow again


class TrackAndStopParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    cumulative: bool
    exploration: int
    gradient_every: int
    evidence: EvidenceParameters  # or ProvenParameters


class TrackAndStopState(NamedTuple):
    """State of one run."""

    record: Record
    weights: np.ndarray  # (K,) iterate of Hedge: proportions of the cost
    targets: np.ndarray  # (K,) cost, or number of samples, that each arm should have by now
    gradient: np.ndarray  # (K,) of the transportation cost per unit of cost, last computed
    largest: np.ndarray  # (1,) largest entry of all gradients so far
    alternative: np.ndarray  # (K, d) cheapest alternative at the last gradient
    evidence: Evidence  # or ProvenStoppingState
    costs: np.ndarray  # (K,) of a sample of each arm
    rates: np.ndarray  # (K,) samples per unit of cost with these weights
    spent: np.ndarray  # (K,) cost of the samples of each arm so far
    gaps: np.ndarray  # (K,) for exploration by evidence
    doubts: np.ndarray  # (K,) its shares
    shares: np.ndarray  # (K,) weights with these shares


@part
def _refresh_gradient(parameters, state):
    """Gradient of the transportation cost at the iterate of Hedge, per unit of cost."""
    means, noise, oracle = state.record.means, parameters.evidence.noise, state.evidence.oracle
    for k in range(state.costs.shape[0]):
        state.rates[k] = state.weights[k] / state.costs[k]
    cheapest_alternative(means, state.rates, noise, None, np.inf, oracle)
    write_move(means, state.rates, noise, oracle, state.alternative, state.gradient)
    for k in range(state.costs.shape[0]):
        state.gradient[k] /= state.costs[k]
        state.largest[0] = max(state.largest[0], state.gradient[k])


@part
def _hedge_step(state):
    """One multiplicative step, with a rate that depends on the largest gradient so far."""
    if state.largest[0] == 0.0:
        return
    n_arms = state.weights.shape[0]
    samples = state.record.time[0]
    rate = np.sqrt(np.log(n_arms) / (1.0 + samples)) / state.largest[0]
    total = 0.0
    for k in range(n_arms):
        if state.gradient[k] > 0.0:
            state.weights[k] *= np.exp(rate * state.gradient[k])
        total += state.weights[k]
    for k in range(n_arms):
        state.weights[k] = max(state.weights[k] / total, SMALLEST_WEIGHT)


@part
def _track(parameters, state):
    """Track the sum of the weights, or the latest weights in units of cost."""
    counts, total = state.record.counts, 0.0
    if parameters.cumulative:
        return follow_sum(state.targets, state.shares, counts)
    for k in range(state.costs.shape[0]):
        state.spent[k] = counts[k] * state.costs[k]
        total += state.spent[k]
    return follow_latest(state.targets, state.shares, total, state.spent)


def weigh(parameters, state):
    """Stands for the step that writes the shares of exploration by evidence, if there is one."""


@part
def _weigh_nothing(parameters, state):
    """The floor of the paper needs no shares."""


@kernel
def _weigh_gaps(parameters, state):
    """Write the shares of exploration for the front of the last gradient."""
    means, noise, oracle = state.record.means, parameters.evidence.noise, state.evidence.oracle
    write_gaps_of_labels(means, noise, None, oracle, state.gaps)
    write_doubts(state.record.counts, state.gaps, state.doubts)


def select(parameters, state):
    """Each arm once; then a step of Hedge, tracking, and exploration."""
    samples = state.record.time[0]
    n_arms = state.weights.shape[0]
    if in_first_round(state.record):
        return samples, 1
    if (samples - n_arms) % parameters.gradient_every == 0:
        _refresh_gradient(parameters, state)
        weigh(parameters, state)
    _hedge_step(state)
    mix_doubts(state.weights, state.doubts, state.shares)
    arm = _track(parameters, state)
    least = least_samples(parameters.exploration, samples, n_arms)
    rarest = rarest_arm_if_neglected(state.record.counts, range(n_arms), least)
    return rarest if rarest >= 0 else arm, 1


SELECT = part_with_kernels(select, weigh=_weigh_nothing)
SELECT_BY_EVIDENCE = part_with_kernels(select, weigh=_weigh_gaps)


@dataclasses.dataclass(frozen=True)
class TrackAndStop(Algorithm):
    r"""Track-and-Stop with one step of Hedge per sample.

    At sample t, Hedge increases the weights of the arms that the cheapest alternative to
    the empirical means moves, :math:`w_k\propto w_k\exp(\eta_t g_k)` with
    :math:`\eta_t=\sqrt{\ln K/(1+t)}/\max_{s\le t,k}g_{s,k}`. The arm furthest behind
    these weights is sampled. The run stops when the transportation cost at the empirical
    proportions exceeds the threshold divided by t (Crepon et al. 2024, Section 2).
    The noise is Gaussian with known covariances, one per arm if they differ: the evidence of an arm
    is then :math:`g_k=(\mu_k-\lambda_k)^\top\Sigma_k^{-1}(\mu_k-\lambda_k)/2`. The paper has unit
    variance and independent objectives.

    With costs, :math:`w_k` is the proportion of the *cost* that arm k takes, and :math:`g_k` is the
    evidence per unit of cost. This is the same game with :math:`w_k/c_k` samples of arm k per unit
    of cost (Kanarios, Zhang & Ying 2024, for the best arm). `characteristic_time` computes its
    value from ``costs``.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    tracking : {"D", "C"}, default "D"
        Track t times the current weights ("D", direct) or the sum of all weights ("C",
        cumulative). The authors' program uses "D" by default.
    gradient_every : int, default 1
        Number of samples between two computations of the gradient; Hedge uses the last gradient.
    check_every : int, default 1
        Test whether to stop when t is a multiple of this.
    exploration : {"square_root", "evidence", "none"}, default "square_root"
        ``"square_root"``, as in the paper: sample the rarest arm whenever it has at most
        sqrt(t) - K/2 samples. ``"evidence"``: that of `TopTwoIDS`.
    threshold : str, default "stylised"
        ``"stylised"``: ln(ln(1 + t)/delta), as in the paper's experiments;
        ``"proven"``: the default rule of `Certified` instead of a threshold, which is proven;
        ``"proven_correlated"``: the same for any correlation; ``"mixture"``: the proven
        `confidence.thresholds.mixture_threshold`; ``"iterated_logarithm"`` and ``"gamma"``:
        thresholds of other papers, see `confidence.thresholds`.
    costs : sequence of float, shape (K,), optional
        Cost of a sample of each arm. The algorithm then minimises the total cost instead of the
        number of samples. Requires tracking ``"D"``.

    See Also
    --------
    pareto_core.algorithms.pareto.certified.Certified : a proven stopping rule around it.
    pareto_core.algorithms.top_two.top_two_ids.TopTwoIDS : similar, without weights.

    References
    ----------
    Crepon, Garivier & Koolen 2024, Sequential learning of the Pareto front for multi-objective
    bandits, arXiv:2501.17513.
    Kanarios, Zhang & Ying 2024, Cost aware best arm identification, arXiv:2402.16710.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.TrackAndStop(delta=0.1), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    delta: float = 0.1
    tracking: Tracking = "D"
    gradient_every: int = 1
    check_every: int = 1
    exploration: Exploration = "square_root"
    threshold: StoppingName = "stylised"
    costs: Sequence[float] | None = None

    noise = COVARIANCE
    recommend = staticmethod(recommend_front)

    def __post_init__(self):
        check_settings(self, TrackAndStop)
        object.__setattr__(self, "costs", as_costs(self.costs))
        if self.costs is not None and self.tracking == "C":
            raise ValueError(f"costs = {self.costs}; expected None with tracking 'C'")

    @property
    def stopping(self) -> Stopping:
        """The rule that ``threshold`` selects; see `Algorithm`."""
        return stopping_named(self.threshold, self.delta, self.check_every)

    @property
    def select(self) -> Callable:
        """The kernel that chooses what to sample; see `Algorithm`."""
        return SELECT_BY_EVIDENCE if self.exploration == "evidence" else SELECT

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return self.stopping.kernel

    def parameters(self, problem: Problem) -> TrackAndStopParameters:
        """See `Algorithm.parameters`."""
        costs_for(self.costs, problem)  # refuses a wrong number of costs
        return TrackAndStopParameters(
            self.tracking == "C",
            EXPLORATIONS.index(self.exploration),
            self.gradient_every,
            self.stopping.parameters(problem),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> TrackAndStopState:
        """See `Algorithm.start`."""
        n_arms = problem.n_arms
        return TrackAndStopState(
            empty_record(problem),
            np.full(n_arms, 1 / n_arms),
            np.ones(n_arms),
            np.zeros(n_arms),
            np.zeros(1),
            np.empty((n_arms, problem.n_objectives)),
            self.stopping.allocate(problem),
            costs_for(self.costs, problem),
            np.empty(n_arms),
            *np.zeros((4, n_arms)),
        )
