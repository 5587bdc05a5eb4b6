"""Typical use of the package, which mypy has to accept; it is never run."""

import dataclasses
from typing import Any, NamedTuple, assert_type

import numpy as np

import pareto_core as pc
import pareto_lab as lab
from pareto_core.loop.parts import Own

covid = pc.load_instance("cov_boost")
runs = pc.simulate(pc.TrackAndStop(delta=0.1), covid, runs=200, seed=0)
assert_type(runs, pc.Runs)
table = lab.compare([pc.TrackAndStop(), pc.APE()], covid, deltas=[0.1, 0.01], store="runs")
assert_type(table.runs["covid", "APE", 0.1], pc.Runs)
lab.compare({"tracking": pc.TrackAndStop()}, ["cov_boost", covid]).differences()

region = pc.orthant([0.0, 0.0])
instance = pc.Instance([[1.0, 0.0], [0.0, 1.0]], variance=[1.0, 2.0], polyhedron=region)
assert_type(instance.means, np.ndarray)
assert_type(instance.labels, tuple[str, ...])
assert_type(pc.characteristic_time(instance.means).time + 1, float)
assert_type(pc.TrackAndStop().with_delta(0.01), pc.TrackAndStop)
print(pc.Certified(pc.APE(), rule="pairs"), pc.easiest_partition([[1.0], [0.0]], region)[1].weights)

session = lab.Session(
    pc.TrackAndStop(delta=0.1),
    arms=["A", "B"],
    objectives={"protection": "max", "fever": "min"},
    standard_deviation="unknown",
    costs={"A": 1.0, "B": 2.0},
)
for arm in session.ask_many(4):
    session.tell(arm, [1.0, 37.5])
session.tell("A", {"protection": 1.0, "fever": 37.5}, id="t1")
assert_type(session.tell_all("sheet.csv", id="tube", repeat=True).skipped, int)
session.status(rule="pairs", standard_deviation="unknown")
assert_type(session.ended_by, str | None)
assert_type(session.plan([[1.0, 37.0]], runs=3), lab.Plan)
session.withdraw(id="t1", instead=[1.0, 37.0])


class InTurn(pc.PythonAlgorithm):
    """Sample in turn."""

    def select(self, record: pc.RecordView, memory: Any):
        return record.counts.argmin()

    def stop(self, record: pc.RecordView, memory: Any) -> bool:
        return record.time >= 100

    def recommend(self, record, memory) -> np.ndarray:
        return pc.pareto_set(record.means)


pc.simulate(InTurn(), covid, runs=3)


@pc.kernel
def choose(parameters, state) -> int:
    return 0


class State(NamedTuple):
    record: pc.Record


@dataclasses.dataclass(frozen=True)
class Compiled(pc.Algorithm):
    """An algorithm of compiled kernels."""

    delta: float = 0.1

    select = staticmethod(choose)
    stopping = Own(sampling_ignores_delta=True)

    def start(self, problem: pc.Problem, rng: np.random.Generator) -> State:
        return State(pc.empty_record(problem))


assert_type(Compiled().with_delta(0.01), Compiled)
