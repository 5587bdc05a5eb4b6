"""Bandit instances: what an algorithm plays against, and generators of random ones."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pareto_core._checks import check_array, check_count, check_means, check_positive
from pareto_core._kernels import kernel
from pareto_core.dominance import pareto_set

__all__ = ["Instance", "one_dominates_all", "random_gaussian", "spherical_front", "staircase_front"]


@dataclasses.dataclass(frozen=True, eq=False)
class Instance:
    """Arms with Gaussian rewards, independent between objectives.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Mean rewards; larger is better in every objective.
    variance : array_like, shape (d,), optional
        Variance of the noise in each objective, the same for all arms; 1 by default.
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
        If the means are not a finite (K, d) array with K >= 2, a variance is not
        positive, or a name is missing.
    """

    means: np.ndarray
    variance: np.ndarray | None = None
    name: str = "custom"
    labels: tuple[str, ...] | None = None
    objectives: tuple[str, ...] | None = None
    provenance: str = "given by the caller"

    def __post_init__(self):
        means = check_means(self.means)
        n_arms, n_objectives = means.shape
        variance = np.ones(n_objectives) if self.variance is None else self.variance
        variance = check_array(variance, "variance")
        if variance.shape != (n_objectives,) or not (np.isfinite(variance) & (variance > 0)).all():
            raise ValueError(
                f"variance = {self.variance!r}; expected {n_objectives} positive numbers, "
                "one per objective"
            )
        means.setflags(write=False)
        variance.setflags(write=False)
        object.__setattr__(self, "means", means)
        object.__setattr__(self, "variance", variance)
        self._set_names("labels", n_arms, [f"arm {k}" for k in range(n_arms)])
        self._set_names(
            "objectives", n_objectives, [f"objective {c + 1}" for c in range(n_objectives)]
        )

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
    def pareto_set(self):
        """Indices of the Pareto optimal arms, ascending."""
        return pareto_set(self.means)

    @property
    def means_standardised(self):
        """Means in units of the noise's standard deviation, shape (K, d)."""
        return self.means / np.sqrt(self.variance)

    def standardised(self):
        """Return the whitened instance: every objective divided by its standard deviation."""
        return dataclasses.replace(
            self,
            means=self.means_standardised,
            variance=np.ones(self.n_objectives),
            provenance=f"{self.provenance}; each objective divided by its standard deviation",
        )


class Sampler(NamedTuple):
    """What a compiled loop draws rewards from."""

    means: np.ndarray  # (K, d)
    deviation: np.ndarray  # (d,)


def sampler(instance):
    """Arrays from which `draw` samples the rewards of ``instance``."""
    return Sampler(np.array(instance.means), np.sqrt(instance.variance))


@kernel
def draw(source, arm, rng, reward):
    """Write one reward of ``arm`` to ``reward``."""
    for c in range(reward.shape[0]):
        reward[c] = source.means[arm, c] + source.deviation[c] * rng.standard_normal()


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
