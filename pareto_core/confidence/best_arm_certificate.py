"""Which arms may still be the best of each objective, at any time and whatever was sampled."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.words import UnknownNoise
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.boxes import Boxes
from pareto_core.confidence.proven_rules import PAIRS, log_lead, log_sum, make_rule

__all__ = ["BestArmCertificate"]

BOX_SHARE = 0.1  # of the martingale, for intervals of the means


class BestArmCertificate:
    r"""Statements about the best arm of every objective that are certain at any time.

    They may be looked at as often as one likes, whatever was sampled, and hold for any correlation
    between the objectives; see `Certificate`.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d.
    delta, standard_deviation
        See `Certificate`.

    Attributes
    ----------
    candidates : list of ndarray of int
        For each objective arms of which one is certainly a best one.
    boxes : ndarray, shape (K, d, 2)
        Intervals that hold the means.
    is_contradicted : bool
        Whether the statements contradict each other: an objective has no candidate.

    Raises
    ------
    ValueError
        If an argument is out of range or does not fit.

    Notes
    -----
    For means :math:`\lambda`, let :math:`b_c` be the first of the best arms of objective c. It bets
    with share 1/(d(K-1)) against each other arm that its own mean is higher than it looks and the
    other's is lower, as in Theorem 6 of the appendix *Proofs*. An arm k ceases to be a candidate
    when the infima over all means with :math:`b_c=k`, summed over the other arms, pass 1/delta;
    under the true means the sum is a martingale, so that with probability 1 - delta no
    :math:`b_c` ever does (Ville's inequality).

    Examples
    --------
    >>> import pareto_core as pc
    >>> certificate = pc.BestArmCertificate(n_arms=3, n_objectives=2)
    >>> certificate.update([90, 90, 90], [[1.0, 0.9], [0.0, 1.0], [-0.5, -0.5]])
    >>> certificate.candidates
    [array([0]), array([0, 1])]
    """

    def __init__(
        self,
        n_arms: int,
        n_objectives: int,
        delta: float = 0.1,
        standard_deviation: ArrayLike | UnknownNoise = 1.0,
    ) -> None:
        self._boxes = Boxes(n_arms, n_objectives, delta, BOX_SHARE, standard_deviation)
        self._rule = make_rule(PAIRS, self._boxes.log_needed - np.log1p(-BOX_SHARE), n_arms)
        self._possible = np.ones((n_arms, n_objectives), np.bool_)
        self.is_contradicted = False

    @property
    def boxes(self) -> np.ndarray:
        """Intervals that hold the means, shape (K, d, 2)."""
        return self._boxes.ends

    @property
    def candidates(self) -> list[np.ndarray]:
        """For each objective arms of which one is certainly a best one."""
        return [np.flatnonzero(each) for each in self._possible.T]

    def update(self, counts: ArrayLike, means: ArrayLike, scatter: ArrayLike | None = None) -> None:
        """Look at the data; see `Certificate.update`."""
        seen = self._boxes.look(counts, means, scatter)
        if seen is None:
            return
        _exclude(self._rule, *seen, self._possible)
        self.is_contradicted |= self._boxes.are_empty or not self._possible.any(axis=0).all()


@kernel
def _is_outdone(rule, information, means, arm, c, needed, high):
    """Whether the arms that look better in objective c are, together, certainly so."""
    total = -np.inf
    leader = means[:, c].argmax()  # first: its evidence is likely enough
    for i in range(-1, means.shape[0]):
        rival = leader if i < 0 else i
        if i != leader and means[rival, c] > means[arm, c]:
            evidence = log_lead(rule, information, means, rival, arm, c, high)
            total = log_sum(total, evidence)
            if total >= needed:
                return True
    return False


@kernel
def _exclude(rule, information, means, possible):
    """Note the arms that are certainly not the best of an objective."""
    n_arms, n_objectives = means.shape
    needed = rule.log_needed + np.log(n_objectives * (n_arms - 1.0))
    high = np.zeros(1, np.int64)
    for c in range(n_objectives):
        for k in range(n_arms):
            if possible[k, c]:
                possible[k, c] = not _is_outdone(rule, information, means, k, c, needed, high)
