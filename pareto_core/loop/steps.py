"""The three functions of an algorithm as one kernel.

It is compiled once per algorithm. The loops of simulations, one for each kind of source, call it at
its address, and sessions call it from Python.
"""

import functools
from collections.abc import Callable

from pareto_core.compiling.kernels import layout, loop, own_address
from pareto_core.loop.choices import choice, nothing, verdict

__all__ = ["ADDRESS", "RECOMMEND", "SELECT", "STOP", "compile_step"]

SELECT, STOP, RECOMMEND, ADDRESS = range(4)


@functools.cache
def compile_step(select: Callable, stop: Callable, recommend: Callable) -> Callable:
    """Compile the functions of an algorithm.

    Returns
    -------
    function
        ``step(action, parameters, state, answer)`` returns two integers: for `SELECT` an arm and
        its number of samples, for `STOP` whether to stop and 0, for `RECOMMEND`, which writes into
        ``answer``, zeros, and for `ADDRESS` its address and the `layout` of its arguments.
    """

    @loop
    def step(action, parameters, state, answer):
        """Call one of the functions."""
        if action == SELECT:
            return choice(select(parameters, state))
        if action == STOP:
            return int(verdict(stop(parameters, state))), 0
        if action == RECOMMEND:
            nothing(recommend(parameters, state, answer))
            return 0, 0
        return own_address(parameters, state), layout(parameters, state, answer)

    return step
