"""The samples of a simulated experiment: which are to be taken, and the seed of each."""

import re
from typing import NamedTuple

import numpy as np

PREFIX = "sample "
OWN = re.compile(PREFIX + r"(\d+)-(\d+)")  # an identifier of a `Request`


class Request(NamedTuple):
    """A sample to be taken."""

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
    """How many samples of each arm were told with an identifier of a `Request`: a list of int."""
    told = [0] * session.n_arms
    for identifier in session._state.identified:
        if found := OWN.fullmatch(identifier):
            arm, replication = map(int, found.groups())
            if arm < len(told):
                told[arm] = max(told[arm], replication + 1)
    return told


def outstanding_requests(session, told):
    """The samples that a session has asked for and not been told."""
    each = enumerate(zip(told, session.outstanding.tolist(), strict=True))
    requests = [
        Request(arm, first + number) for arm, (first, more) in each for number in range(more)
    ]
    return sorted(requests, key=lambda request: request.replication - told[request.arm])
