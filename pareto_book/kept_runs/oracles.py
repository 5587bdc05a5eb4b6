"""Entrants of the chapter *One rule*: oracles that know the optimal proportions, and their rivals.

An oracle has the stopping rule of the entrant that it is compared with. The optimal proportions are
the best as the risk tends to 0; mixed with uniform ones they can be better at a risk of 0.1.
"""

import functools

import numpy as np

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
MIXTURE_RISK = 0.1
MIXTURES = {f"oracle, {share:.0%} uniform": share for share in (0.1, 0.2, 0.4)}


@functools.cache
def optimal_proportions(instance: Instance, algorithm: Algorithm) -> tuple[float, ...]:
    """Optimal proportions of the question of an algorithm, rounded to six digits."""
    white = instance.standardised()
    region = white.polyhedron if "polyhedron" in algorithm.reads else None
    found = characteristic_time(
        white.means, RELATIVE_GAP, problem=algorithm.question.name, polyhedron=region
    )
    return tuple(float(f"{each:.{DIGITS}g}") for each in found.weights)


def _play(algorithm, uniform, instance):
    optimal = np.array(optimal_proportions(instance, algorithm))
    mixed = (1 - uniform) * optimal + uniform / instance.n_arms
    return FixedProportions(algorithm, tuple(float(f"{each:.{DIGITS}g}") for each in mixed))


def _oracle(algorithm, uniform=0.0, least_risk=0.0):
    """The oracle with the stopping rule of an algorithm, and a uniform part of its samples."""
    play = functools.partial(_play, algorithm, uniform)
    return Entrant(play, entrants.NOTHING, least_risk=least_risk)


PARETO = {
    ORACLE: _oracle(algorithms.TopTwoIDS()),
    **{
        name: _oracle(algorithms.TopTwoIDS(), uniform, MIXTURE_RISK)
        for name, uniform in MIXTURES.items()
    },
    "TopTwoIDS": entrants.PARETO["TopTwoIDS"],
    "Track-and-Stop": entrants.PARETO["Track-and-Stop"],
    "APE": entrants.PARETO["APE"]._replace(least_risk=LEAST_RISK),
}


BEST_ARMS = {
    ORACLE: _oracle(entrants.BEST_ARMS["TopTwoIDS"].algorithm),
    **{name: entrants.BEST_ARMS[name] for name in ("TopTwoIDS", "MO-BAI", "D-Tracking")},
}
CONSTRAINED = {
    ORACLE: _oracle(entrants.CONSTRAINED["TopTwoIDS"].algorithm),
    **{name: entrants.CONSTRAINED[name] for name in ("TopTwoIDS", "Game-cPSI")},
    "e-cAPE": entrants.CONSTRAINED["e-cAPE"]._replace(least_risk=LEAST_RISK),
}
