"""The one loop that runs all algorithms."""

import functools

import numpy as np

from pareto_core._borrowing import borrowed
from pareto_core._kernels import loop
from pareto_core.loop.record import observe

__all__ = ["compile_run"]


@functools.cache
def compile_run(select, stop, recommend, draw):
    """Make the loop of one algorithm: sample until it stops, then recommend.

    Returns
    -------
    function
        ``run(parameters, state, source, rng, max_samples, answer)``: fills ``answer``
        and returns whether the algorithm stopped by itself, rather than because
        ``max_samples`` were drawn or the source ran dry.
    """

    @loop
    def run(parameters, state, source, rng, max_samples, answer):
        parameters, state, source = borrowed(parameters), borrowed(state), borrowed(source)
        total = np.empty(state.record.means.shape[1])
        scatter = np.empty(state.record.means.shape[1])
        stopped = False
        while not stopped and state.record.time[0] < max_samples:
            arm, wanted = select(parameters, state)
            wanted = min(wanted, max_samples - state.record.time[0])
            number = draw(source, arm, wanted, rng, total, scatter)
            if number == 0:
                break
            observe(state.record, arm, number, total, scatter)
            stopped = stop(parameters, state)
        recommend(parameters, state, answer)
        return stopped

    return run
