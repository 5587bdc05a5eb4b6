"""TTPFTS: top-two Pareto-fronts Thompson sampling (arXiv:2606.18785)."""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_choice, check_count, check_number, shown
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import write_front
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import ANY, UNIT, Noise
from pareto_core.loop.record import Record, empty_record

KNOWN, UNKNOWN, UNROOTED = "known", "unknown", "unrooted"
POSTERIORS = {KNOWN: 0, UNKNOWN: 1, UNROOTED: 2}
LEAST_WARM_UP = {KNOWN: 1, UNKNOWN: 3, UNROOTED: 3}  # samples that the posterior of an arm needs
WARM_UP = {KNOWN: 2, UNKNOWN: 4, UNROOTED: 4}


class TTPFTSParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    budget: int
    warm_up: int
    posterior: int  # see POSTERIORS
    p: float


class TTPFTSState(NamedTuple):
    """State of one run."""

    record: Record
    rng: np.random.Generator
    point: np.ndarray  # (K, d) a draw of the means; for the second front, of the ``rest`` only
    rest: np.ndarray  # (K,) arms outside the first front, in the first entries
    front: np.ndarray  # (K,)
    marked: np.ndarray  # (K,) arms of a front
    scatter: np.ndarray  # (K, d) ``record.scatter`` at the last update of ``squares``
    squares: np.ndarray  # (K, d) sums of squares around the average at the time of each sample


@kernel
def _add_squares(state):
    """Add the squared deviation of the last sample from the average that includes it.

    A sample adds n / (n - 1) times this square to the scatter of an arm.
    """
    scatter = state.record.scatter
    for k in range(scatter.shape[0]):
        n = state.record.counts[k]
        for c in range(scatter.shape[1]):
            if scatter[k, c] > state.scatter[k, c]:
                state.squares[k, c] += (scatter[k, c] - state.scatter[k, c]) * (n - 1) / n
                state.scatter[k, c] = scatter[k, c]


@kernel
def _draw(parameters, state):
    """Draw the means of all arms from their posterior."""
    record = state.record
    for k in range(state.point.shape[0]):
        n = record.counts[k]
        for c in range(state.point.shape[1]):
            if parameters.posterior == 0:
                noise = state.rng.standard_normal() * np.sqrt(1.0 / n)
            elif parameters.posterior == 1:
                scale = np.sqrt(record.scatter[k, c] / (n * (n - 2)))
                noise = state.rng.standard_t(n - 2) * scale
            else:
                scale = state.squares[k, c] / np.sqrt(n * (n - 2))
                noise = state.rng.standard_t(n - 2) * scale
            state.point[k, c] = record.means[k, c] + noise


@kernel
def _mark_first_front(state):
    """Mark the Pareto set of the draw; return its size."""
    size = write_front(state.point, state.front)
    for k in range(state.marked.shape[0]):
        state.marked[k] = False
    for f in range(size):
        state.marked[state.front[f]] = True
    return size


@kernel
def _mark_second_front(state):
    """Mark the Pareto set of the unmarked arms in the same draw instead; return its size."""
    left = 0
    for k in range(state.marked.shape[0]):
        if not state.marked[k]:
            state.rest[left] = k
            for c in range(state.point.shape[1]):
                state.point[left, c] = state.point[k, c]
            left += 1
        state.marked[k] = False
    size = write_front(state.point[:left], state.front)
    for f in range(size):
        state.marked[state.rest[state.front[f]]] = True
    return size


@kernel
def _select(parameters, state):
    """Arms in order; then an arm of one of the two fronts, uniformly at random."""
    samples, n_arms = state.record.time[0], state.rest.shape[0]
    if parameters.posterior == 2:
        _add_squares(state)
    if samples < parameters.warm_up * n_arms:
        return samples % n_arms, 1
    _draw(parameters, state)
    size = _mark_first_front(state)
    if state.rng.random() >= parameters.p and size < n_arms:
        size = _mark_second_front(state)
    skipped = state.rng.integers(0, size)
    for k in range(n_arms):
        if state.marked[k]:
            if skipped == 0:
                return k, 1
            skipped -= 1
    return n_arms - 1, 1


@kernel
def _stop(parameters, state):
    return state.record.time[0] >= parameters.budget


@kernel
def _recommend(parameters, state, answer):
    """Mark the Pareto set of the averages."""
    size = write_front(state.record.means, state.front)
    for f in range(size):
        answer[state.front[f]] = True


@dataclasses.dataclass(frozen=True)
class TTPFTS(Algorithm):
    r"""Sample an arm of the Pareto set of a draw from the posterior, or of the second front.

    After some samples of each arm, every step draws means from the posterior. The first front
    is the Pareto set of the draw, and the second front is the Pareto set of the remaining arms *in
    the same draw*. With probability p, an arm of the first front is sampled, otherwise an arm of
    the second front, if it is not empty. The answer is the Pareto set of the averages
    (Saerens et al. 2026, arXiv:2606.18785, and their program at commit 39fbc3e). The budget affects
    only the end of a run, so `trajectory` returns the answers of all shorter runs. By its abstract,
    the paper proves that the answer is asymptotically correct; we know of no error rate at a given
    time.

    If the variance is ``"known"``, the posterior of an arm, for a flat prior, is Gaussian around
    its average with variance 1/N. If it is ``"unknown"``, the posterior in each objective is
    Student's t around the average with N - 2 degrees of freedom and scale
    :math:`\sqrt{S/(N(N-2))}`, where S is the sum of squared deviations (Honda & Takemura's family
    of priors with :math:`\alpha=-1/2`). ``"unrooted"`` is the scale of the authors' program,
    :math:`S'/\sqrt{N(N-2)}`, where :math:`S'` is the sum of the squared deviations of each sample
    from the average at its time. As N grows, this scale tends to the variance of the noise instead
    of 0, and it depends on the unit of the rewards.
    """

    budget: int
    warm_up: int | None = None
    variance: Literal["known", "unknown", "unrooted"] = KNOWN
    p: float = 0.5

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_count(self.budget, "budget")
        check_choice(self.variance, "variance", WARM_UP)
        if self.warm_up is not None:
            check_count(self.warm_up, "warm_up", LEAST_WARM_UP[self.variance])
        if not 0 <= check_number(self.p, "p") <= 1:
            raise ValueError(f"p = {shown(self.p)}; expected a probability, from 0 to 1")

    @property
    def noise(self) -> Noise:
        """Unless the variance is known, the unit of the rewards does not matter."""
        return UNIT if self.variance == KNOWN else ANY

    def parameters(self, problem: Problem) -> TTPFTSParameters:
        warm_up = WARM_UP[self.variance] if self.warm_up is None else self.warm_up
        if self.budget < warm_up * problem.n_arms:
            raise ValueError(
                f"budget = {self.budget}; expected at least {warm_up * problem.n_arms}, "
                f"{warm_up} samples of each arm"
            )
        return TTPFTSParameters(self.budget, warm_up, POSTERIORS[self.variance], float(self.p))

    def start(self, problem: Problem, rng: np.random.Generator) -> TTPFTSState:
        return TTPFTSState(
            empty_record(problem),
            rng,
            np.zeros((problem.n_arms, problem.n_objectives)),
            np.zeros(problem.n_arms, np.int64),
            np.zeros(problem.n_arms, np.int64),
            np.zeros(problem.n_arms, np.bool_),
            np.zeros((problem.n_arms, problem.n_objectives)),
            np.zeros((problem.n_arms, problem.n_objectives)),
        )
