"""Functions whose meaning in kernels a module has changed by Numba's ``overload``."""

import functools

from numba.core.typing.templates import builtin_registry

from pareto_core.checks.paths import PACKAGE
from pareto_core.compiling.trusted import root_of

__all__ = ["extended_functions"]


def extended_functions():
    """Functions extended in Numba by modules other than Numba's and the package's."""
    return _extended_among(len(builtin_registry.functions))


@functools.lru_cache(maxsize=1)
def _extended_among(number):
    found = []
    for template in builtin_registry.functions[:number]:
        module = getattr(getattr(template, "_overload_func", None), "__module__", None)
        if root_of(module or "numba") not in ("numba", PACKAGE.name):
            found.append(template.key)
    return found
