"""Whether labels of arms are proven: a stopping rule from the statements of a certificate.

The labels are those of a partition into optimal, dominated and infeasible arms, or of a constrained
Pareto set, whose rejected arms may be rejected for either reason. They are proven if
`ConstrainedCertificate` would make each statement from the present data.

Known noise that is correlated, or differs between arms, enters as in the proven rules for the
Pareto set: the samples count in units of its variance, or with the rule "joint" of the variances
that bound it. Every bet of the certificate has one of the forms for which the appendix *Proofs*
shows that this is valid (Theorem 3b and Section 8).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.proven_stopping import Units, units_of_noise, write_in_units
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.boxes import half_width
from pareto_core.confidence.constrained_ledger import (
    BOX_SHARE,
    ConstrainedLedger,
    ConstrainedRule,
    allocate_constrained_ledger,
    compare_with_region,
    constrained_rule,
    dominates_certainly,
    is_undominated_by_feasible,
)
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL


class PartitionProof(NamedTuple):
    """The bets, the evidence that each statement needs, and the units of the data."""

    constrained: ConstrainedRule
    box: float  # evidence for an interval of a mean, in nats
    units: Units


class PartitionProofWork(NamedTuple):
    """Work arrays."""

    information: np.ndarray  # (K, d) values of each arm and objective, divided by the variance
    means: np.ndarray  # (K, d) in units
    low: np.ndarray  # (d,) lower ends of the intervals of an arm
    high: np.ndarray  # (d,) upper ends
    ledger: ConstrainedLedger


def partition_proof(stopping, problem):
    """`PartitionProof` of a proven rule."""
    needed, units = float(-np.log(stopping.delta)), units_of_noise(stopping.rule, problem)
    box = needed + np.log(2 * units.variance.size / BOX_SHARE)
    rule = constrained_rule(stopping.rule, needed, problem.n_arms)
    return PartitionProof(rule, float(box), units)


def allocate_partition_proof(stopping, problem):
    """Allocate a `PartitionProofWork`."""
    n_arms, n_objectives = problem.n_arms, problem.n_objectives
    normals, offsets = problem.polyhedron.rows()
    unit = units_of_noise(stopping.rule, problem).unit
    return PartitionProofWork(
        *np.zeros((2, n_arms, n_objectives)),
        *np.zeros((2, n_objectives)),
        allocate_constrained_ledger(n_arms, normals * unit, offsets),
    )


@kernel
def _write_feasibility(proof, work):
    """Mark the arms whose boxes lie within the polyhedron, and those whose boxes miss it."""
    rule, width = proof.constrained.rule, 0.0
    for k in range(work.means.shape[0]):
        for c in range(work.means.shape[1]):
            if c == 0 or work.information[k, c] != work.information[k, c - 1]:
                width = half_width(rule, work.information[k, c], proof.box)
            work.low[c], work.high[c] = work.means[k, c] - width, work.means[k, c] + width
        ledger = work.ledger
        is_within, is_disjoint = compare_with_region(work.low, work.high, ledger.region)
        ledger.feasible[k], ledger.infeasible[k] = is_within, is_disjoint


@kernel
def _is_dominated_certainly(proof, labels, arm, work):
    """Whether an optimal arm that is certainly feasible certainly dominates ``arm``."""
    rule, information, means = proof.constrained, work.information, work.means
    for j in range(labels.shape[0]):
        if labels[j] == OPTIMAL and work.ledger.feasible[j]:
            if dominates_certainly(rule, information, means, j, arm, work.ledger.high):
                return True
    return False


@kernel
def labels_are_proven(proof, counts, means, labels, work):
    """Whether each label of an arm is proven, with at least one value of each mean."""
    write_in_units(proof.units, counts, means, work.information, work.means)
    _write_feasibility(proof, work)
    ledger = work.ledger
    for k in range(labels.shape[0]):
        if labels[k] == OPTIMAL:
            proven = ledger.feasible[k] and is_undominated_by_feasible(
                proof.constrained, work.information, work.means, k, ledger
            )
        else:
            proven = labels[k] != DOMINATED and ledger.infeasible[k]
            if not proven and labels[k] != INFEASIBLE:
                proven = _is_dominated_certainly(proof, labels, k, work)
        if not proven:
            return False
    return True
