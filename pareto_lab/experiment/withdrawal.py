"""Rewards that were told by mistake, and withdrawn."""

import collections
from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import shown
from pareto_lab.experiment.names import listed

__all__ = ["Withdrawal"]

LONGEST_REASON = 1000  # characters
MOST_SHOWN = 3  # rewards in a message


class Withdrawal(NamedTuple):
    """The trace of a reward that was told, and withdrawn.

    Attributes
    ----------
    arm : str or int
        What was sampled.
    reward : tuple of float
        What was told.
    instead : tuple of float or None
        What took its place, if anything did.
    place : int
        How many rewards of the arm had been told before it, of those not withdrawn by then.
    counted : bool
        Whether the algorithm had used it, so that its run was repeated from the start.
    reason : str
        In the caller's words; may be empty.
    """

    arm: str | int
    reward: tuple[float, ...]
    instead: tuple[float, ...] | None
    place: int
    counted: bool
    reason: str


def find_reward(told, reward, arm):
    """Place of a reward among those told of an arm: the last that is equal.

    Raises
    ------
    ValueError
        If none is.
    """
    places = [k for k, each in enumerate(told) if np.array_equal(each, reward)]
    if not places:
        last = [each.tolist() for each in told[-MOST_SHOWN:]]
        known = "no reward of it was told"
        if told:
            known = f"expected one of the {len(told)} that were, the last {listed(last)}"
        raise ValueError(
            f"reward = {shown(np.asarray(reward).tolist())} was not told of arm {arm}; {known}"
        )
    return places[-1]


def replaced(told, place, instead):
    """Rewards of an arm without one of them, or with another in its place."""
    return told[:place] + ([] if instead is None else [instead]) + told[place + 1 :]


def new_withdrawal(arm, reward, instead, place, counted, reason):
    """Make the trace, of arrays; refuse a reason that is no text, or too long."""
    if not isinstance(reason, str) or len(reason) > LONGEST_REASON:
        raise ValueError(
            f"reason = {shown(reason)}; expected a str of at most {LONGEST_REASON} characters"
        )
    right = None if instead is None else tuple(instead.tolist())
    return Withdrawal(arm, tuple(reward.tolist()), right, place, counted, reason)


def withdrawn_in_words(withdrawn, means, design):
    """How many rewards were withdrawn, of which arms, and on which side of their arms' means.

    Parameters
    ----------
    withdrawn : list of Withdrawal
        At least one.
    means : ndarray, shape (K, d)
        Averages of the rewards that count, in the caller's signs and units; NaN without any.
    design : ExperimentDesign

    Returns
    -------
    str
    """
    arms = collections.Counter(each.arm for each in withdrawn)
    numbers = [f"{number} of arm {arm}" for arm, number in arms.items()]
    corrected = sum(each.instead is not None for each in withdrawn)
    places = [design.find(each.arm) for each in withdrawn]
    sides = np.sign([each.reward for each in withdrawn] - means[places])  # NaN without a mean
    counts = [
        f"in {name}, {(side > 0).sum()} above and {(side < 0).sum()} below"
        for name, side in zip(design.objectives, sides.T, strict=True)
    ]
    return (
        f"Withdrawn rewards: {len(withdrawn)} ({listed(numbers)}), of which {corrected} were "
        "replaced by another value. Compared with the mean of the rewards of the same arm that "
        f"count: {'; '.join(counts)}."
    )
