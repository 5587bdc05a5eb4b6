"""Calls of a kernel at its address, so that several kernels share its machine code.

A kernel that calls another by its name contains all of its code. With its address, it calls the
code that is compiled already. An address is not known before code is loaded, so a kernel is given
it when it is called, together with the `layout` for which it holds.
"""

import hashlib

from numba.core import cgutils, types
from numba.extending import intrinsic

from pareto_core.compiling.identity import Unknown
from pareto_core.compiling.kept import spell_type
from pareto_core.compiling.lending import Lent, lent

__all__ = ["call_at", "layout", "own_address"]

_numbers = {}  # of types that only this process knows


@intrinsic
def layout(context, *given):
    """Number that tells the types of these values from others, whether they are lent or not."""
    number = _number_of(tuple(kind.content if isinstance(kind, Lent) else kind for kind in given))

    def generate(context, builder, signature, arguments):
        return context.get_constant(types.int64, number)

    return types.int64(types.StarArgTuple(given)), generate


def _number_of(kinds):
    """Number of these types: the same in each process if code with it may be kept."""
    try:
        spelled = ", ".join(map(spell_type, kinds))
    except Unknown:
        return -1 - _numbers.setdefault(kinds, len(_numbers))
    return int.from_bytes(hashlib.sha256(spelled.encode()).digest()[:7])


@intrinsic
def own_address(context, *given):
    """Address of the kernel that calls this, for `call_at`; 0 if an argument is not lent.

    Parameters
    ----------
    *given : object
        Its arguments that are NamedTuples.
    """
    is_lent = all(isinstance(kind, Lent) for kind in given)

    def generate(context, builder, signature, arguments):
        if not is_lent:
            return context.get_constant(types.int64, 0)
        builder.function.attributes.add("noinline")  # the wrapper for Python calls the same code
        return builder.ptrtoint(builder.function, context.get_value_type(types.int64))

    return types.int64(types.StarArgTuple(given)), generate


@intrinsic
def call_at(context, address, *given):
    """Call a kernel that returns two integers; its arguments that are NamedTuples are lent.

    Parameters
    ----------
    address : int
        Of the kernel, as `own_address` returns it for arguments of the same types. The process ends
        if it is of something else.
    *given : object
        Its arguments.
    """
    taken = types.StarArgTuple(tuple(lent(kind) for kind in given))
    returned = types.UniTuple(types.int64, 2)

    def generate(context, builder, signature, arguments):
        address, packed = arguments
        convention = context.call_conv
        function = convention.get_function_type(returned, taken.types).as_pointer()
        status, value = convention.call_function(
            builder,
            builder.inttoptr(address, function),
            returned,
            taken.types,
            cgutils.unpack_tuple(builder, packed),
        )
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return value

    return returned(types.int64, taken), generate
