"""What a kernel that Python calls lends to the kernels that it calls.

Numba passes a NamedTuple of thirty arrays as some two hundred numbers, and counts the references to
its arrays whenever a variable holds it. `lend` puts the NamedTuple into the memory of the calling
kernel instead, and returns its address. Kernels read the fields they use from there, and count
nothing, because the caller owns the arrays. Therefore only arguments of a kernel that Python calls
are lent: they outlive everything that it calls.

A kernel is written as if it were given the NamedTuple or the array, and is compiled for either. All
that is used of Numba is in its manual, *Extending Numba*.
"""

import operator

import numba
from numba import types
from numba.core import cgutils
from numba.core.typing import signature
from numba.core.typing.arraydecl import SetItemBuffer, get_array_index_type
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
)

__all__ = ["is_lent", "lend"]

FIELDS = ("nitems", "itemsize", "data", "shape", "strides")  # of an array, but for its owner


class Address(types.Type):
    """Type of the address of a NamedTuple of type ``content``."""

    def __init__(self, content):
        self.content = content
        super().__init__(f"address({content.name})")

    @property
    def key(self):
        """What distinguishes this type from others of its class."""
        return self.content


@register_model(Address)
class AddressModel(models.PrimitiveModel):
    """In machine code, a pointer to the fields."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, manager[kind.content].get_value_type().as_pointer())


class Borrowed(types.Array):
    """Type of an array that is lent."""

    slice_is_copy = True  # so that `Views` decides the type of a view


@register_model(Borrowed)
class BorrowedModel(models.StructModel):
    """The model of an array, but that its owner is an address that is not counted."""

    def __init__(self, manager, kind):
        sizes = types.UniTuple(types.intp, kind.ndim)
        members = [
            ("meminfo", types.voidptr),
            ("parent", types.voidptr),
            ("nitems", types.intp),
            ("itemsize", types.intp),
            ("data", types.CPointer(kind.dtype)),
            ("shape", sizes),
            ("strides", sizes),
        ]
        super().__init__(manager, kind, members)


def is_lent(kind: types.Type) -> bool:
    """Whether values of a type are lent; Python cannot make any."""
    return isinstance(kind, Address | Borrowed)


def _lent_type(kind):
    """Type of a value that is lent."""
    if isinstance(kind, types.BaseNamedTuple):
        return Address(kind)
    if isinstance(kind, types.Array):
        return _copied(kind, Borrowed)
    return kind


def _copied(kind, class_of_copy):
    """The same type of array, of another class."""
    given = kind.dtype, kind.ndim, kind.layout, not kind.mutable
    return class_of_copy(*given, aligned=kind.aligned)


def _borrow(context, builder, kind, value):
    """An array without its owner, from one that is owned."""
    array = context.make_array(kind)(context, builder, value=value)
    borrowed = context.make_array(_lent_type(kind))(context, builder)
    borrowed.meminfo = cgutils.get_null_value(borrowed.meminfo.type)
    borrowed.parent = cgutils.get_null_value(borrowed.parent.type)
    for name in FIELDS:
        setattr(borrowed, name, getattr(array, name))
    return borrowed._getvalue()


@intrinsic
def lend(context, value):
    """Lend an argument of the kernel that calls this: the address of a NamedTuple, or an array.

    Any other value is returned as it is, such as one that is lent already.
    """

    def generate(context, builder, signature, arguments):
        if isinstance(value, types.BaseNamedTuple):
            return cgutils.alloca_once_value(builder, arguments[0])
        if isinstance(value, types.Array):
            return _borrow(context, builder, value, arguments[0])
        context.nrt.incref(builder, value, arguments[0])
        return arguments[0]

    return _lent_type(value)(value), generate


@infer_getattr
class Fields(AttributeTemplate):
    """Types of the fields: they are lent, too."""

    key = Address

    def generic_resolve(self, kind, name):
        """Type of a field, or None if there is no such field."""
        fields = kind.content.fields
        return _lent_type(kind.content[fields.index(name)]) if name in fields else None


@infer_global(operator.getitem)
class Views(AbstractTemplate):
    """Types of the views of an array that is lent: they are lent, too."""

    def generic(self, arguments, named):
        """Types of reading a view; numbers and copies are typed by Numba, which is asked first."""
        array, index = arguments
        if isinstance(array, Borrowed):
            found = get_array_index_type(_copied(array, types.Array), index)
            return found and signature(_lent_type(found.result), array, found.index)
        return None


@infer_global(operator.setitem)
class ViewsToSet(AbstractTemplate):
    """Types of setting a view of an array that is lent."""

    def generic(self, arguments, named):
        """Types of setting a view; None of all else, which Numba knows."""
        array, *rest = arguments
        if isinstance(array, Borrowed):
            found = SetItemBuffer(self.context).generic((_copied(array, types.Array), *rest), named)
            return found and signature(types.none, array, *found.args[1:])
        return None


@lower_getattr_generic(Address)
def _read_field(context, builder, kind, address, name):
    """Read a field."""
    position = kind.content.fields.index(name)
    field = kind.content[position]
    place = cgutils.gep_inbounds(builder, address, 0, position)
    if isinstance(field, types.BaseNamedTuple):
        return place
    value = builder.load(place)
    if isinstance(field, types.Array):
        return _borrow(context, builder, field, value)
    context.nrt.incref(builder, field, value)
    return value


if numba.config.DISABLE_JIT:

    def lend(value):
        """The value itself, as nothing is compiled."""
        return value
