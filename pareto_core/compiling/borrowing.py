"""Arrays without reference counts, borrowed from the Python caller of a kernel.

Numba counts references to every array that a call passes, with atomic operations. Passing a state
of thirty arrays through three calls per sample takes longer than the arithmetic of most algorithms.
A borrowed array has no counter.
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

    Any other value is passed on unchanged and counted, because its receiver releases a reference.
    """
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for index, part in enumerate(kind):
            lent = _lend(context, builder, part, builder.extract_value(value, index))
            value = builder.insert_value(value, lent, index)
        return value
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


def _unchanged(arrays):
    return arrays


borrowed = _unchanged if numba.config.DISABLE_JIT else _without_counters
"""Return the same arrays without reference counting; called in kernels.

Use it only for arrays that the Python caller of the kernel owns and that therefore outlive the
call: never for arrays made in a kernel, and never for a return value. The argument is an array, or
a tuple or NamedTuple of arrays, numbers, tuples and other types of Numba, such as a generator.
"""
