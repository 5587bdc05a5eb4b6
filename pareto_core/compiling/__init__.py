"""Kernels: how they are compiled, and which machine code is kept for the next process.

Begin with `kernels`, the decorators. `linking` compiles a kernel once to be part of others, `kept`
keeps its machine code on disk, and `identity` says what a function consists of: exactly, or not
at all (`bytecode`, `values`, `classes` and `trusted` are its parts). `borrowing` and `copies` are
steps that kernels call.

All that relies on Numba's internals is in `linking` (its compiler, its code libraries, the names
that it gives to compiled code), in `kept` (what it puts into a cache) and in the intrinsics of
`borrowing` and of `pareto_core.loop.choices`. Where a name that `linking` uses is missing, kernels
are compiled by plain `numba.njit`, which is said. Plain Numba would do, at a price: it takes 2.5
times as long to compile the package, and its loops take 1.8 to 7 times as long, as all arrays of
a state are handed on with each call (`tests/benchmarks/bench_compiling.py`). Versions of Numba are
bounded from above in ``pyproject.toml``, and ``.ci/run`` tests the oldest and the newest.
"""
