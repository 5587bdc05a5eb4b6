"""How a kernel becomes machine code: once for other kernels, and from that code for Python.

Numba generates machine code and Python wrappers for every function it compiles and optimises it
fully, although most kernels are only linked into others, where all of this happens again.
Therefore each kernel has an *inner* twin that other kernels call: optimised just enough to be
inlined, without wrappers and without machine code of its own. The kernel that Python calls
consists of its fully optimised twin and a wrapper, so its source is compiled once. Loops and
generators, which other kernels hardly ever contain, are the exception.

`RELIES_ON` lists what this room uses of Numba's internals, besides the types of `lending`.
"""

import contextlib
import copy
import functools
import gc
import inspect
import itertools
import secrets

import llvmlite.binding as llvm
from numba.core import codegen, event, types
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher, _FunctionCompiler
from numba.core.environment import Environment
from numba.core.errors import TypingError
from numba.core.pythonapi import PythonAPI
from numba.core.registry import CPUDispatcher
from numba.core.typing import signature
from numba.np.ufunc.dufunc import DUFunc

from pareto_core.compiling.announcing import announced
from pareto_core.compiling.kept import InnerCache, KernelCache
from pareto_core.compiling.lending import compile_lent, lent

SHARED_STREAMS = ("numba_get_np_random_state", "numba_get_py_random_state")
RELIES_ON = (  # besides what is imported: an `AttributeError` here means plain Numba instead
    codegen.JITCPUCodegen._library_class,
    codegen.JITCPUCodegen._add_module,
    codegen.JITCPUCodegen._function_pass_manager,
    codegen.JITCPUCodegen._module_pass_manager,
    codegen.JITCPUCodegen.magic_tuple,
    codegen.JITCPUCodegen.set_env,
    Dispatcher.get_call_template,
    Dispatcher.get_compile_result,
    Environment.from_fndesc,
    FunctionIdentity._unique_ids,
    JITCodeLibrary._finalize_dynamic_globals,
    JITCodeLibrary._get_module_for_linking,
    JITCodeLibrary._optimize_final_module,
    JITCodeLibrary._optimize_functions,
    JITCodeLibrary._verify_declare_only_symbols,
    JITCodeLibrary.enable_object_caching,
    PythonAPI._get_function,
    _FunctionCompiler._compile_core,
)

# The name of compiled code ends in a number that each process counts from 1. Kept code could have
# the same name as a different version that this process compiles, and replace it.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


class Kernel(CPUDispatcher):
    """A function that is compiled for the types it is called with, and its inner twin."""

    def __init__(self, function, locals=None, targetoptions=None, pipeline_class=Compiler):
        super().__init__(function, locals or {}, targetoptions, pipeline_class)
        inner = {**(targetoptions or {}), "no_cpython_wrapper": True}
        self.inner = Inner(function, locals or {}, inner, InnerCompiler)
        self._cache = KernelCache(function)
        self.inner._cache = InnerCache(function, InnerLibrary)
        if inspect.isgeneratorfunction(function):
            return
        self._compiler = (
            OuterCompiler(self.inner) if pipeline_class is Compiler else LoopBuilder(self)
        )

    def compile(self, types_of_arguments):
        """Compile for these types, without garbage collection, which takes a fifth of the time."""
        collected = gc.isenabled()
        gc.disable()
        try:
            return super().compile(types_of_arguments)
        finally:
            if collected:
                gc.enable()

    @property
    def _numba_type_(self):
        """The type of this kernel in another kernel: that of its inner twin."""
        return types.Dispatcher(self.inner)


class Inner(CPUDispatcher):
    """The twin that other kernels call; compiled once for all integers, not per constant."""

    def __init__(self, *given):
        super().__init__(*given)
        self._compiling = set()  # types of the arguments

    def get_call_template(self, args, kws):
        """Types of a call; see `numba.core.dispatcher.Dispatcher`.

        Raises
        ------
        TypingError
            If the function calls itself with a NamedTuple of its own while it is compiled to be
            lent one: then it is lent none.
        """
        _, args = self._compiler.fold_argument_types(args, kws)
        kinds = tuple(types.unliteral(kind) for kind in args)
        if tuple(map(lent, kinds)) in self._compiling - {kinds}:
            raise TypingError(f"{self.py_func.__name__} lends a NamedTuple to itself")
        found = compile_lent(self.compiled, kinds)
        return super().get_call_template(found.signature.args, {})

    def compiled(self, kinds):
        """The result of compiling for these types."""
        self._compiling.add(kinds)
        try:
            self.compile(kinds)
        finally:
            self._compiling.discard(kinds)
        return self.overloads[kinds]


class OuterCompiler(_FunctionCompiler):
    """Compiles the inner twin of a kernel to machine code that Python can call."""

    def __init__(self, inner):
        super().__init__(inner.py_func, inner.targetdescr, inner.targetoptions, {}, None)
        self._inner = inner

    @announced()
    def _compile_core(self, args, return_type):
        inner = compile_lent(self._inner.compiled, args)
        description = copy.copy(inner.fndesc)
        description.env_name += "Wrapper"  # the wrapper has its own environment
        environment = Environment.from_fndesc(description)
        context = self.targetdescr.target_context.subtarget(enable_nrt=True)
        library = OuterLibrary(context.codegen(), description.qualname)
        library.enable_object_caching()
        library.add_linking_library(inner.library)
        context.create_cpython_wrapper(library, description, environment, None, release_gil=True)
        library.finalize()
        return inner._replace(
            entry_point=context.get_executable(library, description, environment),
            environment=environment,
            fndesc=description,
            library=library,
            metadata=None,
            signature=signature(inner.signature.return_type, *args),
        )


class LoopBuilder(_FunctionCompiler):
    """Compiles a loop, which is lent its NamedTuples."""

    def __init__(self, kernel):
        super().__init__(kernel.py_func, kernel.targetdescr, kernel.targetoptions, {}, LoopCompiler)

    @announced()
    def _compile_core(self, args, return_type):
        core = super()._compile_core
        result = compile_lent(lambda kinds: core(kinds, return_type), args)
        return result._replace(signature=signature(result.signature.return_type, *args))


class OuterLibrary(JITCodeLibrary):
    """Machine code optimised without vectorisation, since loops over arms are short."""

    def _optimize_final_module(self):
        _inline(self._codegen, self._final_module)
        manager, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False
        )
        manager.run(self._final_module, builder)


@contextlib.contextmanager
def _making(codegen, kind):
    """Make Numba create libraries of this kind; the caller holds its lock."""
    before = codegen._library_class
    try:
        codegen._library_class = kind
        yield
    finally:
        codegen._library_class = before


class LinkingCompiler(Compiler):
    """Numba's compiler; the functions of Numba that it compiles on the way become inner libraries.

    See `PlainCode` for the functions of a reader.
    """

    def compile_extra(self, function):
        """Compile a function."""
        with _making(self.state.targetctx.codegen(), InnerLibrary):
            return super().compile_extra(function)


class PlainCode(event.Listener):
    """Gives what a reader compiles with plain `numba.njit` code that Python can call.

    What was changed is noted in the data of the event, since an interruption may come before the
    change or after it.
    """

    NOTE = "pareto_core changed the library"

    def on_start(self, given):
        """Choose the library of a function that is about to be compiled; Numba holds its lock."""
        dispatcher = given.data["dispatcher"]
        target, function = dispatcher.targetctx.codegen(), getattr(dispatcher, "py_func", None)
        is_numbas = (getattr(function, "__module__", None) or "").startswith("numba.")
        is_plain = not is_numbas and not isinstance(dispatcher, Kernel | Inner)
        if is_plain and getattr(target, "_library_class", None) is InnerLibrary:
            given.data[self.NOTE] = target
            target._library_class = JITCodeLibrary

    def on_end(self, given):
        """Go on as before."""
        target = given.data.pop(self.NOTE, None)
        if target is not None:
            target._library_class = InnerLibrary


class LoopCompiler(LinkingCompiler):
    """Numba's compiler, for code that runs long."""

    def __init__(self, typing_context, context, library, *rest):
        library = library or LoopLibrary(context.codegen(), "loop")
        library.enable_object_caching()
        super().__init__(typing_context, context, library, *rest)


class LoopLibrary(OuterLibrary):
    """Machine code of a loop, whose linked functions are private so that LLVM can change them.

    A function that no other kernel can call may be called in a quicker way, and needs no code of
    its own where it is inlined. Internal linkage would not do, because other kernels find the names
    of internal functions.
    """

    def _optimize_final_module(self):
        for function in self._final_module.functions:
            if function.name in SHARED_STREAMS:
                raise ValueError(
                    "a kernel draws from np.random or random, which no seed of a simulation "
                    "governs; expected it to draw from the rng that start is given"
                )
            if function.linkage == llvm.Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = llvm.Linkage.private
        super()._optimize_final_module()


class InnerCompiler(LinkingCompiler):
    """Numba's compiler for code that is only linked into other kernels."""

    def __init__(self, typing_context, context, library, *rest):
        library = library or InnerLibrary(context.codegen(), "inner")
        super().__init__(typing_context, context, library, *rest)


class InnerLibrary(JITCodeLibrary):
    """Code that stays LLVM bitcode until it is linked into a kernel."""

    def _optimize_functions(self, module):
        module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                manager.run(function, builder)

    def _optimize_final_module(self):
        _inline(self._codegen, self._final_module)

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        names = [each.name for each in self._final_module.global_variables]
        self._make_known([name for name in names if name.startswith("_ZN08NumbaEnv")])
        self._finalized = True

    def _make_known(self, environments):
        """Define the environments of these functions for all kernels that link them."""
        lines = (f'@"{name}" = common global i8* null' for name in environments)
        module = llvm.parse_assembly("\n".join(lines))
        module.data_layout = self._codegen._data_layout
        self._codegen._add_module(module)
        self._codegen._engine.finalize_object()

    def serialize_using_object_code(self):
        """Return the bitcode, in which form the library is kept."""
        self._ensure_finalized()
        return self.name, "bitcode", self._get_module_for_linking().as_bitcode()

    @classmethod
    def _unserialize(cls, codegen, state):
        """Restore a library that plain Numba has kept, with its machine code."""
        with _making(codegen, JITCodeLibrary):
            return codegen.unserialize_library(state)

    @classmethod
    def restored(cls, codegen, name, bitcode):
        """Restore a library from kept bitcode."""
        self = cls(codegen, name)
        self._final_module = llvm.parse_bitcode(bitcode)
        self._finalize_final_module()
        return self


def _inline(codegen, module):
    """Optimise a module just enough for its functions to be inlined."""
    manager, builder = codegen._module_pass_manager(
        loop_vectorize=False, slp_vectorize=False, opt=codegen._opt_level, cost="cheap"
    )
    manager.run(module, builder)


def _for_numpy(compile_for):
    """Give loops of `numba.vectorize` code that NumPy can call, as `PlainCode` does."""

    @functools.wraps(compile_for)
    def compiling(self, *given, **named):
        target = self._dispatcher.targetdescr.target_context.codegen()
        with global_compiler_lock, _making(target, JITCodeLibrary):
            return compile_for(self, *given, **named)

    return compiling


event.register("numba:compile", PlainCode())
DUFunc._compile_for_argtys = _for_numpy(DUFunc._compile_for_argtys)
