r"""A threshold with a proof for the transportation cost.

The proven rules examine each alternative separately. If only the transportation cost Z at the
counts is known, it can be compared with the largest cost that the same martingales may need:
Theorem 7 of the appendix *Proofs*. This needs more samples, because it must allow for the least
favourable composition of Z.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, log_ndtr

from pareto_core.checks.arguments import check_array, check_count, check_probability, shown
from pareto_core.confidence.proven_rules import ADDED, ADDITIONS, FRONT, REMOVAL, SCALES

__all__ = ["transport_threshold"]

STEP = 0.1  # of the grid of costs, in nats
HIGHEST = 50.0, 200.0, 1000.0  # ends of the grids that are searched, one after the other
SLOPES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)  # of lines below the logarithm of a mixture


def transport_threshold(
    counts: ArrayLike, front_size: int, n_objectives: int, delta: float
) -> float:
    r"""Transportation cost at which the empirical Pareto set is proven to be correct.

    Parameters
    ----------
    counts : array_like of int, shape (K,)
        Samples of each arm, at least one each.
    front_size : int
        Size p of the empirical Pareto set.
    n_objectives : int
        Number of objectives d.
    delta : float
        Probability that a wrong answer ever passes the threshold.

    Returns
    -------
    float
        In nats; infinite if there are so few samples that no cost up to 1000 is enough.

    Raises
    ------
    ValueError
        If ``counts`` is not one positive whole number per arm, ``front_size`` is not from 1 to K,
        ``n_objectives`` is below 1, or ``delta`` is not in (0, 1).

    Notes
    -----
    Let :math:`\psi` be the least number for which :math:`\ln f(N_k,a)\ge\eta y-\psi` for all arms,
    where :math:`y=N_ka_+^2/2\le\beta`. The threshold is the least :math:`\beta` for which

    .. math::
        \eta\beta\ge\ln\frac{(K-\max(1,p-1))(2^d-1)}{w_s(1-\alpha)\delta}+2d\,\psi_r,\qquad
        \eta\beta\ge\max_{1\le m\le K-p}\ln\frac{(p+m)\binom{p+m-1}p}
        {w_s\,\alpha\,m\,v_p(p+m)\,\delta}+\min(d,p)\,\psi_k+p\,\psi_B,

    minimised over two scales s and a few slopes :math:`\eta` (the appendix *Proofs*, Theorem 7).

    Examples
    --------
    >>> from pareto_book.studies.transport_threshold import transport_threshold
    >>> round(transport_threshold([500, 500, 500], front_size=2, n_objectives=2, delta=0.1), 1)
    16.1
    """
    numbers = check_array(counts, "counts")
    if numbers.ndim != 1 or not ((numbers >= 1) & (numbers % 1 == 0)).all():
        raise ValueError(f"counts = {shown(counts)}; expected one positive whole number per arm")
    if not 1 <= check_count(front_size, "front_size") <= numbers.size:
        raise ValueError(
            f"front_size = {front_size}; expected 1 to {numbers.size}, the number of arms"
        )
    check_count(n_objectives, "n_objectives")
    check_probability(delta, "delta")
    shares = _log_shares(numbers.size, front_size, n_objectives) - np.log(delta)
    sizes = shares, n_objectives, front_size
    ends = (_least_cost(np.arange(0.0, top, STEP), np.unique(numbers), *sizes) for top in HIGHEST)
    return next(filter(np.isfinite, ends), np.inf)


def _least_cost(costs, counts, shares, n_objectives, front_size):
    """The first cost that is enough at one of the scales and slopes, or infinity."""
    return min(
        _least_on_line(costs, slope, shares, logarithms, n_objectives, front_size)
        for logarithms in _logarithms(counts, costs)
        for slope in SLOPES
    )


def _log_shares(n_arms, size, n_objectives):
    """Largest cost in nats of the shares of one removal, and of the missing arms."""
    removal = np.log((n_arms - max(1, size - 1)) * (2.0**n_objectives - 1) / (1 - ADDITIONS))
    missing = np.arange(1, n_arms - size + 1)
    optimal = size + missing
    harmonic = np.array([np.sum(1 / np.arange(1.0, each)) for each in optimal])
    groups = gammaln(optimal) - gammaln(size + 1) - gammaln(missing)
    addition = np.log(optimal * size * harmonic / (ADDITIONS * missing)) + groups
    return np.log(len(SCALES)) + np.array([removal, addition.max(initial=-np.inf)])


def _logarithms(counts, costs):
    """At each scale and mass: the least ln f of all arms as a function of a deviation's cost."""
    for scale in SCALES:
        ratio = counts[:, None] * scale / (1 + counts[:, None] * scale)
        mixture = ratio * costs + log_ndtr(np.sqrt(2 * ratio * costs))
        mixture += np.log(2.0) - 0.5 * np.log1p(counts * scale)[:, None]
        least = mixture.min(axis=0)  # ln f increases with it
        yield [
            (mass, np.logaddexp(np.log1p(-mass), np.log(mass) + least))
            for mass in (REMOVAL, ADDED, FRONT)
        ]


def _loss(costs, slope, mass, logarithm):
    """Largest excess of a line with this slope over ln f, up to each of the costs."""
    excess = slope * costs[-1] - logarithm
    excess[:-1] = slope * costs[1:] - logarithm[:-1]  # at the right end of each grid cell
    loss = np.maximum.accumulate(excess)
    return np.maximum(loss, -np.log1p(-mass))


def _least_on_line(costs, slope, shares, logarithms, n_objectives, size):
    """The first cost that is enough with this slope; infinite if no cost is enough."""
    removal, added, front = (_loss(costs, slope, *each) for each in logarithms)
    removals = shares[0] + 2 * n_objectives * removal
    additions = shares[1] + min(n_objectives, size) * added + size * front
    enough = slope * costs >= np.maximum(removals, additions)
    return float(costs[enough.argmax()]) if enough.any() else np.inf
