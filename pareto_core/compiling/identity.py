"""Exact descriptions, read from memory, of what a compiled function consists of.

Machine code is kept between processes under a digest of everything that decides it.
Source files do not suffice: a file may have changed since it was imported, and a function may read
a value that is in no file. Therefore the digest describes what this process would run: the bytecode
of a function and the values in its cells, its defaults and its module, including the bytecode of
functions among these values. Objects without an exact description (an arbitrary object, a module
that is passed as a whole, a function that reads a file) raise `Unknown` with the reason.

Some libraries are identified by their version (`trusted`).
"""

import enum
import math
import sys
import types
import weakref

from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic

from pareto_core.compiling.bytecode import describe_code, imported, looked_up
from pareto_core.compiling.extensions import extended_functions
from pareto_core.compiling.trusted import (
    NUMERIC,
    answers_from_memory,
    is_own,
    is_trusted,
    root_of,
    trusted_name,
    version_of,
)
from pareto_core.compiling.values import (
    PLAIN,
    Unknown,
    describe_builtin_name,
    describe_trusted,
    describe_value,
    hash_of,
    name_of,
)

__all__ = ["Unknown", "identify_kernel"]

CHANGED = "a value that it reads has changed since it was compiled"

_compiled = weakref.WeakKeyDictionary()  # digest of a function when it was first compiled


def identify_kernel(function):
    """Describe a function that is about to be compiled.

    The digest must not change for as long as the process lives, as machine code made before
    would then be linked with what is made now.

    Parameters
    ----------
    function : function
        The Python function of a kernel.

    Returns
    -------
    digest : str
    objection : str or None
        Why its machine code must not be kept, although the digest is exact.

    Raises
    ------
    Unknown
        If the function has no exact description.
    """
    walk = Walk()
    return walk.digest(function), walk.objection


class Walk:
    """Walk through everything that a function refers to.

    Attributes
    ----------
    objection : str or None
        The first reason found why machine code must not be kept.
    """

    def __init__(self):
        self._digests = {}  # of functions
        self._functions = []  # that are being described, each called by the one before
        self._outermost = math.inf  # index of the first function that one after it calls again
        self._within = []  # objects that are being described
        self.objection = None

    def digest(self, function):
        """Digest of one function, and of all functions that it reaches."""
        if function in self._functions:
            index = self._functions.index(function)
            self._outermost = min(self._outermost, index)
            return f"recursion {len(self._functions) - index}"
        if function not in self._digests:
            depth = len(self._functions)
            self._functions.append(function)
            found = hash_of(self._describe_function(function))
            self._functions.pop()
            if self._outermost < depth:  # its description depends on what calls it
                self._object(f"{name_of(function)} and what it calls call each other")
            else:
                self._outermost = math.inf
                self._check(function, found)
            self._digests[function] = found
        return self._digests[function]

    def _check(self, function, digest):
        """Check that the function was not compiled when it had a different digest."""
        if _compiled.setdefault(function, digest) != digest:
            _compiled[function] = CHANGED  # for good: it is unknown which code has which value
            raise Unknown(f"{name_of(function)}: {CHANGED}")

    def describe(self, value, name=None):
        """Describe a value that decides what something does, perhaps found under a name."""
        found = describe_value(value)
        if found is not None:
            return found
        for kinds, exact, describe in DESCRIPTIONS:
            if type(value) in kinds if exact else isinstance(value, kinds):
                return describe(self, value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return f"{self.describe(type(value))} {self._describe_sequence(tuple(value))}"
        return self._describe_object(value, name)

    def _object(self, reason):
        self.objection = self.objection or reason

    def _describe_dispatcher(self, value):
        function = value.py_func
        inlined = value.targetoptions.get("inline") == "always"
        late = bool(value.overloads) and function not in _compiled and not inlined
        if late and not is_own(function) and type(value).__module__.startswith("numba."):
            raise Unknown(
                f"{name_of(function)} was compiled by numba.njit before its values were looked at; "
                "expected pareto_core.kernel"
            )
        options = {name: repr(each) for name, each in value.targetoptions.items()}
        return f"compiled {sorted(options.items())} {self.digest(function)}"

    def _describe_function(self, function):
        code = function.__code__
        if not is_own(function):
            self._object_to(function)
        if imported(code):
            raise Unknown(f"{name_of(function)} imports {imported(code)[0]} when it is called")
        parts = [function.__module__, function.__qualname__, describe_code(code)]
        parts += [self._describe_cell(cell) for cell in function.__closure__ or ()]
        parts += [self.describe(function.__defaults__), self.describe(function.__kwdefaults__)]
        parts.append(self.describe(vars(function)))
        for name, *taken in looked_up(code):
            found = self._describe_global(function, name, taken)
            parts.append(f"{'.'.join((name, *taken))}: {found}")
        return "\n".join(parts)

    def _describe_cell(self, cell):
        try:
            contents = cell.cell_contents
        except ValueError:
            return "empty"
        return self.describe(contents)

    def _object_to(self, function):
        """Object to a reader's function unless it is a plain function of a module."""
        name, module = name_of(function), sys.modules.get(function.__module__)
        found = getattr(module, function.__qualname__, None)
        if function.__module__ == "__main__":
            self._object(f"{name} is not in a module: it was typed or run as a script")
        elif function.__closure__ is not None:
            self._object(f"{name} closes over values of another function")
        elif function.__defaults__ or function.__kwdefaults__:
            self._object(f"{name} has default arguments")
        elif getattr(found, "py_func", found) is not function:
            self._object(f"{name} is not what its module has under that name")

    def _describe_global(self, function, name, taken):
        if name not in function.__globals__:
            return describe_builtin_name(function, name)
        value = function.__globals__[name]
        try:
            if not isinstance(value, types.ModuleType):
                self._object_to_extension(value)
                return self.describe(value, name)
            if root_of(value.__name__) not in NUMERIC:
                self._object(f"{name_of(function)} refers to the module {value.__name__}")
            return self._describe_member(value, taken)
        except Unknown as error:
            if str(error).startswith("in "):
                raise
            raise Unknown(f"in {name_of(function)}, {name}: {error}") from error

    def _describe_member(self, module, names):
        """Describe the object at the end of a chain of attributes of a module."""
        value, path = module, []
        for name in names:
            path.append(name)
            value = getattr(value, name, None)
            if not isinstance(value, types.ModuleType):
                break
        if isinstance(value, types.ModuleType):
            raise Unknown(f"the module {value.__name__} as a whole")
        self._object_to_extension(value)
        if is_trusted(module) and not answers_from_memory(module.__name__, path):
            where = ".".join((module.__name__, *path))
            raise Unknown(f"it uses {where}, whose answer may not be in memory")
        if type(value) in PLAIN or not is_trusted(module):
            return self.describe(value, path[-1])
        home = getattr(value, "__module__", None)
        home = sys.modules.get(home if isinstance(home, str) else type(value).__module__)
        if home is None or not is_trusted(home):
            return self.describe(value, path[-1])
        root = root_of(module.__name__)
        return f"{module.__name__}.{'.'.join(path)} {version_of(root)}"

    def _object_to_extension(self, value):
        """Object to a function that another module extended in Numba by ``overload``."""
        if any(value is each for each in extended_functions()):
            self._object(f"numba.extending.overload was called for {value!r}")

    def _describe_plain_function(self, function):
        """Describe a function that is not compiled; kernels cannot call it without an extension."""
        found = trusted_name(function)
        if found is not None:
            return describe_trusted(*found)
        if not is_own(function):
            self._object(f"{name_of(function)} is not compiled")
        return f"function {self.digest(function)}"

    def _describe_intrinsic(self, value):
        if not is_own(value._defn):
            self._object(f"{value._name} is an intrinsic")
        in_room = value._defn.__module__.startswith(f"{__package__}.")  # whose files are hashed
        return f"intrinsic {value._name if in_room else self.digest(value._defn)}"

    def _describe_sequence(self, value):
        parts = ", ".join(self._inside(value, each) for each in value)
        if type(value) is list:
            self._object("it reads a list")
            return f"[{parts}]"
        return f"({parts})"

    def _describe_set(self, value):
        return f"{type(value).__name__} {sorted(self.describe(each) for each in value)}"

    def _describe_dict(self, value):
        if not value:
            return "{}"
        self._object("it reads a dictionary")
        pairs = (f"{self.describe(key)}: {self._inside(value, value[key])}" for key in value)
        return f"{{{', '.join(pairs)}}}"

    def _inside(self, outer, value):
        """Describe a part of an object that might contain itself."""
        if any(outer is each for each in self._within):
            raise Unknown(f"{type(outer).__name__} contains itself")
        self._within.append(outer)
        try:
            return self.describe(value)
        finally:
            self._within.pop()

    def _describe_class(self, kind):
        found = trusted_name(kind)
        if found is not None:
            return describe_trusted(*found)
        fields = getattr(kind, "_fields", None) if issubclass(kind, tuple) else None
        if fields is None:
            self._object(f"it refers to the class {name_of(kind)}")
        else:
            self._object_to_class(kind)
        return f"class {name_of(kind)} {fields}"

    def _object_to_class(self, kind):
        found = getattr(sys.modules.get(kind.__module__), kind.__qualname__, None)
        if found is not kind or kind.__module__ == "__main__":
            self._object(f"{name_of(kind)} is not a class of a module")

    def _describe_member_of_enum(self, value):
        return f"{self.describe(type(value))} {value.name}"

    def _describe_object(self, value, name):
        """Describe an object of a trusted library."""
        found = trusted_name(value, name)
        if found is None:
            raise Unknown(f"{name_of(type(value))}, an object that nothing describes exactly")
        return describe_trusted(*found)


DESCRIPTIONS = (  # kinds of values, whether only exactly these, and how they are described
    ((Dispatcher,), False, Walk._describe_dispatcher),
    ((_Intrinsic,), False, Walk._describe_intrinsic),
    ((types.FunctionType,), True, Walk._describe_plain_function),
    ((tuple, list), True, Walk._describe_sequence),
    ((frozenset, set), True, Walk._describe_set),
    ((dict, types.MappingProxyType), True, Walk._describe_dict),
    ((enum.Enum,), False, Walk._describe_member_of_enum),
    ((type,), False, Walk._describe_class),
)
