"""What samples cost, and what a budget still pays for."""

import warnings

import numpy as np

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import check_count, check_positive, shown
from pareto_core.confidence.boxes import UNKNOWN
from pareto_core.confidence.first_statement import least_samples

MOST_OUTSTANDING = 100_000  # samples that may be asked for and not told yet
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

    def refuse_too_small(self, course, algorithm):
        """Refuse a budget that does not pay for what an algorithm samples first.

        Raises
        ------
        ValueError
            If it does not.
        """
        if not self.suffices(course):
            raise ValueError(
                f"budget = {self.budget}; expected at least {self.price(course):g}, the cost of "
                f"what {type(algorithm).__name__} samples first"
            )

    def raise_to(self, budget):
        """Set a higher budget; see `Session.raise_budget`."""
        raised = self._checked(budget)
        if self.budget is None or raised <= self.budget:
            raise ValueError(f"budget = {shown(budget)}; expected more than {self.budget}")
        self.budget = raised


def warn_of_hopeless(ledger, algorithm, design):
    """Warn of a budget that is too small for an answer, unless `Session.tell_all` adds rewards.

    With features an arm may be judged without samples of its own. If the algorithm has to estimate
    the noise, one sample of each arm and then the cheapest samples are counted.
    """
    if ledger.budget is None or design.features is not None:
        return
    cost = float(design.prices.sum())
    reason = f"one sample of each of the {design.n_arms} arms costs {cost:g}"
    if isinstance(algorithm, Certified) and algorithm.variance == UNKNOWN:
        least = least_samples(np.ones(design.n_arms), design.n_objectives, algorithm.delta)
        cost += float((least - design.n_arms) * design.prices.min())
        reason = (
            "with an unknown standard deviation nothing can be said before about "
            f"{least} samples, which cost {cost:g} or more"
        )
    if ledger.left() < cost:
        warnings.warn(
            f"budget = {ledger.budget:g}, but {reason}: unless tell_all adds rewards, this session "
            "will not have an answer with a guarantee",
            UserWarning,
            stacklevel=3,
        )
