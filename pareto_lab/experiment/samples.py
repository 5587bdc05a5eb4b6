"""Samples as they enter the ledger, and the receipt for a table of them."""

from typing import NamedTuple

import numpy as np

from pareto_lab.experiment.missing_values import plain_reward

__all__ = ["Receipt"]


Sampled = int | str | tuple[int | str, int | str]  # an arm, or an arm and an objective


class Sample(NamedTuple):
    """An observed reward whose values were checked."""

    source: str  # its name in messages: "id", or the row of a table
    arm: int
    reward: np.ndarray  # (d,) NaN where it was not observed
    identifier: str | None = None

    @property
    def values(self):
        """Arm and reward as plain numbers or None, which can be compared and hashed."""
        return int(self.arm), plain_reward(self.reward)


class Receipt(NamedTuple):
    """How many rows of a table were counted and skipped, as `Session.tell_all` returns it.

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
