"""Kernels: how functions are compiled, and where their machine code is kept.

Begin with `kernels`, the decorators. `by_address` hands NamedTuples on to kernels by their address,
and is the only file that goes beyond Numba's decorators. Kernels call `copies`.
"""
