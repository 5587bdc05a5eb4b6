"""One run of a compiled algorithm: the loop of a simulation, and its single steps."""

import copy
import functools
from collections.abc import Callable
from typing import Any, Self

import numba
import numpy as np

from pareto_core.checks.arguments import shown
from pareto_core.compiling.kernels import loop
from pareto_core.instances.instance import Problem
from pareto_core.instances.unfolding import unfolded_problem
from pareto_core.loop.choices import (
    check_choice_made,
    choice,
    nothing,
    python_choice,
    python_nothing,
    python_verdict,
    verdict,
)
from pareto_core.loop.interruption import interruptible, obey
from pareto_core.loop.record import Record, check_record, observe

__all__ = ["CompiledRun", "compile_run"]

LAST_SAMPLE = 2**62


@functools.cache
def _compile_loop(select, stop, recommend, draw):
    """Compile the loop of one algorithm.

    The loop ends with a recommendation if the algorithm stops, ``max_samples`` are drawn, or the
    source is exhausted. It ends without a recommendation if at least ``pause`` samples are drawn,
    the flag is set (see `interruption`), or the choice of an arm is invalid. It returns whether the
    algorithm stopped, whether the source is exhausted, and the last choice.
    """

    @loop
    def run(parameters, state, source, rng, max_samples, pause, flag, answer):
        """Run the loop; ``state``, ``source`` and ``answer`` are modified in place.

        Parameters
        ----------
        parameters, state : NamedTuple
            Of the algorithm.
        source : NamedTuple
            Of rewards, for ``draw``.
        rng : Generator
            Of the rewards.
        max_samples, pause : int
            Numbers of samples at which the loop ends, with and without a recommendation.
        flag : ndarray of int, shape (1,)
            See `interruption`.
        answer : ndarray
            In the layout of `Question.empty`.
        """
        n_arms = state.record.means.shape[0]
        total = np.empty(state.record.means.shape[1])
        scatter = np.empty(state.record.means.shape[1])
        arm, wanted = 0, 1
        stopped, dry = False, False
        while not stopped and state.record.time[0] < max_samples:
            if state.record.time[0] >= pause:
                return stopped, dry, arm, wanted
            arm, wanted = choice(select(parameters, state))
            if arm < 0 or arm >= n_arms or wanted < 1:
                return stopped, dry, arm, wanted
            wanted = min(wanted, max_samples - state.record.time[0])
            number = draw(source, arm, wanted, rng, total, scatter)
            if number == 0:
                dry = True
                break
            observe(state.record, arm, number, total, scatter)
            stopped = verdict(stop(parameters, state))
            # Read each time, because the compiler cannot exclude that `observe` writes it.
            if flag[0] != 0:
                pause = 0
        nothing(recommend(parameters, state, answer))
        return stopped, dry, arm, wanted

    return run


def compile_run(select: Callable, stop: Callable, recommend: Callable, draw: Callable) -> Callable:
    """Compile the loop of one algorithm, which samples until it stops, then recommends.

    Returns
    -------
    function
        ``run(parameters, state, source, rng, max_samples, answer)``: fills ``answer``
        and returns whether the algorithm stopped by itself, rather than because
        ``max_samples`` were drawn or the source was exhausted. It raises a `ValueError` if the
        algorithm chooses an arm that does not exist, and can be interrupted after each sample.
    """
    machine = _compile_loop(select, stop, recommend, draw)

    def run(parameters, state, source, rng, max_samples, answer):
        stopped, _ = _sample(
            machine, parameters, state, source, rng, max_samples, LAST_SAMPLE, answer
        )
        return stopped

    return run


def _sample(machine, parameters, state, source, rng, max_samples, samples, answer):
    """Run the loop until its end, or until ``samples`` are drawn, with pauses for signals.

    Returns
    -------
    stopped, dry : bool
        Whether the algorithm stopped, and whether the source is exhausted.

    Raises
    ------
    KeyboardInterrupt
        If the run is interrupted.
    ValueError
        If the algorithm chooses an arm that does not exist.
    """
    record = state.record
    most = min(max_samples, samples)
    with interruptible() as flag:
        while True:
            obey(flag)
            stopped, dry, arm, wanted = machine(
                parameters, state, source, rng, max_samples, samples, flag, answer
            )
            check_choice_made(arm, wanted, record.counts.size)
            if stopped or dry or record.time[0] >= most:
                return stopped, dry


class CompiledRun:
    """One run of a compiled algorithm.

    Parameters
    ----------
    algorithm : Algorithm
        Its hyper-parameters.
    problem : Problem
        Size of the experiment, and the known properties of its arms.
    rng : Generator
        Random generator for a randomised algorithm.
    parameters : NamedTuple, optional
        The value of ``algorithm.parameters(problem)``, if it has been computed already.

    Attributes
    ----------
    record : Record
        All observations so far.

    Raises
    ------
    ValueError
        If a function of the algorithm is not compiled, or its state has no valid record.
    """

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
        is_separate = algorithm.measures_separately
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
        arm, number = python_choice(self.algorithm.select(self.parameters, self.state))
        check_choice_made(arm, number, self._sampled.n_arms)
        return arm, number

    def stop(self) -> bool:
        """Return whether the algorithm stops now."""
        return python_verdict(self.algorithm.stop(self.parameters, self.state))

    def answer(self) -> np.ndarray:
        """Return the current answer of the algorithm, in the layout of `Question.empty`."""
        answer = self._empty()
        python_nothing(self.algorithm.recommend(self.parameters, self.state, answer))
        return answer

    def estimates(self) -> np.ndarray | None:
        """Return the algorithm's estimates of the means, or None."""
        return self.algorithm.estimates(self._problem, self.state)

    def advance(self, source: Any, draw: Callable, rng: np.random.Generator, samples: int) -> bool:
        """Sample until there are ``samples`` samples; return whether the run has ended before."""
        algorithm, answer = self.algorithm, self._empty()
        machine = _compile_loop(algorithm.select, algorithm.stop, algorithm.recommend, draw)
        stopped, dry = _sample(
            machine, self.parameters, self.state, source, rng, LAST_SAMPLE, samples, answer
        )
        return stopped or dry

    def play(
        self, source: Any, draw: Callable, rng: np.random.Generator, max_samples: int
    ) -> tuple[bool, np.ndarray]:
        """Sample until the algorithm stops; return whether it stopped by itself, and its answer."""
        algorithm, answer = self.algorithm, self._empty()
        run = compile_run(algorithm.select, algorithm.stop, algorithm.recommend, draw)
        stopped = run(self.parameters, self.state, source, rng, max_samples, answer)
        return stopped, answer

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
