"""Adaptive Pareto Exploration (Kone, Kaufmann & Richert 2023)."""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.algorithms.settings import check_settings
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.checks.words import Bonus
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.bonuses import BONUSES, bonus_constant, bonus_slack, pair_bonus
from pareto_core.geometry.dominance import largest_lead
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record

__all__ = ["APE"]

LOW, MIDDLE, HIGH = 0, 1, 2  # M(i, j) minus the bonus, without it, and plus the bonus
NO_ARM = -1


class APEParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    bonus: int
    bonus_constant: float
    scale: float  # standard deviation of the noise
    prior_samples: int
    epsilon: float
    enough: int  # number of optimal arms to find: k, or K + 1
    weakest: bool  # the leader is the arm with the weakest evidence
    both: bool  # leader and challenger are both sampled


class APEState(NamedTuple):
    """State of one run.

    The first axis of ``least``, ``rest`` and ``rival`` selects one of the three statistics LOW,
    MIDDLE and HIGH of a pair of arms.
    """

    record: Record
    estimates: np.ndarray  # (K, d) of the means
    slack: np.ndarray  # (K,) term of the bonus that depends on the arm's number of samples
    inverse: np.ndarray  # (K,) one over that number
    least: np.ndarray  # (3, K) minimum over j of the statistic of the pair (i, j)
    rest: np.ndarray  # (3, K) lower bound on the statistic of all other pairs of arm i
    rival: np.ndarray  # (3, K) the minimising j
    challenger: np.ndarray  # (1,) arm to sample next, or NO_ARM
    sampled: np.ndarray  # (1,) the arm sampled last


@part
def _bonus(parameters, state, i, j):
    """Bonus of the pair (i, j), which is that of (j, i)."""
    slack, inverse = state.slack, state.inverse
    return parameters.scale * pair_bonus(
        parameters.bonus,
        parameters.bonus_constant,
        slack[i],
        slack[j],
        inverse[i],
        inverse[j],
    )


@part
def _insert(state, i, j, excess, bonus):
    """Update arm i's minima by the pair (i, j); False if that requires a scan of arm i."""
    least, rest, rival = state.least, state.rest, state.rival
    for which in range(3):
        value = excess + (which - 1) * bonus
        if rival[which, i] == j:
            if value > rest[which, i]:
                return False
            least[which, i] = value
        elif value < least[which, i]:
            rest[which, i] = least[which, i]
            least[which, i] = value
            rival[which, i] = j
        elif value < rest[which, i]:
            rest[which, i] = value
    return True


@part
def _forget(state, i):
    """Reset the minima of arm i."""
    for which in range(3):
        state.least[which, i] = np.inf
        state.rest[which, i] = np.inf
        state.rival[which, i] = NO_ARM


@kernel
def _scan(parameters, state, i):
    """Recompute the minima of arm i over all other arms."""
    estimates = state.estimates
    _forget(state, i)
    for j in range(estimates.shape[0]):
        if j != i:
            _insert(state, i, j, largest_lead(estimates, i, j), _bonus(parameters, state, i, j))


@kernel
def _update(parameters, state):
    """Update all minima after a sample: O(K d), and occasionally a scan of another arm."""
    record, arm = state.record, state.sampled[0]
    estimates = state.estimates
    n_arms = estimates.shape[0]
    for c in range(estimates.shape[1]):
        estimates[arm, c] = record.sums[arm, c] / (record.counts[arm] + parameters.prior_samples)
    state.slack[arm] = bonus_slack(parameters.bonus, record.counts[arm])
    state.inverse[arm] = 1.0 / record.counts[arm]
    if record.time[0] <= n_arms:
        if record.time[0] == n_arms:
            for i in range(n_arms):
                _scan(parameters, state, i)
        return
    _forget(state, arm)
    for i in range(n_arms):
        if i != arm:
            bonus = _bonus(parameters, state, i, arm)
            _insert(state, arm, i, largest_lead(estimates, arm, i), bonus)
            if not _insert(state, i, arm, largest_lead(estimates, i, arm), bonus):
                _scan(parameters, state, i)


@kernel
def _leader(parameters, state):
    """The leader, which is the arm to decide next."""
    least = state.least
    leader = np.int64(0)
    best = -np.inf
    for i in range(least.shape[1]):
        if parameters.weakest:
            value = -least[LOW, i] - parameters.epsilon
            if least[MIDDLE, i] <= 0.0:
                value = min(value, least[HIGH, i])
        elif least[LOW, i] + parameters.epsilon <= 0.0:
            value = least[HIGH, i]
        else:
            continue
        if value > best:
            leader = i
            best = value
    return leader


@part
def _select(parameters, state):
    """Each arm once; then leader and challenger, or the one of them with fewer samples."""
    arm = state.challenger[0]
    if in_first_round(state.record):
        arm = state.record.time[0]
    elif arm != NO_ARM:
        state.challenger[0] = NO_ARM
    else:
        arm = _leader(parameters, state)
        challenger = state.rival[LOW, arm]
        if parameters.both:
            state.challenger[0] = challenger
        elif state.record.counts[challenger] < state.record.counts[arm]:
            arm = challenger
    state.sampled[0] = arm
    return arm, 1


@part
def _stop(parameters, state):
    """Whether every arm is decided, or k arms are certainly optimal."""
    _update(parameters, state)
    if in_first_round(state.record) or state.challenger[0] != NO_ARM:
        return False
    optimal = np.int64(0)
    settled = True
    for i in range(state.slack.shape[0]):
        if state.least[LOW, i] + parameters.epsilon > 0.0:
            optimal += 1
        elif state.least[HIGH, i] >= 0.0:
            settled = False
    return settled or optimal >= parameters.enough


@part
def _recommend(parameters, state, answer):
    """Mark the certainly optimal arms if there are k; otherwise all possibly optimal arms."""
    n_arms = state.slack.shape[0]
    answer[:] = True
    if in_first_round(state.record):
        return
    for i in range(n_arms):
        answer[i] = state.least[LOW, i] + parameters.epsilon > 0.0
    if answer.sum() < parameters.enough:
        for i in range(n_arms):
            answer[i] = state.least[HIGH, i] >= 0.0


@dataclasses.dataclass(frozen=True)
class APE(Algorithm):
    r"""Sample the arm that may still be the furthest ahead, or the arm most likely to dominate it.

    With :math:`M^\pm(i,j)=\max_c(\hat\mu_i^c-\hat\mu_j^c)\pm\beta_{ij}`, arm i is certainly
    optimal, up to epsilon, if :math:`\min_jM^-(i,j)+\epsilon>0`, and certainly dominated if
    :math:`\min_jM^+(i,j)<0`. The run stops when every arm is certainly optimal or certainly
    dominated, or when k arms are certainly optimal (Kone, Kaufmann & Richert 2023, Algorithm 1:
    :math:`\varepsilon_1`-APE-k). The work per sample is O(K d), and occasionally a scan of the
    pairs of another arm.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    epsilon : float, default 0.0
        Accuracy :math:`\varepsilon_1`: the answer may contain arms that are dominated by less.
    k : int, optional
        Stop as soon as k arms are certainly optimal, and answer these arms. By default, find
        all optimal arms.
    bonus : {"pairwise", "individual", "mixture"}, default "pairwise"
        ``"pairwise"`` and ``"individual"`` are the bonuses of the authors' programs, without
        proof; ``"mixture"`` is proven. See `confidence.bonuses`.
    leader : {"open", "weakest"}, default "open"
        ``"open"``: among the arms that are not certainly optimal, the arm with the largest
        :math:`\min_jM^+(i,j)`. ``"weakest"``: the arm with the least evidence for its current
        label, which is :math:`\min_jM^-(i,j)+\epsilon` for an empirically optimal arm, and the
        larger of this and :math:`-\min_jM^+(i,j)` for an empirically dominated arm.
    pull : {"rarer", "both"}, default "rarer"
        Sample whichever of leader and challenger has fewer samples, or both.
    variance_bound : float, optional
        Bound on the variance of the noise in each objective (:math:`\sigma^2` for
        rewards that are :math:`\sigma`-subgaussian). By default `simulate` whitens the
        instance, and the bound is 1.
    prior_samples : int, default 0
        Number of imaginary samples at the origin that enter each empirical mean. One of the
        authors' programs uses 1, which distorts the estimates if means are far from 0.

    See Also
    --------
    pareto_core.algorithms.constrained.ecape.ECAPE : with constraints.
    pareto_core.algorithms.pareto.certified.Certified : a proven stopping rule around it.

    References
    ----------
    Kone, Kaufmann & Richert 2023, Adaptive algorithms for relaxed Pareto set identification,
    arXiv:2307.00424: Algorithm 1.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.APE(delta=0.1), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    delta: float = 0.1
    epsilon: float = 0.0
    k: int | None = None
    bonus: Bonus = "pairwise"
    leader: Literal["open", "weakest"] = "open"
    pull: Literal["rarer", "both"] = "rarer"
    variance_bound: float | None = None
    prior_samples: int = 0

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_settings(self, APE)

    def parameters(self, problem: Problem) -> APEParameters:
        """See `Algorithm.parameters`."""
        return APEParameters(
            BONUSES[self.bonus].number,
            bonus_constant(self.bonus, self.delta, problem.n_arms, problem.n_objectives),
            1.0 if self.variance_bound is None else float(np.sqrt(self.variance_bound)),
            self.prior_samples,
            float(self.epsilon),
            problem.n_arms + 1 if self.k is None else self.k,
            self.leader == "weakest",
            self.pull == "both",
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> APEState:
        """See `Algorithm.start`."""
        numbers = (3, problem.n_arms)
        return APEState(
            empty_record(problem),
            np.zeros((problem.n_arms, problem.n_objectives)),
            np.zeros(problem.n_arms),
            np.zeros(problem.n_arms),
            np.full(numbers, np.inf),
            np.full(numbers, np.inf),
            np.zeros(numbers, np.int64),
            np.full(1, NO_ARM),
            np.zeros(1, np.int64),
        )
