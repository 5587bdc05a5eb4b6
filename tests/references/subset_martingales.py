"""The martingale that is valid for every set of remaining arms, by definition."""

import numpy as np
from references.martingales import _group_share, _subsets, log_mixture

from pareto_core.confidence.boxes import BOX_MASS
from pareto_core.confidence.ledger import BOX_SHARE
from pareto_core.confidence.proven_rules import ADDED, ADDITIONS, FRONT, REMOVAL, SCALES


def dominance(means):
    """[n, j, k]: whether arm j dominates arm k in world n."""
    above = (means[:, :, None] >= means[:, None]).all(-1)
    return above & ~above.transpose(0, 2, 1)


def removal_terms(joint, information, means, worlds):
    """ln of the bet on each pair of which one arm dominates the other."""
    n_arms, d = means.shape
    dominates = dominance(worlds.means)
    for scale in SCALES:
        down = log_mixture(information, means - worlds.means, scale, REMOVAL)
        up = log_mixture(information, worlds.means - means, scale, REMOVAL)
        for objectives in _subsets(range(d)):
            if joint or len(objectives) == 1:
                share = 1 / len(SCALES) / (2**d - 1 if joint else d)
                weight = np.log(2 * share / (n_arms * (n_arms - 1)))
                for k in range(n_arms):
                    for j in set(range(n_arms)) - {k}:
                        bets = (down[:, k] + up[:, j])[:, objectives].sum(axis=1)
                        yield np.where(dominates[:, j, k], bets + weight, -np.inf)


def addition_terms(joint, information, means, worlds):
    """ln of the bets of each arm on sets of arms that do not dominate it."""
    n_arms, d = means.shape
    rows, dominates = np.arange(len(worlds.means)), dominance(worlds.means)
    for scale in SCALES:
        up = log_mixture(information, worlds.means - means, scale, ADDED)
        down = log_mixture(information, means - worlds.means, scale, FRONT)
        for k in range(n_arms):
            where = worlds.worse_in[:, k]
            for group in _subsets(set(range(n_arms)) - {k}):
                if len(group) > 1 and not joint:
                    continue
                bets = sum(down[rows, i, where[:, i]] for i in group)
                for c in range(d):
                    bets = bets + np.where((where[:, group] == c).any(axis=1), up[:, k, c], 0.0)
                share = _group_share(joint, len(group), n_arms - 1)
                weight = np.log(share / n_arms / len(SCALES))
                yield np.where(dominates[:, group, k].any(axis=1), -np.inf, bets + weight)


def log_certificate(joint, information, means, worlds):
    """ln M of a `SubsetCertificate` in each world."""
    data = joint, information, means, worlds
    arms = [
        *(term + np.log(1 - ADDITIONS) for term in removal_terms(*data)),
        *(term + np.log(ADDITIONS) for term in addition_terms(*data)),
    ]
    boxes = [
        log_mixture(information, sign * (means - worlds.means), scale, BOX_MASS)
        - np.log(2 * means.size * len(SCALES))
        for sign in (1, -1)
        for scale in SCALES
    ]
    about_arms = np.logaddexp.reduce(arms) + np.log(1 - BOX_SHARE)
    about_means = np.logaddexp.reduce(np.logaddexp.reduce(boxes), axis=(1, 2)) + np.log(BOX_SHARE)
    return np.logaddexp(about_arms, about_means)


def contradicted(certificate, worlds):
    """Which worlds contradict the statements about the remaining arms."""
    remaining = np.delete(np.arange(worlds.means.shape[1]), certificate.retired)
    is_dominated = dominance(worlds.means)[:, remaining].any(axis=1)
    wrongly_optimal = is_dominated[:, certificate.optimal].any(axis=1)
    return wrongly_optimal | ~is_dominated[:, certificate.dominated].all(axis=1)
