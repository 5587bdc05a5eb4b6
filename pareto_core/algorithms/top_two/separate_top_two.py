"""Top-two sampling that measures one objective of one arm at a time."""

import dataclasses
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from pareto_core.algorithms.proven_stopping import PROVEN
from pareto_core.algorithms.settings import check_settings
from pareto_core.algorithms.top_two.base import TopTwo
from pareto_core.algorithms.top_two.questions import SEPARATE, SEPARATE_PROOFS, SEPARATE_RULES
from pareto_core.checks.arguments import check_separate_costs
from pareto_core.checks.words import BestArmStopping, Exploration
from pareto_core.instances.instance import Problem
from pareto_core.questions import BEST_ARMS, PARETO_SET

__all__ = ["SeparateTopTwo"]

QUESTIONS = {each.name: each for each in (PARETO_SET, BEST_ARMS)}


@dataclasses.dataclass(frozen=True)
class SeparateTopTwo(TopTwo):
    r"""Top-two sampling that measures one objective of one arm at a time.

    It looks for the Pareto set, or for the best arm of every objective.

    Where each objective of an arm is measured by itself, the next measurement can be the one that
    the answer lacks most. The rule is that of `TopTwoIDS`, with pairs of an arm and an objective as
    its arms. The share of objective c of arm k in the evidence against the cheapest alternative
    :math:`\lambda` is

    .. math::
        h_{kc}\propto N_{kc}\,(\hat\mu_{kc}-\lambda_{kc})^2,

    and with costs of a measurement, the targets grow in proportion to :math:`h_{kc}/c_{kc}`. With
    Gaussian noise of known variance the expected cost converges to :math:`T^*\ln(1/\delta)` as
    :math:`\delta\to0`, where :math:`T^*` is that of `characteristic_time` with ``separate=True``
    (the appendix *Proofs*). This time is never above that of joint samples that cost as much as the
    measurements of all objectives together.

    The noise of all measurements must be independent: do not measure several objectives of one
    specimen, unless their noise is independent.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer.
    alternative_every : int, default 1
        Number of measurements between two searches for an alternative.
    check_every : int, default 1
        Test whether to stop when the number of measurements is a multiple of this.
    exploration : {"evidence", "square_root", "none"}, optional
        See `TopTwoIDS`, with the Kd pairs as arms; the gap of a pair is that of its arm.
    threshold : str, default "stylised"
        See `TrackAndStop`, without ``"proven_correlated"``; t is the number of measurements.
    costs : array_like, shape (d,) or (K, d), optional
        Cost of a measurement of each objective, common to all arms or for each arm; 1 by default.
    problem : {"pareto_set", "best_arm_per_objective"}, default "pareto_set"
        The question. Objectives do not help each other to find their best arms, so that
        :math:`T^*` of that question is the sum of the :math:`T^*` of its objectives.

    Raises
    ------
    ValueError
        If a parameter is out of range, ``problem`` is unknown, or ``threshold`` is unknown or
        ``"proven_correlated"``.

    See Also
    --------
    TopTwoIDS : the same rule for samples of all objectives, and for other questions.
    pareto_core.transport.cost.transport_cost : the cost, with weights of shape (K, d).
    pareto_core.bounds.complexity.characteristic_time : the bound :math:`T^*`, and its allocation.

    References
    ----------
    Qin & You 2025, Dual-directed algorithm design for efficient pure exploration, Operations
    Research, doi:10.1287/opre.2023.0590.

    Examples
    --------
    The first objective costs ten times as much as the second, and is measured less often:

    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> algorithm = pc.SeparateTopTwo(delta=0.1, costs=[10.0, 1.0])
    >>> runs = pc.simulate(algorithm, instance, runs=2, progress=False)
    >>> runs.answers[0], runs.pulls.shape
    (array([ True,  True, False]), (2, 3, 2))
    >>> first, second = runs.pulls.sum(axis=(0, 1))
    >>> bool(first < second)
    True
    >>> best = pc.SeparateTopTwo(problem="best_arm_per_objective")
    >>> pc.simulate(best, instance, runs=1, progress=False).answers
    array([[0, 1]])
    """

    delta: float = 0.1
    alternative_every: int = 1
    check_every: int = 1
    exploration: Exploration | None = None
    threshold: BestArmStopping = "stylised"
    costs: Sequence[float] | Sequence[Sequence[float]] | None = None
    problem: Literal["pareto_set", "best_arm_per_objective"] = PARETO_SET.name

    samples = "values"
    _questions, _proofs, _rules = QUESTIONS, SEPARATE_PROOFS, SEPARATE_RULES

    def __post_init__(self):
        if self.threshold in PROVEN and self.threshold != SEPARATE:
            raise ValueError(
                f"threshold = {self.threshold!r} for SeparateTopTwo, whose measurements must be "
                f"independent; expected {SEPARATE!r}"
            )
        check_settings(self, SeparateTopTwo)
        if self.costs is not None:
            costs = check_separate_costs(self.costs).tolist()
            rows = [tuple(each) if isinstance(each, list) else each for each in costs]
            object.__setattr__(self, "costs", tuple(rows))

    def estimates(self, problem: Problem, state: Any) -> np.ndarray | None:
        """Averages, shape (K, d), or None until each objective of each arm was measured."""
        found = super().estimates(problem, state)
        return None if found is None else found.reshape(problem.n_arms, problem.n_objectives)

    def _costs(self, problem):
        """Cost of a measurement of each arm and objective, shape (K d,)."""
        shape = (problem.n_arms, problem.n_objectives)
        costs = 1.0 if self.costs is None else check_separate_costs(self.costs, shape)
        return np.array(np.broadcast_to(costs, shape)).ravel()
