"""Ties that no number of samples decides: the characteristic time is infinite.

The test is exact and needs no optimisation. It is False for a question that the package does not
know, and for means that are not linear in the features.
"""

import numpy as np

from pareto_core.geometry.dominance import write_front
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_core.regression.least_squares import linear_points


def is_undecidable(means, question, polyhedron=None, features=None):
    """Whether each right answer is wrong after an arbitrarily small change of the means."""
    if features is not None and not _are_linear(means, features):
        return False
    if question is BEST_ARMS:
        return bool(((means == means.max(axis=0)).sum(axis=0) > 1).any())
    if question is PARETO_SET and features is not None:  # arms of equal features stay equal
        return _has_ties(np.unique(np.column_stack([means, features]), axis=0)[:, : means.shape[1]])
    if question is PARETO_SET:
        return _has_ties(means)
    if question in (CONSTRAINED_PARETO_SET, PARTITION):  # all other arms are clearly infeasible
        return _has_ties(means[polyhedron.contains(means)], polyhedron)
    return False


def _are_linear(means, features):
    """Whether the means are linear in the features."""
    try:
        linear_points(means, features)
    except ValueError:
        return False
    return True


def _has_ties(means, polyhedron=None):
    """Whether optimal arms are equal or on the boundary, or others not below in all objectives."""
    front = np.empty(len(means), np.int64)
    front = front[: write_front(means, front)]
    optimal, rest = means[front], np.delete(means, front, axis=0)
    if polyhedron is not None:
        is_limit = polyhedron.A.any(axis=1)
        if (optimal @ polyhedron.A.T == polyhedron.b)[:, is_limit].any():
            return True
    for best in optimal:
        rest = rest[(rest >= best).any(axis=1)]
    return rest.size > 0 or len(np.unique(optimal + 0.0, axis=0)) < len(optimal)
