"""What certificates have in common: intervals, checked data, and arms with a certain status."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.confidence.ledger import allocate_ledger


class Statements:
    """Intervals of the means, and updates of statements by data that were checked.

    A certificate writes its statements in ``_certify``, which returns whether they contradict each
    other.
    """

    def __init__(self, boxes):
        self._boxes = boxes
        self.is_contradicted = False

    @property
    def boxes(self) -> np.ndarray:
        """Intervals that contain the means, shape (K, d, 2)."""
        return self._boxes.ends

    def update(self, counts: ArrayLike, means: ArrayLike, scatter: ArrayLike | None = None) -> None:
        """Update all statements with the data so far.

        Parameters
        ----------
        counts : array_like of int, shape (K,) or (K, d)
            Samples of each arm so far, or values of each arm and objective if some are missing. A
            value may not be missing because of what it is; if the objectives are correlated,
            which of them are observed must be fixed before a value of the sample is seen.
        means : array_like, shape (K, d)
            Averages of these values; ignored where nothing was observed.
        scatter : array_like, shape (K, d), optional
            Sums of squares about the averages; required if the variance is unknown.

        Raises
        ------
        ValueError
            If ``counts``, ``means`` or ``scatter`` has the wrong shape, is not finite or is
            negative where it must not be, if an arm has fewer samples than before, if ``scatter``
            is missing although a variance is unknown, or if a mean without noise has changed.
        """
        data = self._boxes.update(counts, means, scatter)
        if data is not None:
            self.is_contradicted |= bool(self._certify(*data)) or self._boxes.are_empty


class ParetoStatements(Statements):
    """Statements about the Pareto set of the remaining arms, which are all unless some retire."""

    def __init__(self, boxes, n_rows):
        super().__init__(boxes)
        self._n_arms, n_objectives, _ = boxes.ends.shape
        self._ledger = allocate_ledger(self._n_arms, n_objectives, n_rows)

    def _remaining(self, marks):
        """Remaining arms that are marked."""
        return np.flatnonzero((marks & self._ledger.work.remaining)[: self._n_arms])

    @property
    def optimal(self) -> np.ndarray:
        """Arms that are certainly Pareto optimal."""
        return self._remaining(self._ledger.undominated)

    @property
    def dominated(self) -> np.ndarray:
        """Arms that are certainly dominated."""
        return self._remaining(self._ledger.dominated)

    @property
    def open(self) -> np.ndarray:
        """Arms that are neither certainly optimal nor certainly dominated."""
        return self._remaining(~(self._ledger.undominated | self._ledger.dominated))

    @property
    def is_decided(self) -> bool:
        """Whether no arm is open."""
        return self.open.size == 0
