"""Closed-form bounds are below the evidence, and do not influence decisions."""

import numpy as np
import pytest
from references import alternatives, pareto

from pareto_core.confidence.cheap_evidence import CLEAR, cheap_addition, cheap_removal
from pareto_core.confidence.mixtures import TOLERANCE
from pareto_core.confidence.proven_rules import (
    RULES,
    allocate_work,
    log_evidence,
    make_rule,
)
from pareto_core.confidence.statement_evidence import log_removal, write_additions


def work_for(means):
    """Work with the empirical Pareto set as the answer, and its size."""
    work = allocate_work(*means.shape)
    front = pareto.pareto_set(means)
    work.front[: len(front)] = front
    work.optimal[front] = True
    return work, len(front)


@pytest.mark.parametrize("name", RULES)
def test_they_are_below_the_evidence(name):
    rng = np.random.default_rng(1)
    close = 0
    for _ in range(150):
        information, means = alternatives.random_data(rng)
        work, size = work_for(means)
        rule = make_rule(name, 1.0, len(means))
        for arm in range(len(means)):
            write_additions(rule, information, means, arm, size, work)
            found = work.group_sizes[arm]
            dominators, single = work.dominators[:found].copy(), work.single[:found].copy()
            for rival, exact in zip(dominators, single, strict=True):
                cheap = cheap_addition(rule, information, means, arm, rival)
                assert cheap <= exact + TOLERANCE + 1e-9 * max(exact, 1.0)
                close += cheap > 0.8 * exact > 4
            for rival in set(range(len(means))) - {arm}:
                exact = log_removal(rule, information, means, arm, rival, np.zeros(1, np.int64))
                cheap = cheap_removal(rule, information, means, arm, rival)
                assert cheap <= exact + 2 * means.shape[1] * TOLERANCE + 1e-9 * max(exact, 1.0)
                close += cheap > 0.8 * exact > 4
    assert close > 100


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", RULES)
def test_they_do_not_change_decisions(name):
    """There is enough evidence with them exactly if without, and the weakest case is the same."""
    rng = np.random.default_rng(2)
    outcomes, passed_by = [], 0
    for _ in range(1000):
        information, means = alternatives.random_data(rng, most_arms=8)
        rule = make_rule(name, 1.0, len(means))
        work, size = work_for(means)
        exact = log_evidence(rule, information, means, size, -np.inf, work)
        arm, rival = work.weakest
        if not np.isfinite(exact):
            continue
        for enough in (exact - 5.0, exact - CLEAR / 2, exact - 1e-6, exact + 1e-6, exact + 5.0):
            if enough < 1.0:
                continue
            work, size = work_for(means)
            found = log_evidence(rule, information, means, size, enough, work)
            assert (found >= enough) == (exact >= enough)
            outcomes.append(exact >= enough)
            if enough == exact + 1e-6:
                assert tuple(work.weakest) == (arm, rival)
            passed_by += enough <= found < exact
    assert 200 < sum(outcomes) < len(outcomes) - 100
    assert passed_by > 20
