"""What samples cost, and what a budget still pays for."""

import numpy as np

from pareto_core._checks import check_count, check_positive, shown

ROUNDING = 1e-9  # relative: a thousand samples at 0.1 cost 100


class Ledger:
    """Samples of each arm that were asked for, and a budget for their costs.

    Parameters
    ----------
    design : ExperimentDesign
    budget : float or None
        A number of samples, if the design has no costs.

    Attributes
    ----------
    budget : float or None
        As given, or as raised since.
    outstanding : ndarray of int, shape (K,)
        Samples asked for and not told yet.
    paid : ndarray of int, shape (K,)
        Samples asked for and told.

    Raises
    ------
    ValueError
        If the budget is not above 0, or without costs no integer.
    """

    def __init__(self, design, budget):
        self._design = design
        self.budget = None if budget is None else self._checked(budget)
        self.outstanding = np.zeros(design.n_arms, np.int64)
        self.paid = np.zeros(design.n_arms, np.int64)

    def _checked(self, budget):
        return (check_count if self._design.costs is None else check_positive)(budget, "budget")

    @property
    def spent(self):
        """Cost of all samples asked for."""
        return float(self._design.prices @ (self.paid + self.outstanding))

    def left(self):
        """What may still be spent."""
        return np.inf if self.budget is None else self.budget * (1 + ROUNDING) - self.spent

    def come_in(self, counts):
        """Count told samples of each arm, shape (K,), as those that are outstanding."""
        asked = np.minimum(counts, self.outstanding)
        self.outstanding -= asked
        self.paid += asked

    def price(self, course):
        """Cost of the samples that the algorithm wants next and that are not on their way."""
        arm = course.wanted()
        coming = len(course.queues[arm]) + self.outstanding[arm]
        return float(self._design.prices[arm] * max(course.missing() - coming, 0))

    def suffices(self, course):
        """Whether there is money for what the algorithm wants next."""
        return self.budget is None or self.price(course) <= max(self.left(), 0)

    def raise_to(self, budget):
        """Set a higher budget; see `Session.raise_budget`."""
        raised = self._checked(budget)
        if self.budget is None or raised <= self.budget:
            raise ValueError(f"budget = {shown(budget)}; expected more than {self.budget}")
        self.budget = raised
