"""The samples of a simulated experiment: which are to be taken, and the seed of each."""

import re
from typing import NamedTuple

import numpy as np

PREFIX = "sample "
OWN = re.compile(PREFIX + r"(\d+)-(\d+)")  # an identifier of a `Request`


class Request(NamedTuple):
    """A sample to be taken.

    Attributes
    ----------
    arm : int
        Number of the arm.
    replication : int
        Number of samples of the arm before it.
    """

    arm: int
    replication: int

    @property
    def identifier(self):
        """Identifier with which the session is told the reward."""
        return f"{PREFIX}{self.arm}-{self.replication}"

    def seed(self, seed):
        """Seed of the sample, from 0 to 2**64 - 1, given the seed of the session."""
        sequence = np.random.SeedSequence(seed, spawn_key=self)
        return int(sequence.generate_state(1, np.uint64)[0])


def told_replications(session):
    """How many samples of each arm were told with an identifier of a `Request`: a list of int.

    They are told in their order, so this is one more than the number of the last of them. All
    other identifiers are the user's.
    """
    told = [0] * session.n_arms
    for identifier in session._ledger.identifiers.latest:
        if found := OWN.fullmatch(identifier):
            arm, replication = map(int, found.groups())
            if arm < len(told):
                told[arm] = max(told[arm], replication + 1)
    return told


def outstanding_requests(session, told):
    """The samples that a session has asked for and not been told.

    The samples of an arm are told in the order of their numbers. So the samples that are
    outstanding when a program is killed are the same samples when it is started again.

    Parameters
    ----------
    session : Session
    told : list of int
        See `told_replications`.

    Returns
    -------
    list of Request
        The first sample of each arm, then the second of each, and so on.
    """
    each = enumerate(zip(told, session.outstanding.tolist(), strict=True))
    requests = [
        Request(arm, first + number) for arm, (first, more) in each for number in range(more)
    ]
    return sorted(requests, key=lambda request: request.replication - told[request.arm])
