"""Kernels: how they are compiled, and which machine code is kept for the next process.

Begin with `kernels`, the decorators. `linking` compiles a kernel once so that others can be linked
with it, `kept` keeps machine code on disk, and `identity` describes exactly what a function
consists of, or refuses to (`bytecode`, `values`, `extensions` and `trusted` are its parts).
`lending` passes the address of a NamedTuple to a kernel in place of all that is in it, and
`addresses` calls a kernel without linking it again. `announcing` reports on a terminal that
kernels are being compiled. Kernels call `copies`.

Numba's internals are used in three places: `linking` (the compiler, code libraries, the names of
compiled code), `kept` (the content of the cache), and the types of `lending` and the intrinsics of
`addresses` and `pareto_core.loop.choices`. If a name that `linking` uses is missing, a warning says
so and plain `numba.njit` compiles the kernels. Plain Numba takes more than twice as long to compile
the package, and its loops take longer too, because each call passes all arrays of a state
(`tests/benchmarks/bench_compiling.py`). Versions of Numba are bounded from above in
``pyproject.toml``; ``.ci/run`` tests the newest, and a workflow tests the oldest once a week.
"""
