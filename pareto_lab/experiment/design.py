"""What an experiment is: its arms and objectives, and what is known before the first sample.

Algorithms look for what is large, in units of the noise. A design has the caller's own signs and
units, and translates.
"""

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import (
    LARGEST,
    check_array,
    check_choice,
    check_count,
    check_matrix,
    check_size,
    shown,
)
from pareto_core.confidence.boxes import UNKNOWN
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm, refuse_needless
from pareto_core.loop.reward_bounds import bounds_of_each
from pareto_lab.experiment.names import (
    Values,
    check_names,
    in_order,
    is_named,
    listed,
    refuse_other_rows,
    unknown,
)
from pareto_lab.experiment.noise import stated_noise

__all__ = ["ExperimentDesign"]

MOST_MEANS = 10**6  # of an experiment
SIGNS = {"max": 1.0, "min": -1.0}  # of an objective, for an algorithm that maximises
COLUMN_OF_ARMS = "arm"  # in tables; so no objective has this name


@dataclasses.dataclass(frozen=True, eq=False)
class ExperimentDesign:
    """What an experiment is; a `Session` makes it of its arguments, which it documents.

    Attributes
    ----------
    arms : tuple of str, or range
        Names of the arms; their numbers from 0 if they have no names.
    objectives : tuple of str, or range
        Names of the objectives, likewise.
    directions : tuple of {"max", "min"}
        What is good, of each objective.
    units : tuple of str
        Unit of each objective; an empty string if none is given.
    standard_deviation : ndarray, shape (), (d,) or (K, d)
        Of the noise, as given; 1 if it is unknown or the algorithm states it; half of the distance
        between the bounds.
    is_noise_unknown : bool
        Whether nobody knows the standard deviations.
    features : ndarray, shape (K, h), or None
        Feature vector of each arm.
    polyhedron : Polyhedron or None
        Feasible region of the means, in the caller's signs and units.
    costs : ndarray, shape (K,), or None
        Of a sample of each arm.
    bounds : tuple or None
        Of the rewards, in the caller's signs and units.
    reward_bounds : tuple or None
        Of the rewards divided by `scale`; see `Algorithm`.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(
    ...     pc.TrackAndStop(),
    ...     arms=["A", "B"],
    ...     objectives={"protection": "max", "fever": "min"},
    ...     standard_deviation=[2.0, 0.5],
    ... )
    >>> session.design.arms, session.design.directions
    (('A', 'B'), ('max', 'min'))
    """

    arms: tuple[str, ...] | range
    objectives: tuple[str, ...] | range
    directions: tuple[str, ...]
    units: tuple[str, ...]
    standard_deviation: np.ndarray
    is_noise_unknown: bool
    features: np.ndarray | None
    polyhedron: Polyhedron | None
    costs: np.ndarray | None
    bounds: Sequence | None
    reward_bounds: Sequence | None

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

    @functools.cached_property
    def scale(self) -> np.ndarray:
        """What rewards are divided by for the algorithm, shape (d,).

        Standard deviations, negative where less is better. If they differ between arms, only
        the signs: divided by different numbers, arms could not be compared.
        """
        deviation = 1.0 if self.standard_deviation.ndim == 2 else self.standard_deviation
        return deviation * np.array([SIGNS[each] for each in self.directions])

    @functools.cached_property
    def problem(self) -> Problem:
        """What the algorithm is told: the region is that of the rewards divided by `scale`."""
        region = self.polyhedron and self.polyhedron.divided_by(self.scale)
        return Problem(self.n_arms, self.n_objectives, self.features, region)

    def restored(self, means: np.ndarray) -> np.ndarray:
        """Means of the algorithm, shape (K, d), in the caller's signs and units."""
        return means * self.scale + 0.0  # no -0.0

    def arm_number(self, arm: Any) -> int:
        """Place of an arm, from 0.

        Raises
        ------
        ValueError
            If the arm is none.
        """
        number = self.find(arm)
        if number is None:
            raise ValueError(f"arm = {shown(arm)}; {unknown(arm, self.arms)}")
        return number

    def find(self, arm: Any) -> int | None:
        """Place of an arm, from 0; None if it is none."""
        if isinstance(arm, str):
            return self._places.get(arm)
        if is_named(self.arms) or isinstance(arm, bool) or not isinstance(arm, int | np.integer):
            return None
        return int(arm) if 0 <= arm < self.n_arms else None

    @functools.cached_property
    def _places(self):
        return {name: k for k, name in enumerate(self.arms)} if is_named(self.arms) else {}

    def named(self, arms: np.ndarray) -> np.ndarray:
        """Arms by their names, an array of str; as they are, if they have none."""
        return np.array(self.arms)[arms] if is_named(self.arms) else arms

    def check_reward(self, reward: Values, name: str = "reward") -> np.ndarray:
        """Return a reward, a sequence or by name, as an array of d finite numbers.

        Raises
        ------
        ValueError
            If it is none, or beyond `LARGEST`, in its own unit or in standard deviations, or out
            of the bounds that the algorithm takes for granted.
        """
        observed = check_array(in_order(reward, self.objectives, name), name)
        if observed.shape != (self.n_objectives,) or not np.isfinite(observed).all():
            raise ValueError(
                f"{name} = {shown(reward)}; expected {self.n_objectives} finite numbers, "
                "one per objective"
            )
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
                f"{self.reward_bounds!r}, of what is to be large"
            )
        return observed


def _is_out_of(bounds, reward):
    """Whether there are bounds, and a reward is out of them."""
    if bounds is None:
        return False
    low, high = bounds_of_each(bounds, reward.size)
    return bool((reward < low).any() or (reward > high).any())


def new_design(n_arms, n_objectives, names, noise, features, polyhedron, costs):
    """Check the arguments of a `Session` that say what the experiment is.

    The names are those of the arms and the objectives, and the units; the noise is the algorithm,
    which may state it, standard deviations or None, and bounds of the rewards or None.
    """
    arms, objectives, units = names
    arms, n_arms = _names_and_number(arms, n_arms, "arms")
    directions = _directions(objectives)
    objectives, n_objectives = _names_and_number(objectives, n_objectives, "objectives")
    check_size(n_arms, n_objectives, MOST_MEANS)
    arms = range(n_arms) if arms is None else arms
    objectives = range(n_objectives) if objectives is None else objectives
    if COLUMN_OF_ARMS in objectives:
        raise ValueError(
            f"objectives has the name {COLUMN_OF_ARMS!r}, which in tables is the column of the "
            "arms; expected another name"
        )
    if polyhedron is not None:
        check_polyhedron(polyhedron, n_objectives)
    deviation, is_unknown, bounds = stated_noise(*noise, arms, objectives)
    return ExperimentDesign(
        arms,
        objectives,
        directions or ("max",) * n_objectives,
        _units(units, objectives),
        deviation,
        is_unknown,
        _features(features, arms),
        polyhedron,
        _costs(costs, arms),
        bounds,
        noise[0].reward_bounds,
    )


def refuse_misfit(algorithm, design):
    """Refuse what an algorithm would ignore, or can't take.

    Raises
    ------
    ValueError
        If it does not use the features or the polyhedron, if it takes the noise to be known and it
        is not, or if it needs rewards in units of their noise, and there is one for each arm.
    """
    refuse_needless(algorithm, design.features, design.polyhedron)
    deviation = design.standard_deviation
    known = isinstance(algorithm, Certified) and algorithm.variance != UNKNOWN
    if design.is_noise_unknown and known:
        raise ValueError(
            f"standard_deviation = {UNKNOWN!r} for {algorithm!r}, which takes the noise to be "
            "known; expected one of the two"
        )
    if deviation.ndim == 2 and algorithm.needs_unit_variance:
        raise ValueError(
            f"standard_deviation = {shown(deviation.tolist())} for {type(algorithm).__name__}, "
            "which needs one number per objective, common to all arms; expected that, such as "
            f"the largest, {shown(deviation.max(axis=0).tolist())}, which bounds the noise of each"
        )


def _names_and_number(names, number, name):
    """Names or None, and how many there are."""
    if names is None:
        return None, number
    names = check_names(names, name)
    if number is not None and check_count(number, f"n_{name}") != len(names):
        raise ValueError(f"n_{name} = {number} with {len(names)} {name}; expected their number")
    return names, len(names)


def _directions(objectives):
    """Direction of each objective that is given with one; None otherwise."""
    if not isinstance(objectives, Mapping):
        return None
    for name, direction in objectives.items():
        check_choice(direction, f"direction of {shown(name)}", SIGNS)
    return tuple(objectives.values())


def _units(units, objectives):
    """Unit of each objective, of a mapping that need not have all of them."""
    if units is None:
        return ("",) * len(objectives)
    if not isinstance(units, Mapping):
        raise ValueError(f"units = {shown(units)}; expected a mapping of objectives to units")
    for name, unit in units.items():
        if name not in objectives:
            raise ValueError(f"units has one for {shown(name)}; {unknown(name, objectives)}")
        if not isinstance(unit, str) or not unit.isprintable():
            raise ValueError(f"unit of {shown(name)} = {shown(unit)}; expected a printable str")
    return tuple(str(units.get(name, "")) for name in objectives)


def _features(features, arms):
    if features is None:
        return None
    refuse_other_rows(features, arms, "features")
    features = check_matrix(features, "features")
    if features.shape[0] != len(arms):
        raise ValueError(f"features has {features.shape[0]} rows; expected {len(arms)}")
    return features


def as_designed(algorithm, design):
    """The algorithm, told what samples cost if it can be, and stopped by a rule for the noise.

    Where nobody knows the noise, one that needs rewards in units of it is stopped by `Certified`
    with an unknown variance.
    """
    if design.costs is not None:
        algorithm = _told_costs(algorithm, tuple(design.costs.tolist()))
    needs_noise = algorithm.needs_unit_variance and not isinstance(algorithm, Certified)
    if not design.is_noise_unknown or not needs_noise:
        return algorithm
    if not hasattr(algorithm, "delta"):
        raise ValueError(
            f"standard_deviation = {UNKNOWN!r} for {algorithm!r}, which has no parameter delta; "
            "expected pc.Certified(algorithm, variance='unknown')"
        )
    return Certified(algorithm, algorithm.delta, variance=UNKNOWN)


def _told_costs(algorithm, costs):
    """The algorithm, and those that are parameters of it, told the costs unless they have some."""
    if algorithm.weighs_costs and algorithm.costs is None:
        return dataclasses.replace(algorithm, costs=costs)
    is_dataclass = dataclasses.is_dataclass(algorithm)
    names = [each.name for each in dataclasses.fields(algorithm)] if is_dataclass else []
    parts = {name: getattr(algorithm, name) for name in names}
    wrapped = {
        name: _told_costs(part, costs)
        for name, part in parts.items()
        if isinstance(part, Algorithm)
    }
    return dataclasses.replace(algorithm, **wrapped) if wrapped else algorithm


def _costs(given, arms):
    """Cost of a sample of each arm, or None."""
    if given is None:
        return None
    costs = check_array(in_order(given, arms, "costs"), "costs")
    if costs.shape != (len(arms),):
        raise ValueError(
            f"costs = {shown(given)}; expected {len(arms)} numbers, one for each of {listed(arms)}"
        )
    if not ((costs > 0) & (costs <= LARGEST)).all():
        raise ValueError(f"costs = {shown(given)}; expected finite numbers above 0")
    return costs
