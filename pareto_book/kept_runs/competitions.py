"""The questions of the arena: entrants, instances, risks, and how many runs are kept of each."""

import functools
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs import entrants, oracles
from pareto_core.checks.arguments import check_choice
from pareto_core.instances import generators
from pareto_core.instances.constrained_instances import racing_hard, two_stage_hard
from pareto_core.instances.instance import Instance
from pareto_core.instances.registry import load_instance
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.comparison.arguments import fitted

RISKS = (1e-1, 1e-2, 1e-4, 1e-6)
SMALL_RISKS = (1e-1, 1e-2, 1e-4, 1e-8, 1e-12)  # of the competitions with an oracle
SHORT = 10_000  # samples of a run of which the arena has 1000


class Competition(NamedTuple):
    """One question of the arena: which entrants answer it, on which instances."""

    entrants: dict  # by name
    instances: dict  # functions that return an `Instance`, by its name
    absent: frozenset = (
        frozenset()
    )  # names of an instance and of an entrant that does not run on it
    risks: tuple = RISKS  # in decreasing order
    short: float = SHORT  # largest mean number of samples of which 1000 runs are made


def runs_needed(samples: float, short: float = SHORT) -> int:
    """Return how many runs of an entrant the arena has on an instance at a risk."""
    if samples < short:
        return 1000
    return 200 if samples < 10**6 else 50


def _coins():
    """Return five arms, each with two coins."""
    means = [[0.85, 0.3], [0.6, 0.6], [0.3, 0.85], [0.45, 0.4], [0.2, 0.55]]
    return Instance(np.array(means), noise="bernoulli", name="coins")


def _close_pair(n_far):
    """Return two arms that are close to each other, among others that are far below."""
    pair = [[0.2, 0.0], [0.0, 0.2]]
    return Instance(np.array(pair + n_far * [[-8.0, -8.0]]), name="close_pair")


def _long_front():
    """Return a front of 30 arms, with one arm below every third of them."""
    steps = np.arange(30.0)
    front = np.column_stack([steps, steps[::-1]])
    return Instance(np.vstack([front, front[1::3] - 0.7]), name="long_front")


MANY_ARMS = entrants.MANY_ARMS | {oracles.ORACLE: oracles.PARETO[oracles.ORACLE]}
COMPETITIONS = {
    "Pareto set": Competition(
        entrants.PARETO,
        {
            "one above all": functools.partial(generators.one_dominates_all, 10),
            "staircase": lambda: generators.staircase_front(5, np.random.default_rng(1)),
            "random": lambda: generators.random_gaussian(10, 2, np.random.default_rng(4)),
            "sphere": lambda: generators.spherical_front(5, 3, np.random.default_rng(2), 1.0),
            "COV-BOOST": functools.partial(load_instance, "cov_boost"),
            "five arms": functools.partial(load_instance, "five_arms"),
            "line": functools.partial(load_instance, "line_of_arms"),
            "random, five": functools.partial(load_instance, "random_arms"),
            "EgeExp 1": functools.partial(load_instance, "ege_1"),
            "EgeExp 2": functools.partial(load_instance, "ege_2"),
            "EgeExp 5": functools.partial(load_instance, "ege_5"),
            "EgeExp 6": functools.partial(load_instance, "ege_6_new"),
            "EgeExp 7": functools.partial(load_instance, "ege_7"),
            "EgeExp 8": functools.partial(load_instance, "ege_8"),
        },
    ),
    "Pareto set, held out": Competition(
        entrants.PARETO,
        {
            f"held out {number}": functools.partial(load_instance, f"held_out_{number}")
            for number in range(1, 11)
        },
    ),
    "Pareto set, many arms": Competition(
        MANY_ARMS,
        {
            "one above 49": functools.partial(generators.one_dominates_all, 50),
            "one above 99": functools.partial(generators.one_dominates_all, 100),
            "pair among 18": functools.partial(_close_pair, 18),
            "pair among 38": functools.partial(_close_pair, 38),
            "pair among 58": functools.partial(_close_pair, 58),
            "long front": _long_front,
            **{
                f"{number} arms": functools.partial(load_instance, f"many_arms_{number}")
                for number in (20, 30, 50)
            },
        },
    ),
    "Pareto set, many arms held out": Competition(
        MANY_ARMS,
        {
            f"held out {number}": functools.partial(load_instance, f"held_out_{number}")
            for number in range(11, 21)
        },
    ),
    "parts of TopTwoIDS": Competition(
        entrants.TOP_TWO_VARIANTS,
        {
            "staircase, again": lambda: generators.staircase_front(5, np.random.default_rng(1)),
            "random, again": lambda: generators.random_gaussian(10, 2, np.random.default_rng(4)),
            "COV-BOOST, again": functools.partial(load_instance, "cov_boost"),
        },
    ),
    "price of a proof": Competition(
        entrants.THROTTLED,
        {
            "NoC, without features": functools.partial(load_instance, "noc"),
            "SNW": functools.partial(load_instance, "snw_tenfold"),
        },
    ),
    "Pareto set, with features": Competition(
        entrants.LINEAR,
        {"NoC": functools.partial(load_instance, "noc")},
    ),
    "Pareto set, correlated objectives": Competition(
        entrants.CORRELATED,
        {
            "five arms, against": functools.partial(load_instance, "five_arms(-0.894)"),
            "five arms, along": functools.partial(load_instance, "five_arms(0.894)"),
        },
    ),
    "Pareto set, rewards in [0, 1]": Competition(
        entrants.BOUNDED,
        {
            "coins": _coins,
            "five coins": functools.partial(load_instance, "five_coins"),
            **{
                name: functools.partial(load_instance, f"paretoinfer_{name}")
                for name in ("six", "convex", "concave", "disconnected", "ties")
            },
        },
    ),
    "best arm of every objective": Competition(
        entrants.BEST_ARMS,
        {"distinct": lambda: generators.distinct_best_arms(10, 3, np.random.default_rng(0))},
    ),
    "constrained Pareto set": Competition(
        entrants.CONSTRAINED,
        {
            "two stage hard": functools.partial(two_stage_hard, 0.1),
            "orthant": functools.partial(load_instance, "constrained_orthant"),
            "simplex": functools.partial(load_instance, "constrained_simplex"),
            "ordered": functools.partial(load_instance, "constrained_ordered"),
            "hypercube": functools.partial(load_instance, "constrained_hypercube"),
            "racing hard": functools.partial(racing_hard, 10),
            "secukinumab": functools.partial(load_instance, "secukinumab"),
            "COV-BOOST, IgG": functools.partial(load_instance, "cov_boost_igg"),
        },
        frozenset(
            {  # their tests take rewards to have one known variance per objective
                (instance, entrant)
                for instance in ("racing hard", "secukinumab")
                for entrant in ("Game-cPSI", "TopTwoIDS")
            }
        ),
    ),
}


def _beside_oracles(question, entrants, names):
    """Competition on instances of the arena at small risks, whose entrants include an oracle."""
    known = COMPETITIONS[question].instances
    instances = {f"{name}, oracle": known[name] for name in names}
    return Competition(entrants, instances, risks=SMALL_RISKS, short=3 * SHORT)


ORACLE_COMPETITIONS = {  # their runs belong to the chapter "One rule"
    "Pareto set, oracle": _beside_oracles(
        "Pareto set",
        oracles.PARETO,
        (
            "one above all",
            "five arms",
            "random, five",
            "staircase",
            "line",
            "random",
            "EgeExp 2",
            "COV-BOOST",
            "sphere",
            "EgeExp 7",
            "EgeExp 1",
            "EgeExp 5",
        ),
    ),
    "best arm of every objective, oracle": _beside_oracles(
        "best arm of every objective", oracles.BEST_ARMS, ("distinct",)
    ),
    "constrained Pareto set, oracle": _beside_oracles(
        "constrained Pareto set",
        oracles.CONSTRAINED,
        ("two stage hard", "orthant", "simplex", "ordered", "hypercube", "COV-BOOST, IgG"),
    ),
}


def all_competitions() -> dict[str, Competition]:
    """Competitions of the arena and those with an oracle, by question."""
    return COMPETITIONS | ORACLE_COMPETITIONS


def find_instance(instance_name: str) -> tuple:
    """Look up an instance of the arena, and make it."""
    questions = {
        name: question
        for question, competition in all_competitions().items()
        for name in competition.instances
    }
    question = questions[check_choice(instance_name, "instance", questions)]
    competition = all_competitions()[question]
    instance = _made_once(competition.instances[instance_name])
    found = {
        name: entrant._replace(algorithm=_algorithm_for(instance, entrant.algorithm))
        for name, entrant in competition.entrants.items()
        if (instance_name, name) not in competition.absent
    }
    return question, found, instance


@functools.cache
def _made_once(make):
    """The instance that a function makes; instances cannot change, and some take a second."""
    return make()


def _algorithm_for(instance, algorithm):
    made = algorithm if isinstance(algorithm, Algorithm) else algorithm(instance)
    return fitted(made, instance)
