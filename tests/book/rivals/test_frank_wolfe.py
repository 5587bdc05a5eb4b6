"""Frank-Wolfe sampling: its plain twin, its answers, and what it is refused."""

import math

import numpy as np
import pytest
import scipy

import pareto_core as pc
from pareto_book.rivals import FrankWolfe
from pareto_core.transport.oracle import allocate_oracle
from pareto_core.transport.walk import near_gradients


def dot(weights, gradient):
    """In the order in which the kernel adds: to the last bit the same."""
    return sum(w * g for w, g in zip(weights, gradient, strict=True))


class PlainFrankWolfe(pc.PythonAlgorithm):
    """`FrankWolfe` in plain Python, but for the alternatives."""

    def __init__(self, delta=0.1):
        self.delta = delta

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

    def stop(self, record, memory):
        if record.time < record.counts.size:
            return False
        evidence = pc.transport_cost(record.means, record.counts).value
        return evidence >= math.log(math.log(1 + record.time) / self.delta)

    def recommend(self, record, memory):
        return pc.pareto_set(record.means)


@pytest.mark.compiled
@pytest.mark.parametrize(("n_arms", "n_objectives"), [(4, 1), (5, 2), (6, 3)])
def test_runs_are_those_of_the_plain_twin(n_arms, n_objectives):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        instance = pc.Instance(1.5 * rng.standard_normal((n_arms, n_objectives)))
        request = {"runs": 2, "seed": seed, "max_samples": 500, "progress": False}
        plain = pc.simulate(PlainFrankWolfe(), instance, n_jobs=1, **request)
        compiled = pc.simulate(FrankWolfe(), instance, **request)
        np.testing.assert_array_equal(compiled.pulls, plain.pulls)
        np.testing.assert_array_equal(compiled.answers, plain.answers)


@pytest.mark.statistical
@pytest.mark.parametrize("threshold", ["stylised", "proven"])
def test_errors_stay_below_delta(threshold):
    rng = np.random.default_rng(11)
    wrong = runs = 0
    for number in range(30):
        instance = pc.Instance(rng.normal(size=(4, 2)))
        found = pc.simulate(
            FrankWolfe(threshold=threshold),
            instance,
            20,
            number,
            progress=False,
            max_samples=20_000,
        )
        wrong += int((found.stopped & ~found.correct).sum())
        runs += int(found.stopped.sum())
    assert runs > 450
    assert scipy.stats.binomtest(wrong, runs, 0.1, "greater").pvalue > 1e-3


@pytest.mark.parametrize(
    "bad", [{"delta": 0.0}, {"check_every": 0}, {"threshold": "none"}, {"delta": "x"}]
)
def test_bad_parameters_are_refused(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        FrankWolfe(**bad)
