"""Changes of the set of arms while an experiment runs: arms that leave."""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import check_count, check_flag, shown
from pareto_core.confidence.certificates import Certificate, SubsetCertificate
from pareto_core.confidence.proven_rules import JOINT
from pareto_lab.experiment.missing_values import means_and_scatter, observed_counts
from pareto_lab.experiment.mixed_noise import deviation_for_joint, stated_deviation
from pareto_lab.experiment.names import LONGEST_REASON

__all__ = ["Retirement"]

PLENTY = 2**40  # samples of an arm: as if its mean were known


class Retirement(NamedTuple):
    """The record of an arm that is no longer sampled.

    Attributes
    ----------
    arm : str or int
        The arm.
    reason : str
        In the caller's words.
    still_counts : bool
        Whether the statements are about the Pareto set with this arm; see `Session.retire`.
    samples : int
        Rewards of all arms that the algorithm had used by then. A withdrawal may lower it.

    See Also
    --------
    Session.retire

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(pc.Certified(), 3, 1, 1.0)
    >>> session.retire(2, "no longer sold", still_counts=True)
    >>> session.retired
    [Retirement(arm=2, reason='no longer sold', still_counts=True, samples=0)]
    """

    arm: str | int
    reason: str
    still_counts: bool
    samples: int


def check_retirement(ledger, number, reason, still_counts):
    """Check the arguments of a retirement.

    Raises
    ------
    ValueError
        If one of them is invalid, the arm is retired already, or the algorithm is no `Certified`.
    """
    is_text = isinstance(reason, str) and reason.strip() and reason.isprintable()
    if not is_text or len(reason) > LONGEST_REASON:
        raise ValueError(
            f"reason = {shown(reason)}; expected a printable str of 1 to {LONGEST_REASON} "
            "characters"
        )
    check_flag(still_counts, "still_counts")
    if not isinstance(ledger.algorithm, Certified):
        raise ValueError(
            f"algorithm = {ledger.algorithm!r}, which cannot avoid an arm; expected "
            "pc.Certified(algorithm), whose guarantee holds for any sampling"
        )
    if any(each.arm == number for each in ledger.queued_run.retirements):
        raise ValueError(f"arm = {shown(ledger.design.arms[number])} is retired already")


def as_saved(retirements):
    """Retirements of arms by number, as a session file stores them."""
    return [list(each) for each in retirements]


def restored_retirements(saved, design):
    """Retirements of arms by number from a session file.

    Raises
    ------
    ValueError
        If a value is invalid.
    """
    if not isinstance(saved, list):
        raise ValueError(f"retired = {shown(saved)}; expected a list")
    return [
        Retirement(
            check_count(arm, "arm", 0, design.n_arms - 1),
            reason,
            still_counts,
            check_count(samples, "samples", at_least=0),
        )
        for arm, reason, still_counts, samples in saved
    ]


def remaining_arms(ledger):
    """Whether the question is about each arm, shape (K,)."""
    remaining = np.ones(ledger.design.whole.n_arms, bool)
    for each in ledger.queued_run.retirements:
        remaining[each.arm] = each.still_counts
    return remaining


def is_nothing_left(ledger):
    """Whether no further sample could decide an arm, because of arms that are retired.

    Each open arm is given the best chance: its own mean and those of the others lie at the ends of
    their intervals that favour a decision, and the arms that may be sampled have very many
    samples. Until each of these has an interval, the answer is always False. The result is a
    function of the rewards told, whatever was certain before.

    Parameters
    ----------
    ledger : Ledger
        Of a `Certified` algorithm, if any arm is retired.
    """
    retired = [each.arm for each in ledger.queued_run.retirements if each.still_counts]
    if not retired:
        return False
    data, sampled = _Data(ledger), np.ones(ledger.design.n_arms, bool)
    sampled[[each.arm for each in ledger.queued_run.retirements]] = False
    now = data.certificate(data.counts, data.means)
    if not np.isfinite(now.boxes[sampled]).all():
        return False
    counts = np.where(sampled[:, None], PLENTY, data.counts)
    low, high = (
        np.where(sampled[:, None], ends, data.means) for ends in np.moveaxis(now.boxes, 2, 0)
    )
    for arm in now.open:
        up, down = low.copy(), high.copy()
        up[arm], down[arm] = high[arm], low[arm]
        if arm in data.certificate(counts, up).optimal:
            return False
        if arm in data.certificate(counts, down).dominated:
            return False
    return True


class _Data:
    """The rewards told, and certificates at the algorithm's risk that begin anew."""

    def __init__(self, ledger):
        design, rewards = ledger.design, ledger.told()
        self._design, self._algorithm = design, ledger.algorithm
        self._gone = np.flatnonzero(~remaining_arms(ledger))
        self.counts = observed_counts(rewards, design.n_objectives)
        means, self._scatter = means_and_scatter(rewards, self.counts)
        self.means = means * np.sign(design.scale)

    def certificate(self, counts, means):
        """The statements after this many samples with these averages and this scatter."""
        design, algorithm = self._design, self._algorithm
        kind = SubsetCertificate if algorithm.is_for_subsets else Certificate
        noise = stated_deviation(design)
        if algorithm.bets == JOINT and design.is_correlated:
            noise = deviation_for_joint(design)
        found = kind(design.n_arms, design.n_objectives, algorithm.delta, algorithm.bets, noise)
        for arm in self._gone:
            found.retire(int(arm))
        growth = counts.sum() / max(self.counts.sum(), 1)
        found.update(counts, means, self._scatter * growth)
        return found
