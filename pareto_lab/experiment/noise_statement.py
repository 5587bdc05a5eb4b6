"""The statement about the noise, which a session or its algorithm must make exactly once.

All guarantees of a session rest on this statement, so there is no default.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_array, check_choice, shown
from pareto_core.confidence.boxes import LARGEST_DEVIATION, SMALLEST_DEVIATION, UNKNOWN
from pareto_core.instances.checks import checked_covariance
from pareto_core.loop.reward_bounds import bounds_of_each, check_bounds
from pareto_lab.experiment.mixed_noise import is_mixed, mixed_noise
from pareto_lab.experiment.names import in_order, refuse_other_rows


class Noise(NamedTuple):
    """A statement about the noise of an experiment; see `ExperimentDesign`."""

    standard_deviation: np.ndarray
    is_unknown: bool
    bounds: Sequence | None
    noise_kinds: tuple[str, ...] | None = None
    covariance: np.ndarray | None = None


def stated_noise(algorithm, standard_deviation, bounds, covariance, arms, objectives):
    """Return the `Noise` that the arguments of a `Session` state.

    Raises
    ------
    ValueError
        If the noise is not stated, or stated twice, or a number is out of range.
    """
    given = {"standard_deviation": standard_deviation, "bounds": bounds, "covariance": covariance}
    _refuse_second_statement(algorithm, **given)
    noise = _stated(algorithm, *given.values(), arms, objectives)
    _refuse_extreme(noise.standard_deviation, given)
    if algorithm.variance_bound is not None:
        own = {f"variance_bound of {type(algorithm).__name__}": algorithm.variance_bound}
        _refuse_extreme(np.sqrt(algorithm.variance_bound), own)
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
        return _noise_of_covariance(covariance, len(arms), len(objectives))
    if is_mixed(standard_deviation):
        kinds, deviation = mixed_noise(standard_deviation, objectives)
        if set(kinds) == {UNKNOWN}:
            return Noise(np.array(1.0), True, None)
        return Noise(deviation, False, None, kinds)
    if bounds is not None:
        refuse_other_rows(bounds, objectives, "bounds")
        bounds = check_bounds(in_order(bounds, objectives, "bounds"))
        low, high = bounds_of_each(bounds, len(objectives))
        return Noise((high - low) / 2, False, bounds)  # Hoeffding's lemma
    if standard_deviation is not None:
        return Noise(*_deviation(standard_deviation, arms, objectives), None)
    if algorithm.knows_noise:
        return Noise(np.array(1.0), False, None)
    raise ValueError(
        "standard_deviation = None; expected a statement about the noise: one positive number, "
        f"{len(objectives)} of them (one per objective), or an array of shape "
        f"{(len(arms), len(objectives))}; {UNKNOWN!r} for Gaussian noise of unknown variance; or "
        "bounds=(low, high) of the rewards instead"
    )


def _noise_of_covariance(covariance, n_arms, n_objectives):
    """The noise of a covariance, whose standard deviations are those of all arms if they agree."""
    covariance = checked_covariance(covariance, n_arms, n_objectives)
    deviation = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
    if deviation.ndim == 2 and (deviation == deviation[0]).all():
        deviation = deviation[0]
    return Noise(deviation, False, None, None, covariance)


def _refuse_second_statement(algorithm, standard_deviation, bounds, covariance):
    if covariance is not None and (
        standard_deviation is not None
        or bounds is not None
        or algorithm.knows_noise
        or algorithm.reward_bounds
    ):
        raise ValueError(
            f"covariance = {shown(covariance)} with another statement about the noise; expected "
            "one of standard_deviation, bounds, covariance, and an algorithm that states it itself"
        )
    if standard_deviation is not None and bounds is not None:
        raise ValueError(
            f"standard_deviation = {shown(standard_deviation)} with bounds = {shown(bounds)}, "
            "which imply it; expected one of the two"
        )
    if bounds is not None and (algorithm.knows_noise or algorithm.reward_bounds):
        raise ValueError(
            f"bounds = {shown(bounds)} for {algorithm!r}, which states the noise itself; "
            "expected one of the two"
        )
    if standard_deviation is not None and algorithm.knows_noise:
        raise ValueError(
            f"standard_deviation = {shown(standard_deviation)} for {algorithm!r}, which states "
            "the noise itself; expected one of the two"
        )


def _deviation(given, arms, objectives):
    """Checked standard deviations, and whether they are unknown."""
    name = "standard_deviation"
    if isinstance(given, str):
        check_choice(given, name, (UNKNOWN,), "numbers, or ")
        return np.array(1.0), True
    refuse_other_rows(given, arms, name)
    refuse_other_rows(getattr(given, "T", given), objectives, name)
    values = in_order(given, objectives, name)
    deviation = check_array(values, name)
    if any(isinstance(each, bool | np.bool_) for each in np.asarray(values, dtype=object).flat):
        raise ValueError(f"{name} = {shown(given)}; expected numbers, not True or False")
    shapes = (), (len(objectives),), (len(arms), len(objectives))
    if deviation.shape not in shapes or not (
        np.isfinite(deviation).all() and (deviation > 0).all()
    ):
        raise ValueError(
            f"{name} = {shown(given)}; expected one positive number, or {len(objectives)}, or an "
            f"array of shape {shapes[2]}, or {UNKNOWN!r}"
        )
    return deviation, False
