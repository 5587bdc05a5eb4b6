"""e-cAPE, R-CP, two stages and uniform sampling: how often they are wrong."""

import functools
import math

import numpy as np
import pytest
from references.algorithms import kinds_for
from references.error_rate import assert_rarely_wrong
from references.partition_algorithms import REGIONS, random_region
from references.seeds import MORE

from pareto_book.studies.constrained_complexity import two_stage_complexity
from pareto_core import ECAPE, Instance
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
    assert_rarely_wrong(algorithm, random_instances(104), 20)


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
