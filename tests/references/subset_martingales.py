"""The martingale that is valid for every set of remaining arms, by definition."""

import itertools

import numpy as np
from references.martingales import (
    bets_of_arms,
    group_bets,
    group_share,
    subsets_of_objectives,
    with_boxes,
)

from pareto_core.confidence.proven_rules import ADDITIONS, REMOVAL


def dominance(means):
    """[n, j, k]: whether arm j dominates arm k in world n."""
    above = (means[:, :, None] >= means[:, None]).all(-1)
    return above & ~above.transpose(0, 2, 1)


def removal_terms(joint, information, means, worlds):
    """ln of the bet on each pair of which one arm dominates the other."""
    n_arms, d = means.shape
    dominates = dominance(worlds.means)
    for down, up in bets_of_arms(information, means, worlds, REMOVAL, REMOVAL):
        for objectives, share in subsets_of_objectives(joint, d):
            weight = np.log(2 * share / (n_arms * (n_arms - 1)))
            for k, j in itertools.permutations(range(n_arms), 2):
                bets = (down[:, k] + up[:, j])[:, objectives].sum(axis=1)
                yield np.where(dominates[:, j, k], bets + weight, -np.inf)


def addition_terms(joint, information, means, worlds):
    """ln of the bets of each arm on sets of arms that do not dominate it."""
    n_arms, dominates = len(means), dominance(worlds.means)
    for k, group, bets in group_bets(joint, information, means, worlds):
        weight = np.log(group_share(joint, len(group), n_arms - 1) / n_arms)
        yield np.where(dominates[:, group, k].any(axis=1), -np.inf, bets + weight)


def log_certificate(joint, information, means, worlds):
    """ln M of a `Certificate` for subsets in each world."""
    data = joint, information, means, worlds
    arms = [
        *(term + np.log(1 - ADDITIONS) for term in removal_terms(*data)),
        *(term + np.log(ADDITIONS) for term in addition_terms(*data)),
    ]
    return with_boxes(arms, information, means, worlds)


def contradicted(certificate, worlds):
    """Which worlds contradict the statements about the remaining arms."""
    remaining = np.delete(np.arange(worlds.means.shape[1]), certificate.retired)
    is_dominated = dominance(worlds.means)[:, remaining].any(axis=1)
    wrongly_optimal = is_dominated[:, certificate.optimal].any(axis=1)
    return wrongly_optimal | ~is_dominated[:, certificate.dominated].all(axis=1)
