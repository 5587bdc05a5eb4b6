"""Anytime-valid statements that one arm is better than another in an objective.

This is the simple alternative to the proven rules: a statement for each pair of arms and each
objective, and a union bound over all of them. It holds for any question and any correlation, and
costs ln(K (K - 1) d).
"""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_means, check_probability, shown
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.proven_rules import PAIRS, make_rule
from pareto_core.confidence.statement_evidence import log_lead
from pareto_core.geometry.dominance import pareto_set

__all__ = ["certain_leads", "leads_prove_front"]


@kernel
def _write_leads(rule, information, means, needed, leads):
    """Mark whether the first arm is certainly better than the second, in each objective."""
    n_arms, n_objectives = means.shape
    high = np.zeros(1, np.int64)
    for k in range(n_arms):
        for j in range(n_arms):
            for c in range(n_objectives):
                if means[k, c] > means[j, c]:
                    leads[k, j, c] = log_lead(rule, information, means, k, j, c, high) >= needed


def certain_leads(counts: ArrayLike, means: ArrayLike, delta: float) -> np.ndarray:
    r"""Mark the pairs of arms for which the first is certainly better in an objective.

    Each pair and objective bets with :math:`\delta/(K(K-1)d)` on the two means. With probability
    1 - delta no mark is ever wrong.

    Parameters
    ----------
    counts : array_like of int, shape (K,)
        Samples of each arm, at least one each.
    means : array_like, shape (K, d)
        Averages of the samples, in units of the standard deviation of the noise.
    delta : float
        Probability that any mark is ever wrong.

    Returns
    -------
    ndarray of bool, shape (K, K, d)
        Whether the first arm is certainly better than the second.

    Raises
    ------
    ValueError
        If ``means`` is not a finite (K, d) array, ``counts`` is not K positive whole numbers, or
        ``delta`` is not in (0, 1).

    Examples
    --------
    >>> from pareto_book.studies.pair_leads import certain_leads
    >>> certain_leads([400, 400], [[1.0, 0.0], [0.0, 0.1]], delta=0.1)[0, 1]
    array([ True, False])
    """
    means = check_means(means)
    numbers = check_array(counts, "counts")
    if numbers.shape != means.shape[:1] or not ((numbers >= 1) & (numbers % 1 == 0)).all():
        raise ValueError(f"counts = {shown(counts)}; expected {len(means)} positive whole numbers")
    check_probability(delta, "delta")
    n_arms, n_objectives = means.shape
    information = np.repeat(numbers.astype(float)[:, None], n_objectives, axis=1)
    needed = np.log(n_arms * (n_arms - 1) * n_objectives / delta)
    leads = np.zeros((n_arms, n_arms, n_objectives), np.bool_)
    _write_leads(make_rule(PAIRS, needed, n_arms), information, means, needed, leads)
    return leads


def leads_prove_front(counts: ArrayLike, means: ArrayLike, delta: float) -> bool:
    """Whether certain leads prove that the Pareto set of the empirical means is correct.

    Parameters
    ----------
    counts, means, delta
        See `certain_leads`.

    Returns
    -------
    bool
        True if each arm of the set is certainly better than each other arm in some objective, and
        each arm outside is certainly worse than an arm of the set in all objectives.

    Raises
    ------
    ValueError
        See `certain_leads`.

    Examples
    --------
    >>> from pareto_book.studies.pair_leads import leads_prove_front
    >>> means = [[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]]
    >>> leads_prove_front([400] * 3, means, 0.1), leads_prove_front([40] * 3, means, 0.1)
    (True, False)
    """
    leads = certain_leads(counts, means, delta)
    optimal = np.isin(np.arange(len(leads)), pareto_set(means))
    undominated = leads.any(axis=2) | np.eye(len(leads), dtype=bool)
    dominated = leads.all(axis=2)[optimal].any(axis=0)
    return bool(undominated[optimal].all() and dominated[~optimal].all())
