"""G-optimal empirical gap elimination (Kone, Kaufmann & Richert 2025, linear model)."""

import dataclasses
from typing import Any, Literal, NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.ege import (
    Elimination,
    begin_round,
    dismiss,
    dismiss_largest,
    find_empirical_gaps,
    fresh_elimination,
    left_of_turn,
    next_turn,
    recommend_accepted,
)
from pareto_core.algorithms.settings import check_settings
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record
from pareto_core.regression.design import (
    exchange_vertices,
    feature_points,
    independent_start,
    information,
    least_squares_means,
    orthonormal_points,
    scaled_features,
)
from pareto_core.regression.rounding import APPORTIONMENT, CEILING, apportion

__all__ = ["GEGE"]

TOLERANCE = 1e-4  # of the designs: far below what rounding them to samples costs
MOST_STEPS = 100_000  # of a design
LONGEST = 2.0**61  # samples of a round
THEORY, PROVEN, EXPERIMENT = "theory", "proven", "experiment"
RISK_OF_THEORY = 4.0  # the printed lengths keep this many times delta (Lemma 2)


class GEGEParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    features: np.ndarray  # (K, h)
    dimension: int  # of their span
    budget: int  # 0 for fixed confidence
    rounds: int  # of the fixed budget
    delta: float
    epsilon: float
    variance: float
    theory: bool  # round lengths of the printed formula
    ceiling: bool  # the program's rounding


class GEGEState(NamedTuple):
    """State of one run."""

    record: Record
    race: Elimination
    points: np.ndarray  # (K, h) active arms in an orthonormal basis of their span
    span: np.ndarray  # (1,) dimension of that span: columns of ``points`` in use


@kernel
def _accuracy(race):
    """Accuracy of a round, from 1/4 downwards."""
    return 0.5 ** (race.round[0] + 1.0)


@kernel
def _round_length(parameters, race, dimension):
    """Samples of a round whose active arms span ``dimension`` dimensions."""
    number = race.round[0]
    if parameters.budget > 0:
        so_far = (parameters.budget * number) // parameters.rounds
        return so_far - (parameters.budget * (number - 1)) // parameters.rounds
    accuracy = _accuracy(race)
    risk = 6.0 * parameters.delta / (np.pi * number) ** 2
    scale, pairs = 1.0, 1.0
    if parameters.theory:
        scale = 32.0 * (1.0 + 3.0 * accuracy) * parameters.variance
        pairs = 0.5 * race.active.sum() * race.estimates.shape[1]
    length = scale * dimension / accuracy**2 * np.log(pairs / risk)
    return np.int64(np.ceil(min(max(length, dimension), LONGEST)))


@kernel
def _plan_round(parameters, state):
    """Divide the samples of a round by a G-optimal design of the active arms."""
    race = state.race
    race.round[0] += 1
    arms = np.flatnonzero(race.active)
    points = orthonormal_points(parameters.features[arms])
    state.span[0] = points.shape[1]
    for i in range(arms.shape[0]):
        copy_vector(state.points[arms[i], : points.shape[1]], points[i])
    weights = independent_start(points)
    exchange_vertices(points, weights, TOLERANCE, MOST_STEPS)
    length = _round_length(parameters, race, points.shape[1])
    race.plan[:] = 0
    if parameters.ceiling:
        for i in range(arms.shape[0]):
            race.plan[arms[i]] = np.int64(np.ceil(length * weights[i]))
    else:
        pulls = apportion(points, weights, length)
        for i in range(arms.shape[0]):
            race.plan[arms[i]] = pulls[i]
    begin_round(race, state.record)


@kernel
def _estimate(state):
    """Least-squares estimates of the active arms' means from this round's samples."""
    race, record = state.race, state.record
    arms = np.flatnonzero(race.active)
    points = state.points[arms, : state.span[0]].copy()
    pulls = (record.counts - race.counts_before)[arms].astype(np.float64)
    sums = (record.sums - race.sums_before)[arms]
    coefficients = np.linalg.inv(information(points, pulls)) @ (points.T.copy() @ sums)
    for i in range(arms.shape[0]):
        for c in range(sums.shape[1]):
            race.estimates[arms[i], c] = (points[i] * coefficients[:, c]).sum()


@kernel
def _is_settled(parameters, race):
    """Whether at most one arm is active, or all have zero features, and so a mean of zero."""
    active = np.flatnonzero(race.active)
    return active.shape[0] <= 1 or not parameters.features[active].any()


@part
def _select(parameters, state):
    if state.race.turn[0] == state.race.plan.shape[0]:
        _plan_round(parameters, state)
    return state.race.turn[0], left_of_turn(state.race, state.record)


@part
def _stop(parameters, state):
    """At the end of a round, dismiss the arms whose gap is large."""
    race = state.race
    if left_of_turn(race, state.record) > 0 or not next_turn(race):
        return False
    _estimate(state)
    find_empirical_gaps(race)
    if parameters.budget > 0:
        keep = -(-parameters.dimension // 2 ** race.round[0])
        dismiss_largest(race, keep)
        return race.round[0] == parameters.rounds or _is_settled(parameters, race)
    accuracy = _accuracy(race)
    for k in np.flatnonzero(race.active):
        if race.gaps[k] >= (accuracy if race.optimal[k] else 0.5 * accuracy):
            dismiss(race, k)
    return accuracy <= 0.5 * parameters.epsilon or _is_settled(parameters, race)


@dataclasses.dataclass(frozen=True)
class GEGE(Algorithm):
    r"""Estimate all means equally well by an optimal design, dismiss clear cases, repeat.

    In round r, :math:`N_r` samples are divided among the active arms by a G-optimal
    design of their features. The least-squares estimates from these samples alone give
    an empirical gap of every active arm (Equation 5). Arms with a large empirical gap are
    dismissed: they are accepted if they are empirically optimal, and rejected otherwise.

    With fixed confidence (Algorithm 3), an empirically optimal arm is dismissed if its gap
    is at least :math:`\varepsilon_r=2^{-(r+1)}`, and any other arm if its gap is at least
    :math:`\varepsilon_r/2`. The run stops when at most one arm is active, or before a round with
    :math:`\varepsilon_r\le\varepsilon/4`; the first round always takes place. With
    :math:`\delta_r=6\delta/(\pi r)^2`, for n active arms whose features span h dimensions,

    .. math::
        N_r=\frac{32(1+3\varepsilon_r)\sigma^2h}{\varepsilon_r^2}
        \ln\frac{nd}{2\delta_r}\quad\text{(theory)},\qquad
        N_r=\frac h{\varepsilon_r^2}\ln\frac1{\delta_r}\quad\text{(experiment)}.

    With a fixed budget T (Algorithm 2), there are :math:`\lceil\log_2h\rceil` rounds of
    equal length, and round r keeps the :math:`\lceil h/2^r\rceil` arms with the smallest
    gaps; where gaps are equal, it keeps the empirically optimal arms.

    Parameters
    ----------
    delta : float, default 0.1
        Risk :math:`\delta` of the formulas above, with fixed confidence; not used with a
        budget. What is guaranteed depends on `lengths`.
    epsilon : float, default 0.0
        Accuracy: the answer may contain arms that are dominated by less. With 0, a run
        on an instance with a gap of zero continues until it is cut off or errs.
    budget : int, optional
        Samples T, at least :math:`h\lceil\log_2h\rceil`; by default fixed confidence.
    lengths : {"experiment", "theory", "proven"}, default "experiment"
        Lengths of the rounds.

        ``"experiment"``
            The formula of the authors' program. It does not contain the variance of the
            noise, and no theorem bounds the error rate.
        ``"theory"``
            The formula printed in Algorithm 3. By Lemma 2 of the paper, the error rate is
            at most :math:`4\delta` if :math:`N_r\ge20h/\varepsilon_r^2`, as the proof
            assumes; only a small variance makes rounds shorter than that.
        ``"proven"``
            The printed formula with :math:`\delta/4` in place of :math:`\delta`, so the
            error rate is at most :math:`\delta` under the same condition.
    rounding : {"apportionment", "ceiling"}, default "apportionment"
        See `rounding.round_design`. With ``"ceiling"``, as in the program, a round takes
        more samples than planned.
    variance_bound : float, optional
        Bound :math:`\sigma^2` on the variance of the noise in each objective. By default,
        `simulate` whitens the instance, and the bound is 1. The lengths of ``"experiment"`` do not
        depend on it, so that whitening noise of variance 1/4, which doubles all gaps, makes runs
        shorter and errors more frequent: to run the authors' program on their instances, pass 0.25.

    Notes
    -----
    With a budget, a bound is guaranteed (Theorem 1 of the paper): for :math:`T\ge45h\log_2h`, the
    error probability is at most

    .. math::
        2d(K+h+\lceil\log_2h\rceil)
        \exp\left(-\frac{T}{1200\,\sigma^2H_{2,\mathrm{lin}}\lceil\log_2h\rceil}\right),

    where :math:`H_{2,\mathrm{lin}}` is the largest :math:`i/\Delta_i^2` of the h smallest gaps, in
    ascending order.

    See Also
    --------
    pareto_core.algorithms.pareto.ege.EGE : the same elimination without features.

    References
    ----------
    Kone, Kaufmann & Richert 2025, Bandit Pareto set identification in a multi-output linear
    model, arXiv:2507.04255: Algorithms 1 to 3.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance(
    ...     [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], features=[[1, 0], [0, 1], [-1, -1]]
    ... )
    >>> pc.simulate(pc.GEGE(delta=0.1), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    delta: float = 0.1
    epsilon: float = 0.0
    budget: int | None = None
    lengths: Literal["theory", "proven", "experiment"] = EXPERIMENT
    rounding: Literal["apportionment", "ceiling"] = APPORTIONMENT
    variance_bound: float | None = None

    reads = frozenset({"features"})
    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(recommend_accepted)

    def __post_init__(self):
        check_settings(self, GEGE)

    def parameters(self, problem: Problem) -> GEGEParameters:
        """See `Algorithm.parameters`."""
        if problem.features is None:
            raise ValueError("features = None; expected a feature vector of each arm for GEGE")
        dimension = feature_points(problem.features).shape[1]
        rounds = max(int(np.ceil(np.log2(dimension))), 1)
        if self.budget is not None and self.budget < dimension * rounds:
            raise ValueError(
                f"budget = {self.budget}; expected at least {dimension * rounds}: {rounds} "
                f"rounds that each reach all {dimension} dimensions of the features"
            )
        return GEGEParameters(
            scaled_features(problem.features),
            dimension,
            self.budget or 0,
            rounds,
            float(self.delta / (RISK_OF_THEORY if self.lengths == PROVEN else 1.0)),
            float(self.epsilon),
            1.0 if self.variance_bound is None else float(self.variance_bound),
            self.lengths != EXPERIMENT,
            self.rounding == CEILING,
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> GEGEState:
        """See `Algorithm.start`."""
        points = np.zeros(problem.features.shape)
        return GEGEState(
            empty_record(problem), fresh_elimination(problem), points, np.zeros(1, np.int64)
        )

    def estimates(self, problem: Problem, state: Any) -> np.ndarray | None:
        """Least-squares estimates; None until the arms sampled span the features."""
        return least_squares_means(problem.features, state.record.counts, state.record.sums)
