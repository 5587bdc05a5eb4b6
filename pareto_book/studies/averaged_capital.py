r"""Evidence for the best arm by PEAK: the average of the capitals of single arms.

Cho, Gan & Kallus (2024), "Peeking with PEAK", ICML. Against means m of rewards in [0, 1], each arm
bets on its own rewards alone,

.. math::
    K_k(m_k)=\prod_{i\le N_k}\Bigl\{1+\frac{(\hat\mu_{k,i-1}-m_k)(x_{k,i}-m_k)}c\Bigr\},\qquad
    \hat\mu_{k,i-1}=\frac{\frac12+\sum_{l<i}x_{k,l}}{i},\qquad E(m)=\frac1K\sum_kK_k(m_k).

No factor is negative because c exceeds 1/4, so that E is a martingale under m, whatever rule
chooses the arms. An arm is proven to be the unique best arm when E has reached 1/delta for all
means with a different best arm.

The equations are those that a public re-implementation (UI-TS of J. Spertus) attributes to
Equations (8) and (9) of the paper, with its c = 0.26 and its first guess of 1/2. We could not
find the authors' code, so that other choices of their experiments are unknown.
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_count, shown
from pareto_core.compiling.kernels import kernel

__all__ = ["averaged_capital"]

SCALE = 0.26  # c
CELLS = 1000  # number of grid cells for a mean


@kernel
def _bet(capital, guess, reward):
    """Multiply the capital against each candidate by the gain from a reward. Modified in place."""
    for g in range(CELLS + 1):
        candidate = g / CELLS
        capital[g] *= 1.0 + (guess - candidate) * (reward - candidate) / SCALE


@kernel
def _least_sum(low, high):
    """Minimum of low[a] + high[b] over candidates a <= b: the arm of ``high`` is as good."""
    least, lowest = np.inf, np.inf
    for g in range(CELLS + 1):
        lowest = min(lowest, low[g])
        least = min(least, lowest + high[g])
    return least


@kernel
def _least_average(capitals, leader):
    """Least average over all means under which a challenger is as good as the leader."""
    n_arms = capitals.shape[0]
    alone = np.empty(n_arms)
    for k in range(n_arms):
        alone[k] = capitals[k].min()
    least = np.inf
    for k in range(n_arms):
        if k != leader:
            both = _least_sum(capitals[leader], capitals[k])
            least = min(least, both + alone.sum() - alone[leader] - alone[k])
    return least / n_arms


@kernel
def _write_evidence(arms, rewards, asked, capitals, nats):
    """Write the evidence after each reward for which it is asked.

    Parameters
    ----------
    arms : ndarray of int, shape (T,)
    rewards : ndarray, shape (T,)
    asked : ndarray of bool, shape (T,)
    capitals : ndarray, shape (K, CELLS + 1)
        Modified in place.
    nats : ndarray, shape (T,)
        Modified in place, where ``asked``.
    """
    n_arms = capitals.shape[0]
    counts, sums = np.zeros(n_arms), np.zeros(n_arms)
    for t in range(arms.shape[0]):
        k = arms[t]
        _bet(capitals[k], (0.5 + sums[k]) / (counts[k] + 1.0), rewards[t])
        counts[k] += 1.0
        sums[k] += rewards[t]
        if asked[t]:
            leader = (sums / np.maximum(counts, 1.0)).argmax()
            nats[t] = np.log(_least_average(capitals, leader))


def averaged_capital(
    arms: ArrayLike, rewards: ArrayLike, n_arms: int, times: ArrayLike | None = None
) -> np.ndarray:
    """Evidence that the empirically best arm is the unique best arm.

    Parameters
    ----------
    arms : array_like of int, shape (T,)
        The arm of each sample.
    rewards : array_like, shape (T,)
        The reward of each sample, in [0, 1].
    n_arms : int
        Number K, at least 2.
    times : array_like of int, shape (n,), optional
        Numbers of samples after which to compute the evidence; by default after each of them.

    Returns
    -------
    ndarray, shape (n,)
        In nats: the answer is proven at every delta with ln(1 / delta) at most this number.
        The minimum is over a grid of 1001 values of each mean, so that the evidence may be too
        large by the change of the capital between two values.

    Raises
    ------
    ValueError
        If ``n_arms`` is below 2, if ``arms`` contains a number that is not an arm, if ``rewards``
        has a different shape or a number outside [0, 1], or if ``times`` contains a number that
        is not from 1 to T.

    See Also
    --------
    pareto_core.confidence.evidence.proven_evidence : the rule for a Pareto set.

    Examples
    --------
    >>> from pareto_book.studies.averaged_capital import averaged_capital
    >>> nats = averaged_capital([0, 1] * 40, [1.0, 0.0] * 40, n_arms=2)
    >>> bool(nats[0] < 2.3 < nats[-1])
    True
    """
    check_count(n_arms, "n_arms", at_least=2)
    chosen, values = check_array(arms, "arms"), check_array(rewards, "rewards")
    if chosen.ndim != 1 or not np.isin(chosen, np.arange(n_arms)).all():
        raise ValueError(f"arms = {shown(arms)}; expected numbers from 0 to {n_arms - 1}")
    if values.shape != chosen.shape or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"rewards = {shown(rewards)}; expected {chosen.size} numbers in [0, 1]")
    every = np.arange(1, chosen.size + 1)
    asked = every if times is None else check_array(times, "times")
    if not np.isin(asked, every).all():
        raise ValueError(f"times = {shown(times)}; expected whole numbers from 1 to {every.size}")
    nats, capitals = np.empty(chosen.size), np.ones((n_arms, CELLS + 1))
    _write_evidence(
        chosen.astype(np.int64), values.astype(float), np.isin(every, asked), capitals, nats
    )
    return nats[asked.astype(np.int64) - 1]
