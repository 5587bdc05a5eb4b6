r"""Intervals and comparisons of arms whose noise is Gaussian with unknown, unequal variances.

In one objective, let an arm have n rewards with the average :math:`\bar x` and the sum S of squares
about it. The evidence against a mean m is

.. math::
    \ln M_n(m)=-\tfrac12\ln(1+ng)+\tfrac n2\ln\frac{1+u}{1+u/(1+ng)},\qquad
    u=\frac{n(\bar x-m)^2}{S},

the mixture over normal effect sizes :math:`(\mu-m)/\sigma` of variance g (Rouder et al. 2009). At
the true mean, the whole sequence exceeds z with probability at most 1/z, whatever the variance is
(Lai 1976; Wang & Ramdas 2025), and a sampling rule chooses only its length. The largest values of
two arms are independent, so that their product exceeds z with probability at most
:math:`(1+\ln z)/z`. An arm is certainly worse than another if all means for which it is not have
such a product. A known variance has a mixture of its own, and without noise a mean is known. The
theorem is in the appendix *Proofs*, "Unknown variances that differ between arms".
"""

import math
from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used

from pareto_core.compiling.kernels import kernel, part
from pareto_core.compiling.lending import lend
from pareto_core.confidence.unknown_variance import rounding_of

EFFECT = 0.25  # variance of the effect sizes
BY_KNOWN, BY_ANY = 0.55, 0.15  # shares of the risk of comparisons with arms that dominate
MOST_STEPS = 100


class Comparisons(NamedTuple):
    """Evidence that statements need, in nats, and what is known of the noise."""

    interval: float  # against one mean
    pair: float  # against two means, for all pairs at once
    by_known: np.ndarray  # (K + 1,) that an optimal arm dominates, if so many are not dominated
    by_any: np.ndarray  # (K + 1,) that some other arm does
    unbeaten: np.ndarray  # (K + 1,) that an arm is not beaten, if so many may be
    deviations: np.ndarray  # (d,) standard deviations: NaN if unknown, and 0 without noise
    epsilon: np.ndarray  # (d,) accuracy of each objective


class Data(NamedTuple):
    """Observations of K arms in d objectives."""

    counts: np.ndarray  # (K, d)
    means: np.ndarray  # (K, d)
    scatter: np.ndarray  # (K, d) sums of squares about the means


def make_comparisons(log_risk, share, deviations, n_arms, subsets=False):
    """`Comparisons` with a ``share`` of the risk exp(-log_risk) for the intervals.

    For ``subsets`` and other questions, the evidence for an arm is that for all pairs at once.
    """
    risk, others = (1 - share) * math.exp(-log_risk), n_arms - 1
    numbers = np.maximum(np.arange(n_arms + 1), 1)
    pair = _level(risk / (n_arms * others / 2 * deviations.size))
    by_known = _level(BY_KNOWN * risk / (numbers * np.maximum(numbers - 1, 1)))
    by_any = _level(BY_ANY * risk / (numbers * others))
    unbeaten = _level((1 - BY_KNOWN - BY_ANY) * risk / (numbers * deviations.size))
    if subsets:
        by_known = by_any = unbeaten = np.full(n_arms + 1, pair)
    interval = log_risk + math.log(n_arms * deviations.size / share)
    nothing = np.zeros(deviations.size)
    levels = by_known, by_any, unbeaten
    return Comparisons(float(interval), float(pair), *levels, deviations, nothing)


def _level(risk):
    """The logarithm L of a product of two arms that is exceeded with this risk, (1 + L)/e^L."""
    return -1.0 - scipy.special.lambertw(-risk / math.e, -1).real


def may_suffice(comparisons, counts):
    """Whether so many rewards of each arm, of unknown variances, can be evidence enough."""
    most = np.sort(0.5 * np.maximum(counts - 1, 0) * np.log1p(EFFECT * counts))[-2:]
    return most.sum() >= min(comparisons.by_any[-1], comparisons.unbeaten[-1])


@part
def _has_scatter(count, mean, scatter):
    """Whether rewards differ by more than rounding errors."""
    return count > 1 and scatter > rounding_of(count, mean)


@kernel
def _log_evidence(comparisons, data, k, c, mean):
    """Evidence of the rewards of arm k in objective c against a mean."""
    count, known = data.counts[k, c], comparisons.deviations[c]
    away, spread = mean - data.means[k, c], 1.0 + data.counts[k, c] * EFFECT
    if known == 0.0 or count == 0:
        return np.inf if count > 0 and away != 0.0 else 0.0
    least = -0.5 * np.log(spread)
    if known > 0.0:
        return least + 0.5 * count * (away / known) ** 2 * (1.0 - 1.0 / spread)
    scatter = data.scatter[k, c]
    if not _has_scatter(count, data.means[k, c], scatter):
        return 0.0 if count == 1 else least
    ratio = count * away * away / scatter
    if ratio <= 1.0:
        return least + 0.5 * count * (np.log1p(ratio) - np.log1p(ratio / spread))
    inverse = scatter / count / away / away
    return least + 0.5 * count * np.log((inverse + 1.0) / (inverse + 1.0 / spread))


@kernel
def _reach(comparisons, data, k, c, level):
    """Distance from the average of arm k from which the evidence is at least this level."""
    count, known = data.counts[k, c], comparisons.deviations[c]
    log_spread = np.log1p(count * EFFECT)
    excess = 2.0 * level + log_spread
    if count == 0:
        return 0.0 if level <= 0.0 else np.inf
    if known >= 0.0:
        return known * np.sqrt(max(excess, 0.0) / count / -np.expm1(-log_spread))
    if count == 1:
        return 0.0 if level <= 0.0 else np.inf
    scatter, log_ratio = data.scatter[k, c], excess / count
    if log_ratio <= 0.0:
        return 0.0
    if log_ratio >= log_spread or not _has_scatter(count, data.means[k, c], scatter):
        return np.inf
    return np.sqrt(scatter / count * np.expm1(log_ratio) / -np.expm1(log_ratio - log_spread))


@kernel
def write_intervals(comparisons, data, widths):
    """Write the half-widths of intervals that contain the means, infinite with too few rewards."""
    comparisons, data = lend(comparisons), lend(data)
    for k in range(widths.shape[0]):
        for c in range(widths.shape[1]):
            widths[k, c] = _reach(comparisons, data, k, c, comparisons.interval)


@kernel
def is_less(comparisons, data, low, high, c, margin, level):
    """Whether the mean of arm ``low`` is certainly less than that of ``high`` plus a margin.

    The evidence of ``low`` increases between the averages and that of ``high`` decreases, so that a
    step covers the means up to where ``high`` alone lacks what ``low`` has at its beginning.
    """
    place, end = data.means[low, c], data.means[high, c] + margin
    if place >= end or data.counts[low, c] == 0 or data.counts[high, c] == 0:
        return False
    for _ in range(MOST_STEPS):
        missing = level - _log_evidence(comparisons, data, low, c, place)
        further = end - _reach(comparisons, data, high, c, missing)
        if further >= end:
            return True
        if further <= place:
            return False
        place = further
    return False


@part
def _is_equal(comparisons, data, arm, rival, c):
    """Whether the means of two arms are known to be equal."""
    if comparisons.deviations[c] != 0.0 or min(data.counts[arm, c], data.counts[rival, c]) == 0:
        return False
    return data.means[arm, c] == data.means[rival, c]


@kernel
def is_dominated(comparisons, data, arm, rival, level):
    """Whether ``rival`` certainly dominates ``arm``; without noise equal means are known."""
    is_better = False
    for c in range(data.means.shape[1]):
        if is_less(comparisons, data, arm, rival, c, 0.0, level):
            is_better = True
        elif not _is_equal(comparisons, data, arm, rival, c):
            return False
    return is_better


@kernel
def is_unbeaten(comparisons, data, arm, rival, is_raised, level):
    """Whether ``rival`` is certainly less than ``arm``, which may be raised, in some objective."""
    for c in range(data.means.shape[1]):
        margin = comparisons.epsilon[c] if is_raised else 0.0
        if is_less(comparisons, data, rival, arm, c, margin, level):
            return True
    return False


@part
def _is_dominated_by_some(comparisons, data, arm, level, known_level, ledger):
    """Whether a remaining arm certainly dominates an arm."""
    for j in range(data.means.shape[0]):
        needed = known_level if ledger.undominated[j] else level
        if j != arm and ledger.work.remaining[j]:
            if is_dominated(comparisons, data, arm, j, needed):
                return True
    return False


@part
def _find_beater(comparisons, data, arm, is_raised, level, ledger):
    """An arm that may beat an arm, which may be raised; -1 if certainly none does.

    Arms that are certainly dominated need no comparison: if one beats a row, so does an arm that
    dominates it.
    """
    row = arm + data.means.shape[0] if is_raised else arm
    for i in range(-1, data.means.shape[0]):  # first the arm that was found last time
        j = ledger.rivals[row] if i < 0 else i
        if j < 0 or j == arm or ledger.harmless[j] or ledger.excluded[row, j]:
            continue
        if not is_unbeaten(comparisons, data, arm, j, is_raised, level):
            return j
        ledger.excluded[row, j] = True
    return -1


@part
def _mark(comparisons, data, ledger):
    """Mark certain statements; return whether any is new, and whether they contradict."""
    remaining, n_arms = ledger.work.remaining, data.means.shape[0]
    changed, contradicted = False, False
    left = n_arms - ledger.dominated[:n_arms].sum()
    level, known_level = comparisons.by_any[left], comparisons.by_known[left]
    for k in range(n_arms):
        if remaining[k] and not ledger.dominated[k]:
            if _is_dominated_by_some(comparisons, data, k, level, known_level, ledger):
                ledger.dominated[k] = changed = True
                contradicted |= ledger.undominated[k]
        ledger.harmless[k] = ledger.dominated[k] or not remaining[k]
    level = comparisons.unbeaten[n_arms - ledger.undominated[:n_arms].sum()]
    for row in range(ledger.undominated.shape[0]):
        k, is_raised = row % n_arms, row >= n_arms
        if ledger.undominated[row] or not remaining[k]:
            continue
        ledger.rivals[row] = _find_beater(comparisons, data, k, is_raised, level, ledger)
        if ledger.rivals[row] < 0:
            ledger.undominated[row] = changed = True
            contradicted |= ledger.dominated[row] and not is_raised
    return changed, contradicted


@kernel
def compare(comparisons, data, ledger):
    """Mark all certain statements of a `Ledger`; return whether they contradict each other.

    The more arms are known to be dominated, or not to be beaten, the less evidence others need.
    """
    comparisons, data, ledger = lend(comparisons), lend(data), lend(ledger)
    changed, contradicted = True, False
    while changed:
        changed, contradicted_now = _mark(comparisons, data, ledger)
        contradicted |= contradicted_now
    return contradicted


@kernel
def surely_lacks_evidence(comparisons, data, ledger):
    """Whether the case noted last time lacks evidence even if all others were certain."""
    work, n_arms = ledger.work, ledger.harmless.shape[0]
    arm, rival = work.weakest[0], work.weakest[1]
    if arm < 0 or not work.remaining[arm] or work.optimal[arm] != (rival >= 0):
        return False
    if rival < 0:
        level, known_level = comparisons.by_any[1], comparisons.by_known[2]
        return not _is_dominated_by_some(comparisons, data, arm, level, known_level, ledger)
    is_raised = ledger.undominated.shape[0] > n_arms
    if ledger.harmless[rival] or not work.remaining[rival]:
        return False
    return not is_unbeaten(comparisons, data, arm, rival, is_raised, comparisons.unbeaten[1])


@kernel
def lacks_evidence(ledger):
    """Whether the answer is not certain; note the first arm that is not, and its rival or -1."""
    work, n_arms = ledger.work, ledger.harmless.shape[0]
    raised = ledger.undominated.shape[0] - n_arms
    for k in range(n_arms):
        if not work.remaining[k]:
            continue
        is_certain = ledger.undominated[raised + k] if work.optimal[k] else ledger.dominated[k]
        if not is_certain:
            work.weakest[0] = k
            work.weakest[1] = ledger.rivals[raised + k] if work.optimal[k] else -1
            return True
    return False


@kernel
def compare_best(comparisons, data, possible):
    """Mark in ``possible``, shape (K, d), the arms that are certainly not best in an objective."""
    comparisons, data = lend(comparisons), lend(data)
    for k in range(possible.shape[0]):
        for c in range(possible.shape[1]):
            for j in range(possible.shape[0]):
                if possible[k, c] and is_less(comparisons, data, k, j, c, 0.0, comparisons.pair):
                    possible[k, c] = False


@kernel
def compare_feasible(comparisons, data, ledger):
    """Mark which feasible arms dominate, and which arms no feasible arm dominates.

    The ledger is a `ConstrainedLedger` whose feasible and infeasible arms are marked.
    """
    comparisons, data, ledger = lend(comparisons), lend(data), lend(ledger)
    n_arms, level = data.means.shape[0], comparisons.pair
    for k in range(n_arms):
        excluded = True
        for j in range(n_arms):
            if j == k:
                continue
            if ledger.feasible[j] and not ledger.dominates[j, k]:
                ledger.dominates[j, k] = is_dominated(comparisons, data, k, j, level)
            if excluded and not ledger.infeasible[j] and not ledger.excluded[k, j]:
                ledger.excluded[k, j] = is_unbeaten(comparisons, data, k, j, False, level)
                excluded = ledger.excluded[k, j]
        ledger.undominated[k] |= excluded
