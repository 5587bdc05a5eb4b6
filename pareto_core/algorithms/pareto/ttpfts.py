"""TTPFTS: Thompson sampling of the two top Pareto fronts (arXiv 2606.18785)."""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_choice, check_count, check_number, shown
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import write_front
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record

__all__ = ["TTPFTS"]

KNOWN, UNKNOWN, UNROOTED = "known", "unknown", "unrooted"
POSTERIORS = {KNOWN: 0, UNKNOWN: 1, UNROOTED: 2}
LEAST_WARM_UP = {KNOWN: 1, UNKNOWN: 3, UNROOTED: 3}  # samples of an arm that a posterior needs
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
    point: np.ndarray  # (K, d) a draw of the means; the arms behind its front may be moved up
    rest: np.ndarray  # (K,) which arms these are
    front: np.ndarray  # (K,)
    marked: np.ndarray  # (K,) arms of a front
    scatter: np.ndarray  # (K, d) what ``record.scatter`` was when ``squares`` was last updated
    squares: np.ndarray  # (K, d) sums of squares about the average at the time of each sample


@kernel
def _add_squares(state):
    """Add the square of the last sample about the average that includes it.

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
    """Mark the Pareto set of the draw; return how many arms it has."""
    size = write_front(state.point, state.front)
    for k in range(state.marked.shape[0]):
        state.marked[k] = False
    for f in range(size):
        state.marked[state.front[f]] = True
    return size


@kernel
def _mark_second_front(state):
    """Mark the Pareto set of the arms that are not marked, of the same draw; return its size."""
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
    """Arms in turn; then an arm of one of the two fronts, each as likely as the others."""
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
    r"""Sample an arm of the Pareto set of a draw from the posterior, or of the next front.

    After some samples of each arm, every step draws means from the posterior. The first front
    is their Pareto set, the second one that of the arms that are left, *of the same draw*. With
    probability p an arm of the first front is sampled, otherwise one of the second, if there is
    any. The answer is the Pareto set of the averages (arXiv 2606.18785, and its authors' program
    at commit 39fbc3e).

    The budget decides on nothing but the end, so that a run tells what shorter ones would have
    answered: `trajectory` looks at it on the way. The paper claims that the answer is right in
    the end; no error rate at a given time is proven.

    Parameters
    ----------
    budget : int
        Samples T, at least ``warm_up`` for each arm.
    warm_up : int, optional
        Samples of each arm before the first draw: by default 2 with a known variance, and 4
        (at least 3) with an unknown one.
    variance : {"known", "unknown", "unrooted"}, default "known"
        ``"known"``: `simulate` whitens the instance, and the posterior of an arm is Gaussian
        about its average with variance 1/N, of a flat prior. ``"unknown"``: in each objective
        it is Student's t about the average with N - 2 degrees of freedom, times
        :math:`\sqrt{S/(N(N-2))}` for the sum S of squares about it (Honda & Takemura's family of
        priors with :math:`\alpha=-1/2`). ``"unrooted"``: the scale :math:`S'/\sqrt{N(N-2)}` with
        which the authors' program draws, :math:`S'` the sum of the squares of the samples about
        the average at the time of each. As N grows it tends to the variance of the noise in
        place of 0, and it depends on the unit of the rewards.
    p : float, default 0.5
        Probability of the first front, from 0 to 1.

    Raises
    ------
    ValueError
        If a parameter is out of range; when a run begins, if the budget is too small for the
        number of arms.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.TTPFTS(budget=300), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
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
    def needs_unit_variance(self) -> bool:
        """With a known variance; otherwise the units do not matter."""
        return self.variance == KNOWN

    def parameters(self, problem: Problem) -> TTPFTSParameters:
        """See `Algorithm.parameters`."""
        warm_up = WARM_UP[self.variance] if self.warm_up is None else self.warm_up
        if self.budget < warm_up * problem.n_arms:
            raise ValueError(
                f"budget = {self.budget}; expected at least {warm_up * problem.n_arms}, "
                f"{warm_up} samples of each arm"
            )
        return TTPFTSParameters(self.budget, warm_up, POSTERIORS[self.variance], float(self.p))

    def start(self, problem: Problem, rng: np.random.Generator) -> TTPFTSState:
        """See `Algorithm.start`."""
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
