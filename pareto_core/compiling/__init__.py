"""Kernels: how functions are compiled, and where their machine code is kept.

Begin with `kernels`, the decorators. `lending` hands NamedTuples and arrays on to other kernels
without counting references, and `bitcode` makes no machine code of what only kernels call: these
three files go beyond Numba's decorators. Kernels call `copies`.
"""
