"""Slow versions of the confidence sequences of bounded rewards, from all rewards each time."""

import math

import numpy as np

GRID = np.arange(1001) / 1000
C = 0.5


def bets(rewards, risk):
    """The lambda of every reward, before it is cut off."""
    found = []
    for t in range(1, len(rewards) + 1):
        past = rewards[: t - 1]
        running = [(0.5 + sum(past[: i + 1])) / (i + 2) for i in range(t - 1)]
        variance = (0.25 + sum((x - m) ** 2 for x, m in zip(past, running, strict=True))) / t
        found.append(math.sqrt(2 * math.log(2 / risk) / (variance * t * math.log(t + 1))))
    return np.array(found)


def log_capitals(rewards, stakes, candidates):
    """Logarithms of both capitals against each candidate."""
    rewards, m = np.asarray(rewards)[:, None], np.asarray(candidates)[None, :]
    with np.errstate(divide="ignore"):
        up, down = np.minimum(stakes[:, None], C / m), np.minimum(stakes[:, None], C / (1 - m))
    return (
        np.log(1 + up * (rewards - m)).sum(axis=0),
        np.log(1 - down * (rewards - m)).sum(axis=0),
    )


def betting(rewards, risk, stakes=None):
    """Estimate, lower and upper end from the last step alone."""
    rewards = np.asarray(rewards, float)
    stakes = bets(rewards.tolist(), risk) if stakes is None else stakes
    capital = np.maximum(*log_capitals(rewards, stakes, GRID))
    kept = np.flatnonzero(capital < math.log(2 / risk))
    estimate = GRID[capital.argmin()]
    if kept.size == 0:
        return estimate, 1.0, 0.0
    ends = [0.0, 1.0]
    for side, (inner, outer) in enumerate([(kept[0], kept[0] - 1), (kept[-1], kept[-1] + 1)]):
        if 0 <= outer < len(GRID):
            ends[side] = _bisect(rewards, stakes, GRID[inner], GRID[outer], math.log(2 / risk))
    return estimate, *ends


def _bisect(rewards, stakes, inner, outer, level):
    for _ in range(24):
        if abs(outer - inner) <= 1e-9:
            break
        middle = (inner + outer) / 2
        if max(log_capitals(rewards, stakes, [middle]))[0] >= level:
            outer = middle
        else:
            inner = middle
    return outer


def empirical_bernstein(rewards, risk, stakes=None):
    """As `betting`, by Theorem 2."""
    stakes = np.minimum(bets(rewards, risk) if stakes is None else stakes, C)
    half = math.log(2 / risk)
    for t, (x, stake) in enumerate(zip(rewards, stakes, strict=True), start=1):
        expected = (0.5 + sum(rewards[: t - 1])) / t
        half += 4 * (x - expected) ** 2 * (-math.log(1 - stake) - stake) / 4
    centre = np.dot(stakes, rewards) / stakes.sum()
    return centre, centre - half / stakes.sum(), centre + half / stakes.sum()


def hoeffding(rewards, risk, stakes=None):
    """As `betting`, by Proposition 1."""
    times = np.arange(1, len(rewards) + 1)
    stakes = np.minimum(np.sqrt(8 * math.log(2 / risk) / (times * np.log(times + 1))), 1)
    half = (math.log(2 / risk) + (stakes**2).sum() / 8) / stakes.sum()
    centre = np.dot(stakes, rewards) / stakes.sum()
    return centre, centre - half, centre + half


INTERVALS = {
    "betting": betting,
    "empirical_bernstein": empirical_bernstein,
    "hoeffding": hoeffding,
}


def known(boundary, rewards, risk):
    """Intersection of the intervals at all times so far; it starts at [0, 1]."""
    stakes, low, high = bets(rewards, risk), 0.0, 1.0
    for t in range(1, len(rewards) + 1):
        _, lower, upper = INTERVALS[boundary](rewards[:t], risk, stakes[:t])
        low, high = max(low, lower), min(high, upper)
    return low, high
