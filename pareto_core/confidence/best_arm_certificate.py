"""Anytime-valid statements about the best arm of every objective, under any sampling."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.words import UnknownNoise
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.boxes import Boxes
from pareto_core.confidence.proven_rules import PAIRS, make_rule
from pareto_core.confidence.statement_evidence import log_lead, log_sum

__all__ = ["BestArmCertificate"]

BOX_SHARE = 0.1  # of the martingale, for intervals of the means


class BestArmCertificate:
    r"""Anytime-valid statements about the best arm of every objective.

    You may inspect them as often as you like, whatever chose the samples. They hold for any
    correlation between the objectives; see `Certificate`.

    Parameters
    ----------
    n_arms, n_objectives : int
        Numbers K and d.
    delta, standard_deviation
        See `Certificate`.

    Attributes
    ----------
    candidates : list of ndarray of int
        For each objective a set of arms that certainly contains a best arm.
    boxes : ndarray, shape (K, d, 2)
        Intervals that contain the means.
    is_contradicted : bool
        Whether the statements contradict each other: an objective has no candidate.

    Raises
    ------
    ValueError
        If ``n_arms`` is below 2 or ``n_objectives`` below 1, if ``delta`` is not in (0, 1), or if
        ``standard_deviation`` is not positive, not of an allowed shape or not "unknown".

    See Also
    --------
    Certificate : for the Pareto set
    ConstrainedCertificate : for the Pareto set of the feasible arms

    Notes
    -----
    For means :math:`\lambda`, let :math:`b_c` be the first of the best arms of objective c. It bets
    with share 1/(d(K-1)) against each other arm that its own mean exceeds its average and that the
    mean of the other arm is below its average, as in Theorem 6 of the appendix *Proofs*. An arm k
    ceases to be a candidate when the infima over all means with :math:`b_c=k`, summed over the
    other arms, exceed 1/delta. Under the true means the sum is a martingale, so that with
    probability 1 - delta it never exceeds 1/delta for any :math:`b_c` (Ville's inequality).

    References
    ----------
    Howard, Ramdas, McAuliffe & Sekhon 2021, Time-uniform, nonparametric, nonasymptotic confidence
    sequences, Annals of Statistics, doi:10.1214/20-AOS1991.

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
        """Intervals that contain the means, shape (K, d, 2)."""
        return self._boxes.ends

    @property
    def candidates(self) -> list[np.ndarray]:
        """For each objective a set of arms that certainly contains a best arm."""
        return [np.flatnonzero(each) for each in self._possible.T]

    def update(self, counts: ArrayLike, means: ArrayLike, scatter: ArrayLike | None = None) -> None:
        """Update all statements; see `Certificate.update`."""
        data = self._boxes.update(counts, means, scatter)
        if data is None:
            return
        _exclude(self._rule, *data, self._possible)
        self.is_contradicted |= self._boxes.are_empty or not self._possible.any(axis=0).all()


@kernel
def _is_outdone(rule, information, means, arm, c, needed, high):
    """Whether the arms with higher averages in objective c together refute that ``arm`` is best.

    Parameters
    ----------
    rule : Rule
    information, means : ndarray, shape (K, d)
    arm, c : int
    needed : float
        Evidence that is enough, in nats.
    high : ndarray of int, shape (1,)
        Work array. Modified in place.
    """
    total = -np.inf
    leader = means[:, c].argmax()  # first, because its evidence is usually enough
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
    """Mark in ``possible`` the arms that are certainly not the best of an objective."""
    n_arms, n_objectives = means.shape
    needed = rule.log_needed + np.log(n_objectives * (n_arms - 1.0))
    high = np.zeros(1, np.int64)
    for c in range(n_objectives):
        for k in range(n_arms):
            if possible[k, c]:
                possible[k, c] = not _is_outdone(rule, information, means, k, c, needed, high)
