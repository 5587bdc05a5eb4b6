"""What the algorithms of top-two sampling share."""

from collections.abc import Callable
from typing import ClassVar

from pareto_core.algorithms.proven_stopping import Proven
from pareto_core.algorithms.stopping import Threshold
from pareto_core.algorithms.top_two.rule import Rule
from pareto_core.checks.arguments import check_count, check_flag, check_probability
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import COVARIANCE, Stopping
from pareto_core.questions import PARETO_SET, Question

__all__ = ["TopTwo"]


class TopTwo(Algorithm):
    """A rule of `rule` for the question and the threshold that the parameters name.

    A subclass is a dataclass and sets the following.
    """

    _questions: ClassVar[dict[str, Question]]  # values of ``problem``
    _proofs: ClassVar[dict[str, dict[str, str]]]  # for each: ``threshold`` of each proven rule
    _rules: ClassVar[dict[str, dict[bool, Rule]]]  # for each: with a threshold, and with a proof

    noise = COVARIANCE

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_count(self.alternative_every, "alternative_every")
        check_count(self.check_every, "check_every")
        check_flag(self.forced_exploration, "forced_exploration")

    @property
    def question(self) -> Question:
        """The question that ``problem`` names."""
        return self._questions[self.problem]

    @property
    def stopping(self) -> Stopping:
        """The test or the proof that ``threshold`` selects; see `Algorithm`.

        For the Pareto set, sampling is aimed at the proof, which compares its evidence with
        ln(1/delta).
        """
        rule = self._proofs[self.problem].get(self.threshold)
        if rule is None:
            return Threshold(self.threshold, self.delta, self.check_every)
        is_aimed = self.problem == PARETO_SET.name
        return Proven(rule, self.delta, self.check_every, sampling_ignores_delta=not is_aimed)

    @property
    def _rule(self) -> Rule:
        """Kernels for this question and this way to stop."""
        return self._rules[self.problem][isinstance(self.stopping, Proven)]

    @property
    def select(self) -> Callable:
        """The kernel that chooses what to sample; see `Algorithm`."""
        return self._rule.select

    @property
    def stop(self) -> Callable:
        """The kernel that decides whether to stop; see `Algorithm`."""
        return self._rule.stop

    @property
    def recommend(self) -> Callable:
        """The kernel that writes the answer; see `Algorithm`."""
        return self._rule.recommend
