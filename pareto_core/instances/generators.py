"""Generators of bandit instances, most of them random."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    check_count,
    check_generator,
    check_means,
    check_positive,
    check_size,
)
from pareto_core.geometry.dominance import gaps
from pareto_core.instances.instance import Instance

__all__ = [
    "distinct_best_arms",
    "linear_family",
    "one_dominates_all",
    "random_gaussian",
    "spherical_front",
    "staircase_front",
]

MOST_MEANS = 10**7  # of an instance
REJECTIONS = 10_000  # candidates in a row that may not fit, before a generator gives up


def spherical_front(
    n_front: int, n_objectives: int, rng: np.random.Generator, radius: float = 0.1
) -> Instance:
    """Front of random points on a sphere, and one arm at the origin, the last, which all dominate.

    The random instances of Crepon et al. (2024), Figure 4, in directions of absolute Gaussians.

    Parameters
    ----------
    n_front : int
        Number p of Pareto optimal arms; the instance has p + 1 arms.
    n_objectives : int
        Number d of objectives.
    rng : numpy.random.Generator
        Source of randomness.
    radius : float, default 0.1
        Radius of the sphere.

    Examples
    --------
    >>> import numpy as np
    >>> import pareto_core as pc
    >>> instance = pc.generators.spherical_front(4, 2, np.random.default_rng(0))
    >>> instance.means.shape, instance.pareto_set.size
    ((5, 2), 4)
    """
    check_count(n_front, "n_front")
    check_size(n_front + 1, n_objectives, MOST_MEANS)
    check_generator(rng)
    check_positive(radius, "radius")
    directions = np.abs(rng.standard_normal((n_front, n_objectives)))
    points = radius * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return Instance(
        np.vstack([points, np.zeros(n_objectives)]),
        name="spherical_front",
        provenance=f"{n_front} random points on a sphere of radius {radius}, and the origin",
    )


def staircase_front(n_front: int, rng: np.random.Generator, side: float = 10.0) -> Instance:
    """Front of uniform points in a square, and a dominated arm at the origin, the last.

    The random instances of Crepon et al. (2024), Table 1. Points that no earlier point dominates,
    and that dominate none, form a chain of rectangles; the next point is uniform in their union.

    Parameters
    ----------
    n_front : int
        Number p of Pareto optimal arms; the instance has p + 1 arms.
    rng : numpy.random.Generator
        Source of randomness.
    side : float, default 10
        Side of the square.

    Examples
    --------
    >>> import numpy as np
    >>> import pareto_core as pc
    >>> instance = pc.generators.staircase_front(4, np.random.default_rng(0))
    >>> instance.means.shape, instance.pareto_set.size
    ((5, 2), 4)
    """
    check_count(n_front, "n_front")
    check_size(n_front + 1, 2, MOST_MEANS)
    check_generator(rng)
    check_positive(side, "side")
    corners = np.empty((n_front + 2, 2))  # the staircase with the borders of the square
    corners[0] = 0.0, side
    corners[1] = side, 0.0
    for size in range(2, n_front + 2):
        sides = np.abs(np.diff(corners[:size], axis=0))
        total = np.cumsum(sides[:, 0] * sides[:, 1])
        chosen = np.searchsorted(total[:-1], rng.random() * total[-1], side="right")
        offset = rng.uniform(size=2) * sides[chosen]
        corners[chosen + 2 : size + 1] = corners[chosen + 1 : size].copy()
        corners[chosen + 1] = corners[chosen, 0] + offset[0], corners[chosen + 2, 1] + offset[1]
    points = corners[1:-1]
    return Instance(
        np.vstack([points, np.zeros(2)]),
        name="staircase_front",
        provenance=f"{n_front} random undominated points in a square of side {side}, "
        "and the origin",
    )


def one_dominates_all(n_arms: int, n_objectives: int = 2, lead: float = 1.0) -> Instance:
    """One arm that dominates K - 1 equal ones, by the same lead in every objective.

    Crepon et al. (2024, Section 4) expect Track-and-Stop to need almost half as many samples on it
    as algorithms that sample in pairs.

    Parameters
    ----------
    n_arms : int
        Number K of arms, at least 2; arm 0 dominates.
    n_objectives : int, default 2
        Number d of objectives.
    lead : float, default 1.0
        Lead in every objective, in standard deviations.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.generators.one_dominates_all(3, lead=0.5).means.tolist()
    [[0.5, 0.5], [0.0, 0.0], [0.0, 0.0]]
    """
    check_size(n_arms, n_objectives, MOST_MEANS)
    means = np.zeros((n_arms, n_objectives))
    means[0] = check_positive(lead, "lead")
    return Instance(
        means,
        name="one_dominates_all",
        provenance=f"one arm ahead of {n_arms - 1} equal ones by {lead} in each objective",
    )


def random_gaussian(
    n_arms: int, n_objectives: int, rng: np.random.Generator, scale: float = 1.0
) -> Instance:
    """Arms with independent Gaussian means.

    Parameters
    ----------
    n_arms : int
        Number K of arms, at least 2.
    n_objectives : int
        Number d of objectives.
    rng : numpy.random.Generator
        Source of randomness.
    scale : float, default 1.0
        Standard deviation of the means, in standard deviations of the noise.

    Examples
    --------
    >>> import numpy as np
    >>> import pareto_core as pc
    >>> pc.generators.random_gaussian(5, 2, np.random.default_rng(0)).means.shape
    (5, 2)
    """
    check_size(n_arms, n_objectives, MOST_MEANS)
    check_generator(rng)
    return Instance(
        check_positive(scale, "scale") * rng.standard_normal((n_arms, n_objectives)),
        name="random_gaussian",
        provenance=f"{n_arms} Gaussian means in {n_objectives} objectives",
    )


def distinct_best_arms(n_arms: int, n_objectives: int, rng: np.random.Generator) -> Instance:
    """Each objective has a different best arm, which leads by at least 0.2.

    The synthetic instances of Chen et al. (2024, Appendix A.2): arm m is the best in
    objective m, with a mean uniform from 1.2 to 2; all other means are uniform from 0 to 1.

    Parameters
    ----------
    n_arms : int
        Number K of arms, at least the number of objectives, and at least 2.
    n_objectives : int
        Number M of objectives.
    rng : numpy.random.Generator
        Source of randomness.

    Examples
    --------
    >>> import numpy as np
    >>> import pareto_core as pc
    >>> instance = pc.generators.distinct_best_arms(5, 2, np.random.default_rng(0))
    >>> np.unique(pc.best_arms(instance.means)).size
    2
    """
    check_count(n_objectives, "n_objectives")
    check_size(n_arms, n_objectives, MOST_MEANS, fewest_arms=max(n_objectives, 2))
    check_generator(rng)
    means = rng.random((n_arms, n_objectives))
    objective = np.arange(n_objectives)
    means[objective, objective] = rng.uniform(1.2, 2.0, n_objectives)
    return Instance(
        means,
        name="distinct_best_arms",
        provenance=f"{n_arms} random arms in {n_objectives} objectives, each with a best arm "
        "of its own",
    )


def linear_family(
    means: ArrayLike, n_arms: int, rng: np.random.Generator, variance: ArrayLike | None = None
) -> Instance:
    """Linear instance in which arms are added to h given ones without making it harder.

    The synthetic instances of Kone et al. (2025, linear, Section 5.1). The first h arms have the
    canonical basis for features, so that the regression matrix holds their means. Each further arm
    has a vector uniform in the cube, divided by its norm, and is kept if the first h arms still
    have the h smallest gaps. With the same seed, a larger instance begins with a smaller one.

    Parameters
    ----------
    means : array_like, shape (h, d)
        Means of the first arms: the regression matrix. If all are negative, few candidates fail.
    n_arms : int
        Number K of arms, at least h.
    rng : numpy.random.Generator
        Source of randomness.
    variance : array_like, shape (d,), optional
        Of the noise; 1 by default.

    Raises
    ------
    ValueError
        If an argument is out of range, or 10,000 candidates in a row do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> import pareto_core as pc
    >>> instance = pc.generators.linear_family(
    ...     [[1.0, 0.0], [0.0, 1.0], [0.9, 0.9]], 5, np.random.default_rng(0)
    ... )
    >>> instance.n_arms, instance.features.shape
    (5, (5, 3))
    """
    theta = check_means(means)
    n_features, n_objectives = theta.shape
    check_size(n_arms, n_objectives, MOST_MEANS, fewest_arms=n_features)
    check_generator(rng)
    smallest = gaps(theta)
    features, everyone = np.eye(n_features), theta
    refused = 0
    while len(features) < n_arms:
        candidate = rng.random(n_features)
        candidate /= np.linalg.norm(candidate)
        grown = np.vstack([everyone, candidate @ theta])
        gap = gaps(grown)
        if (gap[:n_features] == smallest).all() and gap[n_features:].min() >= smallest.max():
            features, everyone = np.vstack([features, candidate]), grown
            refused = 0
        elif (refused := refused + 1) == REJECTIONS:
            raise ValueError(
                f"means = {means!r}; expected means to which arms can be added without "
                f"changing the {n_features} smallest gaps ({len(features)} of {n_arms} found)"
            )
    return Instance(
        everyone,
        variance=variance,
        features=features,
        name=f"linear_family with {n_arms} arms",
        provenance=f"{n_features} given arms and {n_arms - n_features} random combinations of "
        f"them in {n_objectives} objectives that leave the {n_features} smallest gaps alone",
    )


def _six_arms():
    """Arms on which the book introduces each algorithm; B alone dominates D, and C alone E."""
    return Instance(
        [[0.4, 2.6], [1.4, 2.1], [2.5, 0.9], [1.0, 1.5], [2.0, 0.2], [0.5, 0.7]],
        name="six_arms",
        labels=list("ABCDEF"),
        provenance="made up for this book: three optimal arms and three dominated ones",
    )


MAKERS = {
    "distinct_best_arms": distinct_best_arms,
    "linear_family": linear_family,
    "one_dominates_all": one_dominates_all,
    "random_gaussian": random_gaussian,
    "six_arms": _six_arms,
    "spherical_front": spherical_front,
    "staircase_front": staircase_front,
}
"""Functions that make the instances, by name."""
