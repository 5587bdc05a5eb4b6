"""What algorithms know that look for the constrained Pareto set and for reasons.

After every sample the distance of that arm's empirical mean to the boundary is renewed; at
the end of a round the evidence is weighed: confidence widths, the empirical Pareto set of the
feasible arms, and the case for what each arm is now called (Kone et al. 2025, constrained,
Section 4.1).
"""

import dataclasses
from typing import Literal, NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_choice, check_positive, check_probability
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.thresholds import threshold_constant
from pareto_core.geometry.polyhedron import boundary_distance, check_polyhedron
from pareto_core.geometry.projection import ProjectionSpace, projection_space, set_metric
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL, PARTITION

BONUSES = ("iterated_logarithm", "union_bound")
COUNTS_SQUARED = np.pi**2 / 6  # sum over n of 1 / n^2
NET = 5.0  # to the power d: points of a 1/2-net of the unit sphere


class Limits(NamedTuple):
    """How far an empirical mean may be off."""

    union: bool  # widths by a union bound over arms and counts, added for a pair
    width_constant: float  # what the evidence has to exceed owes to delta
    radius_constant: float  # the same for the distance to the boundary
    width_scale: float  # 2 sigma^2
    radius_scale: float  # c_U sigma_u^2


DISTANCE, SQUARES, MARGIN = 0, 1, 2
FEASIBLE, OPTIMAL_NOW = 0, 1
SIZE, SAMPLED = 0, 1


class PartitionParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    normals: np.ndarray  # (m, d) of the polyhedron
    offsets: np.ndarray  # (m,)
    limits: Limits


class PartitionEvidence(NamedTuple):
    """What is known of every arm, in few arrays: every one that a call hands over costs time."""

    numbers: np.ndarray  # (3, K) see below
    flags: np.ndarray  # (2, K) whether the empirical mean is FEASIBLE, and the arm OPTIMAL_NOW
    front: np.ndarray  # (K,) the arms of O, the first ``now[SIZE]`` entries
    now: np.ndarray  # (2,) SIZE of O, and the arm SAMPLED last
    closest: np.ndarray  # (d,) scratch
    metric: np.ndarray  # (d,) ones
    projection: ProjectionSpace


# The numbers of an arm: the DISTANCE of its empirical mean to the boundary, from either side; the
# SQUARES of the confidence width of a coordinate; and the MARGIN, gamma_i, which is the distance
# less its confidence radius.


def allocate_partition_evidence(problem):
    """Evidence of no observation."""
    n, d = problem.n_arms, problem.n_objectives
    (normals, _), metric = problem.polyhedron.rows(), np.ones(d)
    space = projection_space(normals.shape[0], d)
    set_metric(normals, metric, space)
    return PartitionEvidence(
        np.array([np.zeros(n), np.full(n, np.inf), np.full(n, -np.inf)]),
        np.zeros((2, n), np.bool_),
        np.zeros(n, np.int64),
        np.zeros(2, np.int64),
        np.empty(d),
        metric,
        space,
    )


@part
def locate(parameters, evidence, record):
    """Find the empirical mean of the arm sampled last with respect to the polyhedron."""
    arm = evidence.now[SAMPLED]
    evidence.flags[FEASIBLE, arm], evidence.numbers[DISTANCE, arm] = boundary_distance(
        parameters.normals,
        parameters.offsets,
        record.means[arm],
        evidence.metric,
        evidence.closest,
        evidence.projection,
    )


@part
def common_level(samples, limits):
    """What the squared widths of all arms have in common, but for a union bound."""
    return limits.width_constant + np.log(1.0 + np.log(samples))


@part
def widen_arm(counts, level, numbers, limits, i):
    """Renew the confidence width of one arm, and with it the margin."""
    radius_level = level
    if limits.union:
        level = limits.width_constant + 2.0 * np.log(counts[i])
        radius_level = limits.radius_constant + 2.0 * np.log(counts[i])
    numbers[SQUARES, i] = limits.width_scale * level / counts[i]
    radius = np.sqrt(limits.radius_scale * radius_level / counts[i])
    numbers[MARGIN, i] = numbers[DISTANCE, i] - radius


@kernel
def _write_widths(counts, samples, numbers, limits):
    """Squared widths of all arms, and their margins."""
    level = common_level(samples, limits)
    for i in range(counts.shape[0]):
        widen_arm(counts, level, numbers, limits, i)


@part
def widen(parameters, numbers, record):
    """Renew the confidence widths of all arms, and with them the margins."""
    _write_widths(record.counts, record.time[0], numbers, parameters.limits)


@part
def pair_width(union, numbers, i, j):
    """Confidence width of a difference between the means of two arms."""
    first, second = numbers[SQUARES, i], numbers[SQUARES, j]
    return np.sqrt(first) + np.sqrt(second) if union else np.sqrt(first + second)


@part
def excess(means, i, j):
    """M(i, j), the largest lead of arm i over arm j in an objective."""
    largest = means[i, 0] - means[j, 0]
    for c in range(1, means.shape[1]):
        largest = max(largest, means[i, c] - means[j, c])
    return largest


@kernel
def find_feasible_front(means, flags, front):
    """Find O: the feasible arms that no feasible arm is at least as good as everywhere.

    Marks them in ``flags``, lists them in ``front``, and returns how many there are.
    """
    size = 0
    for k in range(means.shape[0]):
        flags[OPTIMAL_NOW, k] = False
        free = flags[FEASIBLE, k]
        for f in range(size):
            free = free and excess(means, k, front[f]) > 0.0
        if free:
            kept = 0
            for f in range(size):
                if excess(means, front[f], k) > 0.0:
                    front[kept] = front[f]
                    kept += 1
            front[kept] = k
            size = kept + 1
    for f in range(size):
        flags[OPTIMAL_NOW, front[f]] = True
    return size


@part
def weigh(parameters, evidence, record):
    """Bring widths, margins and the empirical Pareto set up to date."""
    widen(parameters, evidence.numbers, record)
    evidence.now[SIZE] = find_feasible_front(record.means, evidence.flags, evidence.front)


@kernel
def optimal_case(union, means, numbers, front, size, i):
    """How surely an arm of O is feasible and not dominated within O; positive if it is."""
    case = numbers[MARGIN, i]
    for f in range(size):
        j = front[f]
        if j != i:
            case = min(case, excess(means, i, j) - pair_width(union, numbers, i, j))
    return case


@kernel
def rejected_case(union, means, numbers, flags, front, size, i):
    """How surely an arm outside O is infeasible, or dominated within O; positive if it is."""
    case = -np.inf if flags[FEASIBLE, i] else numbers[MARGIN, i]
    for f in range(size):
        case = max(case, -excess(means, i, front[f]) - pair_width(union, numbers, i, front[f]))
    return case


@part
def weakest_rejected(union, means, numbers, flags, front, size):
    """Arm outside O with the least case, the statistic Z_2 of Equation (6), and that case."""
    arm, least = np.int64(0), np.inf
    for i in range(means.shape[0]):
        if not flags[OPTIMAL_NOW, i]:
            case = rejected_case(union, means, numbers, flags, front, size, i)
            if case < least:
                arm, least = i, case
    return arm, least


@part
def weakest_optimal(union, means, numbers, front, size):
    """Arm of O with the least case, the statistic Z_1 of Equation (5), and that case."""
    arm, least = np.int64(0), np.inf
    for f in range(size):
        i = front[f]
        case = optimal_case(union, means, numbers, front, size, i)
        if case < least or (case == least and i < arm):
            arm, least = i, case
    return arm, least


@kernel
def weakest_case(union, means, numbers, flags, front, size):
    """Arm whose case is to be settled next, and that case; positive if all are settled.

    Equations (5) to (8): the arm outside O with the least case; if that is positive, the arm
    of O.
    """
    arm, least = weakest_rejected(union, means, numbers, flags, front, size)
    if least <= 0.0:
        return arm, least
    return weakest_optimal(union, means, numbers, front, size)


@part
def label(evidence, i):
    """What an arm is called now."""
    if evidence.flags[OPTIMAL_NOW, i]:
        return OPTIMAL
    if evidence.flags[FEASIBLE, i] or evidence.numbers[MARGIN, i] <= 0.0:
        return DOMINATED
    return INFEASIBLE


@kernel
def write_partition(parameters, evidence, record, answer):
    """Call every arm what it is called now; infeasible before each has a sample."""
    answer[:] = INFEASIBLE
    if record.time[0] >= answer.shape[0]:
        weigh(parameters, evidence, record)
        for i in range(answer.shape[0]):
            answer[i] = label(evidence, i)


@dataclasses.dataclass(frozen=True)
class PartitionAlgorithm(Algorithm):
    """Hyper-parameters of the algorithms that answer with a `Partition`."""

    delta: float = 0.1
    radius_constant: float = 8.0
    bonus: Literal["iterated_logarithm", "union_bound"] = "iterated_logarithm"
    variance_bound: float | None = None
    norm_variance_bound: float | None = None

    question = PARTITION
    uses_polyhedron = True

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_positive(self.radius_constant, "radius_constant")
        check_choice(self.bonus, "bonus", BONUSES)
        for name in ("variance_bound", "norm_variance_bound"):
            if getattr(self, name) is not None:
                check_positive(getattr(self, name), name)

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


class PartitionState(NamedTuple):
    """State of an algorithm that adds nothing of its own."""

    record: Record
    evidence: PartitionEvidence
    pair: np.ndarray  # (2,) arms to sample next, or NOBODY


NOBODY = -1


def partition_state(problem):
    """Fresh `PartitionState`."""
    check_polyhedron(problem.polyhedron, problem.n_objectives)
    return PartitionState(
        empty_record(problem),
        allocate_partition_evidence(problem),
        np.full(2, NOBODY, np.int64),
    )
