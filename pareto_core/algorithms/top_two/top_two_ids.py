"""Top-two sampling with information-directed shares, for every question with one answer.

`TopTwoIDS` samples all objectives of an arm, `SeparateTopTwo` one objective of an arm at a time.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from pareto_core.algorithms.settings import (
    as_costs,
    check_settings,
    costs_for,
    refuse_beside_budget,
)
from pareto_core.algorithms.stopping import stop_when_spent
from pareto_core.algorithms.top_two import linear
from pareto_core.algorithms.top_two.questions import (
    PROOFS,
    RULES,
    SEPARATE_PROOFS,
    SEPARATE_RULES,
)
from pareto_core.algorithms.top_two.rule import Rule, TopTwo, TopTwoParameters
from pareto_core.checks.arguments import check_choice, check_separate_costs
from pareto_core.checks.words import BestArmStopping, Exploration, ProblemName, StoppingName
from pareto_core.confidence.thresholds import THRESHOLDS
from pareto_core.instances.instance import Problem
from pareto_core.loop.parts import COVARIANCE, UNIT, Budget, Noise, Stopping
from pareto_core.questions import CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_core.regression.design import least_squares_means

__all__ = ["SeparateTopTwo", "TopTwoIDS"]

NEEDS_REGION = {CONSTRAINED_PARETO_SET.name, PARTITION.name}
LINEAR_EXPLORATIONS = ("square_root", "none")  # with features, arms share their samples
LINEAR_THRESHOLDS = tuple(name for name in THRESHOLDS if not THRESHOLDS[name].reads_counts)


@dataclasses.dataclass(frozen=True)
class TopTwoIDS(TopTwo):
    r"""Top-two sampling with information-directed shares, for every question with one answer.

    The leader is the empirical answer. The challenger is the cheapest alternative :math:`\lambda`
    at the numbers of samples so far: the means with a different answer that the samples
    contradict least. The share of arm k in the evidence against it is

    .. math::
        h_k\propto N_k\,\|\hat\mu_k-\lambda_k\|^2.

    The targets of the arms grow by these shares, mixed with those of exploration, or by one sample
    of an arm that exploration forces, and the arm furthest behind its target is sampled. The shares
    and their name are those of You et al. (2023) and Qin & You (2025), who prove the rule for one
    best arm and some related questions.

    With exploration the allocation converges to the one that maximises the evidence, and the
    expected number of samples to :math:`T^*\ln(1/\delta)` as :math:`\delta\to0`, for every question
    whose answer is constant near the true means, with Gaussian noise of known variance (appendix
    *Proofs*). Noise that is correlated between objectives or differs between arms enters the
    distances (`transport_cost` with ``covariance``), except with features: there the distances
    ignore correlation, and instances whose variances differ between arms are refused. The theorem
    does not cover sampling that is aimed at a proof: with a proven stopping rule for the Pareto
    set, the challenger is the cheapest alternative among those that the proof lacks evidence
    against.

    Parameters
    ----------
    delta : float, default 0.1
        Risk: the largest acceptable probability of a wrong answer; not used with a budget.
    alternative_every : int, default 1
        Number of samples between two searches for a challenger.
    check_every : int, default 1
        Test whether to stop when t is a multiple of this; not used with a budget.
    exploration : {"evidence", "square_root", "none"}, optional
        How an arm is sampled again whose first samples were unlucky. ``"evidence"``: it has the
        share :math:`q_k=e^{-E_k}/K` of the samples, and :math:`h_k` that of the rest, where
        :math:`E_k=N_k\Delta_k^2/2` is the evidence of its own samples for its gap
        :math:`\Delta_k`, about the distance that it has to move for a different answer; and it is
        sampled whenever it has at most :math:`2\sqrt t/K` samples. ``"square_root"``: the rarest
        arm is sampled whenever it has at most :math:`\sqrt t-K/2`. ``"none"``: it may never be
        sampled again. By default ``"evidence"``, and ``"square_root"`` in two cases: with features,
        where an arm is not known by its own samples alone, and with a proven rule for any question
        but the Pareto set, because the proof needs evidence about all arms.
    threshold : str, default "stylised"
        See `TrackAndStop`. For best arms, ``"proven"`` is the rule of `MOBAI` and valid for any
        correlation between the objectives. For the constrained Pareto set and for partitions, a
        proven rule makes the statements of `ConstrainedCertificate`.
    problem : str, default "pareto_set"
        The question: ``"pareto_set"``, ``"best_arm_per_objective"``, ``"constrained_pareto_set"``
        or ``"partition"``. If several partitions are valid, the rule samples for the one that is
        the easiest to verify, see `easiest_partition`. It searches for it whenever the number of
        samples has doubled.
    costs : sequence of float, shape (K,), optional
        Cost of a sample of each arm. The algorithm then minimises the total cost instead of the
        number of samples: the targets grow in proportion to :math:`h_k/c_k`.
    linear : bool, default False
        Whether the means are linear in the features of the instance, for ``"pareto_set"`` and
        ``"best_arm_per_objective"``. The means are then fitted by least squares, and all
        alternatives are linear. The first samples, and those that exploration forces, are of h
        arms whose features span those of all arms. Proven rules and the threshold ``"mixture"``,
        which needs a sample of each arm, are not available. ``"gamma"`` keeps its proof, because
        the fitted means are closer to the true means than the averages are, in the norm of the
        evidence; with Kd means in place of the hd unknown numbers, it is larger than necessary.
    budget : int, optional
        Samples T, at least one of each arm that is explored at first: the run stops when they are
        taken, instead of by a threshold. Sampling does not depend on T, so that a run contains the
        answers of all shorter runs. Not with ``costs`` or another threshold. By default, fixed
        confidence.

    Notes
    -----
    With a budget, nothing is guaranteed about the error probability after T samples. The shares
    converge to the proportions at which it would fall fastest if they were fixed in advance, at the
    rate :math:`1/T^*`. Shares that are computed from estimated means may fall short of it: for
    some questions, no algorithm attains the rate of the best fixed shares on every instance
    (Degenne 2023).

    See Also
    --------
    pareto_core.algorithms.pareto.track_and_stop.TrackAndStop : steps of Hedge instead.
    pareto_core.transport.cost.transport_cost : the cost of the cheapest alternative.
    pareto_core.bounds.complexity.characteristic_time : the bound :math:`T^*`, and its allocation.

    References
    ----------
    You, Qin, Wang & Yang 2023, Information-directed selection for top-two algorithms, COLT.
    Qin & You 2025, Dual-directed algorithm design for efficient pure exploration, Operations
    Research, doi:10.1287/opre.2023.0590.
    Degenne 2023, On the existence of a complexity in fixed budget bandit identification, COLT.

    Examples
    --------
    >>> import pareto_core as pc
    >>> means = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]
    >>> pc.simulate(pc.TopTwoIDS(delta=0.1), pc.Instance(means), runs=1, progress=False).answers
    array([[ True,  True, False]])
    >>> best = pc.TopTwoIDS(problem="best_arm_per_objective")
    >>> pc.simulate(best, pc.Instance(means), runs=1, progress=False).answers
    array([[0, 1]])
    >>> line = pc.Instance([[0.0], [1.0], [2.0]], features=[[0], [1], [2]])
    >>> pc.simulate(pc.TopTwoIDS(linear=True), line, runs=1, progress=False).answers
    array([[False, False,  True]])
    >>> runs = pc.simulate(pc.TopTwoIDS(budget=300), pc.Instance(means), runs=1, progress=False)
    >>> runs.samples, runs.answers
    (array([300]), array([[ True,  True, False]]))
    """

    delta: float = 0.1
    alternative_every: int = 1
    check_every: int = 1
    exploration: Exploration | None = None
    threshold: StoppingName = "stylised"
    problem: Literal[ProblemName, "partition"] = PARETO_SET.name
    costs: Sequence[float] | None = None
    linear: bool = False
    budget: int | None = None

    _proofs, _rules = PROOFS, RULES

    def __post_init__(self):
        check_settings(self, TopTwoIDS)
        if self.linear:
            check_choice(self.problem, "problem", linear.RULES)
            check_choice(self.threshold, "threshold", LINEAR_THRESHOLDS)
            check_choice(self._exploration, "exploration", LINEAR_EXPLORATIONS)
        else:
            check_choice(self.threshold, "threshold", (*THRESHOLDS, *PROOFS[self.problem]))
        object.__setattr__(self, "costs", as_costs(self.costs))
        refuse_beside_budget(self)

    @property
    def reads(self) -> set[str]:
        """Features in a linear model; a feasible region if the question depends on it."""
        needs = {"features": self.linear, "polyhedron": self.problem in NEEDS_REGION}
        return {name for name, is_needed in needs.items() if is_needed}

    @property
    def noise(self) -> Noise:
        """With features, the covariances are not used; see `Algorithm`."""
        return UNIT if self.linear else COVARIANCE

    @property
    def stopping(self) -> Stopping:
        """As without a budget, or the budget; see `Algorithm`."""
        return super().stopping if self.budget is None else Budget(self.budget)

    @property
    def _exploration(self) -> str:
        """As in `TopTwo`, but with features an arm is not known by its own samples alone."""
        return "square_root" if self.linear and self.exploration is None else super()._exploration

    @property
    def _rule(self) -> Rule:
        """Kernels for this question, model and way to stop."""
        return linear.RULES[self.problem] if self.linear else super()._rule

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return super().stop if self.budget is None else stop_when_spent

    def parameters(self, problem: Problem) -> TopTwoParameters:
        """See `Algorithm.parameters`."""
        found, least = super().parameters(problem), len(self._explored(problem))
        if self.budget is not None and self.budget < least:
            raise ValueError(
                f"budget = {self.budget}; expected at least {least}, one sample of each arm that "
                "is explored at first"
            )
        return found

    def _costs(self, problem):
        return costs_for(self.costs, problem)

    def _explored(self, sampled):
        """As in `TopTwo`, but in a linear model only arms that span the features."""
        return linear.spanning_arms(sampled) if self.linear else super()._explored(sampled)

    def estimates(self, problem: Problem, state: Any) -> np.ndarray | None:
        """Averages, or least-squares estimates, which need samples that span the features."""
        if self.linear:
            return least_squares_means(problem.features, state.record.counts, state.record.sums)
        return super().estimates(problem, state)


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
    _proofs, _rules = SEPARATE_PROOFS, SEPARATE_RULES

    def __post_init__(self):
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
