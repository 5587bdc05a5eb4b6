"""Who competes in the book's arena, on which instances, at which risks, and how often."""

import dataclasses
import functools
from typing import NamedTuple

import numpy as np

from pareto_core import algorithms
from pareto_core.bounds.complexity import characteristic_time
from pareto_core.instances import generators, psips_instances
from pareto_core.instances.constrained_instances import racing_hard, two_stage_hard
from pareto_core.instances.ege_instances import ege_instance
from pareto_core.instances.held_out_instances import N_HELD_OUT, held_out_instance
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI_VARIANCE_BOUND
from pareto_core.instances.paretoinfer_instances import LOSSES, paretoinfer_instance
from pareto_core.instances.registry import load_instance
from pareto_core.loop.algorithm import Algorithm

__all__ = ["GAMES", "RISKS", "Entrant", "Game", "runs_needed"]

RISKS = (1e-1, 1e-2, 1e-4, 1e-6)
MOST_SAMPLES = 10**7
PROVEN = "a theorem, for independent Gaussian noise"
THEOREM = "a theorem"
ASYMPTOTIC = "what its paper claims"
NOTHING = "nothing: the threshold is the experiments' one"
GAUSSIAN = "Gaussian noise of known variance"
CORRELATED_GAUSSIAN = "Gaussian noise of known variance, however correlated"
EVERY_SAMPLE = "updated and tested at every sample; in its paper at every 10th and every 25th"
PROVEN_RULE = "stopped by the proven rule of this book"
WHITENED = "rewards divided by the standard deviation of the noise"
NOC_VARIANCE = 0.25  # of the noise on NoC, which GEGE's experiment does not whiten


class Entrant(NamedTuple):
    """One competitor."""

    algorithm: Algorithm  # or a function that makes one for an instance
    promise: str  # what its risk rests on
    assumes: str = GAUSSIAN
    least_risk: float = 0.0  # below it no run would end in a reasonable time
    most_samples: int = MOST_SAMPLES  # a run is cut off there
    differs: str = ""  # how its settings differ from those of the chapter on its paper


class Game(NamedTuple):
    """One question: who competes, and where."""

    entrants: dict  # Entrant by name
    places: dict  # function that returns an Instance, by name
    absent: frozenset = frozenset()  # pairs of an instance's and an entrant's name


def runs_needed(samples: float) -> int:
    """How many runs are kept of an algorithm that takes so many samples on average."""
    if samples < 10_000:
        return 1000
    return 200 if samples < 10**6 else 50


def _oracle(instance):
    """Posterior sampling's stopping rule with the weights of the lower bound."""
    weights = characteristic_time(instance.means_standardised).weights
    return algorithms.OraclePosterior(tuple(weights.tolist()))


def _told_a_quarter(entrant):
    """The entrant, told no more of the noise than that rewards are in [0, 1]."""
    told = dataclasses.replace(entrant.algorithm, variance_bound=BERNOULLI_VARIANCE_BOUND)
    differs = "given a bound of 1/4 on the variance"
    return entrant._replace(algorithm=told, assumes="variance at most 1/4", differs=differs)


PARETO = {
    "Track-and-Stop": Entrant(algorithms.TrackAndStop(), NOTHING, differs=EVERY_SAMPLE),
    "Track-and-Stop, every tenth": Entrant(
        algorithms.TrackAndStop(gradient_every=10, check_every=10),
        NOTHING,
        differs="tested at every 10th sample; in its paper at every 25th",
    ),
    "Track-and-Stop, unforced": Entrant(
        algorithms.TrackAndStop(forced_exploration=False),
        NOTHING,
        differs="without the forced exploration of its paper",
    ),
    "Track-and-Stop, proven": Entrant(
        algorithms.TrackAndStop(threshold="proven"), PROVEN, differs=PROVEN_RULE
    ),
    "TopTwoIDS": Entrant(algorithms.TopTwoIDS(), NOTHING),
    "TopTwoIDS, proven": Entrant(algorithms.TopTwoIDS(threshold="proven"), PROVEN),
    "Frank-Wolfe": Entrant(algorithms.FrankWolfe(), NOTHING),
    "Frank-Wolfe, proven": Entrant(algorithms.FrankWolfe(threshold="proven"), PROVEN),
    "PSIPS": Entrant(algorithms.PSIPS(), ASYMPTOTIC, least_risk=1e-2),
    "PSIPS with an oracle": Entrant(_oracle, ASYMPTOTIC, least_risk=1e-2),
    "APE": Entrant(algorithms.APE(), "nothing: its bonus is the experiments' one"),
    "APE, mixture": Entrant(algorithms.APE(bonus="mixture"), THEOREM),
    "APE, certified": Entrant(algorithms.Certified(algorithms.APE(delta=0.1)), PROVEN),
    "Racing": Entrant(
        algorithms.Racing(radius="iterated_logarithm", pairs="sum"), "nothing: a short radius"
    ),
    "Racing, proven": Entrant(algorithms.Racing(radius="hoeffding", pairs="sum"), THEOREM),
    "PaVeBa": Entrant(algorithms.PaVeBa(), THEOREM, most_samples=10**9, differs=WHITENED),
    "PaVeBa, authors' settings": Entrant(  # an accuracy of 0.1 with a noise variance of 0.01
        algorithms.PaVeBa(epsilon=1.0, contraction=16.0),
        "nothing: a radius over 16, with an accuracy of one standard deviation of the noise",
        differs=WHITENED,
    ),
    "PaVeBa, VOPy's default of 32": Entrant(
        algorithms.PaVeBa(contraction=32.0), "nothing: a radius over 32", differs=WHITENED
    ),
    "uniform": Entrant(algorithms.UniformSampling(), NOTHING),
    "uniform, proven": Entrant(algorithms.UniformSampling(threshold="proven"), PROVEN),
}
LINEAR = {
    "APE": PARETO["APE"]._replace(
        differs="samples the rarer of two arms, as its paper has it; here its program samples both"
    ),
    "TopTwoIDS, every tenth": Entrant(
        algorithms.TopTwoIDS(alternative_every=10, check_every=10), NOTHING
    ),
    "Racing": PARETO["Racing"],
    "Racing, proven": PARETO["Racing, proven"],
    "GEGE": Entrant(
        algorithms.GEGE(variance_bound=NOC_VARIANCE), "nothing: the experiments' phase lengths"
    ),
    "GEGE, proven": Entrant(
        algorithms.GEGE(lengths="proven", variance_bound=NOC_VARIANCE), THEOREM
    ),
    "PAL, linear": Entrant(algorithms.LinearPAL(), "nothing: the experiments' scaling"),
}
UNAWARE = "nothing: its threshold is for independent objectives"
CORRELATED = {
    "Track-and-Stop": PARETO["Track-and-Stop"]._replace(promise=UNAWARE),
    "Track-and-Stop, pairs": Entrant(
        algorithms.TrackAndStop(threshold="proven_correlated"),
        THEOREM,
        CORRELATED_GAUSSIAN,
        differs=PROVEN_RULE,
    ),
    "TopTwoIDS": PARETO["TopTwoIDS"]._replace(promise=UNAWARE),
    "TopTwoIDS, pairs": Entrant(
        algorithms.TopTwoIDS(threshold="proven_correlated"), THEOREM, CORRELATED_GAUSSIAN
    ),
    "APE": PARETO["APE"]._replace(assumes=CORRELATED_GAUSSIAN),
    "APE, mixture": PARETO["APE, mixture"]._replace(assumes=CORRELATED_GAUSSIAN),
    "APE, pairs": Entrant(
        algorithms.Certified(algorithms.APE(delta=0.1), rule="pairs"), THEOREM, CORRELATED_GAUSSIAN
    ),
    "Racing": PARETO["Racing"]._replace(assumes=CORRELATED_GAUSSIAN),
    "Racing, proven": PARETO["Racing, proven"]._replace(assumes=CORRELATED_GAUSSIAN),
    "uniform": PARETO["uniform"]._replace(promise=UNAWARE),
    "uniform, pairs": Entrant(
        algorithms.UniformSampling(threshold="proven_correlated"), THEOREM, CORRELATED_GAUSSIAN
    ),
}
IN_BOXES = {
    "promise": THEOREM,
    "assumes": "rewards in [0, 1]",
    "differs": "single samples, the default of its package; in its examples batches of five",
}
BETTING = {**IN_BOXES, "most_samples": 300_000}  # a sample takes ten times as long
BOUNDED = {
    "widest box": Entrant(algorithms.WidestBox(), **BETTING),
    "widest box, Bernstein": Entrant(
        algorithms.WidestBox(boundary="empirical_bernstein"), **IN_BOXES
    ),
    "widest box, Hoeffding": Entrant(algorithms.WidestBox(boundary="hoeffding"), **IN_BOXES),
    "widest box, and what blocks": Entrant(algorithms.WidestBox(sample_blockers=True), **BETTING),
    **{name: _told_a_quarter(PARETO[name]) for name in ("APE", "APE, mixture", "Racing, proven")},
}
VARIANTS = {  # of TopTwoIDS, each without one of its parts
    "unforced": Entrant(algorithms.TopTwoIDS(forced_exploration=False), NOTHING),
    "every tenth": Entrant(algorithms.TopTwoIDS(alternative_every=10), NOTHING),
    "proven, not aimed": Entrant(algorithms.Certified(algorithms.TopTwoIDS()), PROVEN),
}
THROTTLED = {"gradient_every": 10, "check_every": 25}
PRICES = {  # as Crepon et al. 2024 throttle it
    "Track-and-Stop, throttled": Entrant(algorithms.TrackAndStop(**THROTTLED), NOTHING),
    "Track-and-Stop, throttled and proven": Entrant(
        algorithms.TrackAndStop(threshold="proven", **THROTTLED), PROVEN, differs=PROVEN_RULE
    ),
    "TopTwoIDS, throttled and proven": Entrant(
        algorithms.TopTwoIDS(threshold="proven", alternative_every=10, check_every=25), PROVEN
    ),
}
BEST_ARMS = {
    "MO-BAI": Entrant(algorithms.MOBAI(), NOTHING),
    "MO-BAI, proven": Entrant(algorithms.MOBAI(threshold="proven"), PROVEN, differs=PROVEN_RULE),
    "D-Tracking": Entrant(algorithms.DTracking(), NOTHING),
    "MO-SE": Entrant(algorithms.MOSE(), THEOREM),
}
CONSTRAINED = {
    "e-cAPE": Entrant(algorithms.ECAPE(), "nothing: its bonus is the experiments' one"),
    "Game-cPSI": Entrant(algorithms.GameCPSI(optimism="time"), NOTHING),
    "A-A": Entrant(algorithms.TwoStage(), "nothing: its bonus is the experiments' one"),
    "R-CP": Entrant(algorithms.RacingCP(), "nothing: its bonus is the experiments' one"),
    "uniform, constrained": Entrant(algorithms.ConstrainedUniformSampling(), NOTHING),
}


def _coins():
    """Five arms, two coins each."""
    means = [[0.85, 0.3], [0.6, 0.6], [0.3, 0.85], [0.45, 0.4], [0.2, 0.55]]
    return Instance(np.array(means), noise="bernoulli", name="coins")


GAMES = {
    "Pareto set": Game(
        PARETO,
        {
            "one above all": functools.partial(generators.one_dominates_all, 10),
            "staircase": lambda: generators.staircase_front(5, np.random.default_rng(1)),
            "random": lambda: generators.random_gaussian(10, 2, np.random.default_rng(4)),
            "sphere": lambda: generators.spherical_front(5, 3, np.random.default_rng(2), 1.0),
            "COV-BOOST": functools.partial(load_instance, "cov_boost"),
            "five arms": psips_instances.five_arms,
            "line": functools.partial(psips_instances.line_of_arms, 10),
            "random, five": lambda: psips_instances.random_arms(np.random.default_rng(0)),
            "EgeExp 1": lambda: ege_instance("1", np.random.default_rng(0)),
            "EgeExp 2": functools.partial(ege_instance, "2"),
            "EgeExp 5": lambda: ege_instance("5", np.random.default_rng(0)),
            "EgeExp 6": functools.partial(ege_instance, "6_new"),
            "EgeExp 7": functools.partial(ege_instance, "7"),
            "EgeExp 8": functools.partial(ege_instance, "8"),
        },
    ),
    "Pareto set, held out": Game(
        PARETO,
        {
            f"held out {number}": functools.partial(held_out_instance, number)
            for number in range(1, N_HELD_OUT + 1)
        },
    ),
    "parts of TopTwoIDS": Game(
        VARIANTS,
        {
            "staircase, again": lambda: generators.staircase_front(5, np.random.default_rng(1)),
            "random, again": lambda: generators.random_gaussian(10, 2, np.random.default_rng(4)),
            "COV-BOOST, again": functools.partial(load_instance, "cov_boost"),
        },
    ),
    "price of a proof": Game(
        PRICES,
        {
            "NoC, without features": functools.partial(load_instance, "noc"),
            "SNW": functools.partial(load_instance, "snw_tenfold"),
        },
    ),
    "Pareto set, with features": Game(
        LINEAR,
        {"NoC": functools.partial(load_instance, "noc")},
    ),
    "Pareto set, correlated objectives": Game(
        CORRELATED,
        {
            "five arms, against": functools.partial(psips_instances.five_arms, -0.894),
            "five arms, along": functools.partial(psips_instances.five_arms, 0.894),
        },
    ),
    "Pareto set, rewards in [0, 1]": Game(
        BOUNDED,
        {
            "coins": _coins,
            "five coins": psips_instances.five_coins,
            **{name: functools.partial(paretoinfer_instance, name) for name in LOSSES},
        },
    ),
    "best arm of every objective": Game(
        BEST_ARMS,
        {"distinct": lambda: generators.distinct_best_arms(10, 3, np.random.default_rng(0))},
    ),
    "constrained Pareto set": Game(
        CONSTRAINED,
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
            {
                ("racing hard", "Game-cPSI"),  # its test takes rewards to have unit variance
                ("secukinumab", "Game-cPSI"),
                ("COV-BOOST, IgG", "Game-cPSI"),
            }
        ),
    ),
}
