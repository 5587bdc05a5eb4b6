"""Optimal arms that Racing keeps, because they may be the only ones that eliminate others."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pareto_book.studies.race import OPEN, WAITS, Race, box_radii

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pareto_book.studies.race import RuleRun

__all__ = ["Wait", "longest_wait", "waiting_share"]


class Wait(NamedTuple):
    """An optimal arm that stays in the race.

    Attributes
    ----------
    arm : int
        The arm.
    time : int
        Number of samples of all arms, the last before the arm leaves the race or is open again.
    since : int
        Number of samples at which its wait began.
    needed_for : list of int
        Open arms that it may still dominate.
    """

    arm: int
    time: int
    since: int
    needed_for: list


def longest_wait(race: Race, name: str) -> Wait:
    """Find the longest time during which a rule keeps an arm that is certainly optimal."""
    waits = [(until - since, k, since, until) for k, since, until in _waits(race.runs[name])]
    if not waits:
        raise ValueError(f"no arm waits in the run of {name}; expected one, at another seed")
    _, arm, since, until = max(waits)
    return Wait(arm, until - 1, since, _needed_for(race, name, arm, until - 1))


def waiting_share(runs: "Sequence[RuleRun]") -> np.ndarray:
    """Share of the samples of optimal arms that each run takes while the arm waits."""
    return np.array([_share(run) for run in runs])


def _share(run):
    arms = np.array(run.arms)
    times = np.arange(1, len(arms) + 1)
    waiting = sum(
        ((arms == k) & (since < times) & (times <= until)).sum() for k, since, until in _waits(run)
    )
    optimal = [k for k, status in enumerate(run.statuses[-1][1]) if status == "+"]
    return waiting / np.isin(arms, optimal).sum()


def _waits(run):
    """Arm, beginning and end of each wait."""
    ends = [since for since, _ in run.statuses[1:]] + [len(run.arms)]
    found, began = [], {}
    for (since, statuses), until in zip(run.statuses, ends, strict=True):
        for k, status in enumerate(statuses):
            if status == WAITS:
                began.setdefault(k, since)
            if k in began and (status != WAITS or until == len(run.arms)):
                found.append((k, began.pop(k), since if status != WAITS else until))
    return found


def _needed_for(race, name, arm, time):
    """Open arms that are not certainly undominated by an arm."""
    counts, means = race.seen(name, time)
    radii = box_radii(counts, race.delta)
    statuses = next(found for since, found in reversed(race.runs[name].statuses) if since <= time)
    return [
        k
        for k, status in enumerate(statuses)
        if status == OPEN and (means[k] - means[arm]).max() <= np.hypot(radii[k], radii[arm])
    ]
