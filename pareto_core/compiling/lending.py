"""NamedTuples that are lent to kernels: a kernel gets their address, not their content.

Numba passes a NamedTuple of thirty arrays field by field, as some two hundred numbers, and counts
the references to its arrays whenever a variable holds it. Such code makes up most of a large
kernel. The states and parameters that Python hands to a kernel outlive the call, so kernels read
them where they are: only an address is passed, and a field is read when it is used. An array that
is read from them is not counted. So it must not outlive the call: a kernel is lent nothing if it
could return such an array, or is given a list or another object to put it into. An exception of a
kernel must not hold one either.
"""

import operator

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import PrimitiveModel, register_default
from numba.core.errors import NumbaError
from numba.core.pythonapi import NativeValue, box, unbox
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_builtin, lower_cast, lower_getattr_generic

__all__ = ["Lent", "compile_lent", "lent"]

PLAIN = (  # values that neither hold nor refer to an array
    types.Boolean,
    types.Literal,
    types.NoneType,
    types.NPDatetime,
    types.NPTimedelta,
    types.Number,
    types.NumPyRandomGeneratorType,
    types.UnicodeType,
)


class Lent(types.Type):
    """Type of a NamedTuple in the memory of the caller.

    Parameters
    ----------
    content : numba.types.BaseNamedTuple
        Type of the NamedTuple.
    """

    def __init__(self, content):
        self.content = content
        super().__init__(f"lent {content.name}")

    @property
    def key(self):
        """What distinguishes this type from others of its class."""
        return self.content


# Values into which no array can be put, unlike into a list.
READ = (*PLAIN, types.Array, types.Callable, types.DType, types.Omitted, types.Record, Lent)


def lent(kind):
    """Type of an argument that is lent: for a NamedTuple, that of its address."""
    return Lent(kind) if isinstance(kind, types.BaseNamedTuple) else kind


def compile_lent(compiled, kinds):
    """Compile for lent NamedTuples, or for counted ones if the kernel needs them.

    A kernel may return an array of its argument, which has to be counted then, and it may use a
    NamedTuple in other ways than by the names of its fields.

    Parameters
    ----------
    compiled : function
        Maps types of arguments to a `numba.core.compiler.CompileResult`.
    kinds : tuple of numba.types.Type
        Types of the arguments.

    Returns
    -------
    CompileResult
    """
    when_lent = tuple(map(lent, kinds))
    if when_lent == kinds or not all(_consists_of(kind, READ) for kind in kinds):
        return compiled(kinds)
    try:
        result = compiled(when_lent)
    except Exception:  # an error of the kernel itself comes again
        return compiled(kinds)
    return result if _consists_of(result.signature.return_type, PLAIN) else compiled(kinds)


def _consists_of(kind, allowed):
    """Whether a value of this type, or all that a tuple holds, is of the allowed types."""
    if isinstance(kind, types.BaseTuple):
        return all(_consists_of(part, allowed) for part in kind)
    if isinstance(kind, types.Optional):
        return _consists_of(kind.type, allowed)
    return isinstance(kind, allowed)


@register_default(Lent)
class LentModel(PrimitiveModel):
    """In machine code, the address of the content."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, manager[kind.content].get_value_type().as_pointer())


@infer_getattr
class LentFields(AttributeTemplate):
    """The types of the fields; one that is a NamedTuple itself is lent too."""

    key = Lent

    def generic_resolve(self, kind, name):
        """Type of a field; None if the NamedTuple has no field ``name``."""
        content = kind.content
        if name not in content.fields:
            return None
        return lent(content[content.fields.index(name)])


@lower_getattr_generic(Lent)
def _read_field(context, builder, kind, address, name):
    position = kind.content.fields.index(name)
    place = cgutils.gep_inbounds(builder, address, 0, position)
    field = kind.content[position]
    return (
        place if isinstance(field, types.BaseNamedTuple) else _read(context, builder, field, place)
    )


@lower_cast(types.BaseNamedTuple, Lent)
def _lend_own(context, builder, own, kind, value):
    """Lend a NamedTuple of this kernel, which keeps its arrays until the call has returned."""
    return cgutils.alloca_once_value(builder, value)


@lower_builtin(operator.is_, Lent, Lent)
def _compare(context, builder, signature, arguments):
    """Refuse, because one NamedTuple can be lent at two addresses."""
    raise NumbaError("lent NamedTuples cannot be compared by `is`")


@box(Lent)
def _give_to_python(kind, value, c):
    """Refuse, as for `print`."""
    raise NumbaError("a lent NamedTuple cannot become a Python object")


def _read(context, builder, kind, place):
    """Read a value; an array gets no counter, because the caller owns it."""
    if isinstance(kind, types.BaseTuple):
        value = cgutils.get_null_value(context.get_value_type(kind))
        for position, part in enumerate(kind):
            inside = cgutils.gep_inbounds(builder, place, 0, position)
            value = builder.insert_value(value, _read(context, builder, part, inside), position)
        return value
    value = builder.load(place)
    if isinstance(kind, types.Array):
        model = context.data_model_manager[kind]
        for name in ("meminfo", "parent"):
            position = model.get_field_position(name)
            nothing = cgutils.get_null_value(value.type.elements[position])
            value = builder.insert_value(value, nothing, position)
    elif context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


@unbox(Lent)
def _lend(kind, given, c):
    place = cgutils.alloca_once(c.builder, c.context.get_value_type(kind.content))
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    returns = []
    _write(kind.content, given, place, failed, returns, c)

    def return_all():
        for each in reversed(returns):
            each()

    return NativeValue(place, is_error=c.builder.load(failed), cleanup=return_all)


def _write(kind, given, place, failed, returns, c):
    """Write a Python object to a place; append functions that return what was not lent."""
    if isinstance(kind, types.BaseTuple):
        for position, part in enumerate(kind):
            inside = cgutils.gep_inbounds(c.builder, place, 0, position)
            _write(part, c.pyapi.tuple_getitem(given, position), inside, failed, returns, c)
    elif isinstance(kind, types.Array):
        with c.builder.if_then(_adapt(given, place, c), likely=False):
            c.pyapi.err_set_string("PyExc_TypeError", "an array of a kernel cannot be read")
            c.builder.store(cgutils.true_bit, failed)
    else:
        native = c.unbox(kind, given)
        c.builder.store(native.value, place)
        with c.builder.if_then(native.is_error, likely=False):
            c.builder.store(cgutils.true_bit, failed)
        if native.cleanup is not None:
            returns.append(native.cleanup)
        returns.append(lambda: c.context.nrt.decref(c.builder, kind, native.value))


def _adapt(given, place, c):
    """Describe an array at a place, without counting a reference; return whether this failed."""
    number, address = ir.IntType(32), c.pyapi.voidptr
    adapt = c.pyapi._get_function(
        ir.FunctionType(number, [c.pyapi.pyobj, address]), "numba_adapt_ndarray"
    )
    return cgutils.is_not_null(
        c.builder, c.builder.call(adapt, (given, c.builder.bitcast(place, address)))
    )
