"""Machine code that is kept: found by the next process, and never older than its source."""

import os
import shutil
import time

import numpy as np
import pytest
from references.new_process import call, edit, write

from pareto_core.compiling.kept import UNUSED
from pareto_core.compiling.kernels import kernel, part

pytestmark = pytest.mark.compiled

KERNELS = {
    "helper.py": """
        from pareto_core.compiling.kernels import kernel, part

        SCALE = 2.0

        @kernel
        def scaled(x):
            return SCALE * x

        @part
        def shifted(x):
            return x + 1.0
        """,
    "mine.py": """
        import os

        from helper import scaled, shifted
        from pareto_core.compiling.kernels import kernel

        LIMIT = float(os.environ.get("LIMIT", "100"))

        @kernel
        def answer(x):
            return min(scaled(shifted(x)), LIMIT)

        @kernel
        def other(x):
            return x - 1.0
        """,
}
MINE = "    import mine\n    answers = [mine.answer(3.0), mine.other(3.0)]\n"


@pytest.fixture(scope="module")
def first_process(tmp_path_factory):
    """A folder with two modules whose kernels a process has compiled, and what it answered."""
    folder = tmp_path_factory.mktemp("first") / "reader"
    for name, text in KERNELS.items():
        write(folder / name, text)
    return folder, call(MINE, folder)


@pytest.fixture
def reader(first_process, tmp_path):
    """A copy of these modules, and beside it one of their kernels."""
    shutil.copytree(first_process[0].parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / "reader"


@pytest.mark.slow
def test_the_next_process_compiles_nothing(first_process, reader):
    answers, compiled, _ = first_process[1]
    assert answers == [8.0, 2.0]
    assert compiled == {"helper.scaled", "mine.answer", "mine.other"}
    assert call(MINE, reader)[:2] == ([8.0, 2.0], set())


@pytest.mark.slow
def test_an_edit_of_a_helper_is_noticed_and_only_what_calls_it_compiled(reader):
    edit(reader / "helper.py", "SCALE * x", "10.0 * x")
    answers, compiled, _ = call(MINE, reader)
    assert answers == [40.0, 2.0]
    assert compiled == {"helper.scaled", "mine.answer"}
    edit(reader / "mine.py", "x - 1.0", "x - 2.0")
    answers, compiled, _ = call(MINE, reader)
    assert answers == [40.0, 1.0]
    assert compiled == {"mine.other"}
    edit(reader / "mine.py", "import os", "# a comment\nimport os")
    assert call(MINE, reader)[:2] == ([40.0, 1.0], set())


@pytest.mark.slow
def test_a_step_that_is_compiled_into_others_and_a_constant_are_noticed(reader):
    edit(reader / "helper.py", "x + 1.0", "x + 2.0")
    assert call(MINE, reader)[0] == [10.0, 2.0]
    edit(reader / "helper.py", "SCALE = 2.0", "SCALE = 3.0")
    assert call(MINE, reader)[0] == [15.0, 2.0]


@pytest.mark.slow
def test_a_value_that_the_source_does_not_tell_is_noticed(reader):
    assert call(MINE, reader, LIMIT="5")[0] == [5.0, 2.0]
    assert call(MINE, reader, LIMIT="7")[:2] == ([7.0, 2.0], {"mine.answer"})
    assert call(MINE, reader, LIMIT="5")[:2] == ([5.0, 2.0], set())


@pytest.mark.slow
def test_an_old_state_that_comes_back_is_never_mixed_with_the_new_one(reader):
    old = (reader / "helper.py").read_text()
    edit(reader / "helper.py", "SCALE * x", "10.0 * x")
    assert call(MINE, reader)[0] == [40.0, 2.0]
    (reader / "helper.py").write_text(old)
    assert call(MINE, reader)[0] == [8.0, 2.0]


@pytest.mark.slow
def test_code_of_a_file_edited_since_the_process_began_is_of_the_old_file(reader):
    body = MINE.replace("answers", "before") + (
        "    import pathlib\n"
        "    text = pathlib.Path('helper.py').read_text()\n"
        "    pathlib.Path('helper.py').write_text(text.replace('SCALE * x', '10.0 * x'))\n"
        "    answers = [mine.answer(3), mine.other(3)]\n"  # integers: compiled from old memory
    )
    assert call(body, reader)[0] == [8.0, 2.0]
    assert call(MINE.replace("3.0", "3"), reader)[0] == [40.0, 2.0]


@pytest.mark.slow
def test_what_is_unused_for_a_month_goes(reader):
    kept = reader.parent / "kernels"
    for path in kept.glob("mine.*"):
        os.utime(path, 2 * (time.time() - 2 * UNUSED,))
    write(reader / "third.py", KERNELS["helper.py"])
    body = "    import third\n    answers = [third.scaled(3.0)]\n"
    assert call(body, reader)[0] == [6.0]
    assert not list(kept.glob("mine.*"))
    assert list(kept.glob("third.*"))
    assert list(kept.glob("helper.*"))


@pytest.mark.slow
def test_what_is_used_stays(reader):
    paths = list((reader.parent / "kernels").glob("mine.*"))
    for path in paths:
        os.utime(path, 2 * (time.time() - 2 * UNUSED,))
    assert call(MINE, reader)[1] == set()
    assert any(path.stat().st_mtime > time.time() - UNUSED for path in paths)


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        "truncated",
        "one bit",
        pytest.param("empty", marks=pytest.mark.thorough),
        pytest.param("other bytes", marks=pytest.mark.thorough),
    ],
)
def test_a_damaged_entry_is_named_and_compiled_anew(reader, damage):
    entries = (reader.parent / "kernels").glob("mine.other-*")
    (path,) = [each for each in entries if b"bitcode" not in each.read_bytes()]
    content = bytearray(path.read_bytes())
    if damage == "one bit":
        content[-5] ^= 1
    path.write_bytes(
        {
            "truncated": content[: len(content) // 2],
            "one bit": content,
            "empty": b"",
            "other bytes": b"\x00\xff" * 300,
        }[damage]
    )
    answers, compiled, warned = call(MINE, reader)
    assert answers == [8.0, 2.0]
    assert compiled == {"mine.other"}
    assert str(path) in warned
    assert "KernelNotKept" in warned
    answers, compiled, warned = call(MINE, reader)
    assert (answers, compiled) == ([8.0, 2.0], set())
    assert "KernelNotKept" not in warned


@pytest.mark.slow
def test_an_attribute_is_not_mistaken_for_a_global_of_its_name(reader):
    write(
        reader / "named.py",
        """
        from typing import NamedTuple

        from pareto_core.compiling.kernels import kernel

        scale = object()  # nobody could tell whether it has changed

        class Parameters(NamedTuple):
            scale: float

        @kernel
        def scaled(parameters, x):
            return parameters.scale * x
        """,
    )
    body = "    import named\n    answers = [named.scaled(named.Parameters(2.0), 3.0)]\n"
    assert call(body, reader)[:2] == ([6.0], {"named.scaled"})
    assert call(body, reader)[:2] == ([6.0], set())


@pytest.mark.slow
def test_two_types_of_one_name_are_told_apart(reader):
    for name, fields in (("one", "big, small"), ("two", "small, big")):
        write(
            reader / f"{name}.py",
            f"""
            from collections import namedtuple

            State = namedtuple("State", "{fields}")
            STATE = State(1.0, 2.0)
            """,
        )
    write(
        reader / "uses.py",
        """
        from pareto_core.compiling.kernels import kernel

        @kernel
        def bigger(state):
            return state.big
        """,
    )
    body = """
    import one, two, uses
    answers = [uses.bigger(one.STATE), uses.bigger(two.STATE)]
"""
    for _ in range(2):
        assert call(body, reader)[0] == [1.0, 2.0]


@pytest.mark.slow
def test_a_kernel_outside_of_a_module_is_not_kept_and_a_warning_says_so(tmp_path):
    body = (
        "    from pareto_core.compiling.kernels import kernel\n"
        "    exec('def made(x):\\n    return 2 * x\\n')\n"
        "    answers = [kernel(made)(4)]\n"
    )
    answers, _, warned = call(body, tmp_path / "..", cache=tmp_path)
    assert answers == [8]
    assert not list(tmp_path.iterdir())
    assert "__main__.made is compiled in each process, as __main__.made is not in a mod" in warned


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_named(reader):
    shutil.rmtree(reader.parent / "kernels")
    (reader.parent / "kernels").write_text("a file")
    answers, _, warned = call(MINE, reader)
    assert answers == [8.0, 2.0]
    assert "can't keep kernels" in warned


@pytest.mark.slow
def test_a_helper_that_fails_says_so_to_kernels_of_all_kinds(reader):
    write(
        reader / "careful.py",
        """
        import numba
        from pareto_core.compiling.kernels import kernel

        @kernel
        def root(x):
            if x < 0.0:
                raise ValueError("x is negative")
            return x**0.5

        @kernel
        def ours(x):
            return 1.0 + root(x)

        @numba.njit
        def plain(x):
            return 2.0 + root(x)
        """,
    )
    body = """
    import careful
    answers = [careful.root(4.0), careful.ours(4.0), careful.plain(4.0)]
    for function in (careful.root, careful.ours, careful.plain):
        try:
            function(-1.0)
        except ValueError as error:
            answers.append(str(error))
"""
    for _ in range(2):
        assert call(body, reader)[0] == [2.0, 3.0, 4.0] + 3 * ["x is negative"]


@kernel
def _twice(x):
    return _added(x, x)


@part
def _added(x, y):
    return x + y


@pytest.mark.slow
def test_a_kernel_called_from_python_and_from_a_kernel_says_the_same():
    @kernel
    def four_times(x):
        return _twice(_twice(x))

    assert four_times(2.5) == 10.0
    assert _twice(2.5) == 5.0
    assert isinstance(_twice.py_func(2.5), float)
    np.testing.assert_array_equal(_twice(np.arange(3)), [0, 2, 4])
