"""The beginning of an experiment: its arguments are checked, and the algorithm fits the design."""

import dataclasses
from collections.abc import Mapping

from pareto_core.checks.arguments import (
    LARGEST,
    check_choice,
    check_costs,
    check_count,
    check_matrix,
    check_size,
    shown,
)
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment.adapted_algorithm import adapted
from pareto_lab.experiment.design import COLUMN_OF_ARMS, MOST_MEANS, SIGNS, ExperimentDesign
from pareto_lab.experiment.names import (
    check_names,
    in_order,
    refuse_other_rows,
    unknown,
)
from pareto_lab.experiment.noise import stated_noise
from pareto_lab.experiment.state import Start

OTHER_WORDS = {"maximize": "max", "maximise": "max", "minimize": "min", "minimise": "min"}


def started(algorithm, sizes, names, noise, features, polyhedron, costs, budget, seed) -> Start:
    """How a session begins; names are arms, objectives and units, noise as given to `Session`."""
    if not isinstance(algorithm, Algorithm):
        raise ValueError(f"algorithm = {shown(algorithm)}; expected an Algorithm")
    if algorithm.samples == "values":
        raise ValueError(
            f"algorithm = {algorithm!r} measures one objective at a time; expected one that "
            "samples all objectives of an arm, or pc.simulate in place of a session"
        )
    seed = check_count(seed, "seed", at_least=0)
    design = _new_design(sizes, names, (algorithm, *noise), features, polyhedron, costs)
    algorithm = adapted(algorithm, design)
    design = dataclasses.replace(
        design,
        allows_missing_values=algorithm.stopping.allows_missing_values,
        uses_covariance=algorithm.noise.reads_covariance,
    )
    return Start(algorithm, design, seed, None if budget is None else design.check_budget(budget))


def _new_design(sizes, names, noise, features, polyhedron, costs):
    """Make a design from the arguments of a `Session`."""
    n_arms, n_objectives = sizes
    arms, objectives, units = names
    arms, n_arms = _names_and_number(arms, n_arms, "arms")
    directions = None
    if isinstance(objectives, Mapping):
        directions = tuple(directions_of(objectives).values())
    objectives, n_objectives = _names_and_number(objectives, n_objectives, "objectives")
    check_size(n_arms, n_objectives, MOST_MEANS)
    arms = range(n_arms) if arms is None else arms
    objectives = range(n_objectives) if objectives is None else objectives
    if COLUMN_OF_ARMS in objectives:
        raise ValueError(
            f"objectives has the name {COLUMN_OF_ARMS!r}, which in tables is the column of the "
            "arms; expected a different name"
        )
    if polyhedron is not None:
        check_polyhedron(polyhedron, n_objectives)
    stated = stated_noise(*noise, arms, objectives)
    return ExperimentDesign(
        arms,
        objectives,
        directions or ("max",) * n_objectives,
        _units(units, objectives),
        stated.standard_deviation,
        stated.unknown,
        _features(features, arms),
        polyhedron,
        _costs(costs, arms),
        stated.bounds,
        noise[0].noise.reward_bounds,
        stated.noise_kinds,
        stated.covariance,
    )


def _names_and_number(names, number, name):
    """Checked names, or None, and their number."""
    if names is None:
        return None, number
    names = check_names(names, name)
    if number is not None and check_count(number, f"n_{name}") != len(names):
        raise ValueError(f"n_{name} = {number} with {len(names)} {name}; expected their number")
    return names, len(names)


def directions_of(objectives):
    """The direction of each objective by its name, "max" or "min"."""
    return {name: _direction(name, given) for name, given in objectives.items()}


def _direction(name, given):
    """The direction of an objective, "max" or "min", from any word for it."""
    word = OTHER_WORDS.get(given, given) if isinstance(given, str) else given
    return check_choice(word, f"direction of {shown(name)}", SIGNS)


def _units(units, objectives):
    """Unit of each objective, from a mapping that may omit some."""
    if units is None:
        return ("",) * len(objectives)
    if not isinstance(units, Mapping):
        raise ValueError(f"units = {shown(units)}; expected a mapping of objectives to units")
    for name, unit in units.items():
        if name not in objectives:
            raise ValueError(f"units has a unit for {shown(name)}; {unknown(name, objectives)}")
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


def _costs(given, arms):
    if given is None:
        return None
    costs = check_costs(in_order(given, arms, "costs"), len(arms))
    if not (costs <= LARGEST).all():
        raise ValueError(f"costs = {shown(given)}; expected finite numbers above 0")
    return costs
