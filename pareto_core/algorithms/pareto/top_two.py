"""Top-two sampling for the Pareto set: sample what the cheapest alternative moves."""

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
    shares: np.ndarray  # (K,) of the evidence against the last alternative
    targets: np.ndarray  # (K,) samples that each arm should have by now
    alternative: np.ndarray  # (K, d) the cheapest one
    evidence: Evidence  # or ProvenEvidence


@kernel
def _write_shares(state):
    """Which part of the evidence against the alternative on record each arm gives."""
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
    """Find the cheapest alternative of those that the proof lacked evidence against."""
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
def _furthest_behind(parameters, state):
    """The arm that is furthest behind the sum of all its shares, or the rarest one."""
    counts, samples = state.record.counts, state.record.time[0]
    furthest, lag = 0, -np.inf
    for k in range(counts.shape[0]):
        state.targets[k] += state.shares[k]
        if state.targets[k] - counts[k] > lag:
            furthest, lag = k, state.targets[k] - counts[k]
    least = np.sqrt(samples) - 0.5 * counts.shape[0]
    if parameters.forced_exploration and least >= 1.0:
        rarest = counts.argmin()
        if counts[rarest] <= least:
            return rarest
    return furthest


def _selection(challenge):
    """Kernel ``select`` that samples what these alternatives move."""

    @kernel
    def select(parameters, state):
        samples, n_arms = state.record.time[0], state.record.counts.shape[0]
        if samples < n_arms:
            return samples, 1
        if (samples - n_arms) % parameters.alternative_every == 0:
            for k in range(n_arms):
                state.weights[k] = state.record.counts[k]
            challenge(parameters, state)
            _write_shares(state)
        return _furthest_behind(parameters, state), 1

    return select


_select = _selection(_challenge)
_select_for_proof = _selection(_challenge_the_proof)


@dataclasses.dataclass(frozen=True)
class TopTwoIDS(Algorithm):
    r"""Top-two sampling with information-directed shares.

    The leader is the empirical Pareto set, its challenger the cheapest alternative
    :math:`\lambda` at the numbers of samples so far. Against it arm k gives the share

    .. math::
        p_k\propto N_k\,\|\hat\mu_k-\lambda_k\|^2

    of the evidence, which is how often an optimal allocation samples it for this challenger
    (Qin & You 2023, for the best arm; for Pareto sets and in this form it is the book's own).
    The arm that is furthest behind the sum of all its shares is sampled. With a proven rule the
    challenger is the cheapest alternative of those that the proof lacks evidence against.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the probability of a wrong answer that is allowed.
    alternative_every : int, default 1
        Look for a challenger at every so many samples.
    check_every : int, default 1
        Test whether to stop when t is a multiple of this.
    forced_exploration : bool, default True
        Sample the rarest arm whenever it has at most sqrt(t) - K/2 samples. Without it, an arm
        that was unlucky at first may wait for ever.
    threshold : str, default "stylised"
        See `TrackAndStop`.

    Raises
    ------
    ValueError
        If a parameter is out of range.

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
        """Not with a proven rule, which stops looking where its evidence is below ln(1/delta)."""
        return self.threshold not in PROVEN

    @property
    def select(self) -> Callable:
        """The kernel that chooses an arm; see `Algorithm`."""
        return _select_for_proof if self.threshold in PROVEN else _select

    @property
    def needs_independence(self) -> bool:
        """If it stops by the rule "joint"."""
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
