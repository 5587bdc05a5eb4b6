"""Questions with their means, as the rule sees them: a cost, its gradient, and the optimum."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

import pareto_core as pc

__all__ = ["Case"]


class Case(NamedTuple):
    """A question about an instance.

    Attributes
    ----------
    name : str
        What a figure calls it.
    instance : Instance
        Means in units of the noise; with a polyhedron for the constrained Pareto set.
    problem : str
        The question, as `pareto_core.transport_cost` takes it.

    Examples
    --------
    >>> import pareto_core as pc
    >>> case = Case("two arms", pc.Instance([[0.0], [1.0]]), "pareto_set")
    >>> round(case.optimum().time, 6)
    8.0
    """

    name: str
    instance: pc.Instance
    problem: str = "pareto_set"

    @property
    def means(self):
        """Means of the arms, shape (K, d)."""
        return self.instance.means

    def cost(self, weights: ArrayLike, means: ArrayLike | None = None) -> pc.TransportCost:
        """Cost of the cheapest alternative to ``means``, by default to those of the instance."""
        means = self.means if means is None else means
        return pc.transport_cost(means, weights, problem=self.problem, polyhedron=self._region)

    def same_answer(self, means: np.ndarray) -> bool:
        """Whether these means have the answer of the instance."""
        return np.array_equal(self._answer(means), self._answer(self.means))

    def _answer(self, means):
        if self.problem == "best_arm_per_objective":
            return pc.best_arms(means)
        if self.problem == "constrained_pareto_set":
            return pc.constrained_pareto_set(means, self._region)
        return pc.pareto_set(means)

    def optimum(self) -> pc.CharacteristicTime:
        """Characteristic time and optimal proportions, to a relative gap of 1e-9."""
        return pc.characteristic_time(
            self.means,
            relative_gap=1e-9,
            max_iterations=10_000,
            problem=self.problem,
            polyhedron=self._region,
        )

    @property
    def _region(self):
        constrained = self.problem == "constrained_pareto_set"
        return self.instance.polyhedron if constrained else None
