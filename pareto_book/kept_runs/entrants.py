"""The entrants of the arena: algorithms with their settings, and what their risks rest on."""

import dataclasses
import functools
from typing import NamedTuple

from pareto_book.rivals import PSIPS, FrankWolfe, LinearPAL, OraclePosterior, PaVeBa, PlugIn
from pareto_core import algorithms
from pareto_core.bounds.complexity import characteristic_time
from pareto_core.instances.noise import BERNOULLI_VARIANCE_BOUND
from pareto_core.loop.algorithm import Algorithm

MAX_SAMPLES = 10**7
PROVEN = "a theorem, for independent Gaussian noise"
THEOREM = "a theorem"
STATED = "a theorem of its authors, which we have not read"
ASYMPTOTIC = "what its paper claims"
NOTHING = "nothing: its threshold is the one used in experiments"
GAUSSIAN = "Gaussian noise of known variance"
KNOWN_COVARIANCE = "Gaussian noise of known covariance"
CORRELATED_GAUSSIAN = "Gaussian noise of known variance, however correlated"
EVERY_SAMPLE = "updated and tested at every sample; in its paper at every 10th and every 25th"
PROVEN_RULE = "stopped by the proven rule of this book"
WHITENED = "rewards divided by the standard deviation of the noise"
NOC_VARIANCE = 0.25  # of the noise on NoC, which GEGE's experiment does not whiten


class Entrant(NamedTuple):
    """An algorithm of the arena with its settings."""

    algorithm: Algorithm  # or a function that returns it for an `Instance`
    promise: str  # what its risk rests on
    assumes: str = GAUSSIAN
    least_risk: float = 0.0  # at smaller ones its runs would take too long
    max_samples: int = MAX_SAMPLES  # at which a run is cut off
    max_runs: int = 1000  # fewer of algorithms that take long between samples
    differs: str = ""  # how its settings differ from those in the chapter on its paper


@functools.cache  # every reader of the kept runs compares them with the entrants
def _posterior_sampling_with_oracle(instance):
    """Posterior sampling's stopping rule, sampling with the weights of the lower bound."""
    weights = characteristic_time(instance.means_standardised).weights
    return OraclePosterior(tuple(weights.tolist()))


def _with_variance_bound(entrant):
    """The entrant, given only that rewards are in [0, 1] as a bound on their variance."""
    bounded = dataclasses.replace(entrant.algorithm, variance_bound=BERNOULLI_VARIANCE_BOUND)
    differs = "given a bound of 1/4 on the variance"
    return entrant._replace(algorithm=bounded, assumes="variance at most 1/4", differs=differs)


PARETO = {
    "Track-and-Stop": Entrant(algorithms.TrackAndStop(), NOTHING, differs=EVERY_SAMPLE),
    "Track-and-Stop, every tenth": Entrant(
        algorithms.TrackAndStop(gradient_every=10, check_every=10),
        NOTHING,
        differs="tested at every 10th sample; in its paper at every 25th",
    ),
    "Track-and-Stop, unforced": Entrant(
        algorithms.TrackAndStop(exploration="none"),
        NOTHING,
        differs="without the forced exploration of its paper",
    ),
    "Track-and-Stop, proven": Entrant(
        algorithms.TrackAndStop(threshold="proven"), PROVEN, differs=PROVEN_RULE
    ),
    "TopTwoIDS": Entrant(algorithms.TopTwoIDS(), NOTHING),
    "TopTwoIDS, proven": Entrant(algorithms.TopTwoIDS(threshold="proven"), PROVEN),
    "Frank-Wolfe": Entrant(FrankWolfe(), NOTHING),
    "Frank-Wolfe, proven": Entrant(FrankWolfe(threshold="proven"), PROVEN),
    "PSIPS": Entrant(PSIPS(), ASYMPTOTIC, least_risk=1e-2),
    "PSIPS with an oracle": Entrant(_posterior_sampling_with_oracle, ASYMPTOTIC, least_risk=1e-2),
    "APE": Entrant(algorithms.APE(), "nothing: its bonus is the one used in experiments"),
    "APE, mixture": Entrant(algorithms.APE(bonus="mixture"), THEOREM),
    "APE, certified": Entrant(algorithms.Certified(algorithms.APE(delta=0.1)), PROVEN),
    "Racing": Entrant(
        algorithms.Racing(radius="iterated_logarithm", pairs="sum"),
        "nothing: a short radius",
        differs="a radius of the iterated logarithm, in place of those of its paper",
    ),
    "Racing, proven": Entrant(algorithms.Racing(radius="hoeffding", pairs="sum"), THEOREM),
    "PaVeBa": Entrant(PaVeBa(), STATED, max_samples=10**9, differs=WHITENED),
    "PaVeBa, authors' settings": Entrant(  # an accuracy of 0.1 with a noise variance of 0.01
        PaVeBa(epsilon=1.0, contraction=16.0),
        "nothing: a radius over 16, with an accuracy of one standard deviation of the noise",
        differs=WHITENED,
    ),
    "PaVeBa, VOPy's default of 32": Entrant(
        PaVeBa(contraction=32.0), "nothing: a radius over 32", differs=WHITENED
    ),
    "uniform": Entrant(algorithms.UniformSampling(), NOTHING),
    "uniform, proven": Entrant(algorithms.UniformSampling(threshold="proven"), PROVEN),
}
LINEAR = {
    "APE": PARETO["APE"]._replace(
        differs="samples the less sampled of two arms, as in its paper; its program samples both"
    ),
    "TopTwoIDS, every tenth": Entrant(
        algorithms.TopTwoIDS(alternative_every=10, check_every=10), NOTHING
    ),
    "Racing": PARETO["Racing"],
    "Racing, proven": PARETO["Racing, proven"],
    "GEGE": Entrant(
        algorithms.GEGE(variance_bound=NOC_VARIANCE), "nothing: the experiments' round lengths"
    ),
    "GEGE, proven": Entrant(
        algorithms.GEGE(lengths="proven", variance_bound=NOC_VARIANCE), THEOREM
    ),
    "PAL, linear": Entrant(LinearPAL(), "nothing: the experiments' scaling"),
}
CORRELATED = {
    "Track-and-Stop": PARETO["Track-and-Stop"]._replace(assumes=KNOWN_COVARIANCE),
    "Track-and-Stop, pairs": Entrant(
        algorithms.TrackAndStop(threshold="proven_correlated"),
        THEOREM,
        CORRELATED_GAUSSIAN,
        differs=PROVEN_RULE,
    ),
    "TopTwoIDS": PARETO["TopTwoIDS"]._replace(assumes=KNOWN_COVARIANCE),
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
    "uniform": PARETO["uniform"]._replace(assumes=KNOWN_COVARIANCE),
    "uniform, pairs": Entrant(
        algorithms.UniformSampling(threshold="proven_correlated"), THEOREM, CORRELATED_GAUSSIAN
    ),
}
WIDEST_BOX = {
    "promise": THEOREM,
    "assumes": "rewards in [0, 1]",
    "differs": "single samples, the default of its package; in its examples batches of five",
}
BETTING = {**WIDEST_BOX, "max_samples": 300_000}  # its samples take ten times as long
BOUNDED = {
    "widest box": Entrant(algorithms.WidestBox(), **BETTING),
    "widest box, Bernstein": Entrant(
        algorithms.WidestBox(boundary="empirical_bernstein"), **WIDEST_BOX
    ),
    "widest box, Hoeffding": Entrant(algorithms.WidestBox(boundary="hoeffding"), **WIDEST_BOX),
    "widest box, and what blocks": Entrant(algorithms.WidestBox(sample_blockers=True), **BETTING),
    **{
        name: _with_variance_bound(PARETO[name])
        for name in ("APE", "APE, mixture", "Racing, proven")
    },
}
BY_EVIDENCE = Entrant(
    algorithms.TrackAndStop(exploration="evidence"), NOTHING, differs="explores as TopTwoIDS does"
)
EXACT_WEIGHTS = Entrant(
    PlugIn(),
    NOTHING,
    max_runs=100,  # its weights take as long as thousands of samples
    differs="weights computed whenever the samples have grown by a fifth",
)
SQUARE_ROOT = Entrant(algorithms.TopTwoIDS(exploration="square_root"), NOTHING)
MANY_ARMS = {  # those with the same stop, and one of each other kind
    "Track-and-Stop": PARETO["Track-and-Stop"],
    "Track-and-Stop, by evidence": BY_EVIDENCE,
    "Track-and-Stop, exact weights": EXACT_WEIGHTS,
    "TopTwoIDS": PARETO["TopTwoIDS"],
    "TopTwoIDS, square root": SQUARE_ROOT,
    "TopTwoIDS, unforced": Entrant(
        algorithms.TopTwoIDS(exploration="none"), NOTHING, max_samples=100_000
    ),
    **{
        name: PARETO[name]
        for name in ("TopTwoIDS, proven", "Frank-Wolfe", "APE", "APE, certified", "uniform")
    },
}
TOP_TWO_VARIANTS = {  # TopTwoIDS without one of its parts
    "square root": SQUARE_ROOT,
    "unforced": Entrant(algorithms.TopTwoIDS(exploration="none"), NOTHING),
    "every tenth": Entrant(algorithms.TopTwoIDS(alternative_every=10), NOTHING),
    "proven, not aimed": Entrant(algorithms.Certified(algorithms.TopTwoIDS()), PROVEN),
    "by evidence": BY_EVIDENCE,
    "exact weights": EXACT_WEIGHTS,
}
THROTTLE = {"gradient_every": 10, "check_every": 25}
THROTTLED = {  # updated and tested as rarely as in Crepon et al. 2024
    "Track-and-Stop, throttled": Entrant(algorithms.TrackAndStop(**THROTTLE), NOTHING),
    "Track-and-Stop, throttled and proven": Entrant(
        algorithms.TrackAndStop(threshold="proven", **THROTTLE), PROVEN, differs=PROVEN_RULE
    ),
    "TopTwoIDS, throttled and proven": Entrant(
        algorithms.TopTwoIDS(threshold="proven", alternative_every=10, check_every=25), PROVEN
    ),
}
PAPERS_THRESHOLD = {"threshold": "iterated_logarithm"}  # of MO-BAI, D-Tracking and Game-cPSI
BEST_ARMS = {
    "TopTwoIDS": Entrant(
        algorithms.TopTwoIDS(problem="best_arm_per_objective", **PAPERS_THRESHOLD), NOTHING
    ),
    "TopTwoIDS, proven": Entrant(
        algorithms.TopTwoIDS(problem="best_arm_per_objective", threshold="proven"), PROVEN
    ),
    "MO-BAI": Entrant(algorithms.MOBAI(), NOTHING),
    "MO-BAI, proven": Entrant(algorithms.MOBAI(threshold="proven"), PROVEN, differs=PROVEN_RULE),
    "D-Tracking": Entrant(algorithms.DTracking(), NOTHING),
    "MO-SE": Entrant(algorithms.MOSE(), THEOREM),
}
CONSTRAINED = {
    "TopTwoIDS": Entrant(
        algorithms.TopTwoIDS(problem="constrained_pareto_set", **PAPERS_THRESHOLD), NOTHING
    ),
    "e-cAPE": Entrant(algorithms.ECAPE(), "nothing: its bonus is the one used in experiments"),
    "Game-cPSI": Entrant(algorithms.GameCPSI(optimism="time"), NOTHING),
    "A-A": Entrant(algorithms.TwoStage(), "nothing: its bonus is the one used in experiments"),
    "R-CP": Entrant(algorithms.RacingCP(), "nothing: its bonus is the one used in experiments"),
    "uniform, constrained": Entrant(algorithms.ConstrainedUniformSampling(), NOTHING),
}
