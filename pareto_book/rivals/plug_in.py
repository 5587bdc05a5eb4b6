"""Track-and-Stop with the exact optimal weights of the averages (Garivier & Kaufmann 2016)."""

import dataclasses
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pareto_core.algorithms.stopping import (
    STOPPING,
    Evidence,
    EvidenceParameters,
    recommend_front,
    stopping_named,
)
from pareto_core.algorithms.tracking import (
    follow_latest,
    in_first_round,
    rarest_arm_if_neglected,
    square_root,
)
from pareto_core.bounds.complexity import characteristic_time
from pareto_core.checks.arguments import check_choice, check_probability
from pareto_core.checks.words import StoppingName
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import Stopping
from pareto_core.loop.record import Record, empty_record
from pareto_core.loop.run import CompiledRun

GROWTH = 1.2  # factor by which the number of samples grows between two computations
RELATIVE_GAP = 1e-2  # of the weights, certified


class PlugInParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    evidence: EvidenceParameters  # or ProvenParameters


class PlugInState(NamedTuple):
    """State of one run."""

    record: Record
    weights: np.ndarray  # (K,) optimal at the averages when they were last computed
    due: np.ndarray  # (1,) int, number of samples at which they are computed again
    targets: np.ndarray  # (K,) samples that each arm should have by now
    evidence: Evidence  # or ProvenStoppingState


@kernel
def _select(parameters, state):
    """Each arm once; then D-tracking of the latest weights, and forced exploration."""
    samples, counts = state.record.time[0], state.record.counts
    n_arms = counts.shape[0]
    if in_first_round(state.record):
        return samples, 1
    arm = follow_latest(state.targets, state.weights, samples, counts)
    rarest = rarest_arm_if_neglected(counts, range(n_arms), square_root(samples, n_arms))
    return rarest if rarest >= 0 else arm, 1


class PlugInRun(CompiledRun):
    """One run; between its samples, weights that are due are computed in Python."""

    def _renew(self):
        """Compute the weights if they are due; return when they are due next."""
        weights, due = self.state.weights, self.state.due
        if self.record.time[0] >= due[0]:
            weights[:] = characteristic_time(self.record.means, RELATIVE_GAP).weights
            due[0] = math.ceil(GROWTH * self.record.time[0])
        return due[0]

    def select(self) -> tuple[int, int]:
        self._renew()
        return super().select()

    def advance(self, source: Any, rng: np.random.Generator, samples: int) -> bool:
        ended = False
        while not ended and self.record.time[0] < samples:
            ended = super().advance(source, rng, min(self._renew(), samples))
        return ended

    def play(
        self, source: Any, rng: np.random.Generator, max_samples: int
    ) -> tuple[bool, np.ndarray]:
        while True:
            pause = min(self._renew(), max_samples)
            stopped, answer = super().play(source, rng, pause)
            if stopped or self.record.time[0] < pause or pause == max_samples:
                return stopped, answer


@dataclasses.dataclass(frozen=True)
class PlugIn(Algorithm):
    """Track the exact optimal weights of the averages.

    Track-and-Stop as Garivier & Kaufmann (2016, https://proceedings.mlr.press/v49/garivier16a.html)
    state it for the best arm, for the Pareto set: the arm furthest behind t times the weights of
    `characteristic_time` at the averages is sampled. Stopping rule and forced exploration are those
    of `TrackAndStop`, which learns weights instead. The weights are exact up to a certified gap of
    one per cent, and are computed again whenever the number of samples has grown by a fifth, since
    each computation takes as long as thousands of samples. If they do not exist, for example
    because two arms of the front are equal, they are uniform.
    """

    delta: float = 0.1
    threshold: StoppingName = "stylised"

    select = staticmethod(_select)
    recommend = staticmethod(recommend_front)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_choice(self.threshold, "threshold", STOPPING)

    @property
    def stopping(self) -> Stopping:
        return stopping_named(self.threshold, self.delta)

    @property
    def stop(self) -> Callable:
        return self.stopping.kernel

    def parameters(self, problem: Problem) -> PlugInParameters:
        return PlugInParameters(self.stopping.parameters(problem))

    def begin(
        self, problem: Problem, rng: np.random.Generator, parameters: Any = None
    ) -> PlugInRun:
        return PlugInRun(self, problem, rng, parameters)

    def start(self, problem: Problem, rng: np.random.Generator) -> PlugInState:
        n_arms = problem.n_arms
        return PlugInState(
            empty_record(problem),
            np.full(n_arms, 1 / n_arms),
            np.array([n_arms]),
            np.zeros(n_arms),
            self.stopping.allocate(problem),
        )
