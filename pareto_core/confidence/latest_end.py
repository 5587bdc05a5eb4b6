r"""The number of samples at which a rule with an accuracy stops, whatever the data are.

Whatever the averages are, every pair of arms that the rule compares has a lead of at least a share
of :math:`\varepsilon_c` in some objective, or in all. With a lead b, at least n samples of both
arms, and :math:`nb^2\ge4`, the bets of a pair gain at least a number that depends on n and b
alone (the appendix *Proofs*, Theorem 11):

.. math::
    \inf_{N,N'\ge n}\inf_xf_q(N,x)\,f_{q'}(N',b-x)\ge\min\Bigl\{
    (1-q)\,f_{q'}\bigl(n,b-\tfrac1{\sqrt n}\bigr),\;
    (1-q')\,f_q\bigl(n,b-\tfrac1{\sqrt n}\bigr),\;
    \inf_xf_q(n,x)\,f_{q'}(n,b-x)\Bigr\}.
"""

from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used

from pareto_core.checks.arguments import LARGEST_COUNTS
from pareto_core.confidence.accuracy import LEFT_OUT
from pareto_core.confidence.mixtures import Bets, log_factor, log_infimum

__all__ = ["LatestEnd"]

SLACK = 0.01  # nats: more than the evidence is below its exact value


class LatestEnd(NamedTuple):
    """When a run surely ends; see `Certified.latest_end`.

    Attributes
    ----------
    samples_of_each : ndarray of int, shape (K,)
        The run ends at the latest when every arm has this many samples, and no arm has more.
    samples : int
        Their sum: the run ends after at most this many samples in all.

    See Also
    --------
    Certified.latest_end

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.Certified(epsilon=0.5).latest_end(pc.Problem(n_arms=3, n_objectives=1))
    LatestEnd(samples_of_each=array([501, 501, 501]), samples=1503)
    """

    samples_of_each: np.ndarray
    samples: int


def log_least_pair(count, lead, bets):
    """Lower bound on the logarithm of the bets of a pair with ``count`` or more samples."""
    if count * lead * lead < 4.0:
        return -np.inf
    edge = lead - count**-0.5
    information, means = np.full((2, 1), float(count)), np.array([[0.0], [lead]])
    both, _ = log_infimum(information, means, 0, 0, np.array([1]), 1, bets)
    return min(
        both,
        np.log1p(-bets.lower) + log_factor(float(count), edge, bets.scale, bets.upper)[0],
        np.log1p(-bets.upper) + log_factor(float(count), edge, bets.scale, bets.lower)[0],
    )


def _least_evidence(rule, n_arms, n_objectives, count, epsilon):
    """Least evidence of the rule if every arm has ``count`` samples of unit variance, in nats."""

    def pair(lead, low_mass, high_mass):
        bets = (Bets(scale, low_mass, high_mass) for scale in rule.scales)
        return np.logaddexp.reduce(
            rule.log_weights + [log_least_pair(count, lead, each) for each in bets]
        )

    others = n_arms - 1
    subsets = np.log(2.0**n_objectives - 1) if rule.joint else np.log(n_objectives)
    removal = pair((1 - LEFT_OUT) * epsilon, rule.removal, rule.removal) - subsets
    addition = pair(LEFT_OUT * epsilon, rule.added, rule.front) - np.log(others)
    if rule.joint:
        addition -= np.log(scipy.special.digamma(n_arms) - scipy.special.digamma(1))
    return min(
        removal + np.log(rule.removals / others),
        addition + np.log(rule.additions / n_arms),
    )


def information_needed(rule, n_arms, n_objectives, epsilon):
    """Samples of every arm, of unit variance, with which the rule stops; infinite above 2^53."""

    def is_enough(count):
        least = _least_evidence(rule, n_arms, n_objectives, count, epsilon)
        return least >= rule.log_needed + SLACK

    high = 1.0
    while not is_enough(high):
        high *= 2.0
        if high > LARGEST_COUNTS:
            return np.inf
    low = high / 2
    while high - low > 0.5:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def samples_needed(rule, variance, epsilon):
    """Samples of each arm with which the rule stops; None if there is no number up to 2^53."""
    if not (epsilon > 0).all():
        return None
    needed = np.array([information_needed(rule, *variance.shape, each) for each in epsilon])
    samples = np.ceil((needed * variance).max(axis=1))
    return samples.astype(np.int64) if (samples <= LARGEST_COUNTS).all() else None
