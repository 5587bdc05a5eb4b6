"""The published problems of MOSCORE, with their shares and rates."""

from typing import NamedTuple

import numpy as np

from pareto_core.instances.datasets import read_table

METHODS = "phantom", "score", "iscore"


class Published(NamedTuple):
    """One problem: means (larger is better), covariance, and what was published."""

    means: np.ndarray
    covariance: np.ndarray
    shares: dict
    rates: dict
    brute_force_rate: float


def published():
    """All problems, by number of objectives, number of systems and number of the problem."""
    systems, rates = read_table("moscore_systems"), read_table("moscore_rates")
    found = {}
    for row in rates:
        key = tuple(int(value) for value in row[:3])
        rows = systems[(systems[:, :3] == key).all(axis=1)]
        assert len(rows) == key[1]
        found[key] = Published(
            -rows[:, 4 : 4 + key[0]],
            np.where(np.eye(key[0]), 1.0, row[3]),
            dict(zip(METHODS, rows[:, 8:].T, strict=True)),
            dict(zip(METHODS, row[4:7], strict=True)),
            row[7],
        )
    return found
