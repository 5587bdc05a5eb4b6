"""Mistakes in a rule of one's own, and the messages that name them."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["MISTAKES", "error_message", "refusals_table"]


def _draws_from_numpy(self, record, memory):
    return np.random.randint(record.counts.size)  # noqa: NPY002


@pc.kernel
def _forgets_to_return(parameters, state):
    """Work out whether to stop, and return nothing."""
    enough = state.record.time[0] > 100  # noqa: F841


MISTAKES: dict[str, dict[str, Any]] = {  # methods by the mistake that they make
    "select returns 20, of 20 arms": {"select": lambda self, record, memory: 20},
    "select returns nothing": {"select": lambda self, record, memory: None},
    "stop returns nothing": {"stop": lambda self, record, memory: None},
    "recommend returns an arm twice": {"recommend": lambda self, record, memory: [3, 3]},
    "select draws from np.random": {"select": _draws_from_numpy},
}
COMPILED_MISTAKES = {"compiled: stop returns nothing": {"stop": staticmethod(_forgets_to_return)}}


def error_message(rule: type[pc.Algorithm], methods: dict[str, Any], instance: pc.Instance) -> str:
    """Message of the error that a rule with these methods causes.

    Raises
    ------
    RuntimeError
        If it causes none.
    """
    wrong = type("Wrong", (rule,), methods)
    try:
        pc.simulate(wrong(), instance, 1, n_jobs=1, progress=False)
    except ValueError as error:
        return str(error)
    raise RuntimeError(f"{', '.join(methods)} of {rule.__name__} caused no error; expected one")


def refusals_table(
    python: type[pc.Algorithm], compiled: type[pc.Algorithm], instance: pc.Instance
) -> "HTML":
    """Make a table of mistakes and messages.

    Parameters
    ----------
    python, compiled : type
        A rule in plain Python, and the same compiled.
    instance : Instance
        With twenty arms.

    Returns
    -------
    IPython.display.HTML
    """
    rows = [
        {"mistake": name, "message": error_message(rule, methods, instance)}
        for rule, mistakes in ((python, MISTAKES), (compiled, COMPILED_MISTAKES))
        for name, methods in mistakes.items()
    ]
    return show_table(pd.DataFrame(rows), "What a rule must not do, and the error that names it.")
