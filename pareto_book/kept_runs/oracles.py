"""Entrants of the chapter *One rule*: oracles that know the optimal proportions, and their rivals.

An oracle has the stopping rule of the entrant that it is compared with.
"""

import functools

from pareto_book.kept_runs import entrants
from pareto_book.kept_runs.entrants import Entrant
from pareto_book.studies.fixed_proportions import FixedProportions
from pareto_core import algorithms
from pareto_core.bounds.complexity import characteristic_time
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm

RELATIVE_GAP = 1e-7
DIGITS = 6  # of a proportion, so that all machines sample with the same proportions
LEAST_RISK = 1e-8  # of entrants whose samples depend on the risk, so that each risk needs own runs
ORACLE = "oracle"


@functools.cache
def optimal_proportions(instance: Instance, algorithm: Algorithm) -> tuple[float, ...]:
    """Optimal proportions of the question of an algorithm, rounded to six digits."""
    white = instance.standardised()
    region = white.polyhedron if "polyhedron" in algorithm.reads else None
    found = characteristic_time(
        white.means, RELATIVE_GAP, problem=algorithm.question.name, polyhedron=region
    )
    return tuple(float(f"{each:.{DIGITS}g}") for each in found.weights)


def _play(algorithm, instance):
    return FixedProportions(algorithm, optimal_proportions(instance, algorithm))


def _oracle(algorithm):
    """The oracle with the stopping rule of an algorithm."""
    return {ORACLE: Entrant(functools.partial(_play, algorithm), entrants.NOTHING)}


PARETO = {
    **_oracle(algorithms.TopTwoIDS()),
    "TopTwoIDS": entrants.PARETO["TopTwoIDS"],
    "Track-and-Stop": entrants.PARETO["Track-and-Stop"],
    "APE": entrants.PARETO["APE"]._replace(least_risk=LEAST_RISK),
}


BEST_ARMS = {
    **_oracle(entrants.BEST_ARMS["TopTwoIDS"].algorithm),
    **{name: entrants.BEST_ARMS[name] for name in ("TopTwoIDS", "MO-BAI", "D-Tracking")},
}
CONSTRAINED = {
    **_oracle(entrants.CONSTRAINED["TopTwoIDS"].algorithm),
    **{name: entrants.CONSTRAINED[name] for name in ("TopTwoIDS", "Game-cPSI")},
    "e-cAPE": entrants.CONSTRAINED["e-cAPE"]._replace(least_risk=LEAST_RISK),
}
