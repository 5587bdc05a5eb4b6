"""Rivals: their plain twins, their error rates, and what they refuse."""

import math

import numpy as np
import pytest
from references.paveba import PlainPaVeBa
from references.posterior import PlainOracle, PlainPSIPS
from references.runs import assert_same_runs
from references.ttpfts import PlainTTPFTS

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals import (
    PAL,
    PSIPS,
    TTPFTS,
    FrankWolfe,
    LinearPAL,
    OraclePosterior,
    PaVeBa,
    PlugIn,
)
from pareto_core.simulation.statistics import rate_interval
from pareto_core.transport.oracle import allocate_oracle
from pareto_core.transport.walk import near_gradients


def dot(weights, gradient):
    """In the order in which the kernel adds: to the last bit the same."""
    return sum(w * g for w, g in zip(weights, gradient, strict=True))


class PlainPlugIn(pc.PythonAlgorithm):
    """`PlugIn` in plain Python."""

    def __init__(self, delta=0.1):
        self.delta = delta

    def start(self, problem, rng):
        return {"due": problem.n_arms}

    def select(self, record, memory):
        t, counts = record.time, record.counts
        if t < counts.size:
            return t
        if t >= memory["due"]:
            weights = pc.characteristic_time(record.means, 0.01).weights
            memory |= {"weights": weights, "due": math.ceil(1.2 * t)}
        if counts.min() <= math.sqrt(t) - counts.size / 2:
            return counts.argmin()
        return (t * memory["weights"] - counts).argmax()

    def stop(self, record, memory):
        if record.time < record.counts.size:
            return False
        evidence = pc.transport_cost(record.means, record.counts).value
        return evidence >= math.log(math.log(1 + record.time) / self.delta)

    def recommend(self, record, memory):
        return pc.pareto_set(record.means)


class PlainFrankWolfe(PlainPlugIn):
    """`FrankWolfe` in plain Python, but for the alternatives."""

    def start(self, problem, rng):
        return {"weights": np.full(problem.n_arms, 1 / problem.n_arms), "targets": 1.0}

    def select(self, record, memory):
        t, size, weights = record.time, record.counts.size, memory["weights"]
        if t < size:
            return t
        rows = np.empty((64, size))
        means, oracle = record.means.copy(), allocate_oracle(*record.means.shape)
        value, count = near_gradients(
            means, weights, None, None, None, oracle, np.empty_like(means), rows
        )
        near = [h for h in rows[:count] if dot(weights, h) <= value + t**-0.9 / size]
        game = min(near, key=lambda h: h.max() - dot(weights, h))
        memory["weights"] = weights * (t / (t + 1)) + np.eye(size)[game.argmax()] / (t + 1)
        extra = 0.5 / math.sqrt(t + size**2)
        memory["targets"] = memory["targets"] + (memory["weights"] + extra) / (1 + size * extra)
        return (memory["targets"] - record.counts).argmax()


def random_instance(seed, n_arms, n_objectives, scale):
    rng = np.random.default_rng(seed)
    means = scale * rng.standard_normal((n_arms, n_objectives))
    return pc.Instance(means, variance=[0.25] * n_objectives)


POSTERIORS = [
    ("flat", 1.0, "tracking"),
    ("flat", 0.5, "random"),
    ("ridge", 0.5, "random"),
    ("ridge", 1.0, "tracking"),
]
VARIANCES = [(1, "known", 0.8), (3, "unknown", 0.2), (4, "unrooted", 0.5)]
BALLS = [(0.1, 0.0, 4.0), (0.3, 0.5, 8.0), (0.1, 0.1, 1.0)]
WEIGHTS = (1.0, 2.0, 3.0, 0.5, 1.0)
TWINS = [  # a rival, its twin, the scale of the means, the most samples of a run, instances
    *((PSIPS(0.1, *each), PlainPSIPS(0.1, *each), 0.75, 300, 1) for each in POSTERIORS),
    *(
        (OraclePosterior(WEIGHTS, 0.1, each), PlainOracle(WEIGHTS, 0.1, each), 0.75, 300, 2)
        for each in ("flat", "ridge")
    ),
    *((TTPFTS(150, *each), PlainTTPFTS(150, *each), 0.3, 150, 2) for each in VARIANCES),
    *(
        (PaVeBa(delta, epsilon, contraction=size), PlainPaVeBa(delta, epsilon, size), 1.5, 2000, 3)
        for delta, epsilon, size in BALLS
    ),
    (FrankWolfe(), PlainFrankWolfe(), 0.75, 500, 2),
    (PlugIn(), PlainPlugIn(), 0.75, 300, 1),
]


@pytest.mark.parametrize("n_objectives", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("rival", "twin", "scale", "most", "number"), TWINS, ids=str)
def test_runs_are_those_of_the_plain_twin(rival, twin, scale, most, number, n_objectives):
    for seed in range(number):
        instance = random_instance(seed, 5, n_objectives, scale)
        request = {"runs": 2, "seed": seed, "max_samples": most, "progress": False}
        plain = pc.simulate(twin, instance, n_jobs=1, **request)
        compiled = pc.simulate(rival, instance, **request)
        assert_same_runs(compiled, plain)


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("rival", "scale", "runs"),
    [
        (PSIPS(0.2, "ridge", 0.5, "random"), 0.75, 60),
        (PaVeBa(0.3), 1.5, 60),
        (FrankWolfe(), 0.5, 60),
        (PlugIn(), 0.5, 6),  # solves for its weights many times in a run
    ],
    ids=repr,
)
def test_the_error_rate_stays_below_delta(rival, scale, runs):
    wrong = 0
    for seed in range(8):
        instance = random_instance(100 + seed, 4, 1 + seed % 3, scale)
        found = pc.simulate(rival, instance, runs, seed, max_samples=10_000, progress=False)
        wrong += (found.stopped & ~found.correct).sum()
    assert rate_interval(wrong, 8 * runs)[0] <= rival.delta


def test_without_an_answer_at_the_averages_the_weights_are_uniform():
    run = PlugIn().begin(pc.Problem(3, 2), np.random.default_rng(0))
    run.record.counts[:], run.record.time[0] = 1, 3
    run.state.weights[:] = [1.0, 0.0, 0.0]
    run.select()
    np.testing.assert_allclose(run.state.weights, 1 / 3)


@pytest.mark.compiled
@pytest.mark.parametrize("times", [(5, 20, 21, 100, 300), (300,)])
def test_pauses_do_not_change_when_weights_are_computed(times):
    instance = random_instance(3, 5, 2, 0.2)
    found = pc.trajectory(PlugIn(1e-9), instance, times)
    runs = pc.simulate(PlugIn(1e-9), instance, 1, max_samples=300, progress=False)
    np.testing.assert_array_equal(found.counts[-1], runs.pulls[0])


# Refusals

REFUSED = {
    PSIPS: {"delta": 1.0, "prior": "uniform", "eta": 0.0, "sampling": "direct"},
    OraclePosterior: {"weights": (1.0, -1.0), "prior": "uniform"},
    TTPFTS: {"budget": 0, "warm_up": 0, "variance": "estimated", "p": 1.1},
    PaVeBa: {"epsilon": -0.1, "variance_bound": 0.0, "contraction": 0.0},
    FrankWolfe: {"check_every": 0, "threshold": "none"},
    PlugIn: {"delta": 0.0, "threshold": "none"},
    PAL: {"beta_divisor": 0, "empty_intersection": "latest", "hyperparameters": (0.1,)},
    LinearPAL: {"epsilon": -1.0, "bonus_scale": 0},
}
REQUIRED = {TTPFTS: {"budget": 99}, OraclePosterior: {"weights": (1.0, 1.0)}}


@pytest.mark.parametrize("kind", REFUSED)
def test_parameters_are_checked(kind):
    for name, value in REFUSED[kind].items():
        with pytest.raises(ValueError, match=rf"^{name}\b"):
            kind(**REQUIRED.get(kind, {}) | {name: value})


@pytest.mark.parametrize(
    ("rival", "message"),
    [
        (TTPFTS(9), "budget = 9; expected at least 10"),
        (TTPFTS(19, variance="unknown"), "budget = 19; expected at least 20"),
        (OraclePosterior((1.0, 2.0)), r"weights has shape \(2,\); expected \(5,\)"),
        (LinearPAL(), "features = None"),
    ],
)
def test_parameters_have_to_fit_the_problem(rival, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        lab.Session(rival, 5, 2, 1.0)
