"""D-Tracking for the best arm of every objective: the BASELINE of Chen et al. (2024)."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.best_arms.best_arm_evidence import recommend_best_arms, stop_when_clear
from pareto_core.algorithms.settings import check_settings
from pareto_core.algorithms.stopping import EvidenceParameters, Threshold
from pareto_core.algorithms.tracking import follow_latest, follow_sum, in_first_round
from pareto_core.bounds.interior_point import PairSpace, pair_space
from pareto_core.bounds.oracle_weights import write_oracle_weights
from pareto_core.bounds.surrogate.solver import (
    IterationMemory,
    SurrogateSpace,
    average_surrogates,
    iteration_memory,
    surrogate_space,
)
from pareto_core.checks.words import ThresholdName, Tracking
from pareto_core.compiling.kernels import kernel, part
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import BEST_ARMS

__all__ = ["DTracking"]


class DTrackingParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    exact: bool
    warm_start: bool
    cumulative: bool
    evidence: EvidenceParameters


class DTrackingState(NamedTuple):
    """State of one run."""

    record: Record
    weights: np.ndarray  # (K,) oracle weights of the empirical means
    targets: np.ndarray  # (K,) samples that each arm should have by now
    surrogate: SurrogateSpace
    memory: IterationMemory
    oracle: PairSpace


@kernel
def _write_weights(parameters, state):
    """Oracle weights of the empirical means, by Algorithm 3 or exactly."""
    if parameters.exact:
        write_oracle_weights(state.record.means, 0.0, state.oracle, state.weights)
        return
    if not parameters.warm_start:
        state.weights[:] = 1.0 / state.weights.shape[0]
    average_surrogates(state.record.means, state.weights, state.surrogate, state.memory)


@part
def _select(parameters, state):
    """Each arm once; then the rarest arm if it has too few samples, else track the weights."""
    samples, counts = state.record.time[0], state.record.counts
    if in_first_round(state.record):
        return samples, 1
    rarest = counts.argmin()
    if counts[rarest] < np.sqrt(samples / counts.shape[0]):
        return rarest, 1
    _write_weights(parameters, state)
    if parameters.cumulative:
        return follow_sum(state.targets, state.weights, counts), 1
    return follow_latest(state.targets, state.weights, samples + 1, counts), 1


@dataclasses.dataclass(frozen=True)
class DTracking(Algorithm):
    r"""Track the oracle weights of the empirical means, recomputed at every sample.

    D-Tracking of Garivier & Kaufmann (2016) for several objectives, the BASELINE of Chen et
    al. (2024, Algorithms 2 and 3). If the rarest arm has fewer than :math:`\sqrt{(t-1)/K}`
    samples, it is sampled. The square root is our assumption: our copy of Chen et al. shows no
    root. `MOBAI` describes the stopping rule and the answer.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    iterations : int, optional
        Linear programs per sample. The weights are the average of their solutions, and each
        program is solved at the average of the previous solutions (Algorithm 3). By default the
        weights are exact, which the paper considers infeasible.
    warm_start : bool, default False
        Begin the iterations at the weights of the previous sample (BASELINE-NON-UNIF) instead
        of at equal weights.
    tracking : {"D", "C"}, default "D"
        Track t times the latest weights ("D", direct, as in the paper) or the sum of all
        weights so far ("C", cumulative). If the weights jump from sample to sample, only the sum
        gives every arm its proportion.
    threshold : str, default "iterated_logarithm"
        See `MOBAI`.

    See Also
    --------
    pareto_core.algorithms.best_arms.mobai.MOBAI : one linear program per sample.

    References
    ----------
    Chen, Karthik, Chee & Tan 2024, Optimal multi-objective best arm identification with fixed
    confidence, arXiv:2501.13607.
    Garivier & Kaufmann 2016, https://proceedings.mlr.press/v49/garivier16a.html.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.DTracking(delta=0.1), instance, runs=1, progress=False).answers
    array([[0, 1]])
    """

    delta: float = 0.1
    iterations: int | None = None
    warm_start: bool = False
    tracking: Tracking = "D"
    threshold: ThresholdName = "iterated_logarithm"

    question = BEST_ARMS
    select = staticmethod(_select)
    stop = staticmethod(stop_when_clear)
    recommend = staticmethod(recommend_best_arms)

    def __post_init__(self):
        check_settings(self, DTracking)

    @property
    def stopping(self) -> Threshold:
        """The rule that ``threshold`` selects; see `Algorithm`."""
        return Threshold(self.threshold, self.delta)

    def parameters(self, problem: Problem) -> DTrackingParameters:
        """See `Algorithm.parameters`."""
        return DTrackingParameters(
            self.iterations is None,
            self.warm_start,
            self.tracking == "C",
            self.stopping.parameters(problem),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> DTrackingState:
        """See `Algorithm.start`."""
        return DTrackingState(
            empty_record(problem),
            np.full(problem.n_arms, 1 / problem.n_arms),
            np.ones(problem.n_arms),
            surrogate_space(problem.n_arms, problem.n_objectives),
            iteration_memory(self.iterations or 0, problem.n_arms, problem.n_objectives),
            pair_space(problem.n_arms, problem.n_objectives),
        )
