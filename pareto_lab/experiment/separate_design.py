"""The design of an experiment that measures one objective of one arm at a time.

To the ledger and the queues each pair of an arm and an objective is an arm with one reward, its
value. All else sees the design as a whole.
"""

import functools
import itertools
from typing import Any

import numpy as np

from pareto_core.checks.arguments import check_array, shown
from pareto_core.loop.parts import bounds_of_each
from pareto_lab.experiment.design import COLUMN_OF_ARMS, refuse_extremes
from pareto_lab.experiment.names import unknown

COLUMN_OF_OBJECTIVES, COLUMN_OF_VALUES = "objective", "value"  # in tables


def sampled_design(design):
    """The design of what is sampled: arms, or pairs of an arm and an objective."""
    return SeparateDesign(design) if design.measures_separately else design


class SeparateDesign:
    """An `ExperimentDesign` whose arms are the pairs of an arm and an objective."""

    n_objectives = 1
    objectives = value_columns = (COLUMN_OF_VALUES,)
    label_columns = (COLUMN_OF_ARMS, COLUMN_OF_OBJECTIVES)
    features = None
    deterministic = np.empty(0, np.int64)
    samples = "measurement of each of the {} pairs of an arm and an objective"

    def __init__(self, whole):
        self.whole = whole
        self.arms = tuple(itertools.product(whole.arms, whole.objectives))
        self.n_arms, self.shape = len(self.arms), (whole.n_arms, whole.n_objectives)
        self.problem, self.costs = whole.problem, whole.costs
        self.prices = np.ones(self.n_arms) if whole.costs is None else whole.costs.ravel()
        self._scale = np.tile(whole.scale, whole.n_arms)

    @functools.cached_property
    def _objectives(self):
        return {name: c for c, name in enumerate(self.whole.objectives)}

    def names_in(self, column: str) -> Any:
        """Names, or numbers, that a column of labels may hold."""
        return self.whole.arms if column == COLUMN_OF_ARMS else self.whole.objectives

    def scale_of(self, number: int) -> float:
        """Divisor of the values of a pair for the algorithm."""
        return self._scale[number]

    def alike(self, number: int) -> slice:
        """Pairs with the same objective."""
        return slice(number % self.whole.n_objectives, None, self.whole.n_objectives)

    def restored(self, means: np.ndarray) -> np.ndarray:
        """Convert the algorithm's means, shape (K d, 1), to the caller's signs and units."""
        return means * self._scale[:, None] + 0.0  # no -0.0

    def find(self, pair: Any) -> int | None:
        """Number of a pair of an arm and an objective; None if it is unknown."""
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            return None
        arm, objective = self.whole.find(pair[0]), pair[1]
        is_number = isinstance(objective, int | np.integer) and not isinstance(objective, bool)
        if arm is None or not (is_number or isinstance(objective, str)):
            return None
        column = self._objectives.get(objective)
        return None if column is None else arm * self.whole.n_objectives + column

    def arm_number(self, pair: Any) -> int:
        """Number of a pair of an arm and an objective."""
        number = self.find(pair)
        if number is None:
            raise ValueError(f"arm = {shown(pair)}; {self.expected(pair)}")
        return number

    def expected(self, pair: Any) -> str:
        """What an unknown pair should have been, for a message."""
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            example = self.arms[0]
            return f"expected a pair of an arm and an objective, such as {example!r}"
        if self.whole.find(pair[0]) is None:
            return unknown(pair[0], self.whole.arms)
        return unknown(pair[1], self.whole.objectives)

    def check_sample(self, number: int, reward: Any, name: str = "reward") -> np.ndarray:
        """Return a value of a pair as an array of one finite number."""
        arm, objective = self.arms[number]
        given = [reward] if isinstance(reward, str) else reward
        value = check_array(given, name).reshape(-1)
        if value.shape != (1,) or not np.isfinite(value).all():
            raise ValueError(
                f"{name} = {shown(reward)}; expected a finite number, the value of {objective!r} "
                f"of arm {arm}"
            )
        bounds = self.whole.bounds
        if bounds is not None:
            ends, column = bounds_of_each(bounds, self.whole.n_objectives), self._objectives
            bounds = tuple(float(each[column[objective]]) for each in ends)
        refuse_extremes(value, self._scale[number], bounds, f"{name} = {shown(reward)}")
        return value
