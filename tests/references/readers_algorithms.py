"""Algorithms as a reader writes them, for tests of what they consist of."""

import pareto_core as pc

INSTANCE = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])


class InTurn(pc.PythonAlgorithm):
    """Sample in turn."""

    BUDGET = 9

    def select(self, record, memory):
        return record.counts.argmin()

    def stop(self, record, memory):
        return record.time >= self.BUDGET

    def recommend(self, record, memory):
        return pc.pareto_set(record.means)


def rule(budget):
    """An algorithm whose budget is in no parameter."""

    class Rule(InTurn):
        def stop(self, record, memory):
            return record.time >= budget

    return Rule()
