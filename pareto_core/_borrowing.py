"""Arrays that a kernel has on loan, so that nobody counts references to them.

Numba counts references to every array that a call hands over, with atomic operations. A
state of thirty arrays that goes through three calls for each sample costs more in counting
than most algorithms do in arithmetic. A borrowed array has no counter.
"""

from numba.core import cgutils, types
from numba.extending import intrinsic, overload


def borrowed(arrays):
    """The same arrays, whose references are not counted from here on.

    Only for what is owned by the Python caller of a kernel, and so outlives it: never for
    arrays made in a kernel, and never to be returned.

    Parameters
    ----------
    arrays : array or tuple
        An array, or a tuple or NamedTuple of arrays, numbers and further tuples.

    Returns
    -------
    array or tuple
        Of the same type, with the same data.
    """
    return arrays


@overload(borrowed)
def _compile_borrowed(arrays):
    return lambda arrays: _without_counters(arrays)


@intrinsic
def _without_counters(context, arrays):
    def build(context, builder, signature, arguments):
        return _strip(context, builder, signature.args[0], arguments[0])

    return arrays(arrays), build


def _strip(context, builder, kind, value):
    """The value without the counters and Python owners of its arrays."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for place, part in enumerate(kind):
            stripped = _strip(context, builder, part, builder.extract_value(value, place))
            value = builder.insert_value(value, stripped, place)
    return value
