"""Small instances that the tests of the arena share."""

from pareto_core import Instance, Polyhedron

CORNER = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], variance=[1.0, 4.0], name="corner")
COINS = Instance([[0.9, 0.4], [0.4, 0.9], [0.1, 0.1]], noise="bernoulli", name="coins")
UNEVEN = Instance(CORNER.means, variance=[[1.0, 1.0], [2.0, 1.0], [1.0, 1.0]], name="uneven")
RECORDED = Instance.from_observations(
    [[[1.0, 0.0], [0.9, 0.1]], [[0.0, 1.0], [0.1, 0.9]]], name="recorded"
)
BOUNDED = Instance(
    CORNER.means, polyhedron=Polyhedron([[1.0, 0.0], [0.0, 1.0]], [2.0, 0.5]), name="bounded"
)
COLUMNS = ("samples", "correct", "stopped", "pulls", "means", "answers")
