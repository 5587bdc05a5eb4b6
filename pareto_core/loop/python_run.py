"""One run of an algorithm in plain Python."""

import copy
import random
from typing import Any, Self

import numpy as np

from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.instances.noise import draw
from pareto_core.loop.choices import check_choice_made, python_choice, python_verdict
from pareto_core.loop.interruption import interruptible, obey
from pareto_core.loop.record import Record, empty_record, observe
from pareto_core.loop.run import LAST_SAMPLE

__all__ = ["PythonRun", "RecordView"]


class RecordView:
    """Read-only view of the observations so far, a `Record`; it changes with every sample.

    Its arrays are ``counts``, ``sums``, ``means``, ``scatter`` and ``observed``.

    Examples
    --------
    >>> import pareto_core as pc
    >>> class InTurn(pc.PythonAlgorithm):
    ...     def select(self, record: pc.RecordView, memory):
    ...         return record.counts.argmin()
    ...
    ...     def stop(self, record: pc.RecordView, memory):
    ...         return record.time >= 10
    ...
    ...     def recommend(self, record: pc.RecordView, memory):
    ...         return pc.pareto_set(record.means)
    >>> instance = pc.Instance([[0.0], [10.0]])
    >>> pc.simulate(InTurn(), instance, runs=1, n_jobs=1, progress=False).pulls
    array([[5, 5]])
    """

    __slots__ = ("_time", "counts", "means", "observed", "scatter", "sums")

    counts: np.ndarray
    sums: np.ndarray
    means: np.ndarray
    scatter: np.ndarray
    observed: np.ndarray

    def __init__(self, record: Record) -> None:
        for name in ("counts", "sums", "means", "scatter", "observed"):
            array = getattr(record, name).view()
            array.setflags(write=False)
            setattr(self, name, array)
        self._time = record.time

    @property
    def time(self) -> int:
        """Number of samples of all arms."""
        return self._time.item()


class PythonRun:
    """One run of an algorithm in plain Python, with the methods of `CompiledRun`."""

    def __init__(self, algorithm: Any, problem: Problem, rng: np.random.Generator) -> None:
        self.algorithm = algorithm
        self._problem = problem
        self.memory = algorithm.start(problem, rng)
        self._set_record(empty_record(problem))

    def _set_record(self, record):
        self.record, self._view = record, RecordView(record)

    def go_on_as(self, algorithm: Any, parameters: Any) -> None:
        """Continue this run with an algorithm that differs only in its parameters."""
        self.algorithm = algorithm

    def copy(self) -> Self:
        """Copy this run, so that both copies can be continued independently."""
        twin = copy.copy(self)
        twin.memory = copy.deepcopy(self.memory)
        twin._set_record(copy.deepcopy(self.record))
        return twin

    def select(self) -> tuple[int, int]:
        """Return the arm to sample next, and the number of samples."""
        arm, number = self._choose()
        check_choice_made(arm, number, self._problem.n_arms)
        return arm, number

    def _choose(self):
        return python_choice(self.algorithm.select(self._view, self.memory))

    def stop(self) -> bool:
        """Return whether the algorithm stops now."""
        return python_verdict(self.algorithm.stop(self._view, self.memory))

    def answer(self) -> np.ndarray:
        """Return the current answer of the algorithm, in the layout of `Question.empty`."""
        question = self.algorithm.question
        recommended = self.algorithm.recommend(self._view, self.memory)
        answer = question.empty(self._problem.n_arms, self._problem.n_objectives)
        question.write(recommended, answer, self._problem.n_arms)
        return answer

    def estimates(self) -> np.ndarray | None:
        """Return the algorithm's estimates of the means, or None."""
        return self.algorithm.estimates(self._problem, self)

    def advance(self, source: Any, rng: np.random.Generator, samples: int) -> bool:
        """Sample until there are ``samples`` samples; return whether the run has ended before."""
        stopped, dry = self._sample(source, rng, LAST_SAMPLE, samples)
        return stopped or dry

    def play(
        self, source: Any, rng: np.random.Generator, max_samples: int
    ) -> tuple[bool, np.ndarray]:
        """Sample until the algorithm stops; return whether it stopped by itself, and its answer."""
        before = _shared_streams()
        stopped, _ = self._sample(source, rng, max_samples, max_samples)
        answer = self.answer()
        if _shared_streams() != before:
            raise ValueError(
                f"{type(self.algorithm).__name__} draws from np.random or random, which no seed of "
                "a simulation governs; expected it to draw from the rng that start is given, and "
                "no other thread to draw from them meanwhile"
            )
        return stopped, answer

    def _sample(self, source, rng, max_samples, samples):
        """Run the loop until its end, or until ``samples`` are drawn."""
        command = np.empty(2, np.int64)
        drawn = _draws(source, rng, self.record, command)
        time = self.record.time
        stopped = dry = False
        with interruptible() as flag:
            while not stopped and time[0] < min(max_samples, samples):
                obey(flag)
                arm, wanted = self.select()
                command[0], command[1] = arm, min(wanted, max_samples - time[0])
                dry = next(drawn) == 0
                if dry:
                    break
                stopped = self.stop()
        return stopped, dry


@kernel
def _draws(source, rng, record, command):
    """Generate draws: a generator, because Numba unpacks its arguments once, and not per sample."""
    total = np.empty(record.means.shape[1])
    scatter = np.empty(record.means.shape[1])
    while True:
        number = draw(source, command[0], command[1], rng, total, scatter)
        if number > 0:
            observe(record, command[0], number, total, scatter)
        yield number


def _shared_streams():
    """States of the global random generators of NumPy and of Python."""
    name, key, position, *rest = np.random.get_state()  # noqa: NPY002
    return name, key.tobytes(), position, rest, random.getstate()
