r"""What is certain about each arm if the means must lie in a polyhedron.

An arm is certainly feasible if its box lies within the polyhedron, and certainly infeasible if its
box is disjoint from it, as long as all boxes contain their means. For means :math:`\lambda`, each
dominated arm k bets with share 1/(K-1) that a feasible arm j(k) dominates it (`log_removal`; at
least one feasible arm is not dominated), and each pair (j, k) bets with share 1/(K(K-1)) on an
objective in which j is not better than k, if such an objective exists (`log_lead`). Under the true
means the weighted sum of these bets and the bets on boxes is a martingale that starts at 1 or less.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.compiling.lending import lend
from pareto_core.confidence.ledger import is_undominated
from pareto_core.confidence.proven_rules import Rule, make_rule
from pareto_core.confidence.statement_evidence import log_lead
from pareto_core.geometry.half_spaces import (
    HalfSpaces,
    allocate_half_spaces,
    project_again,
    set_metric,
)

BOX_SHARE, REMOVAL_SHARE, ADDITION_SHARE = 0.4, 0.3, 0.3  # of the martingale


class ConstrainedRule(NamedTuple):
    """The bets, and the evidence that each statement needs, in nats."""

    rule: Rule
    removal: float  # for an arm that no feasible arm dominates
    addition: float  # for a pair of arms of which one dominates the other


class BoxedRegion(NamedTuple):
    """A polyhedron, the half-spaces of a box, and work arrays."""

    normals: np.ndarray  # (m + 2 d, d) those of the box after those of the polyhedron
    offsets: np.ndarray  # (m + 2 d,) those of the box change
    metric: np.ndarray  # (d,) ones
    centre: np.ndarray  # (d,)
    closest: np.ndarray  # (d,)
    space: HalfSpaces


class ConstrainedLedger(NamedTuple):
    """Statements about K arms, and work arrays."""

    feasible: np.ndarray  # (K,) whether an arm is certainly feasible
    infeasible: np.ndarray  # (K,) whether an arm is certainly infeasible
    undominated: np.ndarray  # (K,) whether certainly no feasible arm dominates an arm
    dominates: np.ndarray  # (K, K) whether the feasible arm j certainly dominates the arm k
    excluded: np.ndarray  # (K, K) see `Ledger`
    rivals: np.ndarray  # (K,) see `Ledger`
    high: np.ndarray  # (1,)
    region: BoxedRegion


def constrained_rule(name, log_needed, n_arms):
    """Bets with the rule ``name``, at an error probability of exp(-log_needed)."""
    removal = log_needed + np.log((n_arms - 1) / REMOVAL_SHARE)
    addition = log_needed + np.log(n_arms * (n_arms - 1) / ADDITION_SHARE)
    return ConstrainedRule(make_rule(name, log_needed, n_arms), float(removal), float(addition))


def allocate_constrained_ledger(n_arms, normals, offsets):
    """Allocate a `ConstrainedLedger` without statements about arms in a polyhedron."""
    n_objectives = normals.shape[1]
    box = np.eye(n_objectives)
    rows, metric = np.concatenate([normals, box, -box]), np.ones(n_objectives)
    space = allocate_half_spaces(*rows.shape)
    set_metric(rows, metric, space)
    limits = np.append(offsets, np.zeros(2 * n_objectives))
    return ConstrainedLedger(
        *np.zeros((3, n_arms), np.bool_),
        *np.zeros((2, n_arms, n_arms), np.bool_),
        np.full(n_arms, -1),
        np.zeros(1, np.int64),
        BoxedRegion(rows, limits, metric, *np.zeros((2, n_objectives)), space),
    )


@kernel
def _is_disjoint(low, high, region):
    """Whether a bounded box is disjoint from the polyhedron: no point satisfies all rows."""
    first, n_objectives = region.normals.shape[0] - 2 * low.shape[0], low.shape[0]
    for c in range(n_objectives):
        if np.isinf(low[c]) or np.isinf(high[c]):
            return False
        region.centre[c] = 0.5 * (low[c] + high[c])
        region.offsets[first + c] = high[c]
        region.offsets[first + n_objectives + c] = -low[c]
    half_squares = project_again(
        region.normals, region.offsets, region.metric, region.centre, region.closest, region.space
    )
    return half_squares == np.inf


@kernel
def compare_with_region(low, high, region):
    """Whether a box lies within the polyhedron, and whether it is disjoint from it."""
    is_within = True
    for i in range(region.normals.shape[0] - 2 * low.shape[0]):
        least, most = 0.0, 0.0
        for c in range(low.shape[0]):
            slope = region.normals[i, c]
            if slope != 0.0:
                least += slope * (low[c] if slope > 0.0 else high[c])
                most += slope * (high[c] if slope > 0.0 else low[c])
        if least > region.offsets[i]:
            return False, True
        is_within = is_within and most <= region.offsets[i]
    return is_within, not is_within and _is_disjoint(low, high, region)


@kernel
def dominates_certainly(constrained, information, means, arm, rival, high):
    """Whether ``arm`` is certainly better than ``rival`` in every objective."""
    for c in range(means.shape[1]):
        if means[arm, c] <= means[rival, c]:
            return False
    for c in range(means.shape[1]):
        evidence = log_lead(constrained.rule, information, means, arm, rival, c, high)
        if evidence < constrained.addition:
            return False
    return True


@kernel
def is_undominated_by_feasible(constrained, information, means, arm, ledger):
    """Whether certainly no arm that may be feasible dominates ``arm``."""
    ledger.excluded[arm] = False
    rule, needed, harmless = constrained.rule, constrained.removal, ledger.infeasible
    high = ledger.high
    return is_undominated(rule, information, means, arm, arm, needed, harmless, ledger, high)


@kernel
def mark_feasible(low, high, ledger):
    """Mark arms whose boxes are within the region or disjoint from it, unless a box is empty."""
    low, high, ledger = lend(low), lend(high), lend(ledger)
    if (low > high).any():
        return
    for k in range(low.shape[0]):
        is_within, is_disjoint = compare_with_region(low[k], high[k], ledger.region)
        ledger.feasible[k] |= is_within
        ledger.infeasible[k] |= is_disjoint


@kernel
def certify_constrained(constrained, information, means, ledger):
    """Mark which feasible arms dominate, and which arms no feasible arm dominates."""
    constrained, information, means = lend(constrained), lend(information), lend(means)
    ledger, n_arms = lend(ledger), means.shape[0]
    for k in range(n_arms):
        for j in range(n_arms):
            if ledger.feasible[j] and j != k and not ledger.dominates[j, k]:
                ledger.dominates[j, k] = dominates_certainly(
                    constrained, information, means, j, k, ledger.high
                )
    for k in range(n_arms):
        if not ledger.undominated[k]:
            ledger.undominated[k] = is_undominated_by_feasible(
                constrained, information, means, k, ledger
            )
