"""How a kernel becomes machine code: once to be part of other kernels, and from there for Python.

Numba makes machine code of every function it compiles, wrappers to call it from Python, and
optimises it fully, although most kernels are only ever compiled into others, where all that
happens again. So each kernel has an *inner* twin, which other kernels call: optimised just
enough to be inlined, without wrappers and without machine code of its own. A kernel that
Python calls is its twin, optimised fully, and a wrapper: its source is not compiled again.
Only a loop or a generator is, which nobody calls but Python.

This is the one module that reaches into Numba's internals; `RELIES_ON` lists them.
"""

import copy
import gc
import inspect
import itertools
import secrets

import llvmlite.binding as llvm
from numba.core import codegen, types
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher, _FunctionCompiler
from numba.core.environment import Environment
from numba.core.registry import CPUDispatcher
from numba.core.typing import signature

from pareto_core.compiling.announcing import announced
from pareto_core.compiling.kept import InnerCache, KernelCache

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
    _FunctionCompiler._compile_core,
)

# The name of compiled code ends in a number, which each process counts from 1: code that was kept
# could have the name of another version of it that this process compiles, and take its place.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


class Kernel(CPUDispatcher):
    """A function that is compiled for the types it is called with, and its inner twin."""

    def __init__(self, function, locals=None, targetoptions=None, pipeline_class=Compiler):
        super().__init__(function, locals or {}, targetoptions, pipeline_class)
        inner = {**(targetoptions or {}), "no_cpython_wrapper": True}
        self.inner = Inner(function, locals or {}, inner, InnerCompiler)
        self._cache = KernelCache(function)
        self.inner._cache = InnerCache(function, InnerLibrary)
        if pipeline_class is Compiler and not inspect.isgeneratorfunction(function):
            self._compiler = OuterCompiler(self.inner)

    def compile(self, types_of_arguments):
        """Compile for these types; a fifth of the time would go into looking for garbage."""
        collected = gc.isenabled()
        gc.disable()
        try:
            with announced():
                return super().compile(types_of_arguments)
        finally:
            if collected:
                gc.enable()

    @property
    def _numba_type_(self):
        """What another kernel sees of this one."""
        return types.Dispatcher(self.inner)


class Inner(CPUDispatcher):
    """What other kernels call; compiled once for all integers, not for each constant."""

    def get_call_template(self, args, kws):
        """Types of a call; see `numba.core.dispatcher.Dispatcher`."""
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template([types.unliteral(kind) for kind in args], plain)


class OuterCompiler(_FunctionCompiler):
    """What makes machine code that Python can call, of the inner twin of a kernel."""

    def __init__(self, inner):
        super().__init__(inner.py_func, inner.targetdescr, inner.targetoptions, {}, None)
        self._inner = inner

    def _compile_core(self, args, return_type):
        inner = self._inner.get_compile_result(signature(return_type, *args))
        description = copy.copy(inner.fndesc)
        description.env_name += "Wrapper"  # what the wrapper adds is not the twin's
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
        )


class OuterLibrary(JITCodeLibrary):
    """Machine code, optimised without vectors: arms are few and objectives fewer."""

    def _optimize_final_module(self):
        _inline(self._codegen, self._final_module)
        manager, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False
        )
        manager.run(self._final_module, builder)


class LinkingCompiler(Compiler):
    """Numba's compiler; what it compiles on the way is only to be linked, and so is inner code."""

    def compile_extra(self, function):
        """Compile a function."""
        codegen = self.state.targetctx.codegen()
        before = codegen._library_class
        codegen._library_class = InnerLibrary
        try:
            return super().compile_extra(function)
        finally:
            codegen._library_class = before


class LoopCompiler(LinkingCompiler):
    """Numba's compiler, for code that runs long."""

    def __init__(self, typing_context, context, library, *rest):
        library = library or LoopLibrary(context.codegen(), "loop")
        library.enable_object_caching()
        super().__init__(typing_context, context, library, *rest)


class LoopLibrary(OuterLibrary):
    """The same of a loop, where what is linked into it is its own, and changed as suits it.

    So a call hands on what the called function reads, and not a whole state: to put thirty arrays
    on the stack for each sample took most of a run's time. Private, as the names of what is only
    internal are found by other kernels.
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
    """Numba's compiler, for code that other kernels are linked with and nobody calls."""

    def __init__(self, typing_context, context, library, *rest):
        library = library or InnerLibrary(context.codegen(), "inner")
        super().__init__(typing_context, context, library, *rest)


class InnerLibrary(JITCodeLibrary):
    """Code that stays in LLVM's own language until it is linked into a kernel."""

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
        """Give the environments of these functions a place, which kernels that link them share."""
        lines = (f'@"{name}" = common global i8* null' for name in environments)
        module = llvm.parse_assembly("\n".join(lines))
        module.data_layout = self._codegen._data_layout
        self._codegen._add_module(module)
        self._codegen._engine.finalize_object()

    def serialize_using_object_code(self):
        """Return what can be kept: the code as it is linked."""
        self._ensure_finalized()
        return self.name, "bitcode", self._get_module_for_linking().as_bitcode()

    @classmethod
    def restored(cls, codegen, name, bitcode):
        """Library of code that was kept."""
        self = cls(codegen, name)
        self._final_module = llvm.parse_bitcode(bitcode)
        self._finalize_final_module()
        return self


def _inline(codegen, module):
    """Optimise just enough for functions to be inlined."""
    manager, builder = codegen._module_pass_manager(
        loop_vectorize=False, slp_vectorize=False, opt=codegen._opt_level, cost="cheap"
    )
    manager.run(module, builder)
