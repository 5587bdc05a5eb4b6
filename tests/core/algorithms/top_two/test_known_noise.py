"""Top-two sampling with noise that is correlated, or that differs between arms."""

import math

import numpy as np
import pytest
from references.seeds import seeds_of
from references.top_two import TopTwoLoop
from scipy.stats import binomtest

import pareto_core as pc
from pareto_core.loop.parts import COVARIANCE
from pareto_core.loop.record import observe

BEST_ARMS = "best_arm_per_objective"
MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5], [0.3, 0.2]])
CORRELATED = np.array([[1.0, 0.8], [0.8, 1.0]])
NOISES = {
    "correlated": {"covariance": CORRELATED},
    "unequal": {"variance": [[1.0, 4.0], [1.0, 1.0], [0.2, 0.2], [9.0, 1.0]]},
    "both": {"covariance": [*([[[1.0, 0.5], [0.5, 2.0]]] * 3), [[4.0, -1.0], [-1.0, 1.0]]]},
}
ALL = pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
PROBLEMS = pytest.mark.parametrize("problem", ["pareto_set", BEST_ARMS])


SETTINGS = (
    {},
    {"alternative_every": 4, "check_every": 3},
    {"forced_exploration": False},
    {"costs": True},
)


class Plain(pc.PythonAlgorithm):
    """The rule in plain Python, whose costs are those of `transport_cost`."""

    noise = COVARIANCE

    def __init__(self, problem, delta=0.01):
        self.problem, self.delta = problem, delta
        self.question = {each.name: each for each in (pc.PARETO_SET, pc.BEST_ARMS)}[problem]

    def start(self, problem, rng):
        return {"covariance": problem.covariance, "targets": np.ones(problem.n_arms)}

    def cost(self, record, memory):
        return pc.transport_cost(
            record.means, record.counts, problem=self.problem, covariance=memory["covariance"]
        )

    def select(self, record, memory):
        counts, t, targets = record.counts, record.time, memory["targets"]
        if t < counts.size:
            return t
        if counts.min() <= math.sqrt(t) - counts.size / 2:
            targets[counts.argmin()] += 1
            return counts.argmin()
        evidence = counts * self.cost(record, memory).gradient
        targets += evidence / evidence.sum()
        return (targets - counts).argmax()

    def stop(self, record, memory):
        if record.time < record.counts.size:
            return False
        enough = math.log(math.log(1 + record.time) / self.delta)
        return bool(self.cost(record, memory).value >= enough)

    def recommend(self, record, memory):
        return self.question.solve(record.means, None)


@ALL
@PROBLEMS
def test_runs_are_those_of_the_plain_rule(problem, noise):
    instance = pc.Instance(2 * MEANS, **noise)
    algorithm, options = pc.TopTwoIDS(0.01, problem=problem), {"seed": 3, "progress": False}
    found = pc.simulate(algorithm, instance, 3, **options, n_jobs=1)
    expected = pc.simulate(Plain(problem), instance, 3, **options, backend="threads")
    np.testing.assert_array_equal(found.pulls, expected.pulls)
    np.testing.assert_array_equal(found.answers, expected.answers)


def random_covariance(rng, n_arms, d, scale):
    """Covariance of each arm, of variances that differ by the square of ``scale``."""
    roots = rng.standard_normal((n_arms, d, d)) + 0.5 * np.eye(d)
    roots *= scale ** rng.uniform(-1, 1, (n_arms, d, 1))
    return roots @ roots.transpose(0, 2, 1)


@PROBLEMS
@pytest.mark.parametrize("scale", [1.0, 10.0])
@pytest.mark.parametrize("seed", seeds_of(4, 6, 24))
def test_run_is_that_of_the_plain_loop(problem, seed, scale):
    rng = np.random.default_rng(seed)
    n_arms, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    covariance = random_covariance(rng, n_arms, d, scale)
    settings = dict(SETTINGS[seed % len(SETTINGS)])
    if "costs" in settings:
        settings["costs"] = tuple(rng.uniform(0.2, 5.0, n_arms))
    algorithm = pc.TopTwoIDS(delta=1e-3, problem=problem, **settings)
    run = algorithm.begin(pc.Problem(n_arms, d, covariance=covariance), rng)
    loop = TopTwoLoop(algorithm, n_arms, d, covariance=covariance)
    means = rng.uniform(-0.5, 1.5, (n_arms, d))
    for _ in range(100):
        arm, number = run.select()
        assert arm in loop.arms()
        reward = means[arm] + 0.5 * rng.standard_normal(d)
        observe(run.record, arm, number, reward, np.zeros(d))
        loop.observe(arm, reward)
        assert run.stop() == loop.stops()
        if loop.stops():
            break
    np.testing.assert_array_equal(run.answer(), loop.answer())


def test_a_common_covariance_is_the_same_for_each_arm():
    algorithm, options = pc.TopTwoIDS(), {"runs": 5, "progress": False}
    common = pc.simulate(algorithm, pc.Instance(MEANS, covariance=CORRELATED), **options)
    own = pc.Instance(MEANS, covariance=[CORRELATED] * 4)
    np.testing.assert_array_equal(common.pulls, pc.simulate(algorithm, own, **options).pulls)


# Of 400 runs that err at a rate of 2 delta, more than 55 err, which is refused, with probability
# 0.999.
@pytest.mark.statistical
@pytest.mark.slow
@ALL
@PROBLEMS
def test_error_rate_is_at_most_delta(problem, noise):
    delta = 0.1
    instance = pc.Instance(0.4 * MEANS, **noise)
    runs = pc.simulate(pc.TopTwoIDS(delta, problem=problem), instance, 400, progress=False)
    errors = int((~runs.correct).sum())
    assert binomtest(errors, 400, delta, alternative="greater").pvalue > 0.01


@pytest.mark.slow
@pytest.mark.compiled
@ALL
@PROBLEMS
def test_the_allocation_becomes_optimal(problem, noise):
    algorithm = pc.TopTwoIDS(1e-200, problem=problem)
    runs = pc.simulate(algorithm, pc.Instance(MEANS, **noise), 2, progress=False)
    for pulls, means in zip(runs.pulls, runs.means, strict=True):
        settings = {"problem": problem, **noise}
        best = pc.characteristic_time(means, **settings).time
        assert pc.transport_cost(means, pulls / pulls.sum(), **settings).value * best > 0.98
