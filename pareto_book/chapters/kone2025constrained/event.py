"""Lemma 4.3 and Proposition C.3 of the paper: what holds whenever all confidence regions hold.

Both are checked on the worst estimates that the event allows: random arms, random widths, and
empirical means on the verge of their regions.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import pareto_core as pc
from pareto_core.geometry.partition import (
    Partition,
    constrained_pareto_set,
    is_valid_partition,
    valid_partitions,
)
from pareto_core.geometry.polyhedron import hypercube, orthant, simplex

__all__ = [
    "REGIONS",
    "Counts",
    "Moment",
    "check_event",
    "is_under_explored",
    "one_round",
    "random_moment",
    "resolved",
]

REGIONS = tuple(shape for d in (2, 3) for shape in (orthant(np.zeros(d)), simplex(d), hypercube(d)))


class Moment(NamedTuple):
    """Arms, their estimates, and how far the estimates may be off.

    Attributes
    ----------
    region : Polyhedron
        The feasible region.
    means, estimate : ndarray, shape (K, d)
        True and empirical means.
    beta, radius : ndarray, shape (K,)
        Width of each arm, of which a pair has the sum, and confidence radius.
    """

    region: pc.Polyhedron
    means: np.ndarray
    estimate: np.ndarray
    beta: np.ndarray
    radius: np.ndarray


class Counts(NamedTuple):
    """How often the lemma and the proposition were put to the test, and how often they failed."""

    stopped: int
    wrong: int  # answers, against Lemma 4.3
    running: int
    missed: int  # pairs that are not under-explored, against Proposition C.3
    missed_half: int  # the same with widths half as wide in the definition


def on_the_verge(
    means: np.ndarray, beta: np.ndarray, radius: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Draw empirical means at corners of what the confidence event allows, shape (K, d)."""
    step = beta[:, None] * rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], means.shape)
    length = np.maximum(np.linalg.norm(step, axis=1), 1e-12)
    return means + 0.999 * step * np.minimum(1, radius / length)[:, None]


def random_moment(region: pc.Polyhedron, rng: np.random.Generator) -> Moment:
    """Draw arms, widths, and empirical means on the verge of their regions."""
    means = rng.uniform(-0.5, 1.5, (rng.integers(2, 6), region.n_objectives))
    level = rng.uniform(2, 6) / 10 ** rng.uniform(0.5, 3.5, len(means))
    beta, radius = np.sqrt(0.2 * level), np.sqrt(0.8 * level)
    return Moment(region, means, on_the_verge(means, beta, radius, rng), beta, radius)


def one_round(moment: Moment) -> tuple[Partition | None, list[int] | None]:
    """Do Algorithm 1 of the paper at one moment: return an answer, or leader and challenger."""
    region, _, estimate, beta, radius = moment
    inside = region.contains(estimate)
    margin = region.boundary_distance(estimate) - radius
    front = constrained_pareto_set(estimate, region)
    rest = np.setdiff1d(np.arange(len(estimate)), front)
    excess = (estimate[:, None] - estimate).max(axis=2)
    width = beta[:, None] + beta
    apart = excess - width
    np.fill_diagonal(apart, np.inf)
    kept = apart[np.ix_(front, front)].min(axis=1, initial=np.inf)
    kept = np.minimum(margin[front], kept)
    below = (-excess - width)[np.ix_(rest, front)].max(axis=1, initial=-np.inf)
    out = np.maximum(np.where(inside[rest], -np.inf, margin[rest]), below)
    maybe = inside | (margin <= 0)
    if min(out.min(initial=np.inf), kept.min(initial=np.inf)) > 0:
        return Partition(front, rest[maybe[rest]], rest[~maybe[rest]]), None
    late = out.min(initial=np.inf) <= 0
    leader = rest[out.argmin()] if late else front[kept.argmin()]
    rivals = np.setdiff1d(np.flatnonzero(maybe), leader)
    if rivals.size == 0:
        return None, [leader]
    return None, [leader, rivals[apart[leader, rivals].argmin()]]


def is_under_explored(moment: Moment, answer: Partition, shrink: float = 1.0) -> np.ndarray:
    """Whether the gap of each arm, or its distance to the border, is not yet resolved.

    Parameters
    ----------
    moment : Moment
        True means, widths and radii.
    answer : Partition
        A right answer.
    shrink : float, default 1.0
        Factor of widths and radii in the definition.

    Returns
    -------
    ndarray of bool, shape (K,)
    """
    region, means, _, beta, radius = moment
    arms = np.concatenate([answer.optimal, answer.dominated])
    gap = np.full(len(means), np.inf)
    if arms.size > 1:
        gap[arms] = pc.gaps(means[arms])
    close = shrink * 4 * beta >= gap
    border = shrink * 2 * radius >= region.boundary_distance(means)
    every = np.arange(len(means))
    return np.where(
        np.isin(every, answer.optimal),
        close | border,
        np.where(np.isin(every, answer.dominated), close, border),
    )


def resolved(moment: Moment, pair: list[int], shrink: float = 1.0) -> bool:
    """Whether for some right answer no arm of the pair is under-explored."""
    return any(
        not is_under_explored(moment, answer, shrink)[pair].any()
        for answer in valid_partitions(moment.means, moment.region)
    )


def check_event(cases: int, rng: np.random.Generator, regions: Sequence = REGIONS) -> Counts:
    """Count the failures of Lemma 4.3 and Proposition C.3 on random moments.

    Parameters
    ----------
    cases : int
        Number of moments.
    rng : numpy.random.Generator
        Random generator.
    regions : sequence of Polyhedron
        Feasible regions, taken in turn.

    Returns
    -------
    Counts
    """
    stopped = wrong = running = missed = missed_half = 0
    for number in range(cases):
        moment = random_moment(regions[number % len(regions)], rng)
        answer, pair = one_round(moment)
        if answer is None:
            running += 1
            missed += resolved(moment, pair)
            missed_half += resolved(moment, pair, shrink=0.5)
        else:
            stopped += 1
            wrong += not is_valid_partition(moment.means, moment.region, answer)
    return Counts(stopped, wrong, running, missed, missed_half)
