"""What the simulated experiments of a plan assume: the means of the arms, and the noise."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from pareto_core.checks.arguments import LARGEST, check_array, shown
from pareto_core.confidence.noise_kinds import EQUAL, UNKNOWN, are_of_kind
from pareto_core.instances.checks import correlation_of
from pareto_lab.experiment.design import COLUMN_OF_ARMS
from pareto_lab.experiment.names import in_order, listed


class Assumptions(NamedTuple):
    """Means and noise of the simulated experiments, in the caller's signs and units."""

    means: np.ndarray  # (K, d)
    deviation: np.ndarray  # (K, d), standard deviations of the noise
    correlation: np.ndarray | None = None  # (K, d, d), of the noise between objectives


def assumptions_of(design, algorithm, means, standard_deviation):
    """Check what the caller gives, and take the rest from what the session states."""
    deviation = _deviation(design, algorithm, standard_deviation)
    deviation = np.broadcast_to(deviation, (design.n_arms, design.n_objectives))
    return Assumptions(_given_means(means, design), deviation, _correlation(design))


def _correlation(design):
    """Correlation of the noise of each arm, shape (K, d, d), or None if there is none."""
    if not design.is_correlated:
        return None
    shape = (design.n_arms, design.n_objectives, design.n_objectives)
    return np.broadcast_to(correlation_of(design.covariance), shape)


def _given_means(means, design):
    """Means by the names of the arms, or in their order, as an array of shape (K, d)."""
    if isinstance(means, pd.DataFrame):
        means = _rows_by_name(means, design)
    rows = means
    if isinstance(means, Mapping):
        rows = in_order(means, design.arms, "means")
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
    """A data frame with the arms in its index or its column, as a mapping of mappings."""
    if COLUMN_OF_ARMS in frame:
        frame = frame.set_index(COLUMN_OF_ARMS)
    frame = frame.set_axis([str(each) for each in frame.columns], axis=1)
    if frame.index.has_duplicates or frame.columns.has_duplicates:
        raise ValueError(
            f"means = {shown(frame)}; expected one row for each arm, and one column for each "
            "objective"
        )
    names = {str(name): name for name in design.objectives if str(name) in frame}
    return frame[[*names]].rename(columns=names).to_dict("index")


def _deviation(design, algorithm, given):
    """Standard deviations: given or stated; 0 without noise."""
    none = np.isin(np.arange(design.n_objectives), design.deterministic)
    if given is not None:
        return np.where(none, 0.0, _given_deviation(design, given, none))
    unknown = np.full(design.n_objectives, bool(design.unknown_noise) or algorithm.noise.is_stated)
    if design.noise_kinds is not None:
        kinds = design.noise_kinds
        unknown = are_of_kind(kinds, UNKNOWN) | are_of_kind(kinds, EQUAL)
    elif not design.unknown_noise and algorithm.noise.variance_bound is not None:
        return np.sqrt(algorithm.noise.variance_bound)
    if unknown.any():
        raise ValueError(
            "standard_deviation = None, and the session does not state the noise; expected a "
            "standard deviation"
        )
    return np.where(none, 0.0, design.standard_deviation)


def _given_deviation(design, given, none):
    """Checked standard deviations of the caller, of which those without noise may be 0."""
    name = "standard_deviation"
    if design.is_correlated:
        raise ValueError(
            f"{name} = {shown(given)} for a session with a covariance, which the simulated noise "
            "has; expected None"
        )
    array = check_array(in_order(given, design.objectives, name), name)
    shapes = ((), (design.n_objectives,), (design.n_arms, design.n_objectives))
    is_valid = array.shape in shapes and (array >= 0).all() and (array <= LARGEST).all()
    if not is_valid or not ((array > 0) | none).all():
        raise ValueError(
            f"{name} = {shown(given)}; expected one positive number, or one per objective, or one "
            "of each arm in each objective"
        )
    return array
