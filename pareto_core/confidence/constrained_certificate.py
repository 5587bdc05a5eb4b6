"""What is certain about each arm, and why, if the means have to lie in a polyhedron."""

import numpy as np
import scipy  # its parts are imported when they are used
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice
from pareto_core.checks.words import RuleName, UnknownNoise
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.boxes import Boxes
from pareto_core.confidence.proven_rules import JOINT, RULES, log_lead, log_removal, make_rule
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron

__all__ = ["ConstrainedCertificate"]

BOX_SHARE, REMOVAL_SHARE, ADDITION_SHARE = 0.4, 0.3, 0.3  # of the martingale
EMPTY = 2  # status of a linear program that no point satisfies


class ConstrainedCertificate:
    r"""Statements about the Pareto set of the feasible arms that are certain at any time.

    They may be looked at as often as one likes, whatever was sampled; see `Certificate`.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d.
    polyhedron : Polyhedron
        The feasible region.
    delta, rule, standard_deviation
        See `Certificate`.

    Attributes
    ----------
    feasible, infeasible : ndarray of int
        Arms whose means certainly lie in the polyhedron, and certainly do not.
    dominators : list of ndarray of int
        For each arm the certainly feasible arms that certainly dominate it.
    optimal : ndarray of int
        Arms that are certainly feasible and not dominated by a feasible arm.
    dominated : ndarray of int
        Arms with a dominator; they may be infeasible too.
    open : ndarray of int
        Arms that are certainly none of optimal, dominated and infeasible.
    boxes : ndarray, shape (K, d, 2)
        Intervals that hold the means.
    is_contradicted : bool
        Whether the statements contradict each other.

    Raises
    ------
    ValueError
        If an argument is out of range or does not fit.

    Notes
    -----
    An arm is certainly feasible if its box lies within the polyhedron, and infeasible if it misses
    it: right as long as all boxes are. For means :math:`\lambda`, each dominated arm k bets with
    share 1/(K-1) that a feasible arm j(k) of its choice does dominate it (the bet of
    ``proven_rules.log_removal``; at least one feasible arm is not dominated), and each pair (j, k)
    bets with share 1/(K(K-1)) on an objective in which j is not better than k, if there is one
    (``proven_rules.log_lead``). Under the true means the weighted sum of these and the bets on
    boxes is a martingale that starts at 1 or less, and at the first wrong statement it is at least
    1/delta, which by Ville's inequality has probability delta at most.

    Examples
    --------
    >>> import pareto_core as pc
    >>> region = pc.orthant([0.0, 0.0])
    >>> certificate = pc.ConstrainedCertificate(3, 2, region)
    >>> certificate.update([900, 900, 900], [[1.0, 1.0], [0.5, 0.5], [2.0, -1.0]])
    >>> certificate.optimal, certificate.dominators[1], certificate.infeasible
    (array([0]), array([0]), array([2]))
    """

    def __init__(
        self,
        n_arms: int,
        n_objectives: int,
        polyhedron: Polyhedron,
        delta: float = 0.1,
        rule: RuleName = JOINT,
        standard_deviation: ArrayLike | UnknownNoise = 1.0,
    ) -> None:
        check_choice(rule, "rule", RULES)
        self._boxes = Boxes(n_arms, n_objectives, delta, BOX_SHARE, standard_deviation)
        self._polyhedron = check_polyhedron(polyhedron, n_objectives)
        self._rule = make_rule(rule, self._boxes.log_needed, n_arms)
        self._feasible, self._infeasible, self._undominated = np.zeros((3, n_arms), np.bool_)
        self._dominates = np.zeros((n_arms, n_arms), np.bool_)
        self._rivals = np.full(n_arms, -1)
        self.is_contradicted = False

    @property
    def boxes(self) -> np.ndarray:
        """Intervals that hold the means, shape (K, d, 2)."""
        return self._boxes.ends

    @property
    def feasible(self) -> np.ndarray:
        """Arms whose means certainly lie in the polyhedron."""
        return np.flatnonzero(self._feasible)

    @property
    def infeasible(self) -> np.ndarray:
        """Arms whose means certainly lie outside."""
        return np.flatnonzero(self._infeasible)

    @property
    def dominators(self) -> list[np.ndarray]:
        """For each arm the certainly feasible arms that certainly dominate it."""
        return [np.flatnonzero(each) for each in self._reasons().T]

    @property
    def optimal(self) -> np.ndarray:
        """Arms that are certainly feasible and not dominated by a feasible arm."""
        return np.flatnonzero(self._feasible & self._undominated)

    @property
    def dominated(self) -> np.ndarray:
        """Arms with a dominator."""
        return np.flatnonzero(self._reasons().any(axis=0))

    @property
    def open(self) -> np.ndarray:
        """Arms that are certainly none of optimal, dominated and infeasible."""
        known = [*self.optimal, *self.dominated, *self.infeasible]
        return np.setdiff1d(np.arange(self._feasible.size), known)

    def _reasons(self):
        """Whether arm j is feasible and dominates arm k, shape (K, K)."""
        return self._dominates & self._feasible[:, None]

    def update(self, counts: ArrayLike, means: ArrayLike, scatter: ArrayLike | None = None) -> None:
        """Look at the data; see `Certificate.update`."""
        seen = self._boxes.look(counts, means, scatter)
        if seen is None:
            return
        self.is_contradicted |= self._boxes.are_empty
        if not self._boxes.are_empty:
            self._look_at_boxes()
        _mark_dominance(self._rule, *seen, self._feasible, self._dominates)
        _mark_undominated(self._rule, *seen, self._infeasible, self._undominated, self._rivals)
        self.is_contradicted |= bool(
            (self._feasible & self._infeasible).any()
            or (self._undominated & self._reasons().any(axis=0)).any()
            or (self._dominates & self._dominates.T).any()
        )

    def _look_at_boxes(self):
        """Note which boxes lie within the polyhedron, and which miss it."""
        low, high = self._boxes.ends[..., 0], self._boxes.ends[..., 1]
        normals, offsets = self._polyhedron.normals, self._polyhedron.offsets
        self._feasible |= (_largest(normals, low, high) <= offsets).all(axis=1)
        self._infeasible |= (-_largest(-normals, low, high) > offsets).any(axis=1)
        bounded = np.isfinite(low).all(axis=1)
        doubtful = np.flatnonzero(bounded & ~self._feasible & ~self._infeasible)
        if doubtful.size:
            nearest = self._polyhedron.project(0.5 * (low[doubtful] + high[doubtful]))
            apart = ((nearest < low[doubtful]) | (nearest > high[doubtful])).any(axis=1)
            for k in doubtful[apart]:
                self._infeasible[k] = _misses(self._polyhedron, low[k], high[k])


def _largest(normals, low, high):
    """Largest product of each normal with a point of each box, shape (K, n)."""
    ends = np.where(normals > 0, high[:, None], low[:, None])
    return np.multiply(normals, ends, out=np.zeros_like(ends), where=normals != 0).sum(axis=2)


def _misses(polyhedron, low, high):
    """Whether a box, each end of shape (d,), has no point in common with the polyhedron."""
    bounds = np.column_stack([low, high])
    found = scipy.optimize.linprog(
        np.zeros(low.size), A_ub=polyhedron.normals, b_ub=polyhedron.offsets, bounds=bounds
    )
    return found.status == EMPTY


@kernel
def _dominates_certainly(rule, information, means, arm, rival, needed, high):
    """Whether ``arm`` is certainly better than ``rival`` in every objective."""
    for c in range(means.shape[1]):
        if means[arm, c] <= means[rival, c]:
            return False
    for c in range(means.shape[1]):
        if log_lead(rule, information, means, arm, rival, c, high) < needed:
            return False
    return True


@kernel
def _mark_dominance(rule, information, means, feasible, dominates):
    """Note the pairs of which the first, a feasible arm, certainly dominates the second."""
    n_arms = means.shape[0]
    needed = rule.log_needed + np.log(n_arms * (n_arms - 1) / ADDITION_SHARE)
    high = np.zeros(1, np.int64)
    for j in range(n_arms):
        for k in range(n_arms):
            if feasible[j] and j != k and not dominates[j, k]:
                dominates[j, k] = _dominates_certainly(rule, information, means, j, k, needed, high)


@kernel
def _is_undominated(rule, information, means, arm, infeasible, needed, rivals):
    """Whether no other arm that may be feasible can dominate ``arm``; notes the first that can."""
    high = np.zeros(1, np.int64)
    last = rivals[arm]
    if last >= 0 and not infeasible[last]:
        if log_removal(rule, information, means, arm, last, high) < needed:
            return False
    for j in range(means.shape[0]):
        if j != arm and not infeasible[j]:
            if log_removal(rule, information, means, arm, j, high) < needed:
                rivals[arm] = j
                return False
    return True


@kernel
def _mark_undominated(rule, information, means, infeasible, undominated, rivals):
    """Note the arms that certainly no feasible arm dominates."""
    needed = rule.log_needed + np.log((means.shape[0] - 1) / REMOVAL_SHARE)
    for k in range(means.shape[0]):
        if not undominated[k]:
            undominated[k] = _is_undominated(
                rule, information, means, k, infeasible, needed, rivals
            )
