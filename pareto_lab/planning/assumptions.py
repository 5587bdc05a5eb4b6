"""What the simulated experiments of a plan assume: the means of the arms, and the noise."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from pareto_core.checks.arguments import LARGEST, check_array, shown
from pareto_core.confidence.noise_kinds import UNKNOWN, are_of_kind
from pareto_core.instances.checks import correlation_of
from pareto_lab.experiment.design import COLUMN_OF_ARMS
from pareto_lab.experiment.names import in_order, is_named, listed, refuse_other_rows, unknown

GIVEN, PILOT = "given", "pilot"


class Assumptions(NamedTuple):
    """Means and noise of the simulated experiments, in the caller's signs and units."""

    source: str  # `GIVEN` or `PILOT`
    means: np.ndarray  # (K, d)
    errors: np.ndarray  # (K, d), standard errors of the means of a pilot, or zero
    deviation: np.ndarray  # (K, d), standard deviations of the noise
    rewards: int  # of the pilot
    correlation: np.ndarray | None = None  # (K, d, d), of the noise between objectives

    def drawn(self, rng):
        """Means of one simulated experiment, shape (K, d)."""
        if self.source == GIVEN:
            return self.means
        normal = rng.standard_normal(self.means.shape)
        if self.correlation is not None:
            normal = (np.linalg.cholesky(self.correlation) @ normal[..., None])[..., 0]
        return self.means + self.errors * normal


def assumptions_of(design, rewards, algorithm, means, standard_deviation):
    """Check what the caller gives, and take the rest from the rewards so far.

    Parameters
    ----------
    design : ExperimentDesign
    rewards : list of list of ndarray
        Rewards of each arm that count.
    algorithm : Algorithm
    means, standard_deviation
        See `Session.plan`.

    Returns
    -------
    Assumptions

    Raises
    ------
    ValueError
        If a value is invalid, or can't be taken from the rewards.
    """
    shape = (design.n_arms, design.n_objectives)
    deviation = _deviation(design, rewards, algorithm, standard_deviation)
    deviation = np.broadcast_to(deviation, shape)
    number, correlation = sum(map(len, rewards)), _correlation(design)
    if means is not None:
        given = _given_means(means, design)
        return Assumptions(GIVEN, given, np.zeros(shape), deviation, number, correlation)
    if design.features is not None:
        raise ValueError(
            "means = None for a design with features, whose means depend on each other; expected "
            "means for each arm"
        )
    counts, averages, _ = _summary(rewards, design.n_objectives)
    if counts.min() == 0:
        arm, c = np.argwhere(counts == 0)[0]
        raise ValueError(
            f"means = None, and arm {design.arms[arm]} has no reward in objective "
            f"{design.objectives[c]}; expected means for each arm, or a pilot with a reward of each"
        )
    errors = deviation / np.sqrt(counts)
    return Assumptions(PILOT, averages, errors, deviation, number, correlation)


def _correlation(design):
    """Correlation of the noise of each arm, shape (K, d, d), or None if there is none."""
    if not design.is_correlated:
        return None
    shape = (design.n_arms, design.n_objectives, design.n_objectives)
    return np.broadcast_to(correlation_of(design.covariance), shape)


def _summary(rewards, n_objectives):
    """Numbers of values, averages, and sums of squares about them, shape (K, d), without NaN."""
    values = [np.array(told).reshape(-1, n_objectives) for told in rewards]
    seen = [~np.isnan(each) for each in values]
    counts = np.array([each.sum(axis=0) for each in seen])
    sums = np.array([np.nansum(each, axis=0) for each in values])
    averages = sums / np.maximum(counts, 1)
    squares = [
        np.nansum((each - mean) ** 2, axis=0) for each, mean in zip(values, averages, strict=True)
    ]
    return counts, averages, np.array(squares)


def _given_means(means, design):
    """Means by the names of the arms, or in their order, as an array of shape (K, d)."""
    if isinstance(means, pd.DataFrame) and COLUMN_OF_ARMS in means:
        means = means.set_index(COLUMN_OF_ARMS)
    if isinstance(means, pd.DataFrame) and is_named(design.arms):
        means = _rows_by_name(means, design)
    elif isinstance(means, pd.DataFrame):
        refuse_other_rows(means, design.arms, "means")
    rows = in_order(means, design.arms, "means") if isinstance(means, Mapping) else means
    if isinstance(means, Mapping):
        rows = [in_order(row, design.objectives, "means") for row in rows]
    array = check_array(rows, "means")
    shape = (design.n_arms, design.n_objectives)
    if array.shape != shape or not (np.abs(array) <= LARGEST).all():
        raise ValueError(
            f"means = {shown(means)}; expected finite numbers of shape {shape}: a row for each of "
            f"the arms {listed(design.arms)}, a column for each of the objectives "
            f"{listed(design.objectives)}"
        )
    return array


def _rows_by_name(frame, design):
    """A data frame of means, indexed by the arms, as a mapping."""
    if frame.index.has_duplicates:
        raise ValueError(f"means = {shown(frame)}; expected one row for each arm")
    names = [str(each) for each in frame.columns]
    for name in map(str, design.objectives):
        if names.count(name) != 1:
            raise ValueError(
                f"means has {names.count(name)} columns {name!r}; "
                f"expected the columns {listed(design.objectives)}, each once"
            )
    for arm in frame.index:
        if arm not in design.arms:
            raise ValueError(f"means has a row for {shown(arm)}; {unknown(arm, design.arms)}")
    table = frame.set_axis(names, axis=1)[[str(name) for name in design.objectives]]
    return {arm: row.tolist() for arm, row in zip(table.index, table.to_numpy(), strict=True)}


def _deviation(design, rewards, algorithm, given):
    """Standard deviations: given, stated or estimated within arms; 0 without noise."""
    none = np.isin(np.arange(design.n_objectives), design.deterministic)
    if given is not None:
        return np.where(none, 0.0, _given_deviation(design, given, none))
    unknown = np.full(design.n_objectives, design.is_noise_unknown or algorithm.knows_noise)
    if design.noise_kinds is not None:
        unknown = are_of_kind(design.noise_kinds, UNKNOWN)
    elif not design.is_noise_unknown and algorithm.variance_bound is not None:
        return np.sqrt(algorithm.variance_bound)
    if not unknown.any():
        return np.where(none, 0.0, design.standard_deviation)
    scatter = _scatter(design, rewards, unknown)
    return np.where(none, 0.0, np.where(unknown, scatter, design.standard_deviation))


def _given_deviation(design, given, none):
    """Checked standard deviations of the caller, of which those without noise may be 0."""
    name = "standard_deviation"
    if design.is_correlated:
        raise ValueError(
            f"{name} = {shown(given)} for a session with a covariance, which the simulated noise "
            "has; expected None"
        )
    array = check_array(in_order(given, design.objectives, name), "deviation")
    shapes = ((), (design.n_objectives,), (design.n_arms, design.n_objectives))
    is_valid = array.shape in shapes and (array >= 0).all() and (array <= LARGEST).all()
    if not is_valid or not ((array > 0) | none).all():
        raise ValueError(
            f"{name} = {shown(given)}; expected one positive number, or one per objective, or one "
            "of each arm in each objective"
        )
    return array


def _scatter(design, rewards, unknown):
    """Standard deviations of the rewards within arms, in the objectives where they are unknown."""
    counts, _, squares = _summary(rewards, design.n_objectives)
    free = np.maximum(counts - 1, 0).sum(axis=0)
    if free[unknown].min() < 1:
        raise ValueError(
            "standard_deviation = None, and the session does not state the noise; expected a "
            "standard deviation, or a pilot with several rewards of an arm"
        )
    found = np.sqrt(squares.sum(axis=0) / np.maximum(free, 1))
    if not (found[unknown] > 0).all():
        raise ValueError(
            f"standard_deviation = None, and the rewards of the pilot scatter by {found.tolist()}; "
            "expected a standard deviation"
        )
    return found
