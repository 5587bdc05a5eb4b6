"""One run of a compiled algorithm: its kernel, the loop of a simulation, and the single steps.

One kernel serves simulations and sessions. It is compiled once per algorithm and kind of state.
"""

import contextlib
import copy
import functools
import threading
from collections.abc import Callable
from typing import Any, Self

import numba
import numpy as np

from pareto_core.checks.arguments import shown
from pareto_core.compiling.announcing import announced
from pareto_core.compiling.kernels import is_kept, with_kernels
from pareto_core.compiling.lending import lend
from pareto_core.instances.instance import Instance, Problem, unfolded_problem
from pareto_core.instances.noise import draw, make_source
from pareto_core.loop.choices import (
    check_choice_made,
    choice,
    nothing,
    refuse_shared_streams,
    verdict,
)
from pareto_core.loop.interruption import interruptible, new_flag, obey
from pareto_core.loop.record import Record, check_record, observe

__all__ = ["LAST_SAMPLE", "CompiledRun", "compile_run"]

SELECT, STOP, RECOMMEND, SAMPLE = range(4)  # what to do
PAUSED, STOPPED, DRY = range(3)  # how a loop has ended
LAST_SAMPLE = 2**62
NO_LIMITS = (LAST_SAMPLE, LAST_SAMPLE)
NOTHING = make_source(Instance([[0.0], [1.0]])), np.random.default_rng(0)  # to draw

_ready = set()  # kernels that were compiled or loaded for some types of arguments
_preparing = threading.Lock()


def select(parameters, state):
    """Stands for the kernel of an algorithm; see `Algorithm`."""


def stop(parameters, state):
    """Stands for the kernel of an algorithm; see `Algorithm`."""


def recommend(parameters, state, answer):
    """Stands for the kernel of an algorithm; see `Algorithm`."""


def run(action, parameters, state, source, rng, limits, flag, answer):
    """Do one thing with the functions of an algorithm; return how it ended, and the last choice.

    The loop of `SAMPLE` ends with a recommendation if the algorithm stops, the first of the two
    limits of samples is reached, or the source is exhausted. It ends without one if the second
    limit is reached, the flag is set, or the choice of an arm is invalid. Each function is called
    in one line, because its code is copied there.
    """
    parameters, state, source = lend(parameters), lend(state), lend(source)
    record, ending, arm, number = state.record, PAUSED, 0, 1
    most, pause = limits
    total, scatter = np.empty(record.means.shape[1]), np.empty(record.means.shape[1])
    while action != RECOMMEND and ending == PAUSED and record.time[0] < most:
        if record.time[0] >= pause:
            return ending, arm, number
        if action != STOP:
            arm, number = choice(select(parameters, state))
            if action == SELECT or arm < 0 or arm >= record.counts.shape[0] or number < 1:
                return ending, arm, number
            number = draw(source, arm, min(number, most - record.time[0]), rng, total, scatter)
            if number == 0:
                ending, number = DRY, 1
                break
            observe(record, arm, number, total, scatter)
        if verdict(stop(parameters, state)):
            ending = STOPPED
        if action == STOP:
            return ending, arm, number
        if flag[0] != 0:  # after a sample, so that each call makes progress
            pause = 0
    nothing(recommend(parameters, state, answer))
    return ending, arm, number


@functools.cache
def compile_run(select: Callable, stop: Callable, recommend: Callable) -> Callable:
    """The kernel `run` of one algorithm; functions that draw from shared streams are refused."""
    for function in (select, stop, recommend):
        refuse_shared_streams(function)
    return with_kernels(run, select=select, stop=stop, recommend=recommend)


class CompiledRun:
    """One run of a compiled algorithm, whose observations so far are ``record``."""

    def __init__(
        self,
        algorithm: Any,
        problem: Problem,
        rng: np.random.Generator,
        parameters: Any = None,
    ) -> None:
        for method in ("select", "stop", "recommend"):
            _check_compiled(algorithm, method)
        if parameters is None:
            parameters = algorithm.parameters(problem)
        self.go_on_as(algorithm, parameters)
        self.state = algorithm.start(problem, rng)
        self._problem = problem
        is_separate = algorithm.samples == "values"
        self._sampled = unfolded_problem(problem) if is_separate else problem
        self.record = getattr(self.state, "record", None)
        if not isinstance(self.record, Record):
            raise ValueError(
                f"start returned {shown(self.state)}; expected a NamedTuple whose field record is "
                "a Record"
            )
        check_record(self.record, self._sampled)

    def go_on_as(self, algorithm: Any, parameters: Any) -> None:
        """Continue this run with an algorithm that differs only in its parameters."""
        self.algorithm, self.parameters = algorithm, parameters

    def copy(self) -> Self:
        """Copy this run, so that both copies can be continued independently."""
        twin = copy.copy(self)
        twin.state = copy.deepcopy(self.state)
        twin.record = twin.state.record
        return twin

    def select(self) -> tuple[int, int]:
        """Return the arm to sample next, and the number of samples."""
        _, arm, number = self._do(SELECT, self._empty())
        check_choice_made(arm, number, self._sampled.n_arms)
        return arm, number

    def stop(self) -> bool:
        """Return whether the algorithm stops now."""
        return self._do(STOP, self._empty())[0] == STOPPED

    def answer(self) -> np.ndarray:
        """Return the current answer of the algorithm, in the layout of `Question.empty`."""
        answer = self._empty()
        self._do(RECOMMEND, answer)
        return answer

    def estimates(self) -> np.ndarray | None:
        """Return the algorithm's estimates of the means, or None."""
        return self.algorithm.estimates(self._problem, self.state)

    def advance(self, source: Any, rng: np.random.Generator, samples: int) -> bool:
        """Sample until there are ``samples`` samples; return whether the run has ended before."""
        return self._sample(source, rng, (LAST_SAMPLE, samples), self._empty()) != PAUSED

    def play(
        self, source: Any, rng: np.random.Generator, max_samples: int
    ) -> tuple[bool, np.ndarray]:
        """Sample until the algorithm stops; return whether it stopped by itself, and its answer."""
        answer = self._empty()
        ending = self._sample(source, rng, (max_samples, LAST_SAMPLE), answer)
        return ending == STOPPED, answer

    def _sample(self, source, rng, limits, answer):
        """Sample until a limit or the end, with pauses for signals; return how it ended."""
        time = self.record.time
        with interruptible() as flag:
            while True:
                obey(flag)
                ending, arm, number = self._do(SAMPLE, answer, source, rng, limits, flag)
                check_choice_made(arm, number, self._sampled.n_arms)
                if ending != PAUSED or time[0] >= min(limits):
                    return ending

    def _do(self, action, answer, source=NOTHING[0], rng=NOTHING[1], limits=NO_LIMITS, flag=None):
        """Call the kernel of the algorithm; see `run`."""
        algorithm = self.algorithm
        rest = source, rng, limits, new_flag() if flag is None else flag, answer
        with _preparing:
            run = compile_run(algorithm.select, algorithm.stop, algorithm.recommend)
            if run not in _ready:
                self._prepare(run, *rest)
                _ready.add(run)
        return run(action, self.parameters, self.state, *rest)

    def _prepare(self, run, source, rng, limits, flag, answer):
        """Compile the kernel, or load it, by a call that does nothing."""
        name, now = type(self.algorithm).__name__, (LAST_SAMPLE, 0)
        with contextlib.nullcontext() if is_kept(run) else announced(name):
            run(SAMPLE, self.parameters, self.state, source, rng, now, flag, answer)

    def _empty(self):
        return self.algorithm.question.empty(self._problem.n_arms, self._problem.n_objectives)


def _check_compiled(algorithm, method):
    """Check that a method of an algorithm is a kernel."""
    function = getattr(algorithm, method, None)
    kernel = hasattr(function, "py_func") or (numba.config.DISABLE_JIT and callable(function))
    if not kernel:
        raise ValueError(
            f"{type(algorithm).__name__}.{method} = {function!r}; expected a kernel, "
            f"{method} = staticmethod(...) of a function compiled by pareto_core.kernel, or a "
            "class derived from PythonAlgorithm"
        )
