"""Uniform sampling, until the evidence is conclusive or a budget is spent."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.settings import (
    as_costs,
    check_settings,
    costs_for,
    refuse_beside_budget,
)
from pareto_core.algorithms.stopping import (
    Evidence,
    EvidenceParameters,
    recommend_front,
    stop_when_spent,
    stopping_named,
)
from pareto_core.checks.words import StoppingName
from pareto_core.compiling.kernels import kernel, part
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import ANY, COVARIANCE, Noise, Stopping
from pareto_core.loop.record import Record, empty_record

__all__ = ["UniformSampling"]


class UniformSamplingParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    evidence: EvidenceParameters  # or ProvenParameters
    budget: int  # 0 for fixed confidence
    in_cost: bool
    costs: np.ndarray  # (K,) of a sample of each arm


class UniformSamplingState(NamedTuple):
    """State of one run."""

    record: Record
    evidence: Evidence  # or ProvenStoppingState


@kernel
def _cheapest_so_far(counts, costs):
    """Arm whose samples have cost least so far; the first one on ties."""
    cheapest = 0
    for k in range(1, counts.shape[0]):
        if counts[k] * costs[k] < counts[cheapest] * costs[cheapest]:
            cheapest = k
    return cheapest


@part
def _select(parameters, state):
    """Arms in order; the cheapest arm so far; or each arm's share of the budget at once."""
    time, n_arms = state.record.time[0], state.record.counts.shape[0]
    if parameters.in_cost and time >= n_arms:
        return _cheapest_so_far(state.record.counts, parameters.costs), 1
    if parameters.budget == 0:
        return time % n_arms, 1
    share, larger = parameters.budget // n_arms, parameters.budget % n_arms
    if time < larger * (share + 1):
        return time // (share + 1), share + 1
    return larger + (time - larger * (share + 1)) // share, share


@dataclasses.dataclass(frozen=True)
class UniformSampling(Algorithm):
    r"""Sample all arms equally often, and answer the empirical Pareto set.

    This baseline isolates the value of adaptive sampling. With fixed confidence, the arms are
    sampled in order, and the run stops by the rule of `TrackAndStop`, for noise with known
    covariances, one per arm if they differ. With a fixed budget, the run stops when the budget is
    spent.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer; not used with a budget.
    check_every : int, default 1
        Test whether to stop when t is a multiple of this.
    threshold : str, default "stylised"
        See `TrackAndStop`.
    budget : int, optional
        Samples T, at least one for each arm; the first arms receive the remainder of the
        division by K. By default, fixed confidence.
    costs : sequence of float, shape (K,), optional
        Cost of a sample of each arm. Instead of the numbers of samples, the costs of the arms are
        then kept equal. Requires fixed confidence.

    Notes
    -----
    With a budget, the rate is known: for Gaussian noise, the error probability falls like
    :math:`\exp(-T\,C(w))` with the equal shares :math:`w_k=1/K`, where C is `transport_cost` at
    the true means (large deviations, Glynn & Juneja 2004 for the best arm).

    See Also
    --------
    pareto_core.algorithms.pareto.track_and_stop.TrackAndStop : adaptive, with the same rule.

    References
    ----------
    Glynn & Juneja 2004, A large deviations perspective on ordinal optimization, Winter Simulation
    Conference.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.UniformSampling(budget=300), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    delta: float = 0.1
    check_every: int = 1
    threshold: StoppingName = "stylised"
    budget: int | None = None
    costs: Sequence[float] | None = None

    select = staticmethod(_select)
    recommend = staticmethod(recommend_front)

    def __post_init__(self):
        check_settings(self, UniformSampling)
        object.__setattr__(self, "costs", as_costs(self.costs))
        refuse_beside_budget(self)

    @property
    def noise(self) -> Noise:
        """With a budget, the unit of the rewards does not matter."""
        return COVARIANCE if self.budget is None else ANY

    @property
    def stopping(self) -> Stopping:
        """The rule that ``threshold`` selects, or the budget; see `Algorithm`."""
        return super().stopping if self.budget is not None else self._test

    @property
    def _test(self):
        """The rule that ``threshold`` selects; with a budget, for the answer."""
        return stopping_named(self.threshold, self.delta, self.check_every)

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return stop_when_spent if self.budget is not None else self._test.kernel

    def parameters(self, problem: Problem) -> UniformSamplingParameters:
        """See `Algorithm.parameters`."""
        if self.budget is not None and self.budget < problem.n_arms:
            raise ValueError(
                f"budget = {self.budget}; expected at least {problem.n_arms}, one sample of "
                "each arm"
            )
        return UniformSamplingParameters(
            self._test.parameters(problem),
            self.budget or 0,
            self.costs is not None,
            costs_for(self.costs, problem),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> UniformSamplingState:
        """See `Algorithm.start`."""
        return UniformSamplingState(empty_record(problem), self._test.allocate(problem))
