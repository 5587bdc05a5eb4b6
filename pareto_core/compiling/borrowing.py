"""Arrays that a kernel has on loan, so that nobody counts references to them.

Numba counts references to every array that a call hands over, with atomic operations. A
state of thirty arrays that goes through three calls for each sample costs more in counting
than most algorithms do in arithmetic. A borrowed array has no counter.
"""

import numba
from numba.core import cgutils, types
from numba.extending import intrinsic


@intrinsic
def _without_counters(context, arrays):
    def build(context, builder, signature, arguments):
        return _lend(context, builder, signature.args[0], arguments[0])

    return arrays(arrays), build


def _lend(context, builder, kind, value):
    """The value without the counters and Python owners of its arrays.

    What is neither an array nor a tuple is handed on as it is, and counted: whoever gets it
    gives a reference back.
    """
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for place, part in enumerate(kind):
            lent = _lend(context, builder, part, builder.extract_value(value, place))
            value = builder.insert_value(value, lent, place)
        return value
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


def _unchanged(arrays):
    return arrays


borrowed = _unchanged if numba.config.DISABLE_JIT else _without_counters
"""The same arrays, whose references are not counted from here on; called in kernels.

Only for what is owned by the Python caller of a kernel, and so outlives it: never for arrays
made in a kernel, and never to be returned. It takes an array, or a tuple or NamedTuple of
arrays, numbers, further tuples and what else Numba knows, such as a random generator.
"""
