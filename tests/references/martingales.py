"""The martingales of the proven rules by definition, and slow versions of their bounds."""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import erfc, erfcx

from pareto_core.confidence.boxes import BOX_MASS
from pareto_core.confidence.ledger import ANY_SHARE, BOX_SHARE
from pareto_core.confidence.proven_rules import ADDED, ADDITIONS, FRONT, REMOVAL, SCALES


def log_mixture(count, deviation, scale, mass):
    """ln f(N, a), with the scaled complementary error function."""
    count, deviation = np.asarray(count, float), np.asarray(deviation, float)
    spread = 1 + count * scale
    z = deviation * count * np.sqrt(scale / spread)
    low, high = np.minimum(z, 0) / np.sqrt(2), np.maximum(z, 0) / np.sqrt(2)
    bulk = np.where(z < 0, np.log(erfcx(-low)), high**2 + np.log(erfc(-high)))
    moved = np.log(mass) - 0.5 * np.log(spread) + bulk
    return np.where(count > 0, np.logaddexp(np.log1p(-mass), moved), 0.0)


def log_product(information, means, bets, points):
    """ln of the product to be minimised, at each point; arm 0 is low, the others high."""
    low = log_mixture(information[0], points - means[0], bets.scale, bets.lower)
    deviations = means[1:] - np.asarray(points)[..., None]
    return low + log_mixture(information[1:], deviations, bets.scale, bets.upper).sum(axis=-1)


def log_infimum(information, means, bets):
    """Minimiser of a product, and its logarithm there, to full accuracy."""
    width = 40 / np.sqrt(information.min())
    low, high = means.min() - width, means.max() + width
    for _ in range(40):  # a grid, narrowed around its least point: the logarithm is convex
        grid = np.linspace(low, high, 21)
        values = log_product(information, means, bets, grid)
        best = int(np.argmin(values))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 20)]
    return grid[best], values[best]


def least_removal(counts, gap):
    """Least evidence for an arm over a rival whose average is lower by ``gap``, at any mean."""

    def at(x):
        pairs = [
            log_mixture(counts[0], x, scale, REMOVAL)
            + log_mixture(counts[1], gap - x, scale, REMOVAL)
            for scale in SCALES
        ]
        return np.logaddexp.reduce(pairs) - np.log(len(SCALES))

    return minimize_scalar(at, bounds=(-1, gap + 1), method="bounded").fun


def least_evidence(information, means, arm, group, bets):
    """Minimum over all assignments of a group, by enumeration."""
    groups, objectives = range(len(group)), range(means.shape[1])

    @functools.cache
    def level(c, members):
        rows = [arm, *(group[g] for g in members)]
        if not members:
            return 0.0
        return infimum_or_atoms(information[rows, c], means[rows, c], bets)

    return min(
        sum(level(c, tuple(g for g in groups if chosen[g] == c)) for c in objectives)
        for chosen in itertools.product(objectives, repeat=len(group))
    )


def infimum_or_atoms(information, means, bets):
    """As `log_infimum`, but arms may have no samples."""
    sampled = information[1:] > 0
    if information[0] == 0:
        return sampled.sum() * np.log1p(-bets.upper)
    if not sampled.any():
        return np.log1p(-bets.lower)
    kept = np.append(True, sampled)
    return log_infimum(information[kept], means[kept], bets)[1]


# Means for which an answer may be wrong, and the martingales that bet against them


class Worlds(NamedTuple):
    """n sets of means, and the choices that the martingale of each depends on."""

    means: np.ndarray  # (n, K, d)
    front: np.ndarray  # (n, K) whether an arm is Pareto optimal
    dominator: np.ndarray  # (n, K) an optimal arm that dominates an arm that is not
    worse_in: np.ndarray  # (n, K, K) objective in which arm i is no better than the optimal arm k

    def at(self, rows):
        return Worlds(*(field[rows] for field in self))


def choose(means, rng):
    """Worlds with these means; free choices are random."""
    above = (means[:, :, None] >= means[:, None]).all(-1)  # [n, i, k]: i at least as good as k
    dominates = above & ~above.transpose(0, 2, 1)
    front = ~dominates.any(axis=1)
    by_optimal = dominates & front[:, :, None]
    dominator = np.where(by_optimal, rng.random(by_optimal.shape), -1).argmax(axis=1)
    no_better = means[:, None] <= means[:, :, None]  # [n, k, i, c]
    worse_in = np.where(no_better, rng.random(no_better.shape), -1).argmax(axis=3)
    return Worlds(means, front, dominator, worse_in)


def removal_terms(joint, information, means, worlds):
    """ln of each bet against the optimality of dominated arms, without the share of removals."""
    n_arms = means.shape[-2]
    size = worlds.front.sum(axis=1)
    for down, up in bets_of_arms(information, means, worlds, REMOVAL, REMOVAL):
        pairs = down + np.take_along_axis(up, worlds.dominator[:, :, None], 1)
        for objectives, share in subsets_of_objectives(joint, means.shape[-1]):
            weight = np.log(share / np.maximum(n_arms - size, 1))
            for k in range(n_arms):
                bets = pairs[:, k, objectives].sum(axis=1)
                yield np.where(worlds.front[:, k], -np.inf, bets + weight)


def addition_terms(joint, information, means, worlds, anyone=False):
    """ln of each bet against optimal arms, by groups of other optimal arms, or of all others."""
    size = worlds.front.sum(axis=1)
    others = np.full(size.shape, means.shape[-2] - 1) if anyone else size - 1
    for k, group, bets in group_bets(joint, information, means, worlds):
        shares = [group_share(joint, len(group), each) for each in others]
        meant = worlds.front[:, k] & (anyone | worlds.front[:, group].all(axis=1))
        weight = np.log(np.where(meant, shares, 1.0) / size)
        yield np.where(meant, bets + weight, -np.inf)


def bets_of_arms(information, means, worlds, high, low):
    """For each scale ln of the bets that each mean is below and above its average."""
    for scale in SCALES:
        down = log_mixture(information, means - worlds.means, scale, high)
        yield down, log_mixture(information, worlds.means - means, scale, low)


def subsets_of_objectives(joint, d):
    """Objectives of each bet on a removal, and its share among these and the scales."""
    share = 1 / len(SCALES) / (2**d - 1 if joint else d)
    return [(each, share) for each in _subsets(range(d)) if joint or len(each) == 1]


def group_bets(joint, information, means, worlds):
    """Each arm, each group of other arms, and ln of the group's bet times the scale's share."""
    n_arms, d = means.shape[-2:]
    rows = np.arange(len(worlds.means))
    for down, up in bets_of_arms(information, means, worlds, FRONT, ADDED):
        for k in range(n_arms):
            where = worlds.worse_in[:, k]
            for group in _subsets(set(range(n_arms)) - {k}):
                if len(group) > 1 and not joint:
                    continue
                bets = sum(down[rows, i, where[:, i]] for i in group)
                for c in range(d):
                    bets = bets + np.where((where[:, group] == c).any(axis=1), up[:, k, c], 0.0)
                yield k, group, bets - np.log(len(SCALES))


def _subsets(values):
    """All but the empty one, as lists."""
    values = sorted(values)
    for size in range(1, len(values) + 1):
        yield from map(list, itertools.combinations(values, size))


@functools.cache
def group_share(joint, size, others):
    if size > others:  # no such group
        return 1.0
    harmonic = sum(1 / b for b in range(1, others + 1))
    return 1 / (size * harmonic * math.comb(others, size)) if joint else 1 / others


def log_martingale(joint, information, means, worlds):
    """ln M of each world, with this information (K, d) and these empirical means.

    The means have shape (K, d), or (n, K, d) with one set for each world.
    """
    data = joint, information, means, worlds
    removals = [term + np.log(1 - ADDITIONS) for term in removal_terms(*data)]
    additions = [term + np.log(ADDITIONS) for term in addition_terms(*data)]
    return np.logaddexp.reduce(removals + additions)


def log_certificate(joint, information, means, worlds):
    """ln M of a `Certificate`, with its bets on boxes and on single dominators of any status."""
    data = joint, information, means, worlds
    known, anyone = (1 - ANY_SHARE) * ADDITIONS, ANY_SHARE * ADDITIONS
    arms = [
        *(term + np.log(1 - ADDITIONS) for term in removal_terms(*data)),
        *(term + np.log(known) for term in addition_terms(*data)),
        *(term + np.log(anyone) for term in addition_terms(False, *data[1:], anyone=True)),
    ]
    return with_boxes(arms, information, means, worlds)


def with_boxes(arms, information, means, worlds):
    """ln M of the bets ``arms``, given by their logarithms, and of those on boxes."""
    boxes = [
        log_mixture(information, sign * (means - worlds.means), scale, BOX_MASS)
        - np.log(2 * means.size * len(SCALES))
        for sign in (1, -1)
        for scale in SCALES
    ]
    about_arms = np.logaddexp.reduce(arms) + np.log(1 - BOX_SHARE)
    about_means = np.logaddexp.reduce(np.logaddexp.reduce(boxes), axis=(1, 2)) + np.log(BOX_SHARE)
    return np.logaddexp(about_arms, about_means)
