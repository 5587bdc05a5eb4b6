"""Code of kernels that only other kernels call: it stays LLVM's bitcode until it is linked.

Numba optimises each function that it compiles, and generates machine code and a wrapper for Python,
although all of that happens again in each kernel that calls it. A kernel that is lent an argument
cannot be called from Python. So it is optimised just enough to be copied into its callers, and has
no machine code of its own: kernels are compiled from nothing in half of the time.

Only kernels are concerned, by way of the option ``pipeline_class`` of `numba.njit`. With a version
of Numba that is not in `TRIED`, they are compiled like all other functions.
"""

import gc

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.codegen import ll as llvm
from numba.core.compiler import Compiler

from pareto_core.compiling.lending import is_lent

__all__ = ["COMPILER"]

TRIED = ("0.62", "0.63", "0.64", "0.65", "0.66", "0.67", "0.68")
ENVIRONMENT = "_ZN08NumbaEnv"  # begins the names of the globals that a process sets


class KernelCompiler(Compiler):
    """Numba's compiler, but that functions which are lent an argument stay bitcode."""

    def __init__(self, typing_context, context, library, kinds, return_type, flags, local_types):
        if library is None and any(map(is_lent, kinds)):
            library = Bitcode(context.codegen(), "bitcode")
            library.enable_object_caching()
            flags.no_cpython_wrapper = True
        super().__init__(typing_context, context, library, kinds, return_type, flags, local_types)

    def compile_extra(self, function):
        """Compile a function, without garbage collection, which takes a fifth of the time."""
        collects = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(function)
        finally:
            if collects:
                gc.enable()


class Bitcode(JITCodeLibrary):
    """Code to be linked; machine code is made of the globals that it refers to alone."""

    def _optimize_final_module(self):
        manager, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=self._codegen._opt_level, cost="cheap"
        )
        manager.run(self._final_module, builder)

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True
        linked = self._get_module_for_linking()
        names = [each.name for each in linked.global_variables]
        lines = [f'@"{each}" = common global i8* null' for each in names if ENVIRONMENT in each]
        self._final_module = llvm.parse_assembly("\n".join(lines))
        self._final_module.triple, self._final_module.data_layout = (
            linked.triple,
            linked.data_layout,
        )
        super()._finalize_final_module()


COMPILER = KernelCompiler if numba.__version__.rpartition(".")[0] in TRIED else Compiler
