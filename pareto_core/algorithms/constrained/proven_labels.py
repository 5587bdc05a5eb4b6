"""Whether labels of arms are proven: a stopping rule from the statements of a certificate.

The labels are those of a partition into optimal, dominated and infeasible arms, or of a constrained
Pareto set, whose rejected arms may be rejected for either reason. They are proven if
`ConstrainedCertificate` would make each statement from the present data, with one exception: an
infeasible arm must be separated from the polyhedron by a facet or by the plane through the
projection of its mean, which is sufficient but not necessary.

Known noise that is correlated, or differs between arms, enters as in the proven rules for the
Pareto set: the samples count in units of its variance, or with the rule "joint" of the variances
that bound it. Every bet of the certificate has one of the forms for which the appendix *Proofs*
shows that this is valid (Theorem 3b and Section 8).
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.boxes import half_width
from pareto_core.confidence.constrained_certificate import (
    ADDITION_SHARE,
    BOX_SHARE,
    REMOVAL_SHARE,
    dominates_certainly,
    is_undominated,
)
from pareto_core.confidence.proven_rules import Rule, make_rule
from pareto_core.geometry.half_spaces import HalfSpaces, allocate_half_spaces, set_metric
from pareto_core.geometry.polyhedron import boundary_distance
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL

SLACK = 1e-9  # relative, for rounding errors of a projection


class PartitionProof(NamedTuple):
    """The evidence that each statement needs, in nats, and the units of the data."""

    rule: Rule
    box: float  # for an interval of a mean
    removal: float  # for an arm that no feasible arm dominates
    addition: float  # for a pair of arms of which one dominates the other
    unit: np.ndarray  # (d,) a typical standard deviation of each objective
    variance: np.ndarray  # (K, d) of the noise in these units, or what "joint" needs instead
    normals: np.ndarray  # (m, d) of the polyhedron in these units, of any positive length
    offsets: np.ndarray  # (m,)


class PartitionProofWork(NamedTuple):
    """Work arrays."""

    feasible: np.ndarray  # (K,) whether an arm is certainly feasible
    infeasible: np.ndarray  # (K,) whether an arm is certainly infeasible
    information: np.ndarray  # (K, d) values of each arm and objective, divided by the variance
    means: np.ndarray  # (K, d) in units
    widths: np.ndarray  # (d,) half-widths of the intervals of an arm
    rivals: np.ndarray  # (K,) a rival that may dominate each arm, or -1
    high: np.ndarray  # (1,)
    closest: np.ndarray  # (d,)
    metric: np.ndarray  # (d,) ones
    projection: HalfSpaces


def partition_proof(name, delta, polyhedron, unit, variance):
    """`PartitionProof` with the rule ``name``.

    Parameters
    ----------
    name : {"joint", "pairs"}
    delta : float
    polyhedron : Polyhedron
    unit : ndarray, shape (d,)
    variance : ndarray, shape (K, d)
        See `units_of_noise` in `pareto_core.algorithms.pareto.proven_stopping`.
    """
    n_arms, needed = variance.shape[0], float(-np.log(delta))
    normals, offsets = polyhedron.rows()
    return PartitionProof(
        make_rule(name, needed, n_arms),
        float(needed + np.log(2 * variance.size / BOX_SHARE)),
        float(needed + np.log((n_arms - 1) / REMOVAL_SHARE)),
        float(needed + np.log(n_arms * (n_arms - 1) / ADDITION_SHARE)),
        unit,
        variance,
        normals * unit,
        offsets,
    )


def allocate_partition_proof(polyhedron, unit, variance):
    """Allocate a `PartitionProofWork` for the arguments of `partition_proof`."""
    n_arms, n_objectives = variance.shape
    normals = polyhedron.rows()[0] * unit
    metric, space = np.ones(n_objectives), allocate_half_spaces(*normals.shape)
    set_metric(normals, metric, space)
    return PartitionProofWork(
        np.zeros(n_arms, np.bool_),
        np.zeros(n_arms, np.bool_),
        np.zeros((n_arms, n_objectives)),
        np.zeros((n_arms, n_objectives)),
        np.zeros(n_objectives),
        np.full(n_arms, -1),
        np.zeros(1, np.int64),
        np.zeros(n_objectives),
        metric,
        space,
    )


@kernel
def _largest_row(normals, offsets, mean, widths, share):
    """Largest excess over a row of the polyhedron in a box around ``mean``.

    Parameters
    ----------
    normals, offsets : ndarray, shapes (m, d) and (m,)
        The polyhedron.
    mean, widths : ndarray, shape (d,)
        Centre of the box, and its half-widths.
    share : {1.0, 0.0, -1.0}
        For the largest excess in the box, at the mean, or that every point of the box has.
    """
    largest = -np.inf
    for i in range(normals.shape[0]):
        excess = -offsets[i]
        for c in range(mean.shape[0]):
            excess += normals[i, c] * mean[c] + abs(normals[i, c]) * (share * widths[c])
        largest = max(largest, excess)
    return largest


@kernel
def _is_separated(normals, offsets, mean, work):
    """Whether a plane separates a box around an infeasible mean from the polyhedron."""
    if _largest_row(normals, offsets, mean, work.widths, -1.0) > 0.0:
        return True
    boundary_distance(normals, offsets, mean, work.metric, work.closest, work.projection)
    squares, reach = 0.0, 0.0
    for c in range(mean.shape[0]):
        squares += (mean[c] - work.closest[c]) ** 2
        reach += abs(mean[c] - work.closest[c]) * work.widths[c]
    return squares * (1.0 - SLACK) > reach


@kernel
def _write_widths(proof, information, work):
    """Write the half-widths of the intervals of an arm with this information, shape (d,)."""
    for c in range(information.shape[0]):
        if c > 0 and information[c] == information[c - 1]:
            work.widths[c] = work.widths[c - 1]
        else:
            work.widths[c] = half_width(proof.rule, information[c], proof.box)


@kernel
def _write_in_units(proof, counts, means, work):
    """Write the information and the means in units."""
    for k in range(counts.shape[0]):
        for c in range(counts.shape[1]):
            work.information[k, c] = counts[k, c] / proof.variance[k, c]
            work.means[k, c] = means[k, c] / proof.unit[c]


@kernel
def _write_feasibility(proof, work):
    """Mark the arms whose boxes lie within the polyhedron, and those whose boxes miss it."""
    normals, offsets, means = proof.normals, proof.offsets, work.means
    for k in range(means.shape[0]):
        _write_widths(proof, work.information[k], work)
        work.feasible[k] = _largest_row(normals, offsets, means[k], work.widths, 1.0) <= 0.0
        work.infeasible[k] = False
        if _largest_row(normals, offsets, means[k], work.widths, 0.0) > 0.0:
            work.infeasible[k] = _is_separated(normals, offsets, means[k], work)


@kernel
def _is_dominated_certainly(proof, labels, arm, work):
    """Whether an optimal arm that is certainly feasible certainly dominates ``arm``."""
    for j in range(labels.shape[0]):
        if labels[j] == OPTIMAL and work.feasible[j]:
            if dominates_certainly(
                proof.rule, work.information, work.means, j, arm, proof.addition, work.high
            ):
                return True
    return False


@kernel
def labels_are_proven(proof, counts, means, labels, work):
    """Whether each label of an arm is proven.

    Parameters
    ----------
    proof : PartitionProof
    counts : ndarray of int, shape (K, d)
        Values of each arm and objective, at least one each.
    means : ndarray, shape (K, d)
        Empirical means.
    labels : ndarray of int, shape (K,)
        ``OPTIMAL``, and ``DOMINATED``, ``INFEASIBLE`` or ``REJECTED``.
    work : PartitionProofWork
        Modified in place.
    """
    _write_in_units(proof, counts, means, work)
    _write_feasibility(proof, work)
    for k in range(labels.shape[0]):
        if labels[k] == OPTIMAL:
            proven = work.feasible[k] and is_undominated(
                proof.rule,
                work.information,
                work.means,
                k,
                work.infeasible,
                proof.removal,
                work.rivals,
            )
        else:
            proven = labels[k] != DOMINATED and work.infeasible[k]
            if not proven and labels[k] != INFEASIBLE:
                proven = _is_dominated_certainly(proof, labels, k, work)
        if not proven:
            return False
    return True
