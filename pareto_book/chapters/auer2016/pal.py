"""Three readings of PAL, whose model and scale the paper does not report."""

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.chapters.auer2016.accuracies import Grid, join, over_grid
from pareto_core.regression.gaussian_process import Hyperparameters, fit

__all__ = ["draw_priors", "fitted_to", "negated", "pal", "refitted"]

Prior = tuple[Hyperparameters, ...]


def pal(prior: Prior, **options: float) -> Callable[[float], pc.PAL]:
    """PAL with given hyper-parameters, as a function of the accuracy."""
    return lambda epsilon: pc.PAL(epsilon=epsilon, hyperparameters=prior, **options)


def fitted_to(instance: pc.Instance, rows: slice | np.ndarray) -> Prior:
    """Fit hyper-parameters to some of the recorded observations of an instance.

    Parameters
    ----------
    instance : Instance
        Arms with features, and as many observations of each.
    rows : slice or array_like of int
        Observations, numbered arm by arm.

    Returns
    -------
    tuple of Hyperparameters
        One per objective.
    """
    per_arm = len(instance.observations[0])
    arms = np.repeat(np.arange(instance.n_arms), per_arm)[rows]
    groups = pd.DataFrame(np.concatenate(instance.observations)[rows]).groupby(arms)
    scatter = groups.agg(lambda y: y.var(ddof=0) * len(y))
    seen = groups.size(), groups.mean(), scatter
    return fit(
        instance.features, *(each.reindex(range(instance.n_arms), fill_value=0) for each in seen)
    )


def draw_priors(instance: pc.Instance, count: int, seed: int, observations: int = 30) -> list:
    """Fit hyper-parameters to observations drawn at random, `count` times."""
    total = sum(map(len, instance.observations))
    generators = (np.random.default_rng((seed, k)) for k in range(count))
    return [
        fitted_to(instance, each.choice(total, observations, replace=False)) for each in generators
    ]


def negated(prior: Prior) -> Prior:
    """Hyper-parameters of the same objectives with their directions reversed."""
    return tuple(dataclasses.replace(one, mean=-one.mean) for one in prior)


def refitted(
    instance: pc.Instance, epsilons: ArrayLike, priors: Sequence[Prior], n_jobs: int | None = None
) -> Grid:
    """Run PAL as its main script sets it, each run with hyper-parameters of its own."""
    return join(
        [
            over_grid(
                pal(prior, beta_divisor=3.0, initial_samples=30), instance, epsilons, 1, k, n_jobs
            )
            for k, prior in enumerate(priors)
        ]
    )
