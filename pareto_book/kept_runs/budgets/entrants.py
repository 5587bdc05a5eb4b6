"""The entrants of the arena with a fixed budget, and what is proven about each."""

import functools
from collections.abc import Callable
from typing import NamedTuple

from pareto_book.rivals import TTPFTS
from pareto_book.studies.static_sampling import StaticSampling
from pareto_core import algorithms
from pareto_core.bounds.complexity import CharacteristicTime, characteristic_time
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm

__all__ = ["ORACLE", "BudgetEntrant", "optimum_of"]

RELATIVE_GAP = 1e-7
DIGITS = 6  # of a proportion, so that all machines sample with the same proportions
ORACLE = "static w*"
ROUNDS, ANYTIME, FIXED = "eliminates in rounds", "one sample at a time", "fixed proportions"
PLUG_IN = "tracks shares computed from the empirical means"
FEW_ARMS = 10
BOUND = "a bound that falls exponentially"
BOUND_OF_ROUNDS = "such a bound, if each round uses its own samples alone; here it keeps all"
CONSISTENT = "its paper: that the answer is eventually right"
NOTHING = "nothing"
OPTIMAL = "the best rate under fixed proportions"


class BudgetEntrant(NamedTuple):
    """An algorithm with a fixed budget.

    Attributes
    ----------
    make : callable
        Returns the algorithm for an `Instance` and a budget.
    kind : str
        How it spends the budget.
    proven : str
        What its source proves about its error rate.
    continues : bool
        Whether its run with a budget begins with its run with any smaller budget, so that one
        simulated run has the answers at all budgets.
    """

    make: Callable[[Instance, int], Algorithm]
    kind: str
    proven: str
    continues: bool = False


@functools.cache
def optimum_of(instance: Instance) -> CharacteristicTime:
    """Characteristic time and optimal proportions of an instance, without its features.

    Parameters
    ----------
    instance : Instance
        Means and noise, whose objectives may be correlated.

    Returns
    -------
    CharacteristicTime
    """
    white = instance.standardised()
    covariance = white.covariance if white.is_correlated else None
    return characteristic_time(white.means, RELATIVE_GAP, covariance=covariance)


def _static(instance, budget):
    weights = optimum_of(instance).weights
    return StaticSampling(budget, tuple(float(f"{each:.{DIGITS}g}") for each in weights))


def _of_budget(kind, **settings):
    """Function that makes an algorithm from a budget, whatever the instance."""
    return lambda instance, budget: kind(budget=budget, **settings)


def _tracked(kind, **settings):
    """Function that makes an algorithm that tracks shares, which takes a while for many arms."""

    def make(instance, budget):
        every = 10 if instance.n_arms <= FEW_ARMS else 50
        return kind(budget=budget, update_every=every, **settings)

    return make


PLAIN = {
    ORACLE: BudgetEntrant(_static, FIXED, OPTIMAL),
    "uniform": BudgetEntrant(_of_budget(algorithms.UniformSampling), FIXED, BOUND),
    "EGE-SR": BudgetEntrant(_of_budget(algorithms.EGE, schedule="reject"), ROUNDS, BOUND),
    "EGE-SH": BudgetEntrant(_of_budget(algorithms.EGE), ROUNDS, BOUND_OF_ROUNDS),
    "TTPFTS": BudgetEntrant(_of_budget(TTPFTS), ANYTIME, CONSISTENT, continues=True),
    "TopTwoIDS": BudgetEntrant(_of_budget(algorithms.TopTwoIDS), ANYTIME, NOTHING, continues=True),
    "plug-in": BudgetEntrant(_tracked(algorithms.PlugIn), PLUG_IN, NOTHING, continues=True),
    "SCORE": BudgetEntrant(_tracked(algorithms.SCORE), PLUG_IN, NOTHING, continues=True),
    "MOCBA": BudgetEntrant(_tracked(algorithms.MOCBA), PLUG_IN, NOTHING, continues=True),
}
TWO_OBJECTIVES = {
    **PLAIN,
    "M-MOBA": BudgetEntrant(_of_budget(algorithms.MMOBA), ANYTIME, NOTHING, continues=True),
}
CORRELATED = {
    **PLAIN,
    "iSCORE": BudgetEntrant(
        _tracked(algorithms.SCORE, independent=True), PLUG_IN, NOTHING, continues=True
    ),
}
WITH_FEATURES = {
    **{name: PLAIN[name] for name in (ORACLE, "uniform", "EGE-SR", "EGE-SH")},
    "GEGE": BudgetEntrant(_of_budget(algorithms.GEGE), ROUNDS, BOUND),
}
