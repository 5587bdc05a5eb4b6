"""The proven stopping rule: when it is tested, its decisions, and its error rate."""

import numpy as np
import pytest

from pareto_core import (
    Instance,
    Problem,
    TopTwoIDS,
    TrackAndStop,
    UniformSampling,
    simulate,
    simulate_deltas,
)
from pareto_core.confidence.proven_rules import allocate_work, least_evidence, make_rule
from pareto_core.geometry.dominance import write_front
from pareto_core.loop.record import observe
from pareto_core.simulation.statistics import rate_interval

DELTAS = [0.5, 0.1, 0.01]
EASY = Instance([[1.0, 0.2, 0.0], [0.0, 1.3, 0.0], [-0.4, -0.6, -0.5]])
UNEQUAL = np.array([[1.0, 4.0, 1.0], [1.0, 1.0, 0.2], [0.2, 1.0, 2.0]])


def wide(d, gap=0.05):
    """Two arms; the second is dominated, by a hair in all objectives but one."""
    means = np.zeros((2, d))
    means[1] = -gap
    means[1, -1] = -10.0 if d > 1 else -gap
    return Instance(means)


def fan(n_arms, gap=0.1):
    """Arm 0 is optimal: no other arm dominates it, but each nearly does."""
    others = np.arange(n_arms - 1)
    means = np.zeros((n_arms, 3))
    means[1:, 0] = 10 + 10 * others
    means[1:, 1] = -gap
    means[1:, 2] = 10 + 10 * others[::-1]
    return Instance(means)


HARD = {"two arms": wide(1), "wide 5": wide(5), "fan 6": fan(6)}


def looks(check_every, most):
    """Times at which the evidence is looked at."""
    spacing = {t: max(check_every, t // 200 // check_every * check_every) for t in range(1, most)}
    return {t for t, each in spacing.items() if t // each > (t - 1) // each}


def evidence_of(name, record, variance):
    """Evidence of the rule of this name, in units of the root mean square deviation."""
    work, unit = allocate_work(*record.means.shape), np.sqrt(variance.mean(axis=0))
    size = write_front(record.means, work.front)
    work.optimal[work.front[:size]] = True
    information = record.counts[:, None] / variance * unit**2
    rule = make_rule(name, 0.0, len(variance))
    return least_evidence(rule, information, record.means / unit, 0, size, -np.inf, work)


@pytest.mark.parametrize(("name", "rule"), [("proven", "joint"), ("proven_correlated", "pairs")])
@pytest.mark.parametrize(
    ("kind", "check_every"), [(UniformSampling, 1), (TrackAndStop, 7), (TopTwoIDS, 1)]
)
@pytest.mark.parametrize("variance", [np.ones((3, 3)), UNEQUAL], ids=["equal", "unequal"])
def test_it_stops_at_the_first_test_at_which_the_answer_is_proven(
    variance, kind, check_every, name, rule
):
    rng, times = np.random.default_rng(1), looks(check_every, 5000)
    algorithm = kind(delta=0.05, check_every=check_every, threshold=name)
    problem = Problem(3, 3, covariance=variance[:, :, None] * np.eye(3))
    run, stopped = algorithm.begin(problem, rng), False
    while not stopped:
        arm, number = run.select()
        reward = EASY.means[arm] + np.sqrt(variance[arm]) * rng.standard_normal(3)
        observe(run.record, arm, number, reward, np.zeros(3))
        stopped = run.stop()
        is_due = run.record.time[0] in times and run.record.counts.min() > 0
        assert stopped == (is_due and evidence_of(rule, run.record, variance) >= np.log(20))
    assert run.record.time[0] > 20


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("threshold", ["proven", "proven_correlated"])
def test_error_rate_is_at_most_delta(name, threshold):
    """Cut off: what is wrong is wrong early."""
    settings = {"max_samples": 300, "progress": False, "n_jobs": 1}
    found = simulate_deltas(
        UniformSampling(threshold=threshold), HARD[name], DELTAS, 400, seed=1, **settings
    )
    for delta, runs in zip(DELTAS, found, strict=True):
        errors = (runs.stopped & ~runs.correct).sum()
        assert rate_interval(errors, 400)[1] < delta


@pytest.mark.compiled
@pytest.mark.statistical
def test_counting_detects_an_unproven_rule():
    algorithm = UniformSampling(delta=0.1, threshold="stylised")
    runs = simulate(algorithm, HARD["wide 5"], 200, seed=1, max_samples=400, progress=False)
    assert rate_interval((runs.stopped & ~runs.correct).sum(), 200)[0] > 0.1
