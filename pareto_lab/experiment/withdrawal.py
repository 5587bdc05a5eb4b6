"""Rewards that were told by mistake and withdrawn."""

from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import shown
from pareto_lab.experiment.missing_values import plain_reward
from pareto_lab.experiment.names import LONGEST_REASON, listed

__all__ = ["Withdrawal"]

MOST_SHOWN = 3  # rewards in a message


class Withdrawal(NamedTuple):
    """The record of a withdrawn reward.

    Attributes
    ----------
    arm : str or int
        The arm that the reward was told for.
    reward : tuple of float or None
        The withdrawn reward, with None for objectives that were not observed.
    instead : tuple of float or None, or None
        The reward that replaced it, if any.
    place : int
        How many rewards of the arm had been told before it, of those not withdrawn by then.
    counted : bool
        Whether the algorithm had used it, so that its run was repeated from the start.
    reason : str
        In the caller's words; may be empty.

    See Also
    --------
    Session.withdraw

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(pc.UniformSampling(budget=40), 2, 1, 1.0)
    >>> session.tell(0, [0.3])
    >>> session.withdraw(0, [0.3], reason="mislabelled")
    >>> session.withdrawn[0].reason
    'mislabelled'
    """

    arm: str | int
    reward: tuple[float | None, ...]
    instead: tuple[float | None, ...] | None
    place: int
    counted: bool
    reason: str


def find_reward(told, reward, arm):
    """Position of the last equal reward among those told for an arm.

    Raises
    ------
    ValueError
        If no reward is equal.
    """
    positions = [k for k, each in enumerate(told) if np.array_equal(each, reward, equal_nan=True)]
    if not positions:
        last = [[*plain_reward(each)] for each in told[-MOST_SHOWN:]]
        known = "this arm has no rewards"
        if told:
            known = f"expected one of its {len(told)} rewards, the last of which are {listed(last)}"
        raise ValueError(
            f"reward = {shown(np.asarray(reward).tolist())} was not told for arm {arm}; {known}"
        )
    return positions[-1]


def replaced(told, position, instead):
    """Rewards of an arm without one of them, or with another in its position."""
    return told[:position] + ([] if instead is None else [instead]) + told[position + 1 :]


def new_withdrawal(arm, reward, instead, position, counted, reason):
    """Make the record from arrays.

    Raises
    ------
    ValueError
        If ``reason`` is not a str, or too long.
    """
    if not isinstance(reason, str) or len(reason) > LONGEST_REASON:
        raise ValueError(
            f"reason = {shown(reason)}; expected a str of at most {LONGEST_REASON} characters"
        )
    right = None if instead is None else plain_reward(instead)
    return Withdrawal(arm, plain_reward(reward), right, position, counted, reason)
