r"""The sampling rule: shares in the evidence against the cheapest alternative, tracked.

The rule does not know the question. It needs three kernels of it, which read ``parameters.oracle``
and modify ``state.oracle`` in place:

* ``find(parameters, state)`` finds the cheapest alternative to the empirical answer, for
  ``state.weights`` samples of each arm, and returns its cost;
* ``write(parameters, state)`` writes its evidence to ``state.shares``: for each arm what one sample
  contributes to that cost, :math:`g_k=\|\hat\mu_k-\lambda_k\|^2/2` for unit variance. It may
  use ``state.alternative``;
* ``weigh(parameters, state)`` writes the shares of exploration to ``state.doubts``, see
  `tracking`.

`TopTwo` is the base class of the algorithms.
"""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from pareto_core.algorithms.proven_stopping import Proven
from pareto_core.algorithms.stopping import Test, Threshold, sufficient_evidence, test_of
from pareto_core.algorithms.tracking import (
    EVIDENCE,
    EXPLORATIONS,
    follow_sum,
    least_samples,
    mix_doubts,
    rarest_arm_if_neglected,
)
from pareto_core.compiling.kernels import part, part_with_kernels
from pareto_core.instances.instance import Problem, unfolded_problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import COVARIANCE, Stopping
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import (
    BEST_ARMS,
    CONSTRAINED_PARETO_SET,
    PARETO_SET,
    PARTITION,
    Question,
)

QUESTIONS = {each.name: each for each in (PARETO_SET, BEST_ARMS, CONSTRAINED_PARETO_SET, PARTITION)}
SEARCH = np.dtype(
    [("samples", np.int64), ("due", np.int64), ("weighed", np.int64), ("cost", np.float64)],
    align=True,
)


class TopTwoParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    alternative_every: int
    exploration: int
    test: Test
    budget: int  # 0 for fixed confidence
    oracle: Any  # what the kernels of the question read


class TopTwoState(NamedTuple):
    """State of one run."""

    record: Record
    weights: np.ndarray  # (K,) samples of each arm at the last search, or their targets
    shares: np.ndarray  # (K,) of each arm in the samples, from the last alternative
    doubts: np.ndarray  # (K,) shares of exploration at the last weighing
    targets: np.ndarray  # (K,) samples that each arm should have by now
    costs: np.ndarray  # (K,) of a sample of each arm
    explored: np.ndarray  # arms that are sampled once each at first, and forced later
    alternative: np.ndarray  # (K, d) the cheapest alternative
    search: np.ndarray  # (1,) SEARCH: samples at the last search and weighing, its cost
    oracle: Any  # arrays of the kernels of the question


class Rule(NamedTuple):
    """The rule for one question and one way to stop."""

    select: Callable  # kernels, see `Algorithm`
    stop: Callable
    recommend: Callable
    parameters: Callable  # maps (stopping, problem) to ``oracle`` of the parameters
    allocate: Callable  # maps (stopping, problem) to ``oracle`` of the state


def allocate_state(problem, costs, explored, oracle):
    """State before the first sample, with equal targets that sum to the number of explored arms."""
    n_arms = problem.n_arms
    return TopTwoState(
        empty_record(problem),
        *np.zeros((3, n_arms)),
        np.full(n_arms, len(explored) / n_arms),
        costs,
        explored,
        np.empty((n_arms, problem.n_objectives)),
        np.zeros(1, SEARCH),
        oracle,
    )


@part
def _divide_shares(state):
    """Turn evidence into shares of the samples; all arms count alike if the alternative is free."""
    weights, shares, costs = state.weights, state.shares, state.costs
    evidence = 0.0
    for k in range(shares.shape[0]):
        shares[k] *= weights[k]
        evidence += shares[k]
    total = 0.0
    for k in range(shares.shape[0]):
        shares[k] = (shares[k] if evidence > 0.0 else 1.0) / costs[k]
        total += shares[k]
    for k in range(shares.shape[0]):
        shares[k] /= total


def find(parameters, state):
    """Stands for the kernel of a question: the cost of the cheapest alternative."""


def search(parameters, state):
    """Find the cheapest alternative once per sample, and return its cost."""
    found, samples = state.search[0], state.record.time[0]
    if found["samples"] != samples:
        for k in range(state.weights.shape[0]):
            state.weights[k] = state.record.counts[k]
        found["cost"] = find(parameters, state)
        found["samples"] = samples
    return found["cost"]


def write(parameters, state):
    """Stands for the kernel of a question that writes the evidence of a sample of each arm."""


def weigh(parameters, state):
    """Stands for the kernel of a question that writes the shares of exploration."""


def select(parameters, state):
    """Explored arms once; then targets grow by a sample of a forced arm, or in shares."""
    samples, n_explored, found = state.record.time[0], state.explored.shape[0], state.search[0]
    if samples < n_explored:
        return state.explored[samples], 1
    least = least_samples(parameters.exploration, samples, n_explored)
    rarest = rarest_arm_if_neglected(state.record.counts, state.explored, least)
    if rarest >= 0:
        state.targets[rarest] += 1.0
        return rarest, 1
    if samples >= found["due"]:
        search(parameters, state)
        write(parameters, state)
        _divide_shares(state)
        # doubts change slowly, and cost more than a search
        if parameters.exploration == EVIDENCE and samples >= found["weighed"] + n_explored:
            weigh(parameters, state)
            found["weighed"] = samples
        mix_doubts(state.shares, state.doubts, state.shares)
        found["due"] = samples + parameters.alternative_every
    return follow_sum(state.targets, state.shares, state.record.counts), 1


def stop(parameters, state):
    """Compare the cost of the cheapest alternative with the threshold."""
    record, test = state.record, parameters.test
    samples = record.time[0]
    if samples < state.explored.shape[0] or samples % test.check_every != 0:
        return False
    return search(parameters, state) >= sufficient_evidence(test, record)


def searching(find):
    """The step `search` with this kernel of a question."""
    return part_with_kernels(search, find=find)


def make_rule(search, write, weigh, recommend, parameters, allocate, stop_when_proven=None):
    """The rule with this search, which stops by a threshold unless a proof is given."""
    return Rule(
        part_with_kernels(select, search=search, write=write, weigh=weigh),
        stop_when_proven or part_with_kernels(stop, search=search),
        recommend,
        parameters,
        allocate,
    )


class TopTwo(Algorithm):
    """A rule of `rule` for the question and the threshold that the parameters name.

    A subclass is a dataclass, sets the following, and defines ``_costs(problem)``.
    """

    _proofs: ClassVar[dict[str, dict[str, str]]]  # for each: ``threshold`` of each proven rule
    _rules: ClassVar[dict[str, dict[bool, Rule]]]  # for each: with a threshold, and with a proof

    noise = COVARIANCE

    @property
    def question(self) -> Question:
        """The question that ``problem`` names."""
        return QUESTIONS[self.problem]

    @property
    def stopping(self) -> Stopping:
        """The test or the proof that ``threshold`` selects; see `Algorithm`.

        For the Pareto set, sampling is aimed at the proof, which compares its evidence with
        ln(1/delta).
        """
        rule = self._proofs[self.problem].get(self.threshold)
        if rule is None:
            return Threshold(self.threshold, self.delta, self.check_every)
        is_aimed = self.problem == PARETO_SET.name
        return Proven(rule, self.delta, self.check_every, sampling_ignores_delta=not is_aimed)

    @property
    def _exploration(self) -> str:
        """The exploration that is given; by default by evidence unless a proof needs more.

        A proof needs evidence about all arms, more than the closest wrong answer does. Without a
        floor that rises, sampling that is not aimed at the proof leaves it waiting for some arm.
        """
        is_aimed = self.problem == PARETO_SET.name or not isinstance(self.stopping, Proven)
        return self.exploration or ("evidence" if is_aimed else "square_root")

    @property
    def _rule(self) -> Rule:
        """Kernels for this question and this way to stop."""
        return self._rules[self.problem][isinstance(self.stopping, Proven)]

    @property
    def select(self) -> Callable:
        """The kernel that chooses what to sample; see `Algorithm`."""
        return self._rule.select

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return self._rule.stop

    @property
    def recommend(self) -> Callable:
        """The kernel that writes the answer; see `Algorithm`."""
        return self._rule.recommend

    def parameters(self, problem: Problem) -> TopTwoParameters:
        """See `Algorithm.parameters`."""
        self._costs(problem)  # refuses a wrong number of costs
        return TopTwoParameters(
            self.alternative_every,
            EXPLORATIONS.index(self._exploration),
            test_of(self.stopping, problem),
            getattr(self, "budget", None) or 0,
            self._rule.parameters(self.stopping, problem),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> TopTwoState:
        """See `Algorithm.start`."""
        costs, oracle = self._costs(problem), self._rule.allocate(self.stopping, problem)
        sampled = unfolded_problem(problem) if self.samples == "values" else problem
        return allocate_state(sampled, costs, self._explored(sampled), oracle)

    def _explored(self, sampled):
        """Arms that are sampled once each at first."""
        return np.arange(sampled.n_arms)
