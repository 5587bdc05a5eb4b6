"""Small instances that the tests of the arena share, and an algorithm in plain Python."""

from pareto_core import Instance, Polyhedron, PythonAlgorithm, pareto_set

CORNER = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], variance=[1.0, 4.0], name="corner")
COINS = Instance([[0.9, 0.4], [0.4, 0.9], [0.1, 0.1]], noise="bernoulli", name="coins")
UNEVEN = Instance(CORNER.means, variance=[[1.0, 1.0], [2.0, 1.0], [1.0, 1.0]], name="uneven")
RECORDED = Instance.from_observations(
    [[[1.0, 0.0], [0.9, 0.1]], [[0.0, 1.0], [0.1, 0.9]]], name="recorded"
)
BARE = Instance(CORNER.means, name="bare")
BOUNDED = Instance(
    CORNER.means, polyhedron=Polyhedron([[1.0, 0.0], [0.0, 1.0]], [2.0, 0.5]), name="bounded"
)
COLUMNS = ("samples", "correct", "stopped", "pulls", "means", "answers")


class InTurn(PythonAlgorithm):
    """Every arm in turn until each has 5 / delta samples."""

    def __init__(self, delta=0.1):
        self.delta = delta

    def select(self, record, memory):
        return record.counts.argmin()

    def stop(self, record, memory):
        return record.counts.min() >= 5 / self.delta

    def recommend(self, record, memory):
        return pareto_set(record.means)
