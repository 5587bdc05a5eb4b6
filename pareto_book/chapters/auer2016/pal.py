"""Three readings of PAL, whose model and scale the paper does not report."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.chapters.auer2016.accuracies import Grid, join, over_grid
from pareto_book.rivals import PAL
from pareto_book.rivals.gaussian_process import Hyperparameters, fit

__all__ = ["Priors", "draw_priors", "fitted_to", "negated", "pal", "readings"]

Prior = tuple[Hyperparameters, ...]


class Priors(NamedTuple):
    """Hyper-parameters of Gaussian processes.

    Attributes
    ----------
    best : tuple of Hyperparameters
        Fitted to all observations; one per objective.
    drawn : list of tuple of Hyperparameters
        Fitted to a few observations each, for single runs.
    """

    best: Prior
    drawn: list[Prior]


def pal(prior: Prior, **options: float) -> Callable[[float], PAL]:
    """PAL with given hyper-parameters, as a function of the accuracy."""
    return lambda epsilon: PAL(epsilon=epsilon, hyperparameters=prior, **options)


def fitted_to(instance: pc.Instance, rows: slice | np.ndarray) -> Prior:
    """Fit hyper-parameters to some of the recorded observations of an instance."""
    per_arm = len(instance.observations[0])
    arms = np.repeat(np.arange(instance.n_arms), per_arm)[rows]
    groups = pd.DataFrame(np.concatenate(instance.observations)[rows]).groupby(arms)
    scatter = groups.agg(lambda y: y.var(ddof=0) * len(y))
    seen = groups.size(), groups.mean(), scatter
    return fit(
        instance.features, *(each.reindex(range(instance.n_arms), fill_value=0) for each in seen)
    )


def draw_priors(instance: pc.Instance, count: int, seed: int, observations: int = 30) -> Priors:
    """Fit hyper-parameters to all observations, and `count` times to some drawn at random."""
    total = sum(map(len, instance.observations))
    generators = (np.random.default_rng((seed, k)) for k in range(count))
    drawn = [
        fitted_to(instance, each.choice(total, observations, replace=False)) for each in generators
    ]
    return Priors(fitted_to(instance, slice(None)), drawn)


def negated(priors: Priors) -> Priors:
    """Hyper-parameters of the same objectives with their directions reversed."""
    best, *drawn = (
        tuple(dataclasses.replace(one, mean=-one.mean) for one in prior)
        for prior in (priors.best, *priors.drawn)
    )
    return Priors(best, drawn)


def readings(
    instance: pc.Instance,
    priors: Priors,
    epsilons: ArrayLike,
    runs: int,
    seed: int,
    n_jobs: int | None = None,
) -> dict[str, Grid]:
    """Run PAL in three readings at all accuracies."""
    theory = pal(priors.best, beta_divisor=1.0)
    configuration = pal(priors.best, beta_divisor=5.0, initial_samples=30)
    scripts = [pal(prior, beta_divisor=3.0, initial_samples=30) for prior in priors.drawn]
    return {
        "PAL, theory": over_grid(theory, instance, epsilons, runs, seed, n_jobs),
        "PAL, configuration": over_grid(configuration, instance, epsilons, runs, seed, n_jobs),
        "PAL, main script": join(
            [
                over_grid(script, instance, epsilons, 1, seed=k, n_jobs=n_jobs)
                for k, script in enumerate(scripts)
            ]
        ),
    }
