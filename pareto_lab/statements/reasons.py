"""What a certificate says of each arm, in words."""

import numpy as np

from pareto_core.geometry.dominance import pareto_set
from pareto_lab.experiment.names import listed

OPTIMAL, DOMINATED, INFEASIBLE = "certainly optimal", "certainly dominated", "certainly infeasible"
BEST, NOT_BEST = "certainly best", "certainly not best"
OPEN = "open"


def of_pareto_set(certificate, design, averages):
    """Statement and reasons of each arm, if the Pareto set is asked for.

    Parameters
    ----------
    certificate : Certificate
    design : ExperimentDesign
    averages : ndarray, shape (K, d)
        Larger is better; NaN for an arm without rewards.

    Returns
    -------
    said, why : ndarray of str, shape (K,)
        The reasons are by which arms of the empirical front it looks dominated; of these alone
        nothing is certain.
    """
    said, why = _all_open(design)
    said[certificate.optimal], said[certificate.dominated] = OPTIMAL, DOMINATED
    known = np.flatnonzero(~np.isnan(averages[:, 0]))
    front = known[pareto_set(averages[known])] if known.size > 1 else known
    for k in known:
        above = front[_is_above(averages[front], averages[k])]
        why[k] = f"looks dominated by {_named(design, above)}" if above.size else ""
    return said, why


def of_constrained(certificate, design, averages):
    """The same, if the arms have to be feasible; these reasons are certain."""
    said, why = _all_open(design)
    parts = (DOMINATED, certificate.dominated), (INFEASIBLE, certificate.infeasible)
    for statement, arms in ((OPTIMAL, certificate.optimal), *parts):
        said[arms] = statement
    feasible, infeasible = (
        set(each.tolist()) for each in (certificate.feasible, certificate.infeasible)
    )
    for k, above in enumerate(certificate.dominators):
        words = ["feasible"] * (k in feasible) + ["infeasible"] * (k in infeasible)
        words += [f"dominated by {_named(design, above)}"] * bool(above.size)
        words += ["not dominated"] * (said[k] == OPTIMAL)
        why[k] = "; ".join(words)
    return said, why


def of_best_arms(certificate, design, averages):
    """The same, if the best arm of every objective is asked for."""
    said, why = _all_open(design)
    possible = np.zeros(averages.shape, bool)
    for c, arms in enumerate(certificate.candidates):
        possible[arms, c] = True
    alone = possible.sum(axis=0) == 1
    said[~possible.any(axis=1)] = NOT_BEST
    said[(possible & alone).any(axis=1)] = BEST
    for k, each in enumerate(possible):
        best, candidate = (
            [design.objectives[c] for c in np.flatnonzero(each & some)] for some in (alone, ~alone)
        )
        words = [f"best: {listed(best)}"] * bool(best)
        words += [f"candidate: {listed(candidate)}"] * bool(candidate)
        why[k] = "; ".join(words)
    return said, why


def _all_open(design):
    """Statement and reasons of each arm, as long as nothing is known."""
    return np.full(design.n_arms, OPEN, dtype=object), np.full(design.n_arms, "", dtype=object)


def _is_above(points, point):
    """Which points dominate a point."""
    return (points >= point).all(axis=1) & (points > point).any(axis=1)


def _named(design, arms):
    return listed([design.arms[k] for k in arms])
