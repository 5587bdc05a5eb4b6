"""Sampling with fixed proportions, and the stopping rule of `TopTwoIDS`."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from pareto_core.algorithms.stopping import Test
from pareto_core.algorithms.top_two.top_two_ids import TopTwoIDS
from pareto_core.algorithms.tracking import in_first_round
from pareto_core.checks.arguments import check_weights, shown
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import Stopping
from pareto_core.questions import Question

__all__ = ["FixedProportions"]


class FixedProportionsParameters(NamedTuple):
    """The parameters that the kernels of `TopTwoIDS` read by name, and one more."""

    test: Test
    budget: int
    oracle: Any
    proportions: np.ndarray  # (K,) of sum 1


@kernel
def _select(parameters, state):
    """Each arm once; then the arm furthest behind its proportion of the samples."""
    record, proportions = state.record, parameters.proportions
    samples = record.time[0]
    if in_first_round(record):
        return samples
    furthest, deficit = 0, -np.inf
    for k in range(proportions.shape[0]):
        behind = (samples + 1) * proportions[k] - record.counts[k]
        if behind > deficit:
            furthest, deficit = k, behind
    return furthest


@dataclasses.dataclass(frozen=True)
class FixedProportions(Algorithm):
    r"""Sample with fixed proportions, and stop and answer as another algorithm does.

    After one sample of each arm, the arm furthest behind its proportion :math:`w_k` of the samples
    is sampled (D-tracking of Garivier & Kaufmann 2016, with known proportions). With the optimal
    proportions of `characteristic_time`, this is an oracle: it knows what all asymptotically
    optimal algorithms have to learn. The difference to `TopTwoIDS` isolates the sampling rule,
    because both stop by the same rule.

    Parameters
    ----------
    algorithm : TopTwoIDS
        Its stopping rule and its answer are used, which depend on the samples alone. Its sampling
        rule is not used.
    proportions : sequence of float, shape (K,)
        Proportion of the samples of each arm, up to a common factor; for example
        ``tuple(pc.characteristic_time(instance.means_standardised).weights)``.

    Raises
    ------
    ValueError
        If a parameter is invalid, or the samples of the inner algorithm depend on its risk; when a
        run begins, if the number of proportions is not the number of arms.

    See Also
    --------
    pareto_core.bounds.complexity.characteristic_time : the optimal proportions.
    pareto_book.rivals.oracle_posterior.OraclePosterior : random sampling with given
        weights, and the stopping rule of `PSIPS`.

    References
    ----------
    Garivier & Kaufmann 2016, https://proceedings.mlr.press/v49/garivier16a.html.

    Examples
    --------
    >>> import pareto_core as pc
    >>> from pareto_book.studies.fixed_proportions import FixedProportions
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> weights = pc.characteristic_time(instance.means).weights
    >>> oracle = FixedProportions(pc.TopTwoIDS(delta=0.1), tuple(weights))
    >>> pc.simulate(oracle, instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    algorithm: TopTwoIDS
    proportions: Sequence[float]

    select = staticmethod(_select)

    def __post_init__(self):
        inner = self.algorithm
        if not isinstance(inner, TopTwoIDS) or not inner.stopping.sampling_ignores_delta:
            raise ValueError(
                f"algorithm = {inner!r}; expected a TopTwoIDS whose samples do not depend on its "
                "risk"
            )
        given = self.proportions
        if isinstance(given, np.ndarray) and given.ndim == 1:
            given = given.tolist()
        if not isinstance(given, tuple | list) or len(given) < 2:
            raise ValueError(
                f"proportions = {shown(self.proportions)}; expected a tuple of numbers, one per arm"
            )
        object.__setattr__(
            self, "proportions", tuple(check_weights(given, len(given), "proportions").tolist())
        )

    @property
    def delta(self) -> float:
        """Risk of the inner algorithm."""
        return self.algorithm.delta

    @property
    def question(self) -> Question:
        """Question of the inner algorithm."""
        return self.algorithm.question

    @property
    def reads(self) -> set[str]:
        """The feasible region, if the inner algorithm does."""
        return {"polyhedron"} & self.algorithm.reads

    @property
    def stopping(self) -> Stopping:
        """Rule of the inner algorithm."""
        return self.algorithm.stopping

    @property
    def stop(self) -> Callable:
        """The kernel of the inner algorithm; see `Algorithm`."""
        return self.algorithm.stop

    @property
    def recommend(self) -> Callable:
        """The kernel of the inner algorithm; see `Algorithm`."""
        return self.algorithm.recommend

    def with_delta(self, delta: float) -> Self:
        """Return the same algorithm with a different risk; see `Algorithm.with_delta`."""
        return dataclasses.replace(self, algorithm=self.algorithm.with_delta(delta))

    def parameters(self, problem: Problem) -> FixedProportionsParameters:
        """See `Algorithm.parameters`."""
        proportions = check_weights(self.proportions, problem.n_arms, "proportions")
        inner = self.algorithm.parameters(problem)
        return FixedProportionsParameters(
            inner.test,
            inner.budget,
            inner.oracle,
            proportions / proportions.sum(),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> tuple:
        """State of the inner algorithm; see `Algorithm.start`."""
        return self.algorithm.start(problem, rng)
