"""The evidence for an answer, as computed by the proven rules."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice, check_counts, check_means, shown
from pareto_core.checks.words import RuleName
from pareto_core.compiling.kernels import kernel
from pareto_core.compiling.lending import lend
from pareto_core.confidence.proven_rules import (
    JOINT,
    RULES,
    allocate_work,
    least_evidence,
    make_rule,
)
from pareto_core.geometry.dominance import write_front

__all__ = ["ProvenEvidence", "proven_evidence"]


class ProvenEvidence(NamedTuple):
    """Evidence for an empirical Pareto set.

    Attributes
    ----------
    nats : float
        The answer is proven at every delta with ln(1 / delta) at most this number.
    arm : int
        The arm with the least evidence for its status.
    rival : int
        The arm that may dominate ``arm``; -1 if ``arm`` is not in the answer and may be optimal.

    See Also
    --------
    proven_evidence

    Examples
    --------
    >>> import pareto_core as pc
    >>> evidence = pc.proven_evidence([100, 100], [[0.0], [1.0]])
    >>> evidence.arm, evidence.rival, evidence.nats > 10
    (0, -1, True)
    """

    nats: float
    arm: int
    rival: int


@kernel
def _evidence(rule, information, means, size, work):
    """Evidence for the arms that are first in ``work.front``."""
    rule, information, means, work = lend(rule), lend(information), lend(means), lend(work)
    return least_evidence(rule, information, means, 0, size, -np.inf, work)


def proven_evidence(counts: ArrayLike, means: ArrayLike, rule: RuleName = JOINT) -> ProvenEvidence:
    """Evidence that the Pareto set of the empirical means is that of the means.

    A lower bound on the logarithm of the martingales of all means with a different Pareto set (the
    appendix *Proofs*, Theorems 2 and 3). It is valid however often you compute it.

    Parameters
    ----------
    counts : array_like of int, shape (K,)
        Samples of each arm, at least one each.
    means : array_like, shape (K, d)
        Averages of the samples, in units of the standard deviation of the noise.
    rule : {"joint", "pairs"}, default "joint"
        See `Certified`.

    Returns
    -------
    ProvenEvidence

    Raises
    ------
    ValueError
        If ``means`` is not a finite array of shape (K, d), if ``counts`` is not K positive whole
        numbers, or if ``rule`` is unknown.

    See Also
    --------
    Certificate : statements about single arms
    Certified : an algorithm that stops by this evidence

    Examples
    --------
    >>> import pareto_core as pc
    >>> found = pc.proven_evidence([400, 400, 400], [[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])
    >>> found.nats > 4.6  # proven at a risk of 0.01
    True
    """
    means = check_means(means)
    numbers = check_counts(counts, "counts", at_least=1)
    if numbers.shape != means.shape[:1]:
        raise ValueError(f"counts = {shown(counts)}; expected {len(means)} positive whole numbers")
    check_choice(rule, "rule", RULES)
    work = allocate_work(*means.shape)
    size = write_front(means, work.front)
    work.optimal[work.front[:size]] = True
    information = np.repeat(numbers.astype(float)[:, None], means.shape[1], axis=1)
    own = make_rule(rule, 0.0, means.shape[0])
    nats = _evidence(own, information, means, size, work)
    return ProvenEvidence(float(nats), int(work.weakest[0]), int(work.weakest[1]))
