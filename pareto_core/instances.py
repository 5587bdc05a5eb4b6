"""Bandit instances: what an algorithm plays against, and generators of random ones."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pareto_core._checks import check_array, check_choice, check_count, check_means, check_positive
from pareto_core.dominance import gaps, pareto_set
from pareto_core.noise import BERNOULLI, GAUSSIAN, NOISES, POOL

__all__ = [
    "Instance",
    "distinct_best_arms",
    "linear_family",
    "one_dominates_all",
    "random_gaussian",
    "spherical_front",
    "staircase_front",
]

REJECTIONS = 10_000  # candidates in a row that may not fit, before a generator gives up


class Problem(NamedTuple):
    """What an algorithm is told before its first sample."""

    n_arms: int
    n_objectives: int
    features: np.ndarray | None = None  # (K, h)


@dataclasses.dataclass(frozen=True, eq=False)
class Instance:
    """Arms with random rewards, independent between objectives unless they are recorded.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Mean rewards; larger is better in every objective.
    variance : array_like, shape (d,) or (K, d), optional
        Variance of Gaussian noise in each objective, the same for all arms or of each;
        1 by default. Bernoulli rewards and recorded ones have their own.
    noise : {"gaussian", "bernoulli", "pool"}, default "gaussian"
        Distribution of the rewards; ``"pool"`` deals out ``observations``.
    observations : sequence of array_like, shapes (n_k, d), optional
        Recorded rewards of each arm, for `Instance.from_observations` to give.
    features : array_like, shape (K, h), optional
        Feature vector of each arm, for algorithms that generalise over arms.
    name : str, default "custom"
        Short name, as `load_instance` knows it.
    labels : sequence of str, optional
        One name per arm; "arm 0", "arm 1", ... by default.
    objectives : sequence of str, optional
        One name per objective; "objective 1", ... by default.
    provenance : str, default "given by the caller"
        Where the numbers come from, in a sentence.

    Raises
    ------
    ValueError
        If the means are not a finite (K, d) array with K >= 2, a variance common to
        all arms is not positive, or another argument does not fit the means.
    """

    means: np.ndarray
    variance: np.ndarray | None = None
    noise: str = GAUSSIAN
    observations: tuple[np.ndarray, ...] | None = None
    features: np.ndarray | None = None
    name: str = "custom"
    labels: tuple[str, ...] | None = None
    objectives: tuple[str, ...] | None = None
    provenance: str = "given by the caller"

    def __post_init__(self):
        means = check_means(self.means)
        n_arms, n_objectives = means.shape
        check_choice(self.noise, "noise", NOISES)
        if (self.noise == POOL) != (self.observations is not None):
            raise ValueError(
                f"noise = {self.noise!r}; expected 'pool' when observations are given, "
                "and only then"
            )
        self._set("means", means)
        self._set("variance", self._checked_variance())
        if self.features is not None:
            features = check_means(self.features, "features")
            if features.shape[0] != n_arms:
                raise ValueError(f"features has {features.shape[0]} rows; expected {n_arms}")
            self._set("features", features)
        self._set_names("labels", n_arms, [f"arm {k}" for k in range(n_arms)])
        self._set_names(
            "objectives", n_objectives, [f"objective {c + 1}" for c in range(n_objectives)]
        )

    @classmethod
    def from_observations(cls, observations, **fields):
        """Instance whose rewards are recorded observations, dealt out without replacement.

        Its means and variances are those of the observations, so a run that uses up an
        arm's observations knows its mean exactly.

        Parameters
        ----------
        observations : sequence of array_like, shapes (n_k, d)
            Recorded rewards of each arm, at least one each.
        **fields
            Other fields of `Instance`, such as ``name`` or ``features``.

        Returns
        -------
        Instance

        Raises
        ------
        ValueError
            If the observations are not finite arrays with the same number of columns.
        """
        groups = tuple(
            check_means(group, f"observations[{k}]", at_least=1)
            for k, group in enumerate(observations)
        )
        if len({group.shape[1] for group in groups}) > 1:
            raise ValueError("observations differ in their number of columns; expected one")
        for group in groups:
            group.setflags(write=False)
        means = np.array([group.mean(axis=0) for group in groups])
        return cls(means, noise=POOL, observations=groups, **fields)

    def _checked_variance(self):
        if self.noise != GAUSSIAN and self.variance is not None:
            raise ValueError(f"variance = {self.variance!r}; expected None for {self.noise} noise")
        if self.noise == BERNOULLI:
            if self.means.min() < 0 or self.means.max() > 1:
                raise ValueError("means of Bernoulli rewards; expected numbers from 0 to 1")
            return self.means * (1 - self.means)
        if self.noise == POOL:
            return np.array([group.var(axis=0) for group in self.observations])
        if self.variance is None:
            return np.ones(self.n_objectives)
        variance = check_array(self.variance, "variance")
        common = variance.shape == (self.n_objectives,) and (variance > 0).all()
        of_each = variance.shape == self.means.shape and (variance >= 0).all()
        if not (common or of_each) or not np.isfinite(variance).all():
            raise ValueError(
                f"variance = {self.variance!r}; expected {self.n_objectives} positive numbers, "
                f"one per objective, or an array of shape {self.means.shape}"
            )
        return variance

    def _set(self, field, array):
        array.setflags(write=False)
        object.__setattr__(self, field, array)

    def _set_names(self, field, expected, default):
        given = getattr(self, field)
        names = default if given is None else given
        if not isinstance(names, Sequence) or len(names) != expected:
            raise ValueError(f"{field} = {names!r}; expected {expected} names")
        object.__setattr__(self, field, tuple(names))

    @property
    def n_arms(self):
        """Number K of arms."""
        return self.means.shape[0]

    @property
    def n_objectives(self):
        """Number d of objectives."""
        return self.means.shape[1]

    @property
    def problem(self):
        """What an algorithm may know before its first sample."""
        return Problem(self.n_arms, self.n_objectives, self.features)

    @property
    def pareto_set(self):
        """Indices of the Pareto optimal arms, ascending."""
        return pareto_set(self.means)

    @property
    def means_standardised(self):
        """Means in units of the noise's standard deviation, shape (K, d).

        Raises
        ------
        ValueError
            If the arms do not share one variance per objective.
        """
        if self.variance.ndim == 2:
            raise ValueError(
                f"instance = {self.name!r}; expected one variance per objective, common to "
                "all arms, to standardise by (or an algorithm with a variance_bound)"
            )
        return self.means / np.sqrt(self.variance)

    def standardised(self):
        """Return the whitened instance: every objective divided by its standard deviation."""
        return dataclasses.replace(
            self,
            means=self.means_standardised,
            variance=np.ones(self.n_objectives),
            provenance=f"{self.provenance}; each objective divided by its standard deviation",
        )


def spherical_front(n_front, n_objectives, rng, radius=0.1):
    """Front of random points on a sphere, and one arm at the origin below them all.

    The random instances of Crepon et al. (2024), Figure 4: directions are those of
    the absolute values of Gaussian vectors.

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

    Returns
    -------
    Instance
        The origin is the last arm.
    """
    check_count(n_front, "n_front")
    check_count(n_objectives, "n_objectives")
    check_positive(radius, "radius")
    directions = np.abs(rng.standard_normal((n_front, n_objectives)))
    points = radius * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return Instance(
        np.vstack([points, np.zeros(n_objectives)]),
        name="spherical_front",
        provenance=f"{n_front} random points on a sphere of radius {radius}, and the origin",
    )


def staircase_front(n_front, rng, side=10.0):
    """Front of uniform points in a square, none above another, and an arm at the origin.

    The random instances of Crepon et al. (2024), Table 1. Points that neither
    dominate nor are dominated by those drawn before fill a chain of rectangles between
    neighbours; the next one is uniform in their union.

    Parameters
    ----------
    n_front : int
        Number p of Pareto optimal arms; the instance has p + 1 arms.
    rng : numpy.random.Generator
        Source of randomness.
    side : float, default 10
        Side of the square.

    Returns
    -------
    Instance
        The origin is the last arm.
    """
    check_count(n_front, "n_front")
    check_positive(side, "side")
    corners = np.empty((n_front + 2, 2))  # the staircase with the borders of the square
    corners[0] = 0.0, side
    corners[1] = side, 0.0
    for size in range(2, n_front + 2):
        sides = np.abs(np.diff(corners[:size], axis=0))
        total = np.cumsum(sides[:, 0] * sides[:, 1])
        chosen = np.searchsorted(total[:-1], rng.random() * total[-1], side="right")
        place = rng.uniform(size=2) * sides[chosen]
        corners[chosen + 2 : size + 1] = corners[chosen + 1 : size].copy()
        corners[chosen + 1] = corners[chosen, 0] + place[0], corners[chosen + 2, 1] + place[1]
    points = corners[1:-1]
    return Instance(
        np.vstack([points, np.zeros(2)]),
        name="staircase_front",
        provenance=f"{n_front} random undominated points in a square of side {side}, "
        "and the origin",
    )


def one_dominates_all(n_arms, n_objectives=2, lead=1.0):
    """One arm that dominates K - 1 equal ones, by the same lead in every objective.

    Where Crepon et al. (2024, Section 4) expect Track-and-Stop to need almost half
    the samples of algorithms that sample in pairs.

    Parameters
    ----------
    n_arms : int
        Number K of arms, at least 2; arm 0 dominates.
    n_objectives : int, default 2
        Number d of objectives.
    lead : float, default 1.0
        Lead in every objective, in standard deviations.

    Returns
    -------
    Instance
    """
    check_count(n_arms, "n_arms", at_least=2)
    check_count(n_objectives, "n_objectives")
    means = np.zeros((n_arms, n_objectives))
    means[0] = check_positive(lead, "lead")
    return Instance(
        means,
        name="one_dominates_all",
        provenance=f"one arm ahead of {n_arms - 1} equal ones by {lead} in each objective",
    )


def random_gaussian(n_arms, n_objectives, rng, scale=1.0):
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

    Returns
    -------
    Instance
    """
    check_count(n_arms, "n_arms", at_least=2)
    check_count(n_objectives, "n_objectives")
    return Instance(
        check_positive(scale, "scale") * rng.standard_normal((n_arms, n_objectives)),
        name="random_gaussian",
        provenance=f"{n_arms} Gaussian means in {n_objectives} objectives",
    )


def distinct_best_arms(n_arms, n_objectives, rng):
    """Each objective has a best arm of its own, ahead of the others by 0.2 at least.

    The synthetic instances of Chen et al. (2024, Appendix A.2): arm m is the best in
    objective m, with a mean uniform from 1.2 to 2; all other means are uniform from 0 to 1.

    Parameters
    ----------
    n_arms : int
        Number K of arms, at least as many as objectives, and at least 2.
    n_objectives : int
        Number M of objectives.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    Instance
    """
    check_count(n_objectives, "n_objectives")
    check_count(n_arms, "n_arms", at_least=max(n_objectives, 2))
    means = rng.random((n_arms, n_objectives))
    objective = np.arange(n_objectives)
    means[objective, objective] = rng.uniform(1.2, 2.0, n_objectives)
    return Instance(
        means,
        name="distinct_best_arms",
        provenance=f"{n_arms} random arms in {n_objectives} objectives, each with a best arm "
        "of its own",
    )


def linear_family(means, n_arms, rng, variance=None):
    """Linear instance in which arms are added to h given ones without making it harder.

    The synthetic instances of Kone et al. (2025, linear, Section 5.1). The first h arms
    have the canonical basis for features, so that the regression matrix holds their
    means. Each further arm has a vector uniform in the cube, divided by its norm, and
    is kept if the first h arms still have the h smallest gaps, unchanged. With the same
    seed, a larger instance begins with the arms of a smaller one.

    Parameters
    ----------
    means : array_like, shape (h, d)
        Means of the first arms: the regression matrix. Below zero in all objectives, the
        added arms are far below the front, and hardly any candidate is refused.
    n_arms : int
        Number K of arms, at least h.
    rng : numpy.random.Generator
        Source of randomness.
    variance : array_like, shape (d,), optional
        Of the noise; 1 by default.

    Returns
    -------
    Instance

    Raises
    ------
    ValueError
        If an argument is out of range, or 10,000 candidates in a row do not fit.
    """
    theta = check_means(means)
    n_features, n_objectives = theta.shape
    check_count(n_arms, "n_arms", at_least=n_features)
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
