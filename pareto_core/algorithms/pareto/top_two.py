"""Top-two sampling for the Pareto set: sample the arms that the cheapest alternative moves."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.evidence import (
    STOPPING,
    Evidence,
    EvidenceParameters,
    allocate_evidence,
    evidence_parameters,
    recommend_front,
    stopping_kernel,
)
from pareto_core.algorithms.pareto.proven_stopping import NEEDS_INDEPENDENCE, PROVEN
from pareto_core.algorithms.tracking import (
    follow_sum,
    in_first_round,
    rarest_arm_if_neglected,
)
from pareto_core.checks.arguments import check_choice, check_count, check_flag, check_probability
from pareto_core.checks.words import Stopping
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record
from pareto_core.transport.oracle import (
    cheapest_alternative,
    find_front,
    free_arm,
    write_alternative,
    write_gradient,
)

__all__ = ["TopTwoIDS"]


class TopTwoIDSParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    alternative_every: int
    forced_exploration: bool
    evidence: EvidenceParameters  # or ProvenParameters


class TopTwoIDSState(NamedTuple):
    """State of one run."""

    record: Record
    weights: np.ndarray  # (K,) samples of each arm
    shares: np.ndarray  # (K,) of each arm in the evidence against the last alternative
    targets: np.ndarray  # (K,) samples that each arm should have by now
    alternative: np.ndarray  # (K, d) the cheapest alternative
    evidence: Evidence  # or ProvenStoppingState


@kernel
def _write_shares(state):
    """Write the share of each arm in the evidence against the recorded alternative."""
    counts, means, shares = state.record.counts, state.record.means, state.shares
    write_alternative(means, state.weights, state.evidence.response, state.alternative)
    write_gradient(means, state.alternative, shares)
    total = 0.0
    for k in range(counts.shape[0]):
        shares[k] *= counts[k]
        total += shares[k]
    for k in range(counts.shape[0]):
        shares[k] = shares[k] / total if total > 0.0 else 1.0 / counts.shape[0]


@kernel
def _challenge(parameters, state):
    """Find the cheapest alternative."""
    means, method = state.record.means, parameters.evidence.method
    cheapest_alternative(means, state.weights, method, np.inf, state.evidence.response)


@kernel
def _challenge_the_proof(parameters, state):
    """Find the cheapest alternative among those that the proof lacked evidence against."""
    means, method = state.record.means, parameters.evidence.method
    response = state.evidence.response
    arm, rival = state.evidence.work.weakest[0], state.evidence.work.weakest[1]
    find_front(means, method, response)
    if arm < 0 or response.optimal[arm] != (rival >= 0):
        _challenge(parameters, state)
    elif rival >= 0:
        response.found[0]["moved"], response.found[0]["winner"] = arm, rival
    else:
        free_arm(means, state.weights, arm, np.inf, method, response)


@kernel
def _track(parameters, state):
    """Track the sum of the shares, with forced exploration if required."""
    arm = follow_sum(state.targets, state.shares, state.record.counts)
    rarest = rarest_arm_if_neglected(state.record)
    return rarest if parameters.forced_exploration and rarest >= 0 else arm


def _selection(challenge):
    """Kernel ``select`` with this kernel to find alternatives."""

    @kernel
    def select(parameters, state):
        samples, n_arms = state.record.time[0], state.record.counts.shape[0]
        if in_first_round(state.record):
            return samples, 1
        if (samples - n_arms) % parameters.alternative_every == 0:
            for k in range(n_arms):
                state.weights[k] = state.record.counts[k]
            challenge(parameters, state)
            _write_shares(state)
        return _track(parameters, state), 1

    return select


_select = _selection(_challenge)
_select_for_proof = _selection(_challenge_the_proof)


@dataclasses.dataclass(frozen=True)
class TopTwoIDS(Algorithm):
    r"""Top-two sampling with information-directed shares.

    The leader is the empirical Pareto set. The challenger is the cheapest alternative
    :math:`\lambda` at the numbers of samples so far. The share of arm k in the evidence against it,

    .. math::
        p_k\propto N_k\,\|\hat\mu_k-\lambda_k\|^2

    is the proportion of samples that an optimal allocation gives to the arm for this challenger
    (Qin & You 2023, for the best arm; the version for Pareto sets is our own). The arm furthest
    behind the sum of its shares is sampled. With a proven stopping rule, the challenger is the
    cheapest alternative among those that the proof lacks evidence against.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    alternative_every : int, default 1
        Number of samples between two searches for a challenger.
    check_every : int, default 1
        Test whether to stop when t is a multiple of this.
    forced_exploration : bool, default True
        Sample the rarest arm whenever it has at most sqrt(t) - K/2 samples. Without forced
        exploration, an arm with unlucky first samples may never be sampled again.
    threshold : str, default "stylised"
        See `TrackAndStop`.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    See Also
    --------
    pareto_core.algorithms.pareto.track_and_stop.TrackAndStop : steps of Hedge instead.

    References
    ----------
    Qin & You 2023, Operations Research, doi:10.1287/opre.2023.0590.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.TopTwoIDS(delta=0.1), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    delta: float = 0.1
    alternative_every: int = 1
    check_every: int = 1
    forced_exploration: bool = True
    threshold: Stopping = "stylised"

    can_go_on = True
    recommend = staticmethod(recommend_front)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_count(self.alternative_every, "alternative_every")
        check_count(self.check_every, "check_every")
        check_choice(self.threshold, "threshold", STOPPING)
        check_flag(self.forced_exploration, "forced_exploration")

    @property
    def sampling_ignores_delta(self) -> bool:
        """False with a proven rule, which compares its evidence with ln(1/delta)."""
        return self.threshold not in PROVEN

    @property
    def select(self) -> Callable:
        """The kernel that chooses an arm; see `Algorithm`."""
        return _select_for_proof if self.threshold in PROVEN else _select

    @property
    def needs_independence(self) -> bool:
        """True if the stopping rule is "joint"."""
        return self.threshold in NEEDS_INDEPENDENCE

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return stopping_kernel(self.threshold)

    def parameters(self, problem: Problem) -> TopTwoIDSParameters:
        """See `Algorithm.parameters`."""
        return TopTwoIDSParameters(
            self.alternative_every,
            self.forced_exploration,
            evidence_parameters(self.check_every, self.threshold, self.delta, problem),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> TopTwoIDSState:
        """See `Algorithm.start`."""
        return TopTwoIDSState(
            empty_record(problem),
            np.ones(problem.n_arms),
            np.zeros(problem.n_arms),
            np.ones(problem.n_arms),
            np.empty((problem.n_arms, problem.n_objectives)),
            allocate_evidence(self.threshold, problem),
        )
