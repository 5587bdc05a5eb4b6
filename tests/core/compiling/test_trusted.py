"""Libraries that a version identifies, in the digest of an algorithm."""

import collections
import datetime
import enum
import heapq
import logging
import math
import operator
import re

import numpy as np
import scipy.special
from references.readers_algorithms import InTurn
from scipy import stats
from scipy.stats import norm

from pareto_core.compiling import identity

LOGGER = logging.getLogger("mine")


class Colour(enum.Enum):
    RED = 1


def with_attribute(value):
    return type("Holds", (InTurn,), {"value": value})()


def uses_libraries(record):
    table = collections.Counter(record.counts.tolist())
    bound = norm.ppf(0.9) + stats.chi2.ppf(0.9, 2) + math.sqrt(scipy.special.gamma(3.0))
    LOGGER.debug("%s", table)
    return bound + np.linalg.norm(record.means) + heapq.nsmallest(1, table)[0] > Colour.RED.value


def test_what_algorithms_usually_use_is_described(monkeypatch):
    kind = type("Usual", (InTurn,), {"stop": lambda self, record, memory: uses_libraries(record)})
    before = identity.digest_of(kind())
    monkeypatch.setattr(np, "mylimit", 9, raising=False)
    assert identity.digest_of(kind()) == before
    values = re.compile("a+"), operator.itemgetter(1), range(3), slice(2), datetime.timedelta(1)
    for value in values:
        assert identity.digest_of(with_attribute(value))


def reads_constant(record):
    return np.mylimit


def test_a_constant_that_somebody_put_into_a_library_is_noticed(monkeypatch):
    kind = type("Reads", (InTurn,), {"stop": lambda self, record, memory: reads_constant(record)})
    digests = []
    for value in (9, 50):
        monkeypatch.setattr(np, "mylimit", value, raising=False)
        digests.append(identity.digest_of(kind()))
    assert digests[0] != digests[1]
