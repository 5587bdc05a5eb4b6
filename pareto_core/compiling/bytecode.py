"""The bytecode of a function: its digest, and the names that it looks up."""

import dis
import functools
import hashlib
import inspect
import types

LOOK_UP = ("LOAD_GLOBAL", "LOAD_NAME")
TAKE = ("LOAD_ATTR", "LOAD_METHOD")


@functools.cache
def describe_code(code):
    """Digest of bytecode and its constants; line numbers do not count.

    Neither does `CO_OPTIMIZED`, which all functions have until Numba calls them under a profiler.
    """
    parts = (
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags & ~inspect.CO_OPTIMIZED,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_code.hex(),
        getattr(code, "co_exceptiontable", b"").hex(),
        [_describe_constant(each) for each in code.co_consts],
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _describe_constant(value):
    if isinstance(value, types.CodeType):
        return describe_code(value)
    if isinstance(value, tuple):
        return tuple(_describe_constant(each) for each in value)
    if isinstance(value, frozenset):
        return sorted(map(repr, value))
    return f"{type(value).__name__} {value!r}"


@functools.cache
def looked_up(code):
    """Names that a function looks up outside itself, each with the attributes taken from it.

    Returns
    -------
    list of tuple of str
        For ``np.linalg.norm`` the tuple ("np", "linalg", "norm").
    """
    instructions = [each for each in dis.get_instructions(code) if each.opname != "EXTENDED_ARG"]
    found = set()
    for k, instruction in enumerate(instructions):
        if instruction.opname in LOOK_UP:
            found.add((instruction.argval, *_attributes(instructions[k + 1 :])))
    return sorted(found.union(*map(looked_up, _inner(code))))


@functools.cache
def imported(code):
    """Names of the modules that a function imports when it is called."""
    names = {each.argval for each in dis.get_instructions(code) if each.opname == "IMPORT_NAME"}
    return sorted(names.union(*map(imported, _inner(code))))


def _attributes(instructions):
    """Attributes of a chain such as ``.linalg.norm`` at the start of the instructions."""
    for instruction in instructions:
        if instruction.opname not in TAKE:
            return
        yield instruction.argval


def _inner(code):
    return [each for each in code.co_consts if isinstance(each, types.CodeType)]
