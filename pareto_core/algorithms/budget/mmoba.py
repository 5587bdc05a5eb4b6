"""M-MOBA: myopic budget allocation for two objectives (Branke & Zhang 2015, 2019)."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.budget.change_probability import (
    StaircaseWork,
    allocate_staircase,
    write_chances,
)
from pareto_core.algorithms.budget.tracked_shares import (
    recommend_front,
    refuse_small,
    stop_when_spent,
)
from pareto_core.checks.arguments import check_choice, check_count, check_non_negative
from pareto_core.checks.words import Variance
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record
from pareto_core.transport.known_noise import variances_of

__all__ = ["MMOBA"]

KNOWN, UNKNOWN = "known", "unknown"
LEAST_WARM_UP = {KNOWN: 1, UNKNOWN: 2}  # samples that the predictive distribution of an arm needs
LONGER_LOOK = 10  # samples looked ahead where fewer seem to change nothing


class MMOBAParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    budget: int
    warm_up: int
    tau: int
    negligible: float
    variance_is_known: bool
    variance: np.ndarray  # (K, 2) of the noise, if it is known


class MMOBAState(NamedTuple):
    """State of one run."""

    record: Record
    front: np.ndarray  # (K,) work array of the recommendation
    spread: np.ndarray  # (K, 2) scale of the change of each mean
    freedom: np.ndarray  # (K,) degrees of freedom, 0 for the normal distribution
    chances: np.ndarray  # (K,) probability that samples of an arm change the Pareto set
    in_turn: np.ndarray  # (1,) number of samples taken in turn because no chance mattered
    work: StaircaseWork


@kernel
def _look_ahead(parameters, tau, state):
    """Write the chances for ``tau`` more samples of an arm; return their sum."""
    record = state.record
    for k in range(record.counts.shape[0]):
        n = record.counts[k]
        state.freedom[k] = 0 if parameters.variance_is_known else n - 1
        for c in range(2):
            variance = parameters.variance[k, c]
            if not parameters.variance_is_known:
                variance = record.scatter[k, c] / (n - 1)
            state.spread[k, c] = np.sqrt(variance * tau / n / (n + tau))
    write_chances(record.means, state.spread, state.freedom, state.work, state.chances)
    return state.chances.sum()


@kernel
def _select(parameters, state):
    """Arms in order; then the arm with the largest chance, or in turn if no chance matters."""
    samples, n_arms = state.record.time[0], state.front.shape[0]
    if samples < parameters.warm_up * n_arms:
        return samples % n_arms, 1
    for tau in (parameters.tau, max(parameters.tau, LONGER_LOOK)):
        if _look_ahead(parameters, tau, state) > parameters.negligible:
            return state.chances.argmax(), 1
    state.in_turn[0] += 1
    return (state.in_turn[0] - 1) % n_arms, 1


@dataclasses.dataclass(frozen=True)
class MMOBA(Algorithm):
    r"""Sample the arm whose next samples are most likely to change the observed Pareto set.

    M-MOBA, for two objectives (Branke & Zhang 2015, 2019). After n samples of an arm whose noise
    has variance :math:`\sigma^2`, its average after :math:`\tau` more samples is predicted around
    the present average, with variance

    .. math::
        \frac{\sigma^2\,\tau}{n\,(n+\tau)},

    normal if the variance is known, otherwise Student's t with n - 1 degrees of freedom, where
    :math:`\sigma^2` is the sample variance. While the other averages stay, the observed Pareto set
    stays the same if the new average is in a union of rectangles. Their probability is a sum of
    products, with independent objectives. Every step samples the arm for which the probability of a
    change is largest; the answer is the Pareto set of the averages.

    The budget affects only the end of a run, so that a run contains the answers of all shorter
    runs; `trajectory` returns them.

    Parameters
    ----------
    budget : int
        Samples T, at least ``warm_up`` for each arm.
    warm_up : int, default 5
        Samples of each arm before the first prediction; at least 2 with an unknown variance.
    tau : int, default 1
        Number of samples to look ahead. One sample is then taken all the same.
    variance : {"known", "unknown"}, default "known"
        ``"known"``: `simulate` whitens the instance, or gives the variances of the arms if these
        differ. ``"unknown"``: the variances are estimated, and the unit of the rewards does not
        matter.
    negligible : float, default 0.0
        If the probabilities of all arms sum to this or less, they are computed for 10 samples
        instead of ``tau``; if the sum is still no larger, the arms are sampled in turn. With 0, the
        probabilities decide until they are too small for floating-point numbers. With 1e-6, as in
        the program M-MOBA-HV, the arms are sampled evenly in the long run.

    Raises
    ------
    ValueError
        If a parameter is out of range; when a run begins, if the number of objectives is not 2, or
        the budget is too small for the number of arms.

    Notes
    -----
    Nothing is guaranteed about the error probability: the choice is myopic. If the noise of the two
    objectives is correlated, only its variances are used, as in the source, whose programs estimate
    the variances.

    See Also
    --------
    pareto_core.algorithms.budget.plug_in.PlugIn : shares that look at the whole budget.
    pareto_core.simulation.trajectories.trajectory : the answers of shorter budgets.

    References
    ----------
    Branke & Zhang 2015, A new myopic sequential sampling algorithm for multi-objective problems,
    Winter Simulation Conference.
    Branke & Zhang 2019, Identifying efficient solutions via simulation: myopic multi-objective
    budget allocation for the bi-objective case, OR Spectrum 41, doi:10.1007/s00291-019-00561-0.
    The programs vv26/M-MOBA at commit 3bbe911 and vv26/M-MOBA-HV at commit ba63876: the rectangles,
    the predictive distribution, 5 first samples, and what happens if no probability matters.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.MMOBA(budget=300), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    budget: int
    warm_up: int = 5
    tau: int = 1
    variance: Variance = KNOWN
    negligible: float = 0.0

    select = staticmethod(_select)
    stop = staticmethod(stop_when_spent)
    recommend = staticmethod(recommend_front)

    def __post_init__(self):
        check_count(self.budget, "budget")
        check_choice(self.variance, "variance", LEAST_WARM_UP)
        check_count(self.warm_up, "warm_up", LEAST_WARM_UP[self.variance])
        check_count(self.tau, "tau")
        check_non_negative(self.negligible, "negligible")

    @property
    def needs_unit_variance(self) -> bool:
        """True with a known variance; otherwise the unit of the rewards does not matter."""
        return self.variance == KNOWN

    @property
    def uses_covariance(self) -> bool:
        """True with a known variance, which may differ between arms."""
        return self.variance == KNOWN

    def parameters(self, problem: Problem) -> MMOBAParameters:
        """See `Algorithm.parameters`."""
        if problem.n_objectives != 2:
            raise ValueError(f"{problem.n_objectives} objectives for MMOBA; expected 2")
        refuse_small(self.budget, self.warm_up, problem)
        return MMOBAParameters(
            self.budget,
            self.warm_up,
            self.tau,
            float(self.negligible),
            self.variance == KNOWN,
            variances_of(problem),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> MMOBAState:
        """See `Algorithm.start`."""
        n_arms = problem.n_arms
        return MMOBAState(
            empty_record(problem),
            np.zeros(n_arms, np.int64),
            np.zeros((n_arms, 2)),
            np.zeros(n_arms, np.int64),
            np.zeros(n_arms),
            np.zeros(1, np.int64),
            allocate_staircase(n_arms),
        )
