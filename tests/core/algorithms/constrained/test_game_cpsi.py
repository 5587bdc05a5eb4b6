"""Game-cPSI, sample by sample against a plain loop, how often it is wrong, and its learner."""

import math

import numpy as np
import pytest
from references.ada_hedge import ada_hedge_by_definition
from references.partition_algorithms import REGIONS, random_region
from references.runs import follow
from references.tracking import TrackingLoop

from pareto_core import GameCPSI, Instance, Polyhedron, characteristic_time, load_instance, simulate
from pareto_core.algorithms.ada_hedge import ada_hedge, gain
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL


class GameLoop(TrackingLoop):
    """Algorithm 2."""

    def __init__(self, algorithm, n_arms, d, polyhedron):
        super().__init__(algorithm, n_arms, d, polyhedron=polyhedron)
        self.losses = []

    def arms(self):
        t = self.counts.sum()
        if t < self.n_arms:
            return [t]
        weights = ada_hedge_by_definition([*self.losses, np.zeros(self.n_arms)])[-1]
        alternative = self.cheapest(weights).alternative
        slack = {
            "risk": self.threshold(t),
            "time": math.log(t * (1 + math.log(t))),
            "none": 0.0,
        }[self.algorithm.optimism]
        distance = np.linalg.norm(self.means - alternative, axis=1)
        self.losses.append(-0.5 * (distance + np.sqrt(2 * slack / self.counts)) ** 2)
        self.targets = self.targets + weights
        return self.behind(self.targets - self.counts)


SETTINGS = ({}, {"optimism": "time"}, {"optimism": "none"}, {"check_every": 3})


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(8))
def test_run_is_that_of_the_plain_loop(seed):
    """Each seed has its kind of region, and one of the settings."""
    rng = np.random.default_rng(seed)
    n_arms, d = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    region = random_region(rng, d, REGIONS[seed % len(REGIONS)])
    means = rng.uniform(-0.5, 1.5, (n_arms, d))
    algorithm = GameCPSI(delta=0.1, **SETTINGS[(seed + seed // 4) % 4])

    def rewards(arm):
        return means[arm] + 0.5 * rng.standard_normal(d)

    follow(algorithm, GameLoop(algorithm, n_arms, d, region), rewards, 60, polyhedron=region)


@pytest.mark.statistical
def test_samples_approach_the_characteristic_time():
    instance = Instance([[1.0], [-1.0], [0.6]], polyhedron=Polyhedron([[-1.0]], [0.0]))
    time = characteristic_time(
        instance.means, problem="constrained_pareto_set", polyhedron=instance.polyhedron
    ).time
    runs = simulate(GameCPSI(1e-200, optimism="time"), instance, 10, progress=False)
    assert runs.correct.all()
    assert runs.samples.mean() == pytest.approx(time * 200 * math.log(10), rel=0.15)


@pytest.mark.slow
@pytest.mark.compiled
def test_reasons_follow_from_the_empirical_means():
    instance = load_instance("constrained_orthant")
    plain = simulate(GameCPSI(), instance, 20, progress=False)
    explained = simulate(GameCPSI(explained=True), instance, 20, progress=False)
    assert (plain.samples == explained.samples).all()
    assert ((explained.answers == OPTIMAL) == plain.answers).all()
    assert set(np.unique(explained.answers)) == {OPTIMAL, DOMINATED, INFEASIBLE}
    assert (~explained.correct).sum() >= (~plain.correct).sum()


def test_no_arm_is_feasible():
    nowhere = Instance([[-1.0, 1.0], [-2.0, 2.0]], polyhedron=Polyhedron([[-1.0, 0.0]], [0.0]))
    runs = simulate(GameCPSI(explained=True), nowhere, 20, progress=False)
    assert runs.correct.all()
    assert (runs.answers == INFEASIBLE).all()


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("n_arms", [2, 3, 7])
def test_ada_hedge_follows_its_definition(n_arms, scale):
    gains = scale * np.random.default_rng(n_arms).exponential(size=(40, n_arms))
    gains[:3] = scale  # equal gains leave the rate infinite
    learner = ada_hedge(n_arms)
    played = []
    for row in gains:
        played.append(learner.weights.copy())
        gain(learner, row)
    np.testing.assert_allclose(played, ada_hedge_by_definition(-gains), rtol=1e-9, atol=1e-12)
