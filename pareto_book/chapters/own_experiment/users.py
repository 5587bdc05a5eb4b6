"""Simulated users of a session, who look after every sample and try to mislead it."""

from collections.abc import Sequence

import numpy as np

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.statements.status import Status

__all__ = ["is_wrong", "sees_wrong_statement"]

DELTA = 0.1  # risk of all statements at all times


def sees_wrong_statement(
    number: int, seed: int = 0, stated_deviation: float = 1.0, budget: int = 45
) -> bool:
    """Simulate an experiment, and whether any statement at any time was wrong."""
    rng = np.random.default_rng([seed, number])
    means = rng.normal(size=(3, 2)) * rng.choice([0.05, 0.3, 1.0])
    truth = pc.pareto_set(means).tolist()
    algorithm = pc.UniformSampling(delta=1e-9)  # does not stop before the budget is spent
    session = lab.Session(algorithm, 3, 2, stated_deviation, budget=budget)
    by_hand, tells_late = rng.random(2) < 0.5
    heap = []
    for k in range(budget):
        best = int(np.argmax(session.means.sum(axis=1)))
        arm = best if by_hand and k >= 6 and rng.random() < 0.8 else k % 3
        heap.append((arm, *rng.normal(means[arm])))
        if tells_late and k < budget - 1 and rng.random() < 0.8:
            continue
        arms, first, second = zip(*rng.permutation(heap), strict=True)
        session.tell_all({"arm": np.array(arms, int), 0: first, 1: second})
        heap.clear()
        if is_wrong(session.status(delta=DELTA), truth):
            return True
        if session.finished:
            break
    return False


def is_wrong(status: Status, truth: Sequence[int]) -> bool:
    """Whether a status contradicts the Pareto set."""
    return bool(set(status.optimal) - set(truth) or set(status.dominated) & set(truth))
