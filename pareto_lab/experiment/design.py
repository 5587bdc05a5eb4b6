"""The design of an experiment: its arms and objectives, and what is known before the first sample.

An algorithm maximises, in units of the noise. A design keeps the caller's own signs and units, and
converts between the two.
"""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from pareto_core.checks.arguments import (
    LARGEST,
    check_array,
    check_count,
    check_positive,
    shown,
)
from pareto_core.confidence.noise_kinds import DETERMINISTIC, are_of_kind
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.instances.checks import correlation_of, is_diagonal
from pareto_core.instances.instance import Problem
from pareto_core.loop.parts import bounds_of_each
from pareto_lab.experiment.missing_values import ACCEPTED_BY, with_gaps
from pareto_lab.experiment.names import (
    Values,
    in_order,
    is_named,
    refuse_flags,
    unknown,
)

__all__ = ["ExperimentDesign"]

MOST_MEANS = 10**6  # arms times objectives
SIGNS = {"max": 1.0, "min": -1.0}  # of an objective, for an algorithm that maximises
COLUMN_OF_ARMS = "arm"  # in tables, so no objective may have this name


@dataclasses.dataclass(frozen=True, eq=False)
class ExperimentDesign:
    """The design of an experiment, made from the arguments of a `Session`.

    Attributes
    ----------
    arms, objectives : tuple of str, or range
        Their names, or their numbers from 0.
    directions : tuple of {"max", "min"}
        Whether each objective is to be maximised or minimised.
    units : tuple of str
        Unit of each objective; an empty string if it has no unit.
    standard_deviation : ndarray, shape (), (d,) or (K, d)
        Standard deviations of the noise, as given; half of the distance between the bounds; 1 if
        they are unknown, there is no noise, or the algorithm states them.
    unknown_noise : {"unknown", "unknown, equal"} or None
        How the standard deviations of all objectives are unknown.
    features : ndarray, shape (K, h), or None
        Feature vector of each arm.
    polyhedron : Polyhedron or None
        Feasible region of the means.
    costs : ndarray, shape (K,), or None
        Cost of a sample of each arm.
    bounds, reward_bounds : tuple or None
        Bounds of the rewards: as given, and those of the algorithm, of rewards divided by `scale`.
    noise_kinds : tuple of {"known", "unknown", "unknown, equal", "deterministic"}, or None
        Kind of the noise of each objective, if they differ.
    covariance : ndarray, shape (d, d) or (K, d, d), or None
        Covariance of the noise.
    allows_missing_values, uses_covariance : bool
        Whether some objectives of a reward may be missing, and whether the algorithm is told the
        covariances of the arms; see `Algorithm`.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(
    ...     pc.TrackAndStop(), 2, objectives={"gain": "max", "loss": "min"}, standard_deviation=1.0
    ... )
    >>> session.design.arms, session.design.directions
    (range(0, 2), ('max', 'min'))
    """

    arms: tuple[str, ...] | range
    objectives: tuple[str, ...] | range
    directions: tuple[str, ...]
    units: tuple[str, ...]
    standard_deviation: np.ndarray
    unknown_noise: str | None
    features: np.ndarray | None
    polyhedron: Polyhedron | None
    costs: np.ndarray | None
    bounds: Sequence | None
    reward_bounds: Sequence | None
    noise_kinds: tuple[str, ...] | None = None
    covariance: np.ndarray | None = None
    allows_missing_values: bool = False
    uses_covariance: bool = False

    @property
    def value_columns(self) -> tuple[str, ...]:
        """Columns of a table of rewards."""
        return tuple(map(str, self.objectives))

    @property
    def n_arms(self) -> int:
        """Number K of arms."""
        return len(self.arms)

    @property
    def n_objectives(self) -> int:
        """Number d of objectives."""
        return len(self.objectives)

    @functools.cached_property
    def prices(self) -> np.ndarray:
        """Cost of a sample of each arm, shape (K,): 1 if there are no costs."""
        return np.ones(self.n_arms) if self.costs is None else self.costs

    def check_budget(self, budget: Any) -> float:
        """Return a budget; without costs it is a number of samples."""
        if self.costs is not None:
            return check_positive(budget, "budget")
        try:
            is_whole = isinstance(budget, float) and budget.is_integer()
            return check_count(int(budget) if is_whole else budget, "budget")
        except ValueError as error:
            raise ValueError(f"{error}: without costs it is a number of samples") from None

    @functools.cached_property
    def scale(self) -> np.ndarray:
        """Divisors of the rewards for the algorithm, shape (d,), negative if less is better.

        If the standard deviations differ between arms, they are the signs alone, because arms whose
        rewards are divided by different numbers cannot be compared.
        """
        deviation = 1.0 if self.standard_deviation.ndim == 2 else self.standard_deviation
        return deviation * np.array([SIGNS[each] for each in self.directions])

    @functools.cached_property
    def problem(self) -> Problem:
        """The problem as the algorithm sees it, with rewards divided by `scale`."""
        region = self.polyhedron and self.polyhedron.divided_by(self.scale)
        size = (self.n_arms, self.n_objectives)
        unit = np.abs(self.scale)
        unit = None if (unit == 1).all() else unit
        known = self._known_covariance()
        return Problem(*size, self.features, region, known, unit, self.noise_kinds)

    def _known_covariance(self):
        """Covariances of the arms as the algorithm sees them, shape (K, d, d)."""
        covariance, deviation = self.covariance, self.standard_deviation
        if not self.uses_covariance or (covariance is None and deviation.ndim < 2):
            return None
        if covariance is None:
            covariance = deviation[:, :, None] ** 2 * np.eye(self.n_objectives)
        covariance = covariance / (self.scale[:, None] * self.scale)
        if deviation.ndim < 2:
            covariance = correlation_of(covariance)  # whose diagonal is 1 without rounding
        shape = (self.n_arms, self.n_objectives, self.n_objectives)
        known = np.array(np.broadcast_to(covariance, shape))
        known.setflags(write=False)
        return known if deviation.ndim == 2 or self.is_correlated else None

    @functools.cached_property
    def deterministic(self) -> np.ndarray:
        """Objectives without noise, an array of int."""
        return np.flatnonzero(are_of_kind(self.noise_kinds or (), DETERMINISTIC))

    @property
    def is_correlated(self) -> bool:
        """Whether a covariance is given that is not diagonal."""
        return self.covariance is not None and not is_diagonal(self.covariance).all()

    def restored(self, means: np.ndarray) -> np.ndarray:
        """Convert the algorithm's means, shape (K, d), to the caller's signs and units."""
        return means * self.scale + 0.0  # no -0.0

    def arm_number(self, arm: Any) -> int:
        """Number of an arm, from 0."""
        number = self.find(arm)
        if number is None:
            raise ValueError(f"arm = {shown(arm)}; {unknown(arm, self.arms)}")
        return number

    def find(self, arm: Any) -> int | None:
        """Number of an arm, from 0; None if ``arm`` is unknown."""
        if isinstance(arm, str):
            return self._numbers.get(arm)
        if is_named(self.arms) or isinstance(arm, bool) or not isinstance(arm, int | np.integer):
            return None
        return int(arm) if 0 <= arm < self.n_arms else None

    @functools.cached_property
    def _numbers(self):
        return {name: k for k, name in enumerate(self.arms)} if is_named(self.arms) else {}

    def named(self, arms: np.ndarray) -> np.ndarray:
        """Convert arm numbers to an array of names, if the arms have names."""
        return np.array(self.arms)[arms] if is_named(self.arms) else arms

    def check_reward(self, reward: Values, name: str = "reward") -> np.ndarray:
        """Return a reward, a sequence or a mapping of names, as an array of d finite numbers."""
        given = with_gaps(reward, self.objectives) if self.allows_missing_values else reward
        given = in_order(given, self.objectives, name)
        observed = check_array(given, name)
        refuse_flags(given, name, reward)
        missing = np.isnan(observed)
        valid = np.isfinite(observed) | (missing & self.allows_missing_values)
        if observed.shape != (self.n_objectives,) or not valid.all():
            hint = f"; {ACCEPTED_BY}" if missing.any() and not self.allows_missing_values else ""
            raise ValueError(
                f"{name} = {shown(reward)}; expected {self.n_objectives} finite numbers, "
                f"one per objective{hint}"
            )
        if missing.all():
            raise ValueError(f"{name} = {shown(reward)}; expected at least one observed value")
        if (np.abs(observed) > LARGEST * np.minimum(np.abs(self.scale), 1)).any():
            raise ValueError(
                f"{name} = {shown(reward)}; expected numbers of magnitude {LARGEST} at most, in "
                "their own unit and in standard deviations"
            )
        if _is_out_of(self.bounds, observed):
            raise ValueError(
                f"{name} = {shown(reward)}; expected numbers within the bounds {self.bounds!r}"
            )
        if _is_out_of(self.reward_bounds, observed / self.scale):
            raise ValueError(
                f"{name} = {shown(reward)}; expected numbers within the algorithm's bounds "
                f"{self.reward_bounds!r}, with all objectives maximised"
            )
        return observed


def _is_out_of(bounds, reward):
    """Whether a reward violates bounds, if there are any."""
    if bounds is None:
        return False
    low, high = bounds_of_each(bounds, reward.size)
    return bool((reward < low).any() or (reward > high).any())
