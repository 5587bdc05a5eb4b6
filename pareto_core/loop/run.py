"""One run of a compiled algorithm: the loop of a simulation, and its single steps."""

import copy
import functools
from collections.abc import Callable
from typing import Any, Self

import numba
import numpy as np

from pareto_core.checks.arguments import shown
from pareto_core.compiling.kernels import call_at, layout, loop, part
from pareto_core.instances.instance import Problem
from pareto_core.instances.unfolding import unfolded_problem
from pareto_core.loop.choices import check_choice_made
from pareto_core.loop.interruption import interruptible, obey
from pareto_core.loop.record import Record, check_record, observe
from pareto_core.loop.steps import ADDRESS, RECOMMEND, SELECT, STOP, compile_step

__all__ = ["CompiledRun", "compile_run"]

LAST_SAMPLE = 2**62
PAUSED, STOPPED, DRY, OTHER_LAYOUT = range(4)  # how a loop has ended


@functools.cache
def _compile_loop(take, draw):
    """Compile the loop around an algorithm.

    The loop ends with a recommendation if the algorithm stops, ``max_samples`` are drawn, or the
    source is exhausted. It ends without a recommendation if at least ``pause`` samples are drawn,
    the flag is set (see `interruption`), the choice of an arm is invalid, or the arguments do not
    have the expected layout. It returns how it ended and the last choice.

    Parameters
    ----------
    take : function
        ``take(address, ...)`` calls the functions of the algorithm; see `compile_step`.
    draw : function
        Draws samples from the source.
    """

    @loop
    def run(address, expected, parameters, state, source, rng, max_samples, pause, flag, answer):
        """Run the loop; ``state``, ``source`` and ``answer`` are modified in place.

        Parameters
        ----------
        address, expected : int
            Of the functions of the algorithm, and the layout for which it holds.
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
        arm, wanted, ending = 0, 1, PAUSED
        if layout(parameters, state, answer) != expected:
            return OTHER_LAYOUT, arm, wanted
        n_arms = state.record.means.shape[0]
        total = np.empty(state.record.means.shape[1])
        scatter = np.empty(state.record.means.shape[1])
        while ending == PAUSED and state.record.time[0] < max_samples:
            if state.record.time[0] >= pause:
                return ending, arm, wanted
            arm, wanted = take(address, SELECT, parameters, state, answer)
            if arm < 0 or arm >= n_arms or wanted < 1:
                return ending, arm, wanted
            wanted = min(wanted, max_samples - state.record.time[0])
            number = draw(source, arm, wanted, rng, total, scatter)
            if number == 0:
                ending = DRY
                break
            observe(state.record, arm, number, total, scatter)
            if take(address, STOP, parameters, state, answer)[0] != 0:
                ending = STOPPED
            # Read each time, because the compiler cannot exclude that `observe` writes it.
            if flag[0] != 0:
                pause = 0
        take(address, RECOMMEND, parameters, state, answer)
        return ending, arm, wanted

    return run


@functools.cache
def _by_name(step):
    """Call the functions of an algorithm by name, for a loop that contains them."""

    @part
    def take(address, action, parameters, state, answer):
        return step(action, parameters, state, answer)

    return take


class Machine:
    """The compiled loop of one algorithm and one kind of source.

    Parameters
    ----------
    step : function
        The functions of the algorithm; see `compile_step`.
    draw : function
        Draws samples from the source.
    """

    def __init__(self, step, draw):
        self._step, self._draw = step, draw
        self._found = None  # address and layout of the last run

    def sample(self, parameters, state, source, rng, max_samples, samples, answer):
        """Sample until the end, or until ``samples`` are drawn, with pauses for signals.

        Returns
        -------
        int
            `STOPPED` if the algorithm stopped, `DRY` if the source is exhausted, else `PAUSED`.

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
                ending, arm, wanted = self._go_on(
                    parameters, state, source, rng, max_samples, samples, flag, answer
                )
                check_choice_made(arm, wanted, record.counts.size)
                if ending != PAUSED or record.time[0] >= most:
                    return ending

    def _go_on(self, parameters, state, *arguments):
        found, ending = self._found, OTHER_LAYOUT
        while ending == OTHER_LAYOUT:
            if found is None:
                found = self._step(ADDRESS, parameters, state, arguments[-1])
            take = call_at if found[0] != 0 else _by_name(self._step)
            run = _compile_loop(take, self._draw)
            ending, arm, wanted = run(*found, parameters, state, *arguments)
            self._found, found = found, None
        return ending, arm, wanted


_machine = functools.cache(Machine)


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
    machine = _machine(compile_step(select, stop, recommend), draw)

    def run(parameters, state, source, rng, max_samples, answer):
        ending = machine.sample(parameters, state, source, rng, max_samples, LAST_SAMPLE, answer)
        return ending == STOPPED

    return run


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
        self._unread = self._empty()  # where an answer would be written
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
        arm, number = self._step(SELECT, self.parameters, self.state, self._unread)
        check_choice_made(arm, number, self._sampled.n_arms)
        return arm, number

    def stop(self) -> bool:
        """Return whether the algorithm stops now."""
        return self._step(STOP, self.parameters, self.state, self._unread)[0] != 0

    def answer(self) -> np.ndarray:
        """Return the current answer of the algorithm, in the layout of `Question.empty`."""
        answer = self._empty()
        self._step(RECOMMEND, self.parameters, self.state, answer)
        return answer

    def estimates(self) -> np.ndarray | None:
        """Return the algorithm's estimates of the means, or None."""
        return self.algorithm.estimates(self._problem, self.state)

    def advance(self, source: Any, draw: Callable, rng: np.random.Generator, samples: int) -> bool:
        """Sample until there are ``samples`` samples; return whether the run has ended before."""
        answer = self._empty()
        ending = _machine(self._step, draw).sample(
            self.parameters, self.state, source, rng, LAST_SAMPLE, samples, answer
        )
        return ending != PAUSED

    def play(
        self, source: Any, draw: Callable, rng: np.random.Generator, max_samples: int
    ) -> tuple[bool, np.ndarray]:
        """Sample until the algorithm stops; return whether it stopped by itself, and its answer."""
        answer = self._empty()
        ending = _machine(self._step, draw).sample(
            self.parameters, self.state, source, rng, max_samples, LAST_SAMPLE, answer
        )
        return ending == STOPPED, answer

    @property
    def _step(self):
        algorithm = self.algorithm
        return compile_step(algorithm.select, algorithm.stop, algorithm.recommend)

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
