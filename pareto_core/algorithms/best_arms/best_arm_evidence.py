"""The stopping rule of algorithms that look for the best arm of every objective."""

from typing import NamedTuple

from pareto_core._kernels import kernel
from pareto_core.confidence.thresholds import THRESHOLDS, threshold, threshold_constant
from pareto_core.transport.best_arms import confusion_cost


class BestArmEvidenceParameters(NamedTuple):
    """How much evidence is enough."""

    threshold: int
    threshold_constant: float


def best_arm_evidence_parameters(name, delta, problem):
    """Parameters of a test with the threshold ``name``."""
    n_means = problem.n_arms * problem.n_objectives
    return BestArmEvidenceParameters(
        THRESHOLDS[name].number, threshold_constant(name, delta, n_means)
    )


@kernel
def best_arms_are_clear(parameters, record):
    """Whether Z(t), the cost of making another arm the best somewhere, passes the threshold.

    Chen et al. (2024), Equations (14) and (15). The cost is homogeneous, so at the numbers of
    samples it is t times what it is at their shares.
    """
    samples = record.time[0]
    if samples < record.counts.shape[0]:
        return False
    enough = threshold(
        parameters.threshold,
        samples,
        record.counts,
        record.means.shape[1],
        parameters.threshold_constant,
    )
    return confusion_cost(record.means, record.counts) >= enough


@kernel
def write_best_arms(record, answer):
    """Name the empirically best arm of each objective."""
    for m in range(answer.shape[0]):
        answer[m] = record.means[:, m].argmax()
