r"""The evidence of algorithms that partition the arms by a constraint and by dominance.

After every sample, `locate` updates the distance of the sampled arm's empirical mean to the
boundary of the feasible region. At the end of a round, `weigh` updates the confidence widths and
O, the empirical Pareto set of the arms with a feasible empirical mean. Every arm has a label
(optimal, dominated or infeasible), and the *case* for its label is a statistic that is positive
if the label is certain (Kone et al. 2025, constrained, Section 4.1).
"""

import dataclasses
from typing import Any, Literal, NamedTuple

import numpy as np

from pareto_core.algorithms.settings import check_settings
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.thresholds import threshold_constant
from pareto_core.geometry.dominance import largest_lead
from pareto_core.geometry.half_spaces import HalfSpaces, allocate_half_spaces, set_metric
from pareto_core.geometry.polyhedron import boundary_distance, check_polyhedron
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL, PARTITION

BONUSES = ("iterated_logarithm", "union_bound")
COUNTS_SQUARED = np.pi**2 / 6  # sum over n of 1 / n^2
NET = 5.0  # to the power d: points of a 1/2-net of the unit sphere
NO_ARM = -1


class Limits(NamedTuple):
    """Constants of the confidence widths."""

    union: bool  # a union bound over arms and counts; the width of a pair is a sum
    width_constant: float  # term of the squared width that depends on delta
    radius_constant: float  # the same for the distance to the boundary
    width_scale: float  # 2 sigma^2
    radius_scale: float  # c_U sigma_u^2


class PartitionParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    normals: np.ndarray  # (m, d) of the polyhedron
    offsets: np.ndarray  # (m,)
    limits: Limits


class ArmEvidence(NamedTuple):
    """Statistics of each arm."""

    distance: np.ndarray  # (K,) of the empirical mean to the boundary, from either side
    squared_width: np.ndarray  # (K,) square of the confidence width of one coordinate
    margin: np.ndarray  # (K,) gamma_i: the distance minus its confidence radius
    feasible: np.ndarray  # (K,) whether the empirical mean is feasible
    optimal: np.ndarray  # (K,) whether the arm is in O
    front: np.ndarray  # (K,) the arms of O, in the first ``front_size[0]`` entries
    front_size: np.ndarray  # (1,)


class PartitionEvidence(NamedTuple):
    """Statistics of each arm, and the arrays needed to update them."""

    arms: ArmEvidence
    sampled: np.ndarray  # (1,) the arm sampled last
    closest: np.ndarray  # (d,) scratch
    metric: np.ndarray  # (d,) ones
    projection: HalfSpaces


def allocate_partition_evidence(problem):
    """Allocate evidence before the first sample; refuses a problem without a polyhedron."""
    n, d = problem.n_arms, problem.n_objectives
    region, metric = check_polyhedron(problem.polyhedron, d), np.ones(d)
    normals, _ = region.rows()
    space = allocate_half_spaces(normals.shape[0], d)
    set_metric(normals, metric, space)
    arms = ArmEvidence(
        np.zeros(n),
        np.full(n, np.inf),
        np.full(n, -np.inf),
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        np.zeros(n, np.int64),
        np.zeros(1, np.int64),
    )
    return PartitionEvidence(arms, np.zeros(1, np.int64), np.empty(d), metric, space)


@part
def locate(parameters, evidence, record):
    """Update whether the arm sampled last looks feasible, and its distance to the boundary."""
    arm = evidence.sampled[0]
    evidence.arms.feasible[arm], evidence.arms.distance[arm] = boundary_distance(
        parameters.normals,
        parameters.offsets,
        record.means[arm],
        evidence.metric,
        evidence.closest,
        evidence.projection,
    )


@kernel
def _widen(counts, samples, limits, arms):
    """Update the squared confidence widths and the margins of all arms."""
    level = limits.width_constant + np.log(1.0 + np.log(samples))
    radius_level = level
    for i in range(counts.shape[0]):
        if limits.union:
            level = limits.width_constant + 2.0 * np.log(counts[i])
            radius_level = limits.radius_constant + 2.0 * np.log(counts[i])
        arms.squared_width[i] = limits.width_scale * level / counts[i]
        arms.margin[i] = arms.distance[i] - np.sqrt(limits.radius_scale * radius_level / counts[i])


@part
def widen(parameters, evidence, record):
    """Update the squared confidence widths and the margins of all arms."""
    _widen(record.counts, record.time[0], parameters.limits, evidence.arms)


@part
def pair_width(union, arms, i, j):
    """Confidence width of the difference between the means of two arms."""
    first, second = arms.squared_width[i], arms.squared_width[j]
    return np.sqrt(first) + np.sqrt(second) if union else np.sqrt(first + second)


@kernel
def find_feasible_front(means, arms):
    """Find O: feasible arms that no other one weakly dominates; of equal arms, the first."""
    front, size = arms.front, 0
    for k in range(means.shape[0]):
        arms.optimal[k] = False
        is_free = arms.feasible[k]
        for f in range(size):
            is_free = is_free and largest_lead(means, k, front[f]) > 0.0
        if is_free:
            kept = 0
            for f in range(size):
                if largest_lead(means, front[f], k) > 0.0:
                    front[kept] = front[f]
                    kept += 1
            front[kept] = k
            size = kept + 1
    for f in range(size):
        arms.optimal[front[f]] = True
    arms.front_size[0] = size


@part
def weigh(parameters, evidence, record):
    """Update widths, margins and O."""
    widen(parameters, evidence, record)
    find_feasible_front(record.means, evidence.arms)


@kernel
def _case(union, means, arms, i):
    """Case for an arm's label: in O, feasible and optimal; otherwise, infeasible or dominated."""
    is_optimal = arms.optimal[i]
    case = arms.margin[i] if is_optimal or not arms.feasible[i] else -np.inf
    for f in range(arms.front_size[0]):
        j = arms.front[f]
        if j != i:
            lead, width = largest_lead(means, i, j), pair_width(union, arms, i, j)
            case = min(case, lead - width) if is_optimal else max(case, -lead - width)
    return case


@kernel
def weakest_case(union, means, arms):
    """Arm whose label to settle next, and its case, positive if all are settled: (5) to (8)."""
    for is_optimal in (False, True):
        arm, least = np.int64(0), np.inf
        for i in range(means.shape[0]):
            if arms.optimal[i] == is_optimal:
                case = _case(union, means, arms, i)
                if case < least:
                    arm, least = i, case
        if least <= 0.0:
            break
    return arm, least


@kernel
def write_cases(parameters, evidence, record, case):
    """Write the case for the label of each arm, which is certain if its case is positive."""
    weigh(parameters, evidence, record)
    for i in range(record.means.shape[0]):
        case[i] = _case(parameters.limits.union, record.means, evidence.arms, i)


@part
def next_of_pair(pair):
    """The next arm of a pair to sample, which is then taken out of it."""
    turn = 0 if pair[0] != NO_ARM else 1
    arm = pair[turn]
    pair[turn] = NO_ARM
    return arm


@part
def label(evidence, i):
    """Current label of arm i."""
    if evidence.arms.optimal[i]:
        return OPTIMAL
    if evidence.arms.feasible[i] or evidence.arms.margin[i] <= 0.0:
        return DOMINATED
    return INFEASIBLE


@part
def recommend_labels(parameters, state, answer):
    """Write the current label of every arm; infeasible until each has a sample."""
    answer[:] = INFEASIBLE
    if not in_first_round(state.record):
        weigh(parameters, state.evidence, state.record)
        for i in range(answer.shape[0]):
            answer[i] = label(state.evidence, i)


class PartitionState(NamedTuple):
    """State of an algorithm that needs nothing but the evidence."""

    record: Record
    evidence: PartitionEvidence
    pair: np.ndarray  # (2,) arms to sample next, or NO_ARM


@dataclasses.dataclass(frozen=True)
class PartitionAlgorithm(Algorithm):
    """Base class of the algorithms that answer with a `Partition`; see `ECAPE`."""

    delta: float = 0.1
    radius_constant: float = 8.0
    bonus: Literal["iterated_logarithm", "union_bound"] = "iterated_logarithm"
    variance_bound: float | None = None
    norm_variance_bound: float | None = None

    question = PARTITION
    reads = frozenset({"polyhedron"})
    recommend = staticmethod(recommend_labels)

    def __post_init__(self):
        check_settings(self, PartitionAlgorithm)

    def parameters(self, problem: Problem) -> PartitionParameters:
        """See `Algorithm.parameters`."""
        region = check_polyhedron(problem.polyhedron, problem.n_objectives)
        n_arms, n_objectives = problem.n_arms, problem.n_objectives
        variance = 1.0 if self.variance_bound is None else float(self.variance_bound)
        norm_variance = self.norm_variance_bound or variance
        union = self.bonus == "union_bound"
        log_risk = threshold_constant("iterated_logarithm", self.delta, 1)
        both_sides = np.log(4 * COUNTS_SQUARED * n_arms * n_objectives) if union else 0.0
        whole_net = np.log(2 * COUNTS_SQUARED * n_arms * NET**n_objectives) if union else 0.0
        limits = Limits(
            union,
            float(log_risk + both_sides),
            float(log_risk + whole_net),
            2.0 * variance,
            float(self.radius_constant * norm_variance),
        )
        return PartitionParameters(*region.rows(), limits)

    def start(self, problem: Problem, rng: np.random.Generator) -> Any:
        """See `Algorithm.start`."""
        evidence = allocate_partition_evidence(problem)
        return PartitionState(empty_record(problem), evidence, np.full(2, NO_ARM))
