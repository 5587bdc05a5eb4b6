"""What limits of detection and announced arms do to the statements of a session, in words."""

import numpy as np

from pareto_lab.experiment.announced_arms import announced_in_words
from pareto_lab.experiment.limits import counts_at_limits, counts_in_words, limits_in_words
from pareto_lab.statements.data_warnings import Remark


def refuse_unknown_noise(algorithm, design, standard_deviation):
    """Refuse to ignore the stated noise where an unknown one has no proof.

    Raises
    ------
    ValueError
        If the standard deviation is to be unknown, and objectives are measured separately or have
        limits.
    """
    if standard_deviation is None:
        return
    if algorithm.measures_separately:
        raise ValueError(
            f"standard_deviation = {standard_deviation!r} with objectives that are measured "
            "separately; expected None"
        )
    if design.limits is not None:
        raise ValueError(
            f"standard_deviation = {standard_deviation!r} with limits of detection, for which an "
            "unknown variance has no proof; expected None"
        )


def values_at_limits(ledger):
    """Told values of each arm and objective that were recorded as a limit, shape (K, d)."""
    whole, sampled = ledger.design.whole, ledger.design
    counts = [
        counts_at_limits([told], sampled.limits_of(k))[0] for k, told in enumerate(ledger.told())
    ]
    counts = np.array(counts).reshape(whole.n_arms, -1)
    return np.broadcast_to(counts, (whole.n_arms, whole.n_objectives))


def remarks_on_limits(at_limit, design):
    """What limits of detection do to the statements, in a list, which is empty without limits.

    Parameters
    ----------
    at_limit : ndarray of int, shape (K, d)
        See `values_at_limits`.
    design : ExperimentDesign
    """
    if design.limits is None:
        return []
    text = (
        f"Limits of detection: {limits_in_words(design)}. A value beyond a limit is recorded as "
        f"the limit; values at a limit: {counts_in_words(at_limit, design)}. Statements, intervals "
        "and answers are about the means of the recorded values, and keep their guarantee for "
        "these. "
    )
    if design.standard_deviation.ndim == 2:
        text += (
            "The stated noise differs between arms, so that the order of their own means may be a "
            "different one."
        )
    else:
        text += (
            "If the noise of each objective with limits has the same law in all arms and may take "
            "any value, the arms have the same order in their own means, so that an arm is optimal "
            "or dominated in these exactly if it is in the means of the recorded values; the "
            "intervals, and an accuracy, do not carry over."
        )
    return [Remark(text, False)]


def remarks_on_announced(ledger, delta):
    """What announced arms do to the risk, in a list, which is empty without them.

    Parameters
    ----------
    ledger : Ledger
    delta : float
        Risk of the statements about one set of arms.
    """
    return [Remark(announced_in_words(ledger, delta), False)] if ledger.arms_to_come else []
