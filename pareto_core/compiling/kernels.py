"""The decorators of compiled functions."""

import warnings
from collections.abc import Callable
from typing import TypeVar

import numba

from pareto_core.compiling.kept import KernelNotKept

try:
    from pareto_core.compiling.addresses import call_at, layout, own_address
    from pareto_core.compiling.linking import Kernel, LoopCompiler
except (ImportError, AttributeError) as error:
    Kernel, call_at = None, None
    warnings.warn(
        f"Numba {numba.__version__} has changed inside ({error}): kernels are compiled in each "
        "process, which takes minutes, and run more slowly; expected a version that pareto_core "
        "declares",
        KernelNotKept,
        stacklevel=2,
    )

__all__ = ["call_at", "kernel", "layout", "loop", "own_address", "part"]

OPTIONS = {
    "boundscheck": None,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "nogil": True,
}
Function = TypeVar("Function", bound=Callable)


def kernel(function: Function) -> Function:
    """Compile a function with Numba, without the GIL and with IEEE division.

    The machine code is kept on disk for later processes only if its content is certain: the
    function is a plain function of a module, has no default arguments, and refers only to such
    functions, constants, NumPy, `math` and Numba. Any other kernel is compiled in each process, and
    a `KernelNotKept` warning gives the reason.

    Examples
    --------
    >>> import pareto_core as pc
    >>> @pc.kernel
    ... def in_turn(parameters, state):
    ...     return state.record.time[0] % state.record.counts.size
    >>> callable(in_turn)
    True
    """
    if numba.config.DISABLE_JIT:
        return function
    if Kernel is None:
        return numba.njit(**OPTIONS)(function)
    return Kernel(function, targetoptions={**OPTIONS, "nopython": True})


def loop(function):
    """Compile a kernel that other kernels hardly ever contain: an algorithm, or what runs it."""
    if numba.config.DISABLE_JIT or Kernel is None:
        return kernel(function)
    options = {**OPTIONS, "nopython": True}
    return Kernel(function, targetoptions=options, pipeline_class=LoopCompiler)


def part(function):
    """Compile a small step into every kernel that calls it.

    Numba counts references to all arrays that a call passes, at a few nanoseconds each, which is
    longer than a step such as the comparison of two arms takes.
    """
    return numba.njit(inline="always", error_model="numpy")(function)


if numba.config.DISABLE_JIT or Kernel is None:

    @kernel
    def own_address(*given):
        """Return 0, as kernels are called by their names only."""
        return 0

    @kernel
    def layout(*given):
        """Return 0, for all types."""
        return 0
