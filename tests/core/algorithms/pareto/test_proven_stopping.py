"""The proven stopping rule: when it is tested, its decisions, and its error rate."""

import numpy as np
import pytest

from pareto_core import (
    Instance,
    TrackAndStop,
    UniformSampling,
    pareto_set,
    simulate,
    simulate_deltas,
)
from pareto_core.confidence.proven_rules import allocate_work, least_evidence, make_rule
from pareto_core.simulation.statistics import rate_interval
from pareto_lab import Session

DELTAS = [0.5, 0.1, 0.01]
EASY = Instance([[1.0, 0.2, 0.0], [0.0, 1.3, 0.0], [-0.4, -0.6, -0.5]])


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


def evidence_in(session, rule):
    """What the rule says of the data of a session."""
    means = session.means
    work, front = allocate_work(*means.shape), pareto_set(means)
    work.front[: front.size] = front
    work.optimal[front] = True
    information = np.repeat(session.pulls[:, None].astype(float), means.shape[1], axis=1)
    return least_evidence(
        make_rule(rule, 1.0, len(means)), information, means, 0, front.size, -np.inf, work
    )


def looks(check_every, most):
    """Times at which the evidence is looked at."""
    spacing = {t: max(check_every, t // 200 // check_every * check_every) for t in range(1, most)}
    return {t for t, each in spacing.items() if t // each > (t - 1) // each}


@pytest.mark.parametrize(("name", "rule"), [("proven", "joint"), ("proven_correlated", "pairs")])
@pytest.mark.parametrize("check_every", [1, 7])
@pytest.mark.parametrize("kind", [UniformSampling, TrackAndStop])
def test_it_stops_at_the_first_test_at_which_the_answer_is_proven(kind, check_every, name, rule):
    rng, times = np.random.default_rng(1), looks(check_every, 3000)
    session = Session(kind(delta=0.05, check_every=check_every, threshold=name), 3, 3, 1.0)
    while not session.finished:
        arm = session.ask()
        session.tell(arm, EASY.means[arm] + rng.standard_normal(3))
        proven = session.pulls.min() > 0 and evidence_in(session, rule) >= -np.log(0.05)
        assert session.finished == (proven and session.samples in times)
    assert session.samples > 20
    assert session.recommendation.tolist() == pareto_set(session.means).tolist()


def test_a_budget_is_spent_whatever_the_threshold():
    runs = simulate(UniformSampling(budget=100, threshold="proven"), EASY, 5, progress=False)
    assert (runs.samples == 100).all()


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
