"""A stopping rule with a proof that holds for every sampling rule.

With an accuracy it is a rule for answers up to that accuracy, which surely stops.
"""

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.accuracy import LEFT_OUT, epsilon_for, is_exact, write_unbeaten
from pareto_core.confidence.comparisons import (
    Comparisons,
    Data,
    compare,
    lacks_evidence,
    make_comparisons,
    surely_lacks_evidence,
)
from pareto_core.confidence.latest_end import samples_needed
from pareto_core.confidence.ledger import BOX_SHARE, Ledger, allocate_ledger
from pareto_core.confidence.noise_kinds import DETERMINISTIC, EQUAL, KNOWN, UNKNOWN, are_of_kind
from pareto_core.confidence.proven_rules import (
    JOINT,
    PAIRS,
    Rule,
    Work,
    least_evidence,
    make_rule,
)
from pareto_core.confidence.unknown_variance import (
    VARIANCE_SHARE,
    VarianceGrid,
    beyond_rounding,
    scale_of,
    variance_grid,
    write_scaled_means,
)
from pareto_core.geometry.dominance import write_front
from pareto_core.loop.parts import Stopping
from pareto_core.transport.metric import KnownNoise, noise_of
from pareto_core.transport.oracle import Oracle, oracle_of

PROVEN = {"proven": JOINT, "proven_correlated": PAIRS}  # values that select a stopping rule
NEVER = 2**62  # samples
LOOKS = 200  # the rule is tested when the samples have grown by one part in this many


class Units(NamedTuple):
    """The units of the data in which the rules bet."""

    unit: np.ndarray  # (d,) a typical standard deviation of each objective
    variance: np.ndarray  # (K, d) of the noise in these units, or what "joint" needs instead


class ProvenParameters(NamedTuple):
    """When to test, and the rule."""

    check_every: int
    rule: Rule
    raised: int  # K with an accuracy, otherwise 0
    epsilon: np.ndarray  # (d,) the accuracy, in the unit of the rewards that the algorithm sees
    needed: np.ndarray  # (K,) samples of each arm with which the rule surely stops, or `NEVER`
    unknown: np.ndarray  # (d,) objectives whose variance is unknown, and the same for all arms
    deterministic: np.ndarray  # (d,) objectives without noise
    grid: VarianceGrid
    compares: bool  # whether unknown variances may differ between arms
    comparisons: Comparisons
    units: Units
    noise: KnownNoise | None  # for sampling rules


class ProvenStoppingState(NamedTuple):
    """Arrays of the rule during one run, for K + raised rows."""

    oracle: Oracle
    work: Work
    ledger: Ledger  # of the same work, for comparisons
    information: np.ndarray  # (rows, d) samples, divided by the variance of the noise in units
    means: np.ndarray  # (rows, d) in units, or in (upper bounds on) standard deviations
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one


def joint_variances(covariance):
    """Variances with which "joint" holds for known covariances, shape (K, d): Theorem 3b."""
    deviation = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    correlation = covariance / deviation[:, :, None] / deviation[:, None, :]
    correlated = np.maximum(correlation, 0.0) * (1 - np.eye(deviation.shape[1]))
    return deviation**2 * (1 + correlated.sum(axis=2))


def units_of_noise(name, problem):
    """`Units` for the rule ``name``: as in `Certificate`, the root of the mean of the variances."""
    if problem.covariance is None:
        return Units(np.ones(problem.n_objectives), np.ones((problem.n_arms, problem.n_objectives)))
    if name == JOINT:
        variance = joint_variances(problem.covariance)
    else:
        variance = np.diagonal(problem.covariance, axis1=1, axis2=2)
    unit = np.sqrt(variance.mean(axis=0))
    return Units(unit, variance / unit / unit)


def _deviations(kinds, units):
    """Standard deviations for `Comparisons`."""
    none, unknown = are_of_kind(kinds, DETERMINISTIC), are_of_kind(kinds, UNKNOWN)
    return np.where(unknown, np.nan, np.where(none, 0.0, units.unit))


@kernel
def write_in_units(units, observed, means, information, scaled):
    """Write the values of each arm and objective over the variance, and the means, in units."""
    for k in range(means.shape[0]):
        for c in range(means.shape[1]):
            information[k, c] = observed[k, c] / units.variance[k, c]
            scaled[k, c] = means[k, c] / units.unit[c]


@part
def is_time_to_look(check_every, times, samples):
    """Whether the samples passed a multiple of the spacing since the previous call."""
    if samples != times[0]:
        times[1] = times[0]
        times[0] = samples
    spacing = max(check_every, samples // LOOKS // check_every * check_every)
    return times[0] // spacing > times[1] // spacing


@kernel
def _write_data(parameters, evidence, record):
    """Write the information and the means, in units of the noise, of all rows of the rule."""
    unknown, observed, units = parameters.unknown, record.observed, parameters.units
    write_in_units(units, observed, record.means, evidence.information, evidence.means)
    write_scaled_means(
        parameters.grid, unknown, observed, record.means, record.scatter, evidence.means
    )
    for c in np.flatnonzero(parameters.deterministic):
        for k in range(record.means.shape[0]):
            evidence.information[k, c] = np.inf
    if parameters.raised > 0:
        for c in range(record.means.shape[1]):
            scale = 1.0 / units.unit[c]
            if unknown[c]:
                total = record.scatter[:, c].sum()
                squares = beyond_rounding(observed[:, c], record.means[:, c], total)
                scale = scale_of(parameters.grid, observed[:, c], squares)
            for k in range(parameters.raised):
                row, step = parameters.raised + k, parameters.epsilon[c] * scale
                evidence.information[row, c] = evidence.information[k, c]
                evidence.means[row, c] = evidence.means[k, c] + step


@part
def _has_values(observed, remaining):
    """Whether there is a value of every remaining arm in every objective."""
    for k in range(observed.shape[0]):
        for c in range(observed.shape[1]):
            if observed[k, c] == 0 and remaining[k]:
                return False
    return True


@part
def _is_surely_enough(needed, observed):
    """Whether every arm has the values with which the rule stops, whatever the averages are."""
    for k in range(observed.shape[0]):
        for c in range(observed.shape[1]):
            if observed[k, c] < needed[k]:
                return False
    return True


@kernel
def write_answer(parameters, evidence, means, optimal):
    """Mark the remaining arms that no arm beats by a share of the accuracy; return their number."""
    margin, work = LEFT_OUT * parameters.epsilon, evidence.work
    return write_unbeaten(means, margin, work.remaining, work.front, optimal)


@kernel
def is_proven(parameters, evidence, record):
    """Whether the answer for the remaining arms is proven, whenever a test is due."""
    is_due = is_time_to_look(parameters.check_every, evidence.times, record.time[0])
    if not is_due and not (
        parameters.raised > 0 and _is_surely_enough(parameters.needed, record.observed)
    ):
        return False
    rule, work, raised = parameters.rule, evidence.work, parameters.raised
    if not _has_values(record.observed, work.remaining):
        return False
    if raised > 0 or rule.subsets:
        size = write_answer(parameters, evidence, record.means, work.optimal)
    else:
        size = write_front(record.means, work.front)
        work.optimal[:] = False
        for f in range(size):
            work.optimal[work.front[f]] = True
    if parameters.compares:
        data = Data(record.observed, record.means, record.scatter)
        if surely_lacks_evidence(parameters.comparisons, data, evidence.ledger):
            return False
        compare(parameters.comparisons, data, evidence.ledger)
        return not lacks_evidence(evidence.ledger)
    _write_data(parameters, evidence, record)
    needed, means = rule.log_needed, evidence.means
    return least_evidence(rule, evidence.information, means, raised, size, needed, work) >= needed


@part
def stop_when_proven(parameters, state):
    """`is_proven` for a state that holds the evidence and a record."""
    return is_proven(parameters.evidence, state.evidence, state.record)


@dataclasses.dataclass(frozen=True)
class Proven(Stopping):
    """Stop when the answer is proven, whatever was sampled.

    The methods are for the Pareto set, and for compiled kernels.
    """

    rule: str  # "joint" or "pairs"
    delta: float
    check_every: int = 1
    variance: str = KNOWN  # or a kind of unknown noise
    epsilon: Any = None  # see `Certified`
    subsets: bool = False
    sampling_ignores_delta: bool = dataclasses.field(default=True, kw_only=True)

    can_go_on = True
    allows_missing_values = True
    kernel = staticmethod(stop_when_proven)

    @property
    def needs_independence(self) -> bool:
        """True if the evidence of the objectives is summed."""
        return self.rule == JOINT and self.variance != UNKNOWN

    def kinds(self, problem):
        """What is known of the noise of each objective."""
        return problem.noise_kinds or (self.variance,) * problem.n_objectives

    def parameters(self, problem):
        """What the kernels read of the rule and of the noise of a problem."""
        kinds = self.kinds(problem)
        is_unknown, deterministic = are_of_kind(kinds, EQUAL), are_of_kind(kinds, DETERMINISTIC)
        log_risk = -np.log(self.delta)
        needed = log_risk - np.log1p(-VARIANCE_SHARE) if is_unknown.any() else log_risk
        rule = make_rule(self.rule, needed, problem.n_arms, self.subsets)
        units = units_of_noise(self.rule, problem)
        comparisons = make_comparisons(
            log_risk, BOX_SHARE, _deviations(kinds, units), problem.n_arms, self.subsets
        )
        own, samples = np.zeros(problem.n_objectives), None
        if not is_exact(self.epsilon):
            own = epsilon_for(self.epsilon, problem.n_objectives)
            own = own if problem.unit is None else own / problem.unit
            if set(kinds) == {KNOWN}:
                samples = samples_needed(rule, units.variance, own / units.unit)
        return ProvenParameters(
            self.check_every,
            rule,
            0 if is_exact(self.epsilon) else problem.n_arms,
            own,
            np.full(problem.n_arms, NEVER) if samples is None else samples,
            is_unknown,
            deterministic,
            variance_grid(log_risk, max(1, is_unknown.sum())),
            UNKNOWN in kinds,
            comparisons._replace(epsilon=own),
            units,
            noise_of(problem),
        )

    def allocate(self, problem):
        """Arrays of the rule, for twice as many rows with an accuracy."""
        shape = problem.n_arms * (1 if is_exact(self.epsilon) else 2), problem.n_objectives
        ledger = allocate_ledger(problem.n_arms, problem.n_objectives, shape[0])
        return ProvenStoppingState(
            oracle_of(problem),
            ledger.work,
            ledger,
            *np.zeros((2, *shape)),
            np.zeros(2, np.int64),
        )
