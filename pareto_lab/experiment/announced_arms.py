"""Arms that are announced before the first sample, whose share of the risk is paid in advance.

See Section 15 of the appendix *Proofs*: the experiment with each set of arms is a level.
"""

import numpy as np

from pareto_core.checks.arguments import check_count, check_probability, shown

MOST = 1000  # announced arms


def check_announced(arms_to_come, algorithm, design):
    """Check the number of announced arms, and return it.

    Raises
    ------
    ValueError
        If it is not a count, or no arm could be added to such a session.
    """
    number = check_count(arms_to_come, "arms_to_come", 0, MOST)
    if not number:
        return 0
    text = f"arms_to_come = {number}"
    if not hasattr(algorithm, "delta"):
        raise ValueError(f"{text} for {algorithm!r}, which has no risk to divide; expected 0")
    if algorithm.measures_separately:
        raise ValueError(
            f"{text} for {algorithm!r}, which measures objectives separately; expected 0"
        )
    if design.standard_deviation.ndim == 2 or np.ndim(design.covariance) == 3:
        raise ValueError(f"{text}, and the noise is stated for each arm; expected 0")
    return number


def at_level(delta, arms_to_come):
    """The risk of the experiment with one set of arms, from that of all sets together."""
    return check_probability(delta, "delta") / (arms_to_come + 1) if arms_to_come else delta


def check_arrival(ledger, delta):
    """Check that an arm was announced, if any was, and that its level is not paid twice.

    Raises
    ------
    ValueError
        If all announced arms have arrived, or a risk is given for one.
    """
    if not ledger.arms_to_come:
        return
    if ledger.arrived == ledger.arms_to_come:
        raise ValueError(
            f"arms_to_come = {ledger.arms_to_come}, and as many arms have arrived; expected a "
            "new experiment, session.successor([*arms, name], use_rewards=True)"
        )
    if delta is not None:
        raise ValueError(
            f"delta = {shown(delta)} for an arm whose share of the risk was paid in advance "
            "(arms_to_come); expected None"
        )


def announced_in_words(ledger, delta):
    """What announced arms do to the risk, in words.

    Parameters
    ----------
    ledger : Ledger
        With announced arms.
    delta : float
        Risk of the statements about one set of arms.
    """
    sets = ledger.arms_to_come + 1
    return (
        f"Announced arms: {ledger.arms_to_come}, of which {ledger.arrived} arrived. Their risk was "
        f"paid in advance: the statements about each of the {sets} sets of arms have the risk "
        f"{delta:g}, those before and after all arrivals are right together with probability at "
        f"least {1 - sets * delta:g}, and the algorithm has the risk {ledger.algorithm.delta:g} "
        f"for each set."
    )


def restored_announced(saved, predecessors):
    """The number of announced arms from a session file.

    Raises
    ------
    ValueError
        If it is not a count, or more arms have arrived.
    """
    if saved is None:
        return 0
    return check_count(saved, "arms_to_come", max(1, len(predecessors)), MOST)
