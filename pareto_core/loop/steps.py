"""What a run does with the three functions of an algorithm: one step, or the loop to its end.

One kernel serves simulations and sessions. It is compiled once per algorithm and kind of state.
"""

import functools
from collections.abc import Callable

import numpy as np

from pareto_core.compiling.kernels import with_kernels
from pareto_core.compiling.lending import lend
from pareto_core.instances.noise import draw
from pareto_core.loop.choices import choice, nothing, refuse_shared_streams, verdict
from pareto_core.loop.record import observe

__all__ = ["DRY", "PAUSED", "RECOMMEND", "SAMPLE", "SELECT", "STOP", "STOPPED", "compile_run"]

SELECT, STOP, RECOMMEND, SAMPLE = range(4)  # what to do
PAUSED, STOPPED, DRY = range(3)  # how a loop has ended


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
