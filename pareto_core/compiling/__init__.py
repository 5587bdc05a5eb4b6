"""Kernels: how functions are compiled, and where their machine code is kept.

Begin with `kernels`, the decorators, which keep machine code. `lending` hands NamedTuples and
arrays on to other kernels without counting references, and `bitcode` makes no machine code of what
only kernels call: all three go beyond what Numba makes public. Kernels call `copies`.
"""
