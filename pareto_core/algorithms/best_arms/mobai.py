"""MO-BAI: the best arm of every objective by surrogate proportions (Chen et al. 2024)."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.best_arms.best_arm_evidence import (
    PROVEN,
    LeadsProof,
    best_arm_evidence,
    recommend_best_arms,
    stop_when_clear,
    stop_when_leads_are_proven,
)
from pareto_core.algorithms.settings import check_settings
from pareto_core.algorithms.stopping import EvidenceParameters, stopping_named
from pareto_core.algorithms.tracking import follow_sum, in_first_round
from pareto_core.bounds.surrogate.solver import SurrogateSpace, surrogate_space, write_surrogate
from pareto_core.checks.words import BestArmStopping
from pareto_core.compiling.copies import copy_matrix
from pareto_core.compiling.kernels import part
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import Stopping
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import BEST_ARMS

__all__ = ["MOBAI"]


class MOBAIParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    eta: float
    evidence: EvidenceParameters | LeadsProof


class MOBAIState(NamedTuple):
    """State of one run."""

    record: Record
    means: np.ndarray  # (K, M) empirical means at the last power of two
    targets: np.ndarray  # (K,) samples that each arm should have: samples plus buffer
    proportions: np.ndarray  # (K,) surrogate proportions
    space: SurrogateSpace


@part
def _select(parameters, state):
    """Each arm once; then track the sum of the surrogate proportions."""
    samples = state.record.time[0]
    if in_first_round(state.record):
        return samples, 1
    if samples == state.targets.shape[0] or samples & (samples - 1) == 0:
        copy_matrix(state.means, state.record.means)
    write_surrogate(state.means, state.targets, parameters.eta, state.space, state.proportions)
    return follow_sum(state.targets, state.proportions, state.record.counts), 1


@dataclasses.dataclass(frozen=True)
class MOBAI(Algorithm):
    r"""Best arm of every objective by tracking surrogate proportions.

    The cost of confusing an arm with the best arm of an objective is linearised at the
    proportions so far. The surrogate proportions maximise the smallest of these linear functions
    over :math:`\Gamma^{(\eta)}` (Chen et al. 2024, Algorithm 1). Their means are updated when t is
    a power of two. The arm furthest behind the sum of all proportions is sampled. The buffer of
    the paper is that sum plus one sample of each arm, minus the samples; its entries stay between
    -1 and 1/2 + ... + 1/K. The run stops when the cost of the cheapest confusion exceeds the
    threshold. Rewards must have unit variance, so `simulate` whitens an instance first. The
    answer contains one arm per objective.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    eta : float, default 0.1
        Relaxation :math:`\eta`: every arm's proportion is at least
        :math:`\eta/((1+\eta)K)`. The paper's theory requires a positive value.
    threshold : str, default "iterated_logarithm"
        ``"iterated_logarithm"``: ln((1 + ln t)/delta), as in the paper's experiments;
        ``"proven"``: a proven stopping rule instead of a threshold (the appendix *Proofs*);
        ``"gamma"``: the paper's proven `confidence.thresholds.gamma_threshold`; ``"stylised"`` and
        ``"mixture"``: thresholds of other papers, see `confidence.thresholds`.

    See Also
    --------
    pareto_core.algorithms.best_arms.d_tracking.DTracking : exact weights, the baseline.
    pareto_core.algorithms.best_arms.mose.MOSE : successive elimination.

    References
    ----------
    Chen, Karthik, Chee & Tan 2024, Optimal multi-objective best arm identification with fixed
    confidence, arXiv:2501.13607: Algorithm 1.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.MOBAI(delta=0.1), instance, runs=1, progress=False).answers
    array([[0, 1]])
    """

    delta: float = 0.1
    eta: float = 0.1
    threshold: BestArmStopping = "iterated_logarithm"

    question = BEST_ARMS
    select = staticmethod(_select)
    recommend = staticmethod(recommend_best_arms)

    def __post_init__(self):
        check_settings(self, MOBAI)

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return stop_when_leads_are_proven if self.threshold in PROVEN else stop_when_clear

    @property
    def stopping(self) -> Stopping:
        """The rule that ``threshold`` selects; see `Algorithm`."""
        return stopping_named(self.threshold, self.delta, proven=PROVEN)

    def parameters(self, problem: Problem) -> MOBAIParameters:
        """See `Algorithm.parameters`."""
        return MOBAIParameters(float(self.eta), best_arm_evidence(self.stopping, problem))

    def start(self, problem: Problem, rng: np.random.Generator) -> MOBAIState:
        """See `Algorithm.start`."""
        return MOBAIState(
            empty_record(problem),
            np.zeros((problem.n_arms, problem.n_objectives)),
            np.ones(problem.n_arms),
            np.empty(problem.n_arms),
            surrogate_space(problem.n_arms, problem.n_objectives),
        )
