"""The six arms of the book with features: rounds of GEGE, more arms, and an arm off the plane."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_core.loop.record import observe

__all__ = ["EliminationRound", "draw_rounds", "rounds_of_run", "with_further_arms", "with_plane"]


class EliminationRound(NamedTuple):
    """What GEGE does in one round.

    Attributes
    ----------
    active : ndarray of bool, shape (K,)
        Arms at the beginning of the round.
    pulls : ndarray of int, shape (K,)
        Samples of the round.
    estimates : ndarray, shape (K, d)
        Least-squares estimates of the active arms, NaN for the others.
    staying : ndarray of bool, shape (K,)
        Arms that are active after the round.
    accepted : ndarray of bool, shape (K,)
        Arms that have been accepted so far.
    """

    active: np.ndarray
    pulls: np.ndarray
    estimates: np.ndarray
    staying: np.ndarray
    accepted: np.ndarray


def with_plane(instance: pc.Instance) -> pc.Instance:
    """Give the arms of an instance features in which its means are exactly linear."""
    first, second = instance.means.T
    features = np.column_stack([np.ones(len(first)), (first + second) / 2, (first - second) / 2])
    return dataclasses.replace(instance, features=features)


def off_the_plane(instance: pc.Instance) -> pc.Instance:
    """Raise arm E off the plane of the features until it is optimal."""
    raised = instance.means.copy()
    raised[4] = [2.0, 1.3]
    return dataclasses.replace(instance, means=raised)


def with_further_arms(instance: pc.Instance, number: int, seed: int = 0) -> pc.Instance:
    """Add random mixtures of the arms that leave the smallest gaps as they are."""
    generator = np.random.default_rng(seed)
    means, features = instance.means, instance.features
    expected = pc.gaps(means)
    hardest = np.sort(expected)[features.shape[1] - 1]
    while len(means) < instance.n_arms + number:
        mixture = generator.dirichlet(np.ones(instance.n_arms) / 2)
        more = np.vstack([means, mixture @ instance.means])
        gaps = pc.gaps(more)
        if np.allclose(gaps[: instance.n_arms], expected) and gaps[instance.n_arms :].min() >= (
            hardest - 1e-12
        ):
            means = more
            features = np.vstack([features, mixture @ instance.features])
    return dataclasses.replace(instance, means=means, features=features, labels=None)


def rounds_of_run(
    algorithm: pc.GEGE, instance: pc.Instance, seed: int = 0
) -> Iterator[EliminationRound]:
    """Rounds of a run of GEGE on an instance with Gaussian noise of unit variance."""
    problem = instance.problem
    generator = np.random.default_rng(seed)
    parameters, state = algorithm.parameters(problem), algorithm.start(problem, generator)
    race, finished = state.race, False
    while not finished:
        arm, number = algorithm.select(parameters, state)
        active, pulls = race.active.copy(), race.plan.copy()
        ended = False
        while not ended:
            total = number * instance.means[arm]
            total += np.sqrt(number) * generator.standard_normal(instance.n_objectives)
            observe(state.record, arm, number, total, np.zeros(instance.n_objectives))
            finished = algorithm.stop(parameters, state)
            ended = race.turn[0] == instance.n_arms
            if not ended:
                arm, number = algorithm.select(parameters, state)
        estimates = np.where(active[:, None], race.estimates, np.nan)
        yield EliminationRound(active, pulls, estimates, race.active.copy(), race.accepted.copy())


def draw_rounds(rounds: Sequence[EliminationRound], instance: pc.Instance) -> Figure:
    """Draw the estimates of each round: what was sampled, and what happens to each arm."""
    figure, panels = plots.new_figure(
        1, len(rounds), height=3.6, sharex=True, sharey=True, squeeze=False
    )
    for number, (axes, each) in enumerate(zip(panels[0], rounds, strict=True), start=1):
        axes.scatter(*instance.means.T, s=12, color="grey", zorder=1)
        arms = np.flatnonzero(each.active)
        axes.scatter(
            *each.estimates[arms].T, s=14 * each.pulls[arms], color=plots.SKY, alpha=0.6, lw=0
        )
        gone, staying = arms[~each.staying[arms]], arms[each.staying[arms]]
        front = np.flatnonzero(each.accepted[gone])
        plots.scatter_arms(axes, each.estimates[gone], front, labels=False)
        axes.scatter(*each.estimates[staying].T, s=42, color=plots.ORANGE, zorder=3)
        for arm in arms:
            words = instance.labels[arm]
            if each.pulls[arm]:
                words += f": {each.pulls[arm]}"
            axes.annotate(words, each.estimates[arm], (9, -13), textcoords="offset points")
        axes.set(title=f"round {number}", xlabel="objective 1", aspect="equal")
        axes.margins(0.15)
    panels[0, 0].set(ylabel="objective 2")
    return figure
