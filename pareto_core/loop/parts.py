"""What an algorithm assumes about the noise, and how it stops: what it supports follows from both.

Threshold tests are in `pareto_core.algorithms.stopping`, proven rules in `proven_stopping`.
"""

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_magnitude, shown

__all__ = [
    "ANY",
    "COVARIANCE",
    "UNIT",
    "Budget",
    "Noise",
    "Own",
    "Stopping",
    "bounded_rewards",
    "bounded_variance",
    "bounds_of_each",
    "check_bounds",
]


@dataclasses.dataclass(frozen=True)
class Noise:
    """What an algorithm assumes about the noise of the rewards.

    Use one of the constants `UNIT`, `COVARIANCE` and `ANY`, or the functions `bounded_variance`
    and `bounded_rewards`.

    Parameters
    ----------
    is_unit : bool, default True
        Whether rewards must have unit variance, so that they are divided by their standard
        deviations.
    reads_covariance : bool, default False
        Whether the algorithm reads ``problem.covariance``. If so, rewards are divided by the
        standard deviations only where all arms share them, and the covariances, shape (K, d, d),
        are given unless the rewards are then independent with unit variance.
    is_stated : bool, default False
        Whether parameters of the algorithm state the noise.
    variance_bound : float, optional
        Bound on the variance of the noise in each objective, if the algorithm states one.
    reward_bounds : sequence, optional
        Bounds of the rewards that the algorithm requires, (low, high) or one such pair per
        objective; instances whose rewards may be out of bounds are refused.

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.APE().noise.is_unit, pc.APE(variance_bound=4.0).noise.variance_bound
    (True, 4.0)
    """

    is_unit: bool = True
    reads_covariance: bool = False
    is_stated: bool = False
    variance_bound: float | None = None
    reward_bounds: Sequence | None = None


UNIT = Noise()
"""Unit variance: `simulate` divides the rewards by their standard deviations."""
COVARIANCE = Noise(reads_covariance=True)
"""Unit variance, or the covariances of each arm's rewards."""
ANY = Noise(is_unit=False)
"""Anything: the answer does not depend on the unit of the rewards."""


def bounded_variance(bound: float | None) -> Noise:
    """Noise whose variance has a bound that is a parameter of the algorithm; `UNIT` if None."""
    return UNIT if bound is None else Noise(is_unit=False, is_stated=True, variance_bound=bound)


def bounded_rewards(bounds: Sequence) -> Noise:
    """Noise of which nothing is known but the bounds of the rewards.

    The variance is at most a quarter of the squared widest range.
    """
    low, high = np.array(bounds).T
    return Noise(False, False, True, float(np.max((high - low) ** 2) / 4), bounds)


def check_bounds(bounds: ArrayLike) -> tuple:
    """Check bounds, one pair or one per objective; return a tuple of floats or of pairs."""
    given = check_magnitude(check_array(bounds, "bounds"), "bounds")
    if given.ndim not in (1, 2) or given.shape[-1] != 2 or given.size == 0:
        raise ValueError(
            f"bounds = {shown(bounds)}; expected (low, high), or such a pair for each objective"
        )
    if not (given[..., 0] < given[..., 1]).all():
        raise ValueError(f"bounds = {shown(bounds)}; expected low < high")
    pairs = tuple((low, high) for low, high in given.reshape(-1, 2).tolist())
    return pairs if given.ndim == 2 else pairs[0]


def bounds_of_each(bounds: ArrayLike, n_objectives: int) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds of the objectives, two arrays of shape (d,)."""
    given = np.array(bounds)
    if given.ndim == 2 and len(given) != n_objectives:
        raise ValueError(
            f"bounds = {shown(bounds)}; expected {n_objectives} pairs, one per objective"
        )
    low, high = np.broadcast_to(given, (n_objectives, 2)).T.copy()
    return low, high


@dataclasses.dataclass(frozen=True)
class Stopping:
    """How an algorithm stops; the base class of `Own`, `Budget`, and the rules of the package.

    Attributes
    ----------
    sampling_ignores_delta : bool
        Whether the risk affects only the time to stop, so that one run can be evaluated at several
        risks.
    can_go_on : bool
        Whether the sampling rule remains meaningful after the algorithm would have stopped.
    allows_missing_values : bool
        Whether the guarantee holds if some objectives of a sample are not observed, as the proven
        rules' does, which count the values of each arm and objective (the appendix *Proofs*). A
        session with any other algorithm refuses such samples.
    needs_independence : bool
        Whether the guarantee requires independent noise in different objectives, unless the
        algorithm reads the covariances.
    """

    sampling_ignores_delta: bool = dataclasses.field(default=False, kw_only=True)
    can_go_on: ClassVar[bool] = False
    allows_missing_values: ClassVar[bool] = False
    needs_independence: ClassVar[bool] = False


@dataclasses.dataclass(frozen=True)
class Own(Stopping):
    """A stopping rule of the algorithm's own, of which nothing else is known.

    Examples
    --------
    >>> from pareto_core.loop.parts import Own
    >>> Own(sampling_ignores_delta=True).can_go_on
    False
    """


@dataclasses.dataclass(frozen=True)
class Budget(Stopping):
    """Stop after a number of samples."""

    samples: int
