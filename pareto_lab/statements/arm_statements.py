"""The statement about each arm and its reasons, in words, from what a certificate has proven."""

import numpy as np

from pareto_core.geometry.dominance import pareto_set
from pareto_lab.experiment.names import listed

OPTIMAL, DOMINATED, INFEASIBLE = "certainly optimal", "certainly dominated", "certainly infeasible"
BEST, NOT_BEST = "certainly best", "certainly not best"
NEAR = "equal within ε"  # certainly no arm is better by the accuracy in every objective
OPEN, RETIRED = "open", "retired"


def of_pareto_set(certificate, design, averages, epsilon=None):
    """Statement and reasons of each arm, if the question is the Pareto set."""
    statements, reasons = _all_open(design)
    statements[certificate.near_optimal] = NEAR
    statements[certificate.optimal] = OPTIMAL
    statements[certificate.dominated] = DOMINATED
    known = np.flatnonzero(~np.isnan(averages).any(axis=1))
    front = known[pareto_set(averages[known])] if known.size > 1 else known
    for k in known:
        above = front[_dominates(averages[front], averages[k])]
        if above.size:
            is_certain = statements[k] == DOMINATED
            words = "averages worse than those of" if is_certain else "looks dominated by"
            reasons[k] = f"{words} {_named(design, above)}"
    for k in certificate.near_optimal:
        lead = averages[k] - averages
        is_behind = (lead <= epsilon).all(axis=1) & (lead < -np.asarray(epsilon)).any(axis=1)
        if is_behind.any():
            ahead = _named(design, np.flatnonzero(is_behind))
            words = f"looks worse than {ahead} by more than ε somewhere, better by more nowhere"
            reasons[k] = "; ".join(filter(None, [reasons[k], words]))
    return statements, reasons


def of_remaining(certificate, design, averages):
    """Statement and reasons of each arm, if the question is the Pareto set of remaining arms."""
    averages = averages.copy()
    averages[certificate.retired] = np.nan
    statements, reasons = of_pareto_set(certificate, design, averages)
    statements[certificate.retired] = RETIRED
    return statements, reasons


def with_retirements(reasons, retirements):
    """The reasons of each arm, with those for which arms were retired."""
    found = reasons.copy()
    for each in retirements:
        counts = "retired, still counts" if each.still_counts else "no longer counts"
        found[each.arm] = "; ".join(filter(None, [found[each.arm], f"{counts}: {each.reason}"]))
    return found


def of_constrained(certificate, design, averages):
    """Statement and reasons of each arm, if the arms have to be feasible; all are certain."""
    statements, reasons = _all_open(design)
    parts = (DOMINATED, certificate.dominated), (INFEASIBLE, certificate.infeasible)
    for statement, arms in ((OPTIMAL, certificate.optimal), *parts):
        statements[arms] = statement
    feasible, infeasible = (
        set(each.tolist()) for each in (certificate.feasible, certificate.infeasible)
    )
    for k, above in enumerate(certificate.dominators):
        words = ["feasible"] * (k in feasible) + ["infeasible"] * (k in infeasible)
        words += [f"dominated by {_named(design, above)}"] * bool(above.size)
        words += ["not dominated"] * (statements[k] == OPTIMAL)
        reasons[k] = "; ".join(words)
    return statements, reasons


def of_best_arms(certificate, design, averages):
    """Statement and reasons of each arm, if the question is the best arm of every objective."""
    statements, reasons = _all_open(design)
    possible = np.zeros(averages.shape, bool)
    for c, arms in enumerate(certificate.candidates):
        possible[arms, c] = True
    settled = possible.sum(axis=0) == 1
    statements[~possible.any(axis=1)] = NOT_BEST
    statements[(possible & settled).any(axis=1)] = BEST
    for k, each in enumerate(possible):
        best, candidate = (
            [design.objectives[c] for c in np.flatnonzero(each & some)]
            for some in (settled, ~settled)
        )
        words = [f"best: {listed(best)}"] * bool(best)
        words += [f"candidate: {listed(candidate)}"] * bool(candidate)
        reasons[k] = "; ".join(words)
    return statements, reasons


def _all_open(design):
    """Statements and reasons before anything is known."""
    return np.full(design.n_arms, OPEN, dtype=object), np.full(design.n_arms, "", dtype=object)


def _dominates(points, point):
    """Which points dominate a point."""
    return (points >= point).all(axis=1) & (points > point).any(axis=1)


def _named(design, arms):
    return listed([design.arms[k] for k in arms])
