"""Arms that are added while an experiment runs, and what the experiments before and after risk."""

import dataclasses
import math

import numpy as np

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import (
    check_array,
    check_positive,
    check_size,
    shown,
)
from pareto_core.loop.algorithm import weighs_costs
from pareto_lab.experiment.adapted_algorithm import adapted
from pareto_lab.experiment.design import MOST_MEANS
from pareto_lab.experiment.names import check_names, is_named, listed


def without_own_costs(algorithm, costs):
    """The algorithm without the costs that a session has given it, also within `Certified`."""
    if costs is None:
        return algorithm
    if isinstance(algorithm, Certified):
        inner = without_own_costs(algorithm.algorithm, costs)
        return dataclasses.replace(algorithm, algorithm=inner)
    if weighs_costs(algorithm) and np.array_equal(algorithm.costs, costs):
        return dataclasses.replace(algorithm, costs=None)
    return algorithm


def with_new_arm(algorithm, design, added):
    """The algorithm and the design with one more arm, the last one; see `Added`."""
    larger = _with_arm(design, added.name, added.features, added.cost)
    own = without_own_costs(algorithm, design.costs)
    return adapted(own if added.delta is None else own.with_delta(added.delta), larger), larger


def _with_arm(design, name, features, cost):
    """The design with one more arm, the last one."""
    named = is_named(design.arms)
    if named != (name is not None):
        expected = "a name, as other arms have one" if named else "None, as arms have no names"
        raise ValueError(f"name = {shown(name)}; expected {expected}")
    if design.standard_deviation.ndim == 2 or np.ndim(design.covariance) == 3:
        raise ValueError(
            "the noise is stated for each arm; expected a session with the same noise for all arms"
        )
    arms = check_names((*design.arms, name), "arms") if named else range(design.n_arms + 1)
    check_size(len(arms), design.n_objectives, MOST_MEANS)
    for each, value, known in (
        ("features", features, design.features),
        ("cost", cost, design.costs),
    ):
        if (value is None) != (known is None):
            expected = "None, as the other arms have none" if known is None else "that of the arm"
            raise ValueError(f"{each} = {shown(value)}; expected {expected}")
    return dataclasses.replace(
        design,
        arms=arms,
        features=None if features is None else _with_row(design.features, features),
        costs=None if cost is None else np.append(design.costs, check_positive(cost, "cost")),
    )


def _with_row(features, row):
    """Features with those of a new arm."""
    new = check_array(row, "features")
    if new.shape != features.shape[1:] or not np.isfinite(new).all():
        raise ValueError(
            f"features = {shown(row)}; expected {features.shape[1]} finite numbers for the new arm"
        )
    return np.vstack([features, new])


def joint_risk(predecessors, delta):
    """State what an experiment at risk ``delta`` and its predecessors risk together, in words."""
    risks = [each.delta for each in predecessors if each.delta is not None]
    total = math.fsum([*risks, delta])
    text = f"Experiments before this one: {len(predecessors)}, whose rewards count here."
    answers = f"The answers at risk {listed([f'{each:g}' for each in risks])} and the statements"
    return (
        f"{text} {answers if risks else 'The statements'} here are right together with probability "
        f"at least {max(0.0, 1 - total):g}, if no arm that was added was made or chosen with the "
        "help of the rewards told before."
    )
