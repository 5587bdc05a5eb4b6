"""Simulated runs whose samples, averages and answers are on record."""

import functools

import numpy as np
from golden.digests import bits

import pareto_core as pc
from pareto_book import rivals
from pareto_book.rivals.gaussian_process import Hyperparameters

N_RUNS = 30  # run r has its own seed
MAX_SAMPLES = 4000
COLUMNS = ("algorithm", "instance", "samples", "all", "answers")


def _arms(n_arms, d, seed, **fields):
    return pc.Instance(1.5 * np.random.default_rng([11, seed]).normal(size=(n_arms, d)), **fields)


def _linear(n_arms, h, d, seed):
    rng = np.random.default_rng([12, seed])
    features = rng.normal(size=(n_arms, h))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    return pc.Instance(features @ rng.normal(size=(h, d)), variance=[0.25] * d, features=features)


def _with_region(n_arms, d, seed):
    region = pc.orthant(np.full(d, -0.8))
    return _arms(n_arms, d, seed, polyhedron=region)


def _coins(n_arms, d, seed):
    means = np.random.default_rng([13, seed]).uniform(0.05, 0.95, (n_arms, d))
    return pc.Instance(means, noise="bernoulli")


@functools.cache
def instances():
    """Instances by name, in groups of four."""
    return {
        "plain": {
            "six arms": pc.load_instance("six_arms"),
            "nine arms": _arms(9, 2, 0),
            "three objectives": _arms(7, 3, 1),
            "five objectives": _arms(5, 5, 2),
        },
        "noisy": {
            "correlated": pc.load_instance("five_arms(-0.9)"),
            "unequal units": _arms(6, 3, 4, variance=[0.1, 1.0, 4.0]),
            "one objective": _arms(5, 1, 5),
            "cov_boost": pc.load_instance("cov_boost"),
        },
        "linear": {
            "four features": _linear(15, 4, 2, 0),
            "three objectives": _linear(10, 3, 3, 1),
            "one objective": _linear(12, 4, 1, 2),
            "noc": pc.load_instance("noc"),
        },
        "region": {
            "six arms": _with_region(6, 2, 0),
            "three objectives": _with_region(6, 3, 1),
            "nine arms": _with_region(9, 2, 2),
            "cov_boost_igg": pc.load_instance("cov_boost_igg"),
        },
        "coins": {
            "five coins": _coins(5, 2, 0),
            "three objectives": _coins(6, 3, 1),
            "one objective": _coins(4, 1, 2),
            "nine coins": _coins(9, 2, 3),
        },
    }


@functools.cache
def cases():
    """Algorithms, each with the name of its instance and the instance."""
    return [
        (algorithm, f"{group}, {name}", instance)
        for group, algorithms, *names in _algorithms()
        for algorithm in algorithms
        for name, instance in instances()[group].items()
        if name in (names or instances()[group])
    ]


def _algorithms():
    """Groups of instances, the algorithms that run on them, and the names of these if not all."""
    sampling = (pc.TrackAndStop, pc.TopTwoIDS, pc.UniformSampling)
    best, constrained = {"problem": "best_arm_per_objective"}, pc.ConstrainedUniformSampling
    prior = Hyperparameters(0.0, 0.0, 1.0, (1.0, 1.0, 1.0, 1.0), 1.0)
    yield "plain", [kind(threshold="proven") for kind in sampling]
    yield "plain", [pc.Racing(), pc.RacingCover(), rivals.PaVeBa(), rivals.PSIPS(), pc.APE()]
    yield "plain", [pc.EGE(300), pc.EGE(300, schedule="reject"), pc.TopTwoIDS(budget=300)]
    yield "plain", [rivals.TTPFTS(300)]
    yield "plain", [rivals.PlugIn()], "six arms"
    yield "plain", [rivals.OraclePosterior((0.1, 0.2, 0.2, 0.2, 0.2, 0.1))], "six arms"
    yield "plain", [pc.TopTwoIDS(costs=(1, 2, 1, 5, 1, 1))], "six arms"
    yield "plain", [pc.MOBAI(), pc.MOSE(), pc.DTracking(iterations=10), pc.TopTwoIDS(**best)]
    yield "plain", [pc.SeparateTopTwo(), pc.SeparateTopTwo(threshold="proven", **best)]
    yield (
        "plain",
        [
            pc.TrackAndStop(tracking="C", gradient_every=10),
            pc.TrackAndStop(threshold="mixture"),
            pc.Certified(pc.TopTwoIDS(), rule="pairs_subsets", check_every=5),
            pc.Certified(pc.UniformSampling(), epsilon=0.3, check_every=5),
            pc.APE(epsilon=0.2, bonus="mixture", leader="weakest"),
            pc.APE(bonus="individual", pull="both"),
        ],
    )
    yield "noisy", [kind(check_every=5) for kind in (*sampling, rivals.FrankWolfe)]
    yield "noisy", [pc.TopTwoIDS(threshold="proven_correlated"), pc.Certified(rule="pairs")]
    yield "noisy", [pc.Certified(pc.APE(), rule="pairs", variance="unknown, equal")]
    yield "noisy", [pc.Certified(pc.TopTwoIDS(), variance="unknown")], "unequal units"
    yield "linear", [pc.GEGE(), pc.GEGE(budget=2000), pc.TopTwoIDS(linear=True, check_every=5)]
    yield "linear", [rivals.LinearPAL(), pc.APE(), pc.TrackAndStop(gradient_every=10)]
    yield "linear", [rivals.PAL(hyperparameters=(prior, prior))], "four features"
    yield "region", [pc.ECAPE(), pc.ECAPE(radius_constant=1.0, bonus="union_bound")]
    yield "region", [pc.RacingCP(), pc.TwoStage(), constrained()]
    yield "region", [pc.GameCPSI(), pc.GameCPSI(explained=True)]
    yield "region", [pc.TopTwoIDS(problem="constrained_pareto_set")]
    yield "region", [pc.TopTwoIDS(problem="partition", threshold="proven")]
    yield "coins", [pc.WidestBox(), pc.WidestBox(boundary="hoeffding", sample_blockers=True)]


def measure(algorithm, name, instance, n_runs=N_RUNS):
    """Row of a case: samples on average, and digests of each run."""
    runs = pc.simulate(algorithm, instance, n_runs, seed=0, max_samples=MAX_SAMPLES, progress=False)
    found = list(zip(runs.pulls, runs.means, runs.answers, strict=True))
    return {
        "algorithm": repr(algorithm),
        "instance": name,
        "samples": repr(float(runs.samples.mean())),
        "all": " ".join(bits(*run) for run in found),
        "answers": " ".join(bits(pulls, answers) for pulls, _, answers in found),
    }
