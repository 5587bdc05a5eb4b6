"""Anytime-valid statements about each arm, with reasons, if the means must lie in a polyhedron."""

import numpy as np
import scipy  # its parts are imported when they are used
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice
from pareto_core.checks.words import RuleName, UnknownNoise
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.boxes import Boxes
from pareto_core.confidence.proven_rules import JOINT, RULES, make_rule
from pareto_core.confidence.statement_evidence import log_lead, log_removal
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron

__all__ = ["ConstrainedCertificate"]

BOX_SHARE, REMOVAL_SHARE, ADDITION_SHARE = 0.4, 0.3, 0.3  # of the martingale
EMPTY = 2  # SciPy's status of an infeasible linear program


class ConstrainedCertificate:
    r"""Anytime-valid statements about the Pareto set of the feasible arms.

    You may inspect them as often as you like, whatever chose the samples; see `Certificate`.

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
        Arms whose means certainly lie in the polyhedron, and arms whose means certainly do not.
    dominators : list of ndarray of int
        For each arm the certainly feasible arms that certainly dominate it.
    optimal : ndarray of int
        Arms that are certainly feasible and not dominated by a feasible arm.
    dominated : ndarray of int
        Arms with a dominator; they may be infeasible too.
    open : ndarray of int
        Arms that are not known to be optimal, dominated or infeasible.
    boxes : ndarray, shape (K, d, 2)
        Intervals that contain the means.
    is_contradicted : bool
        Whether the statements contradict each other.

    Raises
    ------
    ValueError
        If ``polyhedron`` is not a `Polyhedron` in d dimensions, or if another argument is invalid,
        see `Certificate`.

    See Also
    --------
    Certificate : without constraints
    partition_cost : the cost of refuting a partition

    Notes
    -----
    An arm is certainly feasible if its box lies within the polyhedron, and certainly infeasible if
    its box is disjoint from it. This is true as long as all boxes contain their means. For means
    :math:`\lambda`, each dominated arm k bets with share 1/(K-1) that a feasible arm j(k) dominates
    it (the bet of ``statement_evidence.log_removal``; at least one feasible arm is not dominated),
    and each pair (j, k) bets with share 1/(K(K-1)) on an objective in which j is not better than k,
    if such an objective exists (``statement_evidence.log_lead``). Under the true means the weighted
    sum of these bets and the bets on boxes is a martingale that starts at 1 or less. At the first
    wrong statement it is at least 1/delta, which has probability at most delta by Ville's
    inequality.

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
        """Arms whose means certainly lie outside the polyhedron."""
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
        """Arms that are not known to be optimal, dominated or infeasible."""
        known = [*self.optimal, *self.dominated, *self.infeasible]
        return np.setdiff1d(np.arange(self._feasible.size), known)

    def _reasons(self):
        """Whether arm j is feasible and dominates arm k, shape (K, K)."""
        return self._dominates & self._feasible[:, None]

    def update(self, counts: ArrayLike, means: ArrayLike, scatter: ArrayLike | None = None) -> None:
        """Update all statements; see `Certificate.update`."""
        data = self._boxes.update(counts, means, scatter)
        if data is None:
            return
        self.is_contradicted |= self._boxes.are_empty
        if not self._boxes.are_empty:
            self._mark_feasibility()
        _mark_dominance(self._rule, *data, self._feasible, self._dominates)
        _mark_undominated(self._rule, *data, self._infeasible, self._undominated, self._rivals)
        self.is_contradicted |= bool(
            (self._feasible & self._infeasible).any()
            or (self._undominated & self._reasons().any(axis=0)).any()
            or (self._dominates & self._dominates.T).any()
        )

    def _mark_feasibility(self):
        """Mark the arms whose boxes lie within the polyhedron, and those whose boxes miss it."""
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
    """Whether a box, each end of shape (d,), is disjoint from the polyhedron."""
    bounds = np.column_stack([low, high])
    found = scipy.optimize.linprog(
        np.zeros(low.size), A_ub=polyhedron.normals, b_ub=polyhedron.offsets, bounds=bounds
    )
    return found.status == EMPTY


@kernel
def dominates_certainly(rule, information, means, arm, rival, needed, high):
    """Whether ``arm`` is certainly better than ``rival`` in every objective.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    arm, rival : int
    needed : float
        Evidence that is enough, in nats.
    high : ndarray of int, shape (1,)
        Work array. Modified in place.
    """
    for c in range(means.shape[1]):
        if means[arm, c] <= means[rival, c]:
            return False
    for c in range(means.shape[1]):
        if log_lead(rule, information, means, arm, rival, c, high) < needed:
            return False
    return True


@kernel
def _mark_dominance(rule, information, means, feasible, dominates):
    """Mark the pairs (j, k) for which the feasible arm j certainly dominates k."""
    n_arms = means.shape[0]
    needed = rule.log_needed + np.log(n_arms * (n_arms - 1) / ADDITION_SHARE)
    high = np.zeros(1, np.int64)
    for j in range(n_arms):
        for k in range(n_arms):
            if feasible[j] and j != k and not dominates[j, k]:
                dominates[j, k] = dominates_certainly(rule, information, means, j, k, needed, high)


@kernel
def is_undominated(rule, information, means, arm, infeasible, needed, rivals):
    """Whether certainly no arm that may be feasible dominates ``arm``.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    arm : int
    infeasible : ndarray of bool, shape (K,)
        Arms that are certainly infeasible.
    needed : float
        Evidence that is enough, in nats.
    rivals : ndarray of int, shape (K,)
        Modified in place: a rival that may dominate ``arm``, which is examined first next time.
    """
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
    """Mark the arms that certainly no feasible arm dominates.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    infeasible : ndarray of bool, shape (K,)
    undominated : ndarray of bool, shape (K,)
        Modified in place.
    rivals : ndarray of int, shape (K,)
        See `is_undominated`. Modified in place.
    """
    needed = rule.log_needed + np.log((means.shape[0] - 1) / REMOVAL_SHARE)
    for k in range(means.shape[0]):
        if not undominated[k]:
            undominated[k] = is_undominated(rule, information, means, k, infeasible, needed, rivals)
