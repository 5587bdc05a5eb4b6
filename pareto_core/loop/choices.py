"""Checks of the values that the functions of an algorithm return.

Compiled functions are checked by their types during compilation, which costs no time in a run.
Without the check, a missing ``return`` would show only as a run that does not end, because Numba
treats the missing value as undefined.
"""

import dis
import inspect
import numbers
import random
from itertools import pairwise

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from pareto_core.checks.arguments import LARGEST_COUNT

CHOICE = "expected an arm, or a tuple (arm, how many)"
VERDICT = "expected whether to stop, True or False"
NOTHING = "expected it to write the answer into its last argument, and to return nothing"


def check_choice_made(arm, number, n_arms):
    """Refuse an arm that does not exist, and a number of samples that is not positive."""
    if not 0 <= arm < n_arms:
        raise ValueError(f"select returned arm {arm}; expected one of 0 to {n_arms - 1}")
    if number < 1:
        raise ValueError(f"select returned {number} samples of arm {arm}; expected at least 1")


def python_choice(returned):
    """Convert the value of ``select`` to an arm and its number of samples."""
    pair = returned if isinstance(returned, tuple) else (returned, 1)
    whole = all(isinstance(each, numbers.Integral) and not isinstance(each, bool) for each in pair)
    if len(pair) != 2 or not whole or pair[1] > LARGEST_COUNT:
        raise ValueError(f"select returned {returned!r}; {CHOICE}")
    return int(pair[0]), int(pair[1])


def python_verdict(returned):
    """Convert the value of ``stop`` to a bool."""
    if not isinstance(returned, bool | np.bool_):
        raise ValueError(f"stop returned {returned!r}; {VERDICT}")
    return bool(returned)


def python_nothing(returned):
    """Check that ``recommend`` returned None."""
    if returned is not None:
        raise ValueError(f"recommend returned {returned!r}; {NOTHING}")


def refuse_shared_streams(function, seen=None):
    """Refuse a kernel that draws from np.random or random, itself or by a kernel that it calls."""
    function, seen = getattr(function, "py_func", function), set() if seen is None else seen
    if function in seen:
        return
    seen.add(function)
    known = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    for instruction, following in pairwise(dis.get_instructions(function)):
        is_name = instruction.opname in ("LOAD_GLOBAL", "LOAD_DEREF")
        value = known.get(instruction.argval) if is_name else None
        is_numpys = value is np and following.argval == "random"
        owner = getattr(value, "__self__", None)  # of a function that is imported from a module
        is_drawn = isinstance(owner, random.Random | np.random.RandomState)
        if is_numpys or is_drawn or value is random or value is np.random:
            raise ValueError(
                "a kernel draws from np.random or random, which no seed of a simulation "
                "governs; expected it to draw from the rng that start is given"
            )
        if hasattr(value, "py_func"):
            refuse_shared_streams(value, seen)


@intrinsic
def _compiled_choice(context, returned):
    if isinstance(returned, types.Integer):
        return types.UniTuple(types.int64, 2)(returned), _with_one_sample
    whole = isinstance(returned, types.BaseTuple) and all(
        isinstance(kind, types.Integer) for kind in returned
    )
    if not whole or len(returned) != 2:
        raise ValueError(f"select returns {returned}; {CHOICE}")
    return types.UniTuple(types.int64, 2)(returned), _as_integers


@intrinsic
def _compiled_verdict(context, returned):
    if not isinstance(returned, types.Boolean):
        raise ValueError(f"stop returns {returned}; {VERDICT}")
    return returned(returned), _as_it_is


@intrinsic
def _compiled_nothing(context, returned):
    if not isinstance(returned, types.NoneType):
        raise ValueError(f"recommend returns {returned}; {NOTHING}")
    return returned(returned), _as_it_is


def _with_one_sample(context, builder, signature, arguments):
    arm = context.cast(builder, arguments[0], signature.args[0], types.int64)
    one = context.get_constant(types.int64, 1)
    return context.make_tuple(builder, signature.return_type, (arm, one))


def _as_integers(context, builder, signature, arguments):
    return context.cast(builder, arguments[0], signature.args[0], signature.return_type)


def _as_it_is(context, builder, signature, arguments):
    return arguments[0]


if numba.config.DISABLE_JIT:
    choice, verdict, nothing = python_choice, python_verdict, python_nothing
else:
    choice, verdict, nothing = _compiled_choice, _compiled_verdict, _compiled_nothing
