"""What happens to an experiment, one event after another, and the public records of it.

Events name arms by number. Public records name them as the caller does.
"""

import datetime
import os
from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import shown
from pareto_lab.experiment.names import LONGEST_REASON

__all__ = ["Predecessor", "Receipt", "Retirement", "Withdrawal"]

FORM_OF_TIMES = "%Y-%m-%dT%H:%M:%SZ"  # in UTC


class Asked(NamedTuple):
    """Samples of these arms were requested."""

    arms: list[int]


class Reward(NamedTuple):
    """A reward that was told; objectives that were not observed are NaN."""

    arm: int
    values: np.ndarray
    time: str | None = None  # in `FORM_OF_TIMES`; None if it is unknown
    identifier: str | None = None


class Told(NamedTuple):
    """Rewards were told at once."""

    rewards: list[Reward]


class Withdrawn(NamedTuple):
    """A reward was removed or replaced: number `rank` of those told for the arm, from 0."""

    arm: int
    rank: int
    instead: np.ndarray | None
    counted: bool
    reason: str


class Retired(NamedTuple):
    """An arm is no longer sampled."""

    arm: int
    reason: str
    still_counts: bool


class Added(NamedTuple):
    """An arm was added, the last one; see `Session.add_arm`."""

    name: str | None
    delta: float | None
    features: list[float] | None
    cost: float | None


class Raised(NamedTuple):
    """The budget was raised."""

    budget: float


class Resumed(NamedTuple):
    """The experiment goes on from a file of an earlier version, in which arms had retired."""

    order: list[int]  # arms of the rewards that the algorithm had used
    retirements: list[Retired]
    samples: list[int]  # used before each retirement


class Withdrawal(NamedTuple):
    """The record of a withdrawn reward; see `Session.withdraw`.

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


class Retirement(NamedTuple):
    """The record of an arm that is no longer sampled; see `Session.retire`.

    Attributes
    ----------
    arm : str or int
        The arm.
    reason : str
        In the caller's words.
    still_counts : bool
        Whether the statements are about the Pareto set with this arm.
    samples : int
        Rewards of all arms that the algorithm had used by then. It may fall when a reward is
        withdrawn or an arm is added, because the algorithm then runs again.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(pc.Certified(), 3, 1, 1.0)
    >>> session.retire(2, "no longer sold", still_counts=True)
    >>> session.retired
    [Retirement(arm=2, reason='no longer sold', still_counts=True, samples=0)]
    """

    arm: str | int
    reason: str
    still_counts: bool
    samples: int


class Predecessor(NamedTuple):
    """An experiment as it was before `Session.add_arm` added an arm.

    Attributes
    ----------
    arms : tuple of str or int
        Its arms.
    delta : float or None
        The risk of its algorithm; None if the algorithm has no risk.
    rewards : int
        Number of its rewards, which count with the larger set of arms, too.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(pc.Certified(), 2, 1, 1.0)
    >>> session.add_arm(made_from_data=False)
    >>> session.predecessors
    [Predecessor(arms=(0, 1), delta=0.1, rewards=0)]
    """

    arms: tuple[str, ...] | tuple[int, ...]
    delta: float | None
    rewards: int


class Receipt(NamedTuple):
    """How many rows of a table `Session.tell_all` has counted and skipped.

    Attributes
    ----------
    counted : int
        Rows whose rewards were recorded.
    skipped : int
        Rows whose identifiers were told before with the same arm and reward.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(pc.APE(), 2, 1, standard_deviation=1.0)
    >>> monday = {"arm": [0, 1], "0": [1.5, 2.5], "tube": ["t1", "t2"]}
    >>> session.tell_all(monday, id="tube")
    Receipt(counted=2, skipped=0)
    >>> tuesday = {"arm": [0, 1, 1], "0": [1.5, 2.5, 2.0], "tube": ["t1", "t2", "t3"]}
    >>> session.tell_all(tuesday, id="tube")
    Receipt(counted=1, skipped=2)
    """

    counted: int
    skipped: int


def now():
    """The time in UTC as `FORM_OF_TIMES`; that of ``SOURCE_DATE_EPOCH`` if it is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    clock = datetime.datetime.now(datetime.UTC)
    if epoch:  # so that a page that is built twice comes out the same
        if not epoch.isdecimal():
            raise ValueError(f"SOURCE_DATE_EPOCH = {epoch!r}; expected a number of seconds")
        clock = datetime.datetime.fromtimestamp(int(epoch), datetime.UTC)
    return clock.strftime(FORM_OF_TIMES)


def check_time(text):
    """Return a time in `FORM_OF_TIMES`, or None."""
    try:
        if text is not None:
            datetime.datetime.strptime(text, FORM_OF_TIMES)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"time = {shown(text)}; expected null or a time as 2026-01-31T23:59:59Z"
        ) from error
    return text


def check_reason(reason, may_be_empty=False):
    """Return a reason for the record; if it may not be empty, it has to be printable."""
    is_text = isinstance(reason, str) and len(reason) <= LONGEST_REASON
    if not is_text or not (may_be_empty or (reason.strip() and reason.isprintable())):
        kind = "str of at most" if may_be_empty else "printable str of 1 to"
        raise ValueError(f"reason = {shown(reason)}; expected a {kind} {LONGEST_REASON} characters")
    return reason
