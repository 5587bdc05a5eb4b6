"""The statement about the noise, which a session or its algorithm must make exactly once.

All guarantees of a session rest on this statement, so there is no default.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pareto_core.algorithms.proven_stopping import joint_variances
from pareto_core.checks.arguments import check_array, check_choice, check_non_negative, shown
from pareto_core.confidence.boxes import LARGEST_DEVIATION, SMALLEST_DEVIATION
from pareto_core.confidence.noise_kinds import (
    DETERMINISTIC,
    EQUAL,
    KNOWN,
    UNKNOWN,
    UNKNOWNS,
    check_unknown_kinds,
    kinds_of_noise,
)
from pareto_core.instances.checks import checked_covariance
from pareto_core.loop.parts import bounds_of_each, check_bounds
from pareto_lab.experiment.names import in_order, listed, refuse_flags, refuse_other_rows


class Noise(NamedTuple):
    """A statement about the noise of an experiment; see `ExperimentDesign`."""

    standard_deviation: np.ndarray
    unknown: str | None
    bounds: Sequence | None
    noise_kinds: tuple[str, ...] | None = None
    covariance: np.ndarray | None = None


def stated_noise(algorithm, standard_deviation, bounds, covariance, arms, objectives):
    """Return the `Noise` that the arguments of a `Session` state."""
    given = {"standard_deviation": standard_deviation, "bounds": bounds, "covariance": covariance}
    _refuse_second_statement(algorithm, **given)
    noise = _stated(algorithm, *given.values(), arms, objectives)
    _refuse_extreme(noise.standard_deviation, given)
    if algorithm.noise.variance_bound is not None:
        own = {f"variance_bound of {type(algorithm).__name__}": algorithm.noise.variance_bound}
        _refuse_extreme(np.sqrt(algorithm.noise.variance_bound), own)
    return noise


def _refuse_extreme(deviation, given):
    """Refuse standard deviations for which statements would overflow, where they are stated."""
    if not ((deviation >= SMALLEST_DEVIATION) & (deviation <= LARGEST_DEVIATION)).all():
        stated = " with ".join(
            f"{name} = {shown(each)}" for name, each in given.items() if each is not None
        )
        raise ValueError(
            f"{stated}; expected noise with a standard deviation from {SMALLEST_DEVIATION:g} to "
            f"{LARGEST_DEVIATION:g} (half of the distance between bounds)"
        )


def _stated(algorithm, standard_deviation, bounds, covariance, arms, objectives):
    """The `Noise` of arguments of which at most one states the noise of an objective."""
    if covariance is not None:
        for each in (covariance, getattr(covariance, "T", None)):
            refuse_other_rows(each, objectives, "covariance")
        return _noise_of_covariance(covariance, len(arms), len(objectives))
    if _is_mixed(standard_deviation):
        kinds, deviation = _mixed_noise(standard_deviation, objectives)
        if len({*kinds}) == 1 and kinds[0] in UNKNOWNS:
            return Noise(np.array(1.0), kinds[0], None)
        return Noise(deviation, None, None, kinds)
    if bounds is not None:
        refuse_other_rows(bounds, objectives, "bounds")
        bounds = check_bounds(in_order(bounds, objectives, "bounds"))
        low, high = bounds_of_each(bounds, len(objectives))
        return Noise((high - low) / 2, None, bounds)  # Hoeffding's lemma
    if standard_deviation is not None:
        return Noise(*_deviation(standard_deviation, arms, objectives), None)
    if algorithm.noise.is_stated:
        return Noise(np.array(1.0), None, None)
    raise ValueError(
        "standard_deviation = None; expected a statement about the noise: one positive number, "
        f"{len(objectives)} of them (one per objective), or an array of shape "
        f"{(len(arms), len(objectives))}; {UNKNOWN!r} for Gaussian noise of unknown variance, or "
        f"{EQUAL!r} if it is the same for all arms; or bounds=(low, high) of the rewards instead"
    )


def _noise_of_covariance(covariance, n_arms, n_objectives):
    """The noise of a covariance, whose standard deviations are those of all arms if they agree."""
    covariance = checked_covariance(covariance, n_arms, n_objectives)
    deviation = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
    if deviation.ndim == 2 and (deviation == deviation[0]).all():
        deviation = deviation[0]
    return Noise(deviation, None, None, None, covariance)


def _refuse_second_statement(algorithm, **given):
    stated = [f"{name} = {shown(each)}" for name, each in given.items() if each is not None]
    if algorithm.noise.is_stated:
        stated.append(f"{algorithm!r}, which states the noise itself")
    if len(stated) > 1:
        raise ValueError(
            f"{stated[0]} with {' and '.join(stated[1:])}; expected one statement about the noise: "
            "standard_deviation, bounds, covariance, or that of the algorithm"
        )


def _deviation(given, arms, objectives):
    """Checked standard deviations, and how they are unknown, or None."""
    name = "standard_deviation"
    if isinstance(given, str):
        check_choice(given, name, UNKNOWNS, "numbers, or ")
        return np.array(1.0), given
    refuse_other_rows(given, arms, name)
    refuse_other_rows(getattr(given, "T", given), objectives, name)
    values = in_order(given, objectives, name)
    deviation = check_array(values, name)
    refuse_flags(values, name, given)
    shapes = (), (len(objectives),), (len(arms), len(objectives))
    if deviation.shape not in shapes or not (
        np.isfinite(deviation).all() and (deviation > 0).all()
    ):
        raise ValueError(
            f"{name} = {shown(given)}; expected one positive number, or {len(objectives)}, or an "
            f"array of shape {shapes[2]}, or {UNKNOWN!r}, or {EQUAL!r}"
        )
    return deviation, None


def _is_mixed(standard_deviation):
    """Whether the noise of some objectives is stated as unknown or absent."""
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


def _mixed_noise(standard_deviation, objectives):
    """Kinds and standard deviations of the objectives."""
    entries = _entries(standard_deviation, objectives)
    kinds = kinds_of_noise(entries)
    check_unknown_kinds(kinds, standard_deviation)
    if set(kinds) == {DETERMINISTIC}:
        raise ValueError(
            f"standard_deviation = {shown(standard_deviation)}; expected noise in at least one "
            "objective, because without any one sample of each arm is the answer"
        )
    pairs = zip(entries, kinds, strict=True)
    return kinds, np.array([each if kind == KNOWN else 1.0 for each, kind in pairs])


def _entries(standard_deviation, objectives):
    """A number or a kind of unknown noise of each of these objectives, in their order."""
    name = "standard_deviation"
    entries = [*in_order(standard_deviation, objectives, name)]
    if len(entries) != len(objectives):
        raise ValueError(
            f"{name} = {shown(standard_deviation)}; expected {len(objectives)} entries, one for "
            f"each of {listed(objectives)}"
        )
    return [
        each if isinstance(each, str) and each in UNKNOWNS else _number(each) for each in entries
    ]


def _number(entry):
    try:
        return check_non_negative(entry, "standard_deviation")
    except ValueError as error:
        raise ValueError(f"{error}, or 0 without noise, {UNKNOWN!r} or {EQUAL!r}") from None


def stated(design):
    """The statement about each objective, a list: a number, a kind of unknown noise, or 0."""
    pairs = zip(design.noise_kinds, design.standard_deviation, strict=True)
    other = {DETERMINISTIC: 0, **{each: each for each in UNKNOWNS}}
    return [float(each) if kind == KNOWN else other[kind] for kind, each in pairs]


def stated_deviation(design):
    """What `Certificate` takes as standard deviation for the noise that a design states."""
    if design.noise_kinds is not None:
        return stated(design)
    return design.unknown_noise or design.standard_deviation


def deviation_for_joint(design):
    """Standard deviations, shape (K, d), with which "joint" holds for the known covariance."""
    scaled = design.problem.covariance
    return np.sqrt(joint_variances(scaled)) * np.abs(design.scale)
