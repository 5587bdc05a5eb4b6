"""Machine code is kept only where it is certain what it is made of."""

import cProfile
import os

import pytest
from references.new_process import call, edit, write

from pareto_core.compiling.bytecode import describe_code
from pareto_core.compiling.kept import folder
from pareto_core.compiling.kernels import kernel

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

FACTORY = """
    from pareto_core.compiling.kernels import kernel

    def make(k):
        @kernel
        def times(x):
            return x * k
        return times

    def combine(g, h):
        @kernel
        def both(x):
            return g(x) + h(x)
        return both
    """


@pytest.fixture
def reader(tmp_path):
    """A reader's folder; the kernels are kept beside it."""
    folder = tmp_path / "reader"
    folder.mkdir()
    return folder


def kept(reader, pattern):
    return list((reader.parent / "kernels").glob(pattern))


def test_kernels_of_one_factory_are_told_apart(reader):
    write(reader / "factory.py", FACTORY)
    body = (
        "    from factory import combine, make\n"
        "    answers = [combine(make(1.0), make(k))(1.0) for k in (2.0, 100.0)]\n"
    )
    for _ in range(2):
        answers, compiled, warned = call(body, reader)
        assert answers == [3.0, 101.0]
        assert {"factory.times", "factory.both"} <= compiled
        assert "factory.make.<locals>.times closes over values of another function" in warned
        assert warned.count("KernelNotKept:") == 2  # for `times`, and for `both`
    assert call(body.replace("(2.0, 100.0)", "(5.0, 7.0)"), reader)[0] == [6.0, 8.0]
    assert not kept(reader, "factory*")


def test_defaults_are_told_apart(reader):
    write(
        reader / "defaults.py",
        """
        import os
        from pareto_core.compiling.kernels import kernel

        K = float(os.environ["K"])

        @kernel
        def shifted(x, c=K):
            return x + c
        """,
    )
    body = "    import defaults\n    answers = [defaults.shifted(1.0)]\n"
    for k in (1.0, 5.0, 1.0):
        answers, compiled, warned = call(body, reader, K=str(k))
        assert answers == [1.0 + k]
        assert compiled == {"defaults.shifted"}
        assert "defaults.shifted has default arguments" in warned


def test_a_named_tuple_of_a_function_does_not_end_the_next_process(reader):
    write(
        reader / "local.py",
        """
        from collections import namedtuple
        from pareto_core.compiling.kernels import kernel

        def make(fields):
            State = namedtuple("State", fields)
            @kernel
            def first(state):
                return state[0]
            return first, State

        @kernel
        def plain(state):
            return state.a
        """,
    )
    body = """
    import local
    answers = []
    for fields in ("a b", "b a"):
        first, State = local.make(fields)
        answers += [first(State(1.0, 2.0)), local.plain(State(1.0, 2.0))]
"""
    for _ in range(2):
        answers, _, warned = call(body, reader)
        assert answers == [1.0, 1.0, 1.0, 2.0]
        assert "State is not a class of a module" in warned
    assert not kept(reader, "local*")


def test_the_constant_of_another_module_is_not_kept(reader):
    write(reader / "helper.py", "import os\nCONST = float(os.environ.get('CONST', '1'))\n")
    write(
        reader / "mine.py",
        """
        import helper
        from pareto_core.compiling.kernels import kernel

        @kernel
        def shifted(x):
            return x + helper.CONST
        """,
    )
    body = "    import helper, mine\n    answers = [mine.shifted(0.0)]\n"
    assert call(body, reader, CONST="7")[0] == [7.0]
    answers, compiled, warned = call(body, reader)
    assert answers == [1.0]
    assert compiled == {"mine.shifted"}
    assert "mine.shifted refers to the module helper" in warned
    assert call(body.replace("mine\n", "mine\n    helper.CONST = 9.0\n"), reader)[0] == [9.0]
    assert call(body, reader)[0] == [1.0]


CHANGED = {
    "inner.py": """
        from pareto_core.compiling.kernels import kernel

        SCALE = 2.0

        @kernel
        def scaled(x):
            return SCALE * x
        """,
    "outer.py": """
        import inner
        from inner import scaled
        from pareto_core.compiling.kernels import kernel

        @kernel
        def one(x):
            return scaled(x) + 1.0

        @kernel
        def two(x):
            return scaled(x) + 2.0
        """,
}


@pytest.mark.parametrize("back", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_a_constant_changed_while_a_program_runs_is_of_that_program_alone(reader, back):
    for name, text in CHANGED.items():
        write(reader / name, text)
    body = (
        "    import inner, outer\n"
        "    outer.one(1.0)\n"  # compiles `scaled` for floats with 2.0
        "    inner.SCALE = 3.0\n"
        "    inner.scaled(1)\n"  # and for integers with 3.0
        + ("    inner.SCALE = 2.0\n" if back else "")
        + "    answers = [outer.two(1.0), outer.two(1)]\n"  # it is unknown which value these have
    )
    assert "a value that it reads has changed" in call(body, reader)[2]
    plain = "    import outer\n    answers = [outer.one(1.0), outer.two(1.0), outer.two(1)]\n"
    assert call(plain, reader)[0] == [3.0, 4.0, 4.0]


@pytest.mark.parametrize(
    "how", [pytest.param("mv", marks=pytest.mark.thorough), "cp -p", "importlib"]
)
def test_a_helper_with_an_old_time_is_noticed(reader, how):
    for name, text in CHANGED.items():
        write(reader / name, text)
    if how == "importlib":
        edit(
            reader / "outer.py",
            "import inner\nfrom inner import scaled\n",
            "import importlib\nscaled = importlib.import_module('inner').scaled\n",
        )
    body = "    import outer\n    answers = [outer.one(1.0)]\n"
    assert call(body, reader)[0] == [3.0]
    path, new = reader / "inner.py", reader.parent / "inner.py"
    new.write_text(path.read_text().replace("SCALE * x", "SCALE + 10.0 * x"))
    os.utime(new, (1e9, 1e9))
    if how == "cp -p":
        path.write_bytes(new.read_bytes())
        os.utime(path, (1e9, 1e9))
    else:
        new.replace(path)
    answers, compiled, _ = call(body, reader)
    assert answers == [13.0]
    assert compiled == {"inner.scaled", "outer.one"}


def test_a_module_loaded_again_does_not_meet_its_old_code(reader):
    write(
        reader / "again.py",
        """
        from pareto_core.compiling.kernels import kernel

        @kernel
        def inner(x):
            total = 0.0
            for i in range(x):  # too long to be inlined
                total += (i % 7) ** 0.5 + (i % 5) ** 1.5 + (i % 3) ** 2.5
            return 1.0 + 0.0 * total

        @kernel
        def outer(x):
            return inner(x) + inner(x + 1) + inner(x + 2)
        """,
    )
    old = "    import again\n    answers = [again.outer(3)]\n"
    assert call(old, reader)[0] == [3.0]
    body = old + (
        "    import importlib, os, pathlib\n"
        "    path = pathlib.Path('again.py')\n"
        "    path.write_text(path.read_text().replace('return 1.0', 'return 10.0'))\n"
        "    os.utime(path, (1e9, 1e9))\n"
        "    importlib.reload(again)\n"
        "    answers.append(again.outer(3))\n"
    )
    assert call(body, reader)[0] == [3.0, 30.0]
    assert call(old, reader)[0] == [30.0]


def test_functions_that_call_each_other_are_not_kept(reader):
    write(
        reader / "mutual.py",
        """
        import numba
        from pareto_core.compiling.kernels import kernel

        @kernel
        def even(n):
            if n == 0:
                return True
            return odd(n - 1)

        @kernel
        def odd(n):
            if n == 0:
                return False
            return even(n - 1)

        @kernel
        def factorial(n):
            if n <= 1:
                return 1
            return n * factorial(n - 1)
        """,
    )
    body = "    import mutual\n    answers = [mutual.factorial(5)]\n"
    assert call(body, reader)[:2] == ([120], {"mutual.factorial"})
    assert call(body, reader)[:2] == ([120], set())


def test_without_the_inside_of_numba_the_kernels_are_plain(reader):
    body = """
    import warnings
    from numba.core import registry
    del registry.CPUDispatcher
    import pareto_core as pc
    from pareto_core.compiling import kernels
    instance = pc.Instance([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]])
    runs = pc.simulate(pc.UniformSampling(budget=20), instance, 3, n_jobs=1, progress=False)
    answers = [kernels.Kernel is None, runs.pulls.tolist()]
"""
    plain, _, warned = call(body, reader)
    assert plain[0]
    assert "has changed inside" in warned
    usual, _, _ = call(body.replace("    del registry", "    registry"), reader, cache=folder())
    assert usual == [False, plain[1]]


def test_compiling_that_takes_long_is_announced_on_a_terminal(reader):
    write(reader / "inner.py", CHANGED["inner.py"])
    body = """
    import sys
    from pareto_core.compiling import announcing
    sys.stderr.isatty = lambda: {terminal}
    announcing.{clock}
    import inner
    answers = [inner.scaled(1.0), inner.scaled(1)]
"""
    said = "pareto_core is compiling kernels, which are kept in"
    assert said not in call(body.format(clock="PATIENCE", terminal=True), reader)[2]
    quick = body.format(clock="_Clock.left = 1e-4", terminal=True)
    (reader / "inner.py").write_text((reader / "inner.py").read_text().replace("2.0", "4.0"))
    assert call(quick, reader)[2].count(said) == 1
    assert said not in call(quick, reader)[2]  # loaded from disk
    (reader / "inner.py").write_text((reader / "inner.py").read_text().replace("4.0", "8.0"))
    assert said not in call(quick.replace("True", "False"), reader)[2]


def test_a_digest_is_the_same_before_and_under_a_profiler():
    """Numba clears a flag of the code of a function that it calls while a profiler runs."""

    @kernel
    def twice(x):
        return 2.0 * x

    function = twice.py_func
    before = describe_code(function.__code__)
    with cProfile.Profile():
        assert twice(1.5) == 3.0
    describe_code.cache_clear()
    assert describe_code(function.__code__) == before


@pytest.mark.parametrize(
    "name", ["np.MYCONST", pytest.param("math.tau", marks=pytest.mark.thorough)]
)
def test_a_constant_that_somebody_put_into_a_library_is_noticed(reader, name):
    write(
        reader / "mine.py",
        f"""
        import math, os
        import numpy as np
        from pareto_core.compiling.kernels import kernel

        {name} = float(os.environ["CONST"])

        @kernel
        def shifted(x):
            return x + {name}
        """,
    )
    body = "    import mine\n    answers = [mine.shifted(0.0)]\n"
    assert [call(body, reader, CONST=c)[0] for c in ("2", "7", "2")] == [[2.0], [7.0], [2.0]]


EXTENSION = """
    import numpy as np
    from numba.extending import overload
    from pareto_core.compiling.kernels import kernel

    def helper(x):
        return x

    @overload(helper)
    def _(x):
        return lambda x: x * 2

    @kernel
    def f(x):
        return helper(x)
    """


def test_a_kernel_that_uses_an_overload_is_not_kept(reader):
    write(reader / "extends.py", EXTENSION)
    body = "    import extends\n    answers = [extends.f(1.0)]\n"
    answers, _, warned = call(body, reader)
    assert answers == [2.0]
    assert "numba.extending.overload was called for" in warned
    edit(reader / "extends.py", "x * 2", "x * 7")
    assert call(body, reader)[0] == [7.0]


def test_a_kernel_that_uses_an_overloaded_function_of_numpy_is_not_kept(reader):
    write(
        reader / "uses.py",
        """
        import numpy as np
        from pareto_core.compiling.kernels import kernel

        @kernel
        def f(x):
            return np.ptp(x)
        """,
    )
    extended = """
    import numpy as np
    from numba.extending import overload
    @overload(np.ptp)
    def _(x):
        return lambda x: 1000.0
"""
    body = "    import uses\n    answers = [uses.f(np.array([1.0, 2.0, 4.0]))]\n"
    call(extended + body, reader)
    assert not kept(reader, "uses*")
    assert call("    import numpy as np\n" + body, reader)[0] == [3.0]


def test_the_warning_names_the_line_of_the_kernel(reader):
    write(reader / "factory.py", FACTORY)
    warned = call("    import factory\n    answers = [factory.make(1.0)(1.0)]\n", reader)[2]
    assert "factory.py:5: KernelNotKept: factory.times is compiled" in warned
