"""Track-and-Stop with noise that is correlated, or that differs between arms."""

import math

import numpy as np
import pytest
from references.seeds import seeds_of
from scipy.stats import binomtest

import pareto_core as pc
from pareto_core.loop.record import observe

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5], [0.3, 0.2]])
NOISES = {
    "correlated": {"covariance": [[1.0, 0.8], [0.8, 1.0]]},
    "unequal": {"variance": [[1.0, 4.0], [1.0, 1.0], [0.2, 0.2], [9.0, 1.0]]},
    "both": {"covariance": [*([[[1.0, 0.5], [0.5, 2.0]]] * 3), [[4.0, -1.0], [-1.0, 1.0]]]},
}
ALL = pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)


class PlainLoop:
    """The rule in plain Python, whose costs are those of `transport_cost`."""

    def __init__(self, algorithm, n_arms, n_objectives, covariance):
        self.algorithm, self.covariance = algorithm, covariance
        self.prices = np.array(algorithm.costs or [1.0] * n_arms)
        self.counts = np.zeros(n_arms, int)
        self.sums = np.zeros((n_arms, n_objectives))
        self.weights = np.full(n_arms, 1 / n_arms)
        self.targets, self.largest = np.ones(n_arms), 0.0

    def cost(self, weights):
        means = self.sums / self.counts[:, None]
        return pc.transport_cost(means, weights, covariance=self.covariance)

    def arms(self):
        """Arms that may be sampled next: several if they are behind their targets by the same."""
        t, n_arms = self.counts.sum(), self.counts.size
        if t < n_arms:
            return [t]
        if (t - n_arms) % self.algorithm.gradient_every == 0:
            self.gradient = self.cost(self.weights / self.prices).gradient / self.prices
            self.largest = max(self.largest, self.gradient.max())
        if self.largest > 0:
            self.weights *= np.exp(
                math.sqrt(math.log(n_arms) / (1 + t)) / self.largest * self.gradient
            )
            self.weights /= self.weights.sum()
        if self.algorithm.tracking == "C":
            self.targets += self.weights
            deficit = self.targets - self.counts
        else:
            spent = self.counts * self.prices
            deficit = spent.sum() * self.weights - spent
        least = math.sqrt(t) - n_arms / 2
        if least >= 1 and self.counts.min() <= least:
            return np.flatnonzero(self.counts == self.counts.min())
        return np.flatnonzero(deficit > deficit.max() - 1e-9)

    def observe(self, arm, reward):
        self.counts[arm] += 1
        self.sums[arm] += reward

    def stops(self):
        t = self.counts.sum()
        if t < self.counts.size or t % self.algorithm.check_every:
            return False
        enough = math.log(math.log(1 + t) / self.algorithm.delta)
        return bool(self.cost(self.counts).value >= enough)


def random_covariance(rng, n_arms, d, scale):
    """Covariance of each arm, of variances that differ by the square of ``scale``."""
    roots = rng.standard_normal((n_arms, d, d)) + 0.5 * np.eye(d)
    roots *= scale ** rng.uniform(-1, 1, (n_arms, d, 1))
    return roots @ roots.transpose(0, 2, 1)


@pytest.mark.parametrize("scale", [1.0, 10.0])
@pytest.mark.parametrize("settings", [{}, {"tracking": "C", "check_every": 3}, {"costs": True}])
@pytest.mark.parametrize("seed", seeds_of(2, 6, 12))
def test_run_is_that_of_the_plain_loop(seed, settings, scale):
    rng = np.random.default_rng(seed)
    n_arms, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    covariance = random_covariance(rng, n_arms, d, scale)
    if "costs" in settings:
        settings = {"costs": tuple(rng.uniform(0.2, 5.0, n_arms))}
    algorithm = pc.TrackAndStop(delta=1e-3, gradient_every=1 + seed % 2, **settings)
    run = algorithm.begin(pc.Problem(n_arms, d, covariance=covariance), rng)
    loop = PlainLoop(algorithm, n_arms, d, covariance)
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
    expected = np.isin(np.arange(n_arms), pc.pareto_set(loop.sums / loop.counts[:, None]))
    np.testing.assert_array_equal(run.answer(), expected)


@pytest.mark.compiled
def test_correlation_that_helps_saves_samples():
    # of one arm above another, correlation of two positive leads makes both less surprising
    pair = [[0.6, 0.6], [0.0, 0.0]]
    options = {"runs": 50, "progress": False}
    times = [
        pc.simulate(
            pc.TrackAndStop(), pc.Instance(pair, covariance=[[1, r], [r, 1]]), **options
        ).samples.mean()
        for r in (-0.8, 0.8)
    ]
    expected = [
        pc.characteristic_time(np.array(pair), covariance=np.array([[1, r], [r, 1]])).time
        for r in (-0.8, 0.8)
    ]
    assert (times[0] < times[1]) == (expected[0] < expected[1])
    assert abs(math.log(times[0] / times[1] / (expected[0] / expected[1]))) < 0.7


# Of 400 runs that err at a rate of 2 delta, more than 55 err, which is refused, with probability
# 0.999.
@pytest.mark.statistical
@pytest.mark.slow
@ALL
def test_error_rate_is_at_most_delta(noise):
    delta, instance = 0.1, pc.Instance(0.4 * MEANS, **noise)
    algorithm = pc.TrackAndStop(delta, gradient_every=5)
    runs = pc.simulate(algorithm, instance, 400, progress=False)
    errors = int((~runs.correct).sum())
    assert binomtest(errors, 400, delta, alternative="greater").pvalue > 0.01


@pytest.mark.slow
@pytest.mark.compiled
@ALL
def test_the_proven_rule_stops_it(noise):
    algorithm = pc.TrackAndStop(threshold="proven_correlated")
    runs = pc.simulate(algorithm, pc.Instance(MEANS, **noise), 5, progress=False)
    assert runs.stopped.all()
    assert runs.correct.all()
