"""A statement about the noise that differs in kind between objectives."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from pareto_core.algorithms.pareto.proven_stopping import joint_variances
from pareto_core.checks.arguments import check_non_negative, shown
from pareto_core.confidence.noise_kinds import DETERMINISTIC, KNOWN, UNKNOWN, kinds_of_noise
from pareto_lab.experiment.names import in_order, listed


def is_mixed(standard_deviation):
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


def mixed_noise(standard_deviation, objectives):
    """Kinds and standard deviations of the objectives.

    Parameters
    ----------
    standard_deviation : sequence, or mapping of objectives
        A number, "unknown" or 0 of each objective.
    objectives : tuple of str, or range

    Returns
    -------
    tuple
        The kind of each objective, and its standard deviation: 1 if it is unknown or there is no
        noise.

    Raises
    ------
    ValueError
        If an objective has no statement, or a statement is invalid.
    """
    entries = _entries(standard_deviation, objectives)
    kinds = kinds_of_noise(entries)
    if set(kinds) == {DETERMINISTIC}:
        raise ValueError(
            f"standard_deviation = {shown(standard_deviation)}; expected noise in at least one "
            "objective, because without any one sample of each arm is the answer"
        )
    pairs = zip(entries, kinds, strict=True)
    return kinds, np.array([each if kind == KNOWN else 1.0 for each, kind in pairs])


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
    """The statement about each objective, a list: a number, "unknown" or 0."""
    pairs = zip(design.noise_kinds, design.standard_deviation, strict=True)
    other = {UNKNOWN: UNKNOWN, DETERMINISTIC: 0}
    return [float(each) if kind == KNOWN else other[kind] for kind, each in pairs]


def stated_deviation(design):
    """What `Certificate` takes as standard deviation for the noise that a design states."""
    if design.noise_kinds is not None:
        return stated(design)
    return UNKNOWN if design.is_noise_unknown else design.standard_deviation


def deviation_for_joint(design):
    """Standard deviations, shape (K, d), with which "joint" holds for the known covariance."""
    scaled = design.problem.covariance
    return np.sqrt(joint_variances(scaled)) * np.abs(design.scale)
