"""Answers up to an accuracy, by definition: right answers, alternatives, and their martingales."""

from typing import NamedTuple

import numpy as np
from references import alternatives as wrong
from references import martingales
from references.martingales import Worlds

from pareto_core.confidence.ledger import ANY_SHARE, EXACT_SHARE
from pareto_core.confidence.proven_rules import ADDITIONS


class AccurateWorlds(NamedTuple):
    """Worlds for exact answers, and for answers up to an accuracy.

    In ``near``, the front is that of the arms that are not beaten, the dominators are arms that
    beat, and each arm of the front has an objective in which another one is not better by more than
    epsilon; for optimal arms, by more than 0.
    """

    exact: Worlds
    near: Worlds

    def at(self, rows):
        return AccurateWorlds(self.exact.at(rows), self.near.at(rows))


def beaten_by(means, epsilon):
    """Whether arm i dominates arm k and is better by epsilon in every objective, [..., i, k]."""
    leads = means[..., :, None, :] >= means[..., None, :, :] + epsilon
    above = means[..., :, None, :] >= means[..., None, :, :]
    return leads.all(-1) & above.all(-1) & ~np.swapaxes(above, -3, -2).all(-1)


def unbeaten(means, epsilon):
    """Which arms no arm beats."""
    return ~beaten_by(np.asarray(means), epsilon).any(axis=-2)


def is_right(answer, means, epsilon):
    """Whether an answer has all optimal arms and no beaten one."""
    optimal, near = unbeaten(means, 0.0), unbeaten(means, epsilon)
    return all(answer[k] or not optimal[k] for k in range(len(answer))) and all(
        near[k] or not answer[k] for k in range(len(answer))
    )


def choose(means, epsilon, rng):
    """Accurate worlds with these means, (n, K, d); free choices are random."""
    exact = martingales.choose(means, rng)
    beaten = beaten_by(means, epsilon)
    front = ~beaten.any(axis=1)
    beater = np.where(beaten, rng.random(beaten.shape), -1).argmax(axis=1)
    no_better = means[:, None] <= means[:, :, None] + epsilon  # [n, k, i, c]
    worse_in = np.where(no_better, rng.random(no_better.shape), -1).argmax(axis=3)
    worse_in = np.where(exact.front[:, :, None], exact.worse_in, worse_in)
    return AccurateWorlds(exact, Worlds(means, front, beater, worse_in))


def random_epsilon(rng, means):
    """Accuracies of the size of the differences of the means, some of them 0."""
    epsilon = np.ptp(means, axis=0) * 10 ** rng.uniform(-2, 0.3, means.shape[1])
    epsilon[epsilon == 0] = 1.0
    return epsilon * (rng.random(epsilon.size) > 0.2 * rng.integers(2))


def put_beaten(rng, information, world, epsilon):
    """Let some arm be beaten by another: both meet, epsilon apart, where it is not."""
    arm, rival = rng.permutation(len(world))[:2]
    for c in np.flatnonzero(world[arm] + epsilon > world[rival]):
        raised = world.copy()
        raised[arm, c] += epsilon[c]
        point = wrong.meeting_point(rng, information, raised, rival, arm, c)
        world[arm, c], world[rival, c] = point - epsilon[c], point
    world[arm] -= wrong.EDGE


def put_unbeaten(rng, information, world, epsilon):
    """Let some arm be unbeaten: each other arm is lowered in some objective."""
    arm = rng.integers(len(world))
    for i in rng.permutation(np.delete(np.arange(len(world)), arm)):
        if (world[i] >= world[arm] + epsilon).all():
            leads = world[i] - world[arm] - epsilon
            c = leads.argmin() if rng.random() < 0.7 else rng.integers(leads.size)
            raised = world.copy()
            raised[arm, c] += epsilon[c]
            point = wrong.meeting_point(rng, information, raised, arm, i, c)
            world[arm, c], world[i, c] = point - epsilon[c], point
    world[arm] += wrong.EDGE


def alternatives(rng, information, means, epsilon, number):
    """Accurate worlds with these means, changed by one or several functions, or at random."""
    worlds = np.repeat(means[None], number, axis=0)
    for world in worlds:
        for _ in range(rng.integers(5)):
            if rng.random() < 0.4:
                change = wrong.put_on_top if rng.random() < 0.7 else wrong.put_above
                change(rng, information, world)
            else:
                change = put_beaten if rng.random() < 0.5 else put_unbeaten
                change(rng, information, world, epsilon)
        if rng.random() < 0.2:
            world += rng.standard_normal(world.shape) * 10 ** rng.uniform(-5, 0.5) * np.ptp(means)
    return choose(worlds, epsilon, rng)


def log_martingale(joint, information, means, worlds):
    """ln M of each accurate world."""
    return martingales.log_martingale(joint, information, means, worlds.near)


def log_certificate(joint, information, means, worlds):
    """ln M of a `Certificate` with an accuracy."""
    data = joint, information, means
    known, anyone = (1 - ANY_SHARE) * ADDITIONS, ANY_SHARE * ADDITIONS
    exact, near = EXACT_SHARE * (1 - ADDITIONS), (1 - EXACT_SHARE) * (1 - ADDITIONS)
    terms = martingales.removal_terms, martingales.addition_terms
    arms = [
        *(term + np.log(exact) for term in terms[0](*data, worlds.exact)),
        *(term + np.log(near) for term in terms[0](*data, worlds.near)),
        *(term + np.log(known) for term in terms[1](*data, worlds.near)),
        *(
            term + np.log(anyone)
            for term in terms[1](False, information, means, worlds.near, anyone=True)
        ),
    ]
    return martingales.with_boxes(arms, information, means, worlds.near)


# What a certificate with an accuracy states


def marks(certificate):
    """Which arms are certainly optimal, dominated, unbeaten and beaten."""
    ledger, n_arms = certificate._ledger, certificate._raised
    both = ledger.undominated, ledger.dominated
    return *(each[:n_arms] for each in both), *(each[n_arms:] for each in both)


def stated(certificate):
    """Numbers of statements of each kind."""
    return sum(each.sum() for each in marks(certificate))


def contradicted(certificate, worlds):
    """Which accurate worlds contradict the statements about arms."""
    optimal, dominated, unbeaten, beaten = marks(certificate)
    exact, near = worlds.exact.front, worlds.near.front
    wrong_exact = (optimal & ~exact) | (dominated & exact)
    return (wrong_exact | (unbeaten & ~near) | (beaten & near)).any(axis=1)
