"""Finalists: configurations that a tuner found good after one noisy evaluation of each."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from pareto_core.checks.arguments import shown
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment.names import check_names
from pareto_lab.experiment.starting import directions_of
from pareto_lab.session import Session

__all__ = ["Finalists"]


@dataclasses.dataclass(frozen=True, eq=False)
class Finalists:
    """Configurations that a tuner found, to be compared in a `Session`, whose arms they are.

    The scores that the tuner saw are not told to the session: each finalist was chosen because of
    them, so they are better than its means. Tell it new evaluations only.

    Attributes
    ----------
    parameters : dict of str to dict
        Parameters of each arm by name, in the order of the arms.
    objectives : dict of str to {"max", "min"}
        Names and directions of the objectives.
    scores : pandas.DataFrame
        What the tuner saw, a row for each arm and a column for each objective.
    costs : dict of str to float, or None
        Cost of an evaluation of each arm, such as its duration in seconds.

    Examples
    --------
    >>> import pandas as pd
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> table = pd.DataFrame({"layers": [2, 8], "accuracy": [0.91, 0.95], "time": [1.0, 4.0]})
    >>> finalists = lab.Finalists.from_table(table, {"accuracy": "maximize", "time": "minimize"})
    >>> finalists.parameters
    {'0': {'layers': 2}, '1': {'layers': 8}}
    >>> finalists.session(pc.TrackAndStop(), standard_deviation=[0.01, 0.2]).ask()
    '0'
    """

    parameters: dict[str, dict[str, Any]]
    objectives: dict[str, str]
    scores: pd.DataFrame
    costs: dict[str, float] | None = None

    @classmethod
    def from_table(
        cls,
        frame: pd.DataFrame,
        objectives: Mapping[str, str],
        arm: str | None = None,
        cost: str | None = None,
    ) -> Self:
        """Read the finalists from a table with a row for each of them.

        Parameters
        ----------
        frame : pandas.DataFrame
        objectives : mapping of str to {"max", "min", "maximize", "minimize"}
            Columns that are objectives, and their directions.
        arm : str, optional
            Column of the names of the arms; by default the index.
        cost : str, optional
            Column of the costs of an evaluation.

        Returns
        -------
        Finalists
            All other columns are parameters. Of several rows with the same parameters the first
            one counts, because arms with the same means could never be told apart.

        Raises
        ------
        ValueError
            If there is no row, a column is missing, a direction is unknown, a score or a cost is
            missing, or two rows with different parameters have the same name.
        """
        if not isinstance(frame, pd.DataFrame):
            raise ValueError(f"frame = {shown(frame)}; expected a pandas.DataFrame")
        if not isinstance(objectives, Mapping) or not objectives:
            raise ValueError(
                f"objectives = {shown(objectives)}; expected a mapping of columns to directions, "
                'such as {"accuracy": "max"}'
            )
        if not frame.columns.is_unique:
            twice = frame.columns[frame.columns.duplicated()][0]
            raise ValueError(f"frame has the column {shown(twice)} twice; expected it once")
        others = [each for each in (arm, cost) if each is not None]
        _require(frame.columns, [*objectives, *others], "frame")
        if frame.empty:
            raise ValueError("frame has no row; expected a row for each finalist")
        rest = [name for name in frame.columns if name not in (*objectives, *others)]
        frame = frame.set_axis(list(map(str, frame.index if arm is None else frame[arm])), axis=0)
        _refuse_gaps(frame, [*objectives, *([] if cost is None else [cost])])
        if rest:
            frame = frame[~frame[rest].map(_as_key).duplicated()]
        check_names(frame.index, "frame")
        arms, rows = frame.index.tolist(), frame[rest].to_dict("records")
        return cls(
            dict(zip(arms, rows, strict=True)),
            directions_of(objectives),
            frame[list(objectives)].set_axis(arms, axis=0),
            None if cost is None else dict(zip(arms, frame[cost].tolist(), strict=True)),
        )

    def session(self, algorithm: Algorithm, **settings: Any) -> Session:
        """Begin a session with these arms, objectives and costs.

        Parameters
        ----------
        algorithm : Algorithm
            See `Session`.
        **settings
            Other arguments of `Session`, such as ``standard_deviation`` or ``costs=None``.

        Returns
        -------
        Session

        Raises
        ------
        ValueError
            See `Session`.
        """
        given = {"arms": list(self.parameters), "objectives": self.objectives, "costs": self.costs}
        return Session(algorithm, **(given | settings))


def _require(present, names, what):
    """Refuse names that are missing."""
    for name in names:
        if name not in present:
            raise ValueError(f"{what} has no {shown(name)}; expected one of {shown(list(present))}")


def _as_key(value):
    """A text that tells different values of a parameter apart, also long arrays."""
    if isinstance(value, np.ndarray | pd.Series):
        array = np.asarray(value)
        return repr((array.shape, array.tolist()))
    return repr(value)


def _refuse_gaps(frame, columns):
    """Refuse a row without a value in one of the columns."""
    for name in columns:
        for arm, is_missing in frame[name].isna().items():
            if is_missing:
                raise ValueError(f"row {shown(arm)} has no {shown(name)}; expected a number")
