"""The proven stopping rule: when it is tested, and its decisions."""

import numpy as np
import pytest

from pareto_core import (
    Instance,
    Problem,
    TopTwoIDS,
    TrackAndStop,
    UniformSampling,
)
from pareto_core.confidence.proven_rules import allocate_work, least_evidence, make_rule
from pareto_core.geometry.dominance import write_front
from pareto_core.loop.record import observe

EASY = Instance([[1.0, 0.2, 0.0], [0.0, 1.3, 0.0], [-0.4, -0.6, -0.5]])
UNEQUAL = np.array([[1.0, 4.0, 1.0], [1.0, 1.0, 0.2], [0.2, 1.0, 2.0]])


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
