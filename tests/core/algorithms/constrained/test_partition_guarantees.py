"""e-cAPE, R-CP, two stages and uniform sampling: how often they are wrong."""

import functools
import math

import numpy as np
import pytest
from references.algorithms import kinds_for
from references.partition_algorithms import REGIONS, locate, random_region
from references.seeds import MORE
from scipy.stats import binomtest

from pareto_book.studies.constrained_complexity import two_stage_complexity
from pareto_core import ECAPE, Instance, simulate
from pareto_core.algorithms.constrained.partition_evidence import BONUSES
from pareto_core.geometry.partition import is_valid_partition
from pareto_core.questions import PARTITION
from pareto_lab import Session

ALGORITHMS = kinds_for(PARTITION)


@functools.cache
def random_instances(count, seed=11, hardest=10.0):
    """Random instances of 2 to 6 arms, 1 to 4 objectives and any region, none of them hard."""
    rng, instances = np.random.default_rng(seed), []
    for number in range(count):
        n_arms, d, stretch = int(rng.integers(2, 7)), int(rng.integers(1, 5)), 6.0
        kind = REGIONS[number % len(REGIONS)]
        region = random_region(rng, d, kind).divided_by(np.full(d, 1 / stretch))
        means = stretch * rng.uniform(-0.5, 1.5, (n_arms, d))
        while two_stage_complexity(means, region) > hardest:
            means = stretch * rng.uniform(-0.5, 1.5, (n_arms, d))
        instances.append(Instance(means, polyhedron=region))
    return instances


def test_random_instances_are_of_all_sorts():
    instances = random_instances(104)
    sizes = {instance.constrained_pareto_set.size for instance in instances}
    assert sizes >= {0, 1, 2, 3}
    assert {instance.n_objectives for instance in instances} == {1, 2, 3, 4}
    feasible = [instance.polyhedron.contains(instance.means).mean() for instance in instances]
    assert min(feasible) == 0 < np.mean(feasible) < 1 == max(feasible)


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(
    "algorithm",
    [
        *[kind(delta=0.1) for kind in ALGORITHMS],
        ECAPE(delta=0.1, bonus="union_bound"),
    ],
)
def test_error_rate_is_at_most_delta(algorithm):
    errors, total = 0, 0
    for number, instance in enumerate(random_instances(104)):
        runs = simulate(algorithm, instance, 20, seed=number, progress=False)
        assert runs.stopped.all()
        errors += int((~runs.correct).sum())
        total += runs.correct.size
    assert total >= 2000
    assert errors / total <= algorithm.delta
    assert binomtest(errors, total, algorithm.delta, alternative="greater").pvalue > 0.01


def radii(algorithm, K, d, t, n):
    """Radius of a coordinate of a mean, and of a mean, after n of t samples."""
    union = algorithm.bonus == "union_bound"
    f = g = math.log((1 + math.log(t)) / algorithm.delta)
    if union:
        f = math.log(2 / 3 * math.pi**2 * K * d * n**2 / algorithm.delta)
        g = math.log(1 / 3 * math.pi**2 * K * 5**d * n**2 / algorithm.delta)
    variance = algorithm.variance_bound
    return math.sqrt(2 * variance * f / n), math.sqrt(algorithm.radius_constant * variance * g / n)


def event_holds(algorithm, means, session):
    """Whether the means and all differences are as near to the true ones as is claimed."""
    error, counts, t = session.means - means, session.pulls, session.samples
    arms = range(len(means))
    beta, U = zip(*[radii(algorithm, *means.shape, t, n) for n in counts], strict=True)
    if any(np.linalg.norm(error[i]) > U[i] for i in arms):
        return False
    if algorithm.bonus == "union_bound":
        return all(abs(error[i]).max() <= beta[i] for i in arms)
    return all(
        abs(error[i] - error[j]).max() <= math.hypot(beta[i], beta[j]) for i in arms for j in arms
    )


@pytest.mark.slow
@pytest.mark.parametrize("bonus", BONUSES)
@pytest.mark.parametrize("kind", ALGORITHMS)
@MORE
def test_an_answer_is_right_if_the_confidence_event_holds_throughout(kind, bonus, times):
    # Lemma 4.3, with widths so small that the event often fails
    held = failed = 0
    risk, variance = (0.3, 1.0) if bonus == "iterated_logarithm" else (0.9, 0.3)
    algorithm = kind(risk, 3.0, bonus, variance_bound=variance)
    rng = np.random.default_rng(3)
    for instance in random_instances(65 * times):
        means, K = instance.means, instance.n_arms
        session = Session(algorithm, K, instance.n_objectives, polyhedron=instance.polyhedron)
        holds = True
        while not session.finished and session.samples < 150:
            arm = session.ask()
            session.tell(arm, means[arm] + rng.standard_normal(instance.n_objectives))
            if holds and session.samples >= K:
                holds = event_holds(algorithm, means, session)
        if session.finished and holds:
            assert is_valid_partition(means, instance.polyhedron, session.recommendation)
        held += bool(holds and session.finished)
        failed += not holds
    assert held >= 10 and failed >= 5, (held, failed)


@pytest.mark.slow
@pytest.mark.parametrize("bonus", BONUSES)
@pytest.mark.parametrize("kind", ALGORITHMS)
@MORE
def test_an_answer_is_right_however_misleading_the_rewards_are_within_the_event(kind, bonus, times):
    # Lemma 4.3: each empirical mean is kept on the verge of the confidence event
    algorithm = kind(0.3, 8.0, bonus, variance_bound=0.02)
    share = 0.999 if bonus == "union_bound" else 0.999 / math.sqrt(2)
    rng = np.random.default_rng(8)
    finished = 0
    for instance in random_instances(32 * times, seed=6, hardest=1e3):
        means, (K, d) = instance.means / 6, instance.means.shape
        region = instance.polyhedron.divided_by(np.full(d, 6.0))
        inside = region.contains(means)
        session, sums = Session(algorithm, K, d, polyhedron=region), np.zeros((K, d))
        sign = rng.choice([-1.0, 0.3, 1.0], (K, d))
        toward = region.project(means) - means
        while not session.finished and session.samples < 200:
            arm = session.ask()
            n = session.pulls[arm] + 1
            beta, U = radii(algorithm, K, d, max(session.samples + 1, K), n)
            step = sign[arm]
            if not inside[arm] and sign[arm, 0] == 0.3:  # to the region, and beyond
                step = toward[arm] / abs(toward[arm]).max()
            step = share * step * min(beta / abs(step).max(), U / np.linalg.norm(step))
            reward = n * (means[arm] + step) - sums[arm]
            sums[arm] += reward
            session.tell(arm, reward)
        assert event_holds(algorithm, means, session)
        if session.finished:
            finished += 1
            assert is_valid_partition(means, region, session.recommendation)
    assert finished >= 10 * times


@pytest.mark.slow
@pytest.mark.parametrize("bonus", BONUSES)
def test_the_distance_to_the_boundary_is_off_by_no_more_than_the_mean(bonus):
    # Lemma 4.2 (ii), for the reference's distance
    rng = np.random.default_rng(BONUSES.index(bonus))
    for _ in range(200):
        d = int(rng.integers(1, 5))
        region = random_region(rng, d, REGIONS[int(rng.integers(len(REGIONS) - 1))])
        if not len(region.normals):
            continue
        points = rng.uniform(-1, 2, (2, d))
        near, far = (locate(region.A, region.b, point) for point in points)
        apart = np.linalg.norm(points[0] - points[1])
        signed = abs(near[1] - far[1]) if near[0] == far[0] else near[1] + far[1]
        assert signed <= apart + 1e-9
        np.testing.assert_allclose(region.boundary_distance(points), [near[1], far[1]], rtol=1e-9)
