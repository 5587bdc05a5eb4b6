"""Mistakes in a rule, and whether two rules make the same runs."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.write_algorithm.mistakes import MISTAKES, error_message
from pareto_book.chapters.write_algorithm.speed import differing_columns


class InTurn(pc.PythonAlgorithm):
    """Sample the arms in turn, ten times each."""

    def __init__(self, delta=0.1):
        self.delta = delta

    def select(self, record, memory):
        return record.time % record.counts.size

    def stop(self, record, memory):
        return record.time >= 10 * record.counts.size

    def recommend(self, record, memory):
        return pc.pareto_set(record.means)


TWENTY = pc.Instance(np.arange(40.0).reshape(20, 2))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named(mistake):
    (method,) = MISTAKES[mistake]
    message = error_message(InTurn, MISTAKES[mistake], TWENTY)
    assert f"{method} returned" in message or "np.random" in message


def test_a_rule_without_a_mistake_is_no_example():
    with pytest.raises(RuntimeError, match="caused no error"):
        error_message(InTurn, {}, TWENTY)


def test_runs_of_different_rules_differ():
    one, other = (pc.simulate(InTurn(), TWENTY, 2, seed, n_jobs=1) for seed in (0, 1))
    assert differing_columns(one, one) == []
    assert differing_columns(one, other) == ["means"]
