"""A statement about the noise that differs in kind between objectives."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from pareto_core.algorithms.pareto.proven_stopping import joint_variances
from pareto_core.checks.arguments import check_non_negative, shown
from pareto_core.confidence.noise_kinds import DETERMINISTIC, KNOWN, UNKNOWN, kinds_of_noise
from pareto_core.loop.reward_bounds import check_bounds
from pareto_lab.experiment.names import in_order, listed, unknown

NO_BOUNDS = (-np.inf, np.inf)


def is_mixed(standard_deviation, bounds):
    """Whether the noise is stated differently for some objectives: unknown, absent or bounded."""
    if standard_deviation is not None and bounds is not None:
        return isinstance(standard_deviation, Mapping) and isinstance(bounds, Mapping)
    if getattr(standard_deviation, "ndim", 1) == 0:  # one number for all objectives
        return False
    if isinstance(standard_deviation, Mapping):
        entries = [*standard_deviation.values()]
    elif isinstance(standard_deviation, list | tuple | np.ndarray | pd.Series):
        entries = [*standard_deviation]
    else:
        return False
    return any(_is_special(each) for each in entries)


def _is_special(entry):
    """Whether an entry is a text, or the number 0."""
    return isinstance(entry, str) or (np.ndim(entry) == 0 and bool(entry == 0))


def mixed_noise(standard_deviation, bounds, objectives):
    """Kinds, standard deviations and bounds of the objectives.

    Parameters
    ----------
    standard_deviation : sequence, or mapping of objectives
        A number, "unknown" or 0 of each objective without bounds.
    bounds : mapping of objectives to pairs, or None
    objectives : tuple of str, or range

    Returns
    -------
    tuple
        The kind of each objective; its standard deviation, 1 if it is unknown or there is no
        noise; and pairs of bounds, infinite without bounds, or None.

    Raises
    ------
    ValueError
        If an objective has no statement or two, or a statement is invalid.
    """
    name, bounded = "standard_deviation", {} if bounds is None else dict(bounds)
    for each in bounded:
        if each not in objectives:
            raise ValueError(f"bounds has a value for {shown(each)}; {unknown(each, objectives)}")
        if each in standard_deviation:
            raise ValueError(
                f"{name} and bounds both have a value for {each!r}; expected one of the two"
            )
    others = [each for each in objectives if each not in bounded]
    stated = dict(zip(others, _entries(standard_deviation, others), strict=True))
    kinds = kinds_of_noise(stated.get(each, 1.0) for each in objectives)
    if set(kinds) == {DETERMINISTIC}:
        raise ValueError(
            f"{name} = {shown(standard_deviation)}; expected noise in at least one objective, "
            "because without any one sample of each arm is the answer"
        )
    pairs = {each: check_bounds(bounded[each], f"bounds of {each!r}") for each in bounded}
    halves = {each: (high - low) / 2 for each, (low, high) in pairs.items()}  # Hoeffding's lemma
    deviation = [
        (stated | halves)[each] if kind == KNOWN else 1.0
        for each, kind in zip(objectives, kinds, strict=True)
    ]
    limits = tuple(pairs.get(each, NO_BOUNDS) for each in objectives) if pairs else None
    return kinds, np.array(deviation), limits


def _entries(standard_deviation, objectives):
    """A number or "unknown" of each of these objectives, in their order."""
    name = "standard_deviation"
    entries = [*in_order(standard_deviation, objectives, name)]
    if len(entries) != len(objectives):
        raise ValueError(
            f"{name} = {shown(standard_deviation)}; expected {len(objectives)} entries, one for "
            f"each of {listed(objectives)}"
        )
    return [
        each if isinstance(each, str) and each == UNKNOWN else _number(each) for each in entries
    ]


def _number(entry):
    try:
        return check_non_negative(entry, "standard_deviation")
    except ValueError as error:
        raise ValueError(f"{error}, or 0 without noise, or {UNKNOWN!r}") from None


def stated(design):
    """The statement about each objective, a list: a number, "unknown", 0, or a pair of bounds."""
    entries = []
    for c, kind in enumerate(design.noise_kinds):
        bounds = NO_BOUNDS if design.bounds is None else design.bounds[c]
        if bounds != NO_BOUNDS:
            entries.append([*bounds])
        elif kind == KNOWN:
            entries.append(float(design.standard_deviation[c]))
        else:
            entries.append(UNKNOWN if kind == UNKNOWN else 0)
    return entries


def deviations_of(design):
    """The standard deviation of each objective, "unknown" or 0, as `Certificate` takes them."""
    pairs = zip(stated(design), design.standard_deviation, strict=True)
    return [float(each) if isinstance(given, list) else given for given, each in pairs]


def stated_deviation(design):
    """What `Certificate` takes as standard deviation for the noise that a design states."""
    if design.noise_kinds is not None:
        return deviations_of(design)
    return UNKNOWN if design.is_noise_unknown else design.standard_deviation


def deviation_for_joint(design):
    """Standard deviations, shape (K, d), with which "joint" holds for the known covariance."""
    scaled = design.problem.covariance
    return np.sqrt(joint_variances(scaled)) * np.abs(design.scale)


def arguments_of(statement, objectives):
    """The arguments ``standard_deviation`` and ``bounds`` of a session with this `stated` noise."""
    if not isinstance(statement, list) or len(statement) != len(objectives):
        raise ValueError(f"noise = {shown(statement)}; expected an entry for each objective")
    pairs = zip(objectives, statement, strict=True)
    bounds = {name: each for name, each in pairs if isinstance(each, list)}
    pairs = zip(objectives, statement, strict=True)
    return {name: each for name, each in pairs if name not in bounds}, bounds or None
