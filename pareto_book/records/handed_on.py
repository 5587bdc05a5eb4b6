"""Results of a chapter's own functions that one execution hands to the next.

They go through the files of `pareto_core.simulation.handed_runs`. The functions themselves must be
the same; their chapter is executed again when they change.
"""

import functools
import hashlib
import os
import pickle
from collections.abc import Callable
from typing import TypeVar

from pareto_core.simulation.handed_runs import leave, take
from pareto_core.simulation.program import imported_hash

__all__ = ["handed_on"]

MADE_AGAIN = 16  # one call in this many is made again, and what a chapter shows of it is compared
Function = TypeVar("Function", bound=Callable)


def handed_on(function: Function) -> Function:
    """Let the next execution of a chapter take most results of a function from this execution.

    Parameters
    ----------
    function : callable
        Its arguments and results can be pickled, and it changes neither its arguments nor anything
        else. Results that take long, such as simulated sessions, or times that were measured.

    Returns
    -------
    callable
        The function. It is called anyway for one in `MADE_AGAIN` sets of arguments, and for all of
        them where the environment names no file with results.
    """

    @functools.wraps(function)
    def call(*arguments, **settings):
        if not (os.environ.get("PARETO_RUNS_TO") or os.environ.get("PARETO_RUNS_FROM")):
            return function(*arguments, **settings)
        key = _key(function, arguments, settings)
        found = {} if _is_made_again(key) else take(key)
        if "result" not in found:
            found = {"result": function(*arguments, **settings)}
            leave(key, found)
        return found["result"]

    return call


def _key(function, arguments, settings):
    """Digest of a call. Equal pickles are equal arguments; what differs is only computed again."""
    name = (imported_hash(), function.__module__, function.__qualname__)
    call = (*name, arguments, sorted(settings.items()))
    return hashlib.sha256(pickle.dumps(call)).hexdigest()


def _is_made_again(key):
    """Whether a call is one of those that every execution makes."""
    return int(key, 16) % MADE_AGAIN == 0
