"""Sampling with proportions that are fixed before the first sample, with a fixed budget."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_count, check_weights, shown
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.dominance import write_front
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import Record, empty_record

__all__ = ["StaticSampling", "static_counts"]


class StaticParameters(NamedTuple):
    """What the kernels read."""

    counts: np.ndarray  # (K,) samples of each arm, at least 1


class StaticState(NamedTuple):
    """State of one run."""

    record: Record
    front: np.ndarray  # (K,)


@kernel
def _select(parameters, state):
    """The first arm without samples, with all its samples at once."""
    arm = 0
    while state.record.counts[arm] > 0:
        arm += 1
    return arm, parameters.counts[arm]


@kernel
def _stop(parameters, state):
    return state.record.time[0] >= parameters.counts.sum()


@kernel
def _recommend(parameters, state, answer):
    """Mark the Pareto set of the averages."""
    size = write_front(state.record.means, state.front)
    for f in range(size):
        answer[state.front[f]] = True


def static_counts(budget: int, proportions: Sequence[float]) -> np.ndarray:
    """Divide a budget by proportions, with at least one sample of each arm.

    Each arm has one sample. The remaining samples are divided by the method of largest remainders;
    of equal remainders the first arms are rounded up.

    Parameters
    ----------
    budget : int
        Samples T, at least one for each arm.
    proportions : sequence of float, shape (K,)
        Proportion of the samples of each arm, up to a common factor.

    Returns
    -------
    ndarray of int, shape (K,)
        Samples of each arm, of sum T.

    Raises
    ------
    ValueError
        If ``budget`` is smaller than the number of arms, or ``proportions`` are not valid weights.

    Examples
    --------
    >>> from pareto_book.studies.static_sampling import static_counts
    >>> static_counts(10, [2.0, 1.0, 0.0])
    array([6, 3, 1])
    """
    n_arms = len(proportions)
    shares = check_weights(proportions, n_arms, "proportions")
    check_count(budget, "budget", at_least=n_arms)
    wanted = (budget - n_arms) * (shares / shares.sum())
    counts = np.floor(wanted).astype(np.int64)
    missing = budget - n_arms - counts.sum()
    counts[np.argsort(counts - wanted, kind="stable")[:missing]] += 1
    return counts + 1


@dataclasses.dataclass(frozen=True)
class StaticSampling(Algorithm):
    r"""Sample with fixed proportions until a budget is spent, and answer the empirical Pareto set.

    With the optimal proportions of `characteristic_time`, this is an oracle: it knows what all
    adaptive algorithms have to estimate. Under these proportions the probability of a wrong answer
    falls like :math:`e^{-T/T^*}` to first order in the exponent, and under no fixed proportions
    does it fall faster. A larger budget is a different experiment, not a longer one, because the
    samples of an arm are taken at once.

    Parameters
    ----------
    budget : int
        Samples T, at least one for each arm; see `static_counts`.
    proportions : sequence of float, shape (K,)
        Proportion of the samples of each arm, up to a common factor.

    Raises
    ------
    ValueError
        If a parameter is invalid; when a run begins, if the number of proportions is not the
        number of arms.

    See Also
    --------
    pareto_core.bounds.complexity.characteristic_time : the optimal shares.

    References
    ----------
    Glynn & Juneja 2004, A large deviations perspective on ordinal optimization, Proceedings of the
    Winter Simulation Conference.

    Examples
    --------
    >>> import pareto_core as pc
    >>> from pareto_book.studies.static_sampling import StaticSampling
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> oracle = StaticSampling(300, tuple(pc.characteristic_time(instance.means).weights))
    >>> pc.simulate(oracle, instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    budget: int
    proportions: Sequence[float]

    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_count(self.budget, "budget")
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
    def needs_unit_variance(self) -> bool:
        """False: the answer does not depend on the unit of the rewards."""
        return False

    def parameters(self, problem: Problem) -> StaticParameters:
        """See `Algorithm.parameters`."""
        proportions = check_weights(self.proportions, problem.n_arms, "proportions")
        return StaticParameters(static_counts(self.budget, proportions.tolist()))

    def start(self, problem: Problem, rng: np.random.Generator) -> StaticState:
        """See `Algorithm.start`."""
        return StaticState(empty_record(problem), np.zeros(problem.n_arms, np.int64))
