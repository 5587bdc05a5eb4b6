"""Machine code is kept under the digest of all sources that it may contain."""

import os
import time

import numpy as np
import pytest
from references.new_process import call, edit, write

from pareto_core.compiling import announcing, kernels
from pareto_core.compiling.kernels import is_kept, kernel, part, with_kernels

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

INNER = """
    from pareto_core.compiling.kernels import kernel

    SCALE = 2.0

    @kernel
    def scaled(x):
        return SCALE * x
    """
OUTER = """
    from inner import scaled
    from pareto_core.compiling.kernels import kernel, with_kernels

    def step(x):
        pass

    def twice(x):
        return step(step(x))

    @kernel
    def shifted(x):
        return scaled(x) + 1.0

    @kernel
    def halved(x):
        return x / 2.0

    by_scale = with_kernels(twice, step=scaled)
    by_half = with_kernels(twice, step=halved)
    """
ANSWERS = """
    import outer
    answers = [outer.shifted(1.0), outer.by_scale(1.0), outer.by_half(1.0)]
"""


@pytest.fixture
def reader(tmp_path):
    """A reader's folder with two modules; the kernels are kept beside it."""
    folder = tmp_path / "reader"
    write(folder / "inner.py", INNER)
    write(folder / "outer.py", OUTER)
    write(folder / "other.py", "VALUE = 1\n")
    return folder


def changed(path, old, new):
    edit(path, old, new)
    os.utime(path)


def test_the_next_process_finds_the_code_and_an_edit_compiles_what_contains_it(reader):
    answers, compiled, _ = call(ANSWERS, reader)
    assert answers == [3.0, 4.0, 0.25]
    assert {"inner.scaled", "outer.shifted", "outer.halved", "outer.twice"} == compiled
    assert call(ANSWERS, reader)[:2] == (answers, set())
    changed(reader / "other.py", "1", "2")
    assert call(ANSWERS, reader)[:2] == (answers, set())
    changed(reader / "inner.py", "SCALE = 2.0", "SCALE = 3.0")
    assert call(ANSWERS, reader)[:2] == ([4.0, 9.0, 0.25], compiled)
    changed(reader / "inner.py", "SCALE = 3.0", "SCALE = 2.0")
    assert call(ANSWERS, reader)[:2] == (answers, set())  # the old code is still there


def test_code_that_cannot_be_read_is_compiled_anew(reader):
    """Be it damaged, or kept for a tuple of a module that has gone."""
    types = """
    import inner, tuples
    answers = [inner.scaled(1.0), inner.first(tuples.Two(5.0, 1.0))]
"""
    write(reader / "tuples.py", "import collections\nTwo = collections.namedtuple('Two', 'a b')\n")
    edit(reader / "inner.py", "SCALE = 2.0", "SCALE = 2.0\n@kernel\ndef first(x):\n    return x[0]")
    assert call(types, reader)[:2] == ([2.0, 5.0], {"inner.scaled", "inner.first"})
    (reader / "tuples.py").rename(reader / "pairs.py")
    moved = types.replace("tuples", "pairs")
    assert call(moved, reader)[:2] == ([2.0, 5.0], {"inner.first"})
    for file in (reader.parent / "kernels").glob("*/*/*.nb?"):
        file.write_bytes(file.read_bytes()[:-40])
    assert call(moved, reader)[:2] == ([2.0, 5.0], {"inner.scaled", "inner.first"})
    assert call(moved, reader)[:2] == ([2.0, 5.0], set())
    for file in (reader.parent / "kernels").glob("*/*/*.nbi"):
        file.unlink()
        file.mkdir()  # as little can be written there as on a full disk
    for _ in range(2):
        assert call(moved, reader)[:2] == ([2.0, 5.0], {"inner.scaled", "inner.first"})


def test_nothing_is_kept_of_a_function_in_a_function_or_of_what_contains_it(reader):
    body = """
    from pareto_core.compiling.kernels import kernel, with_kernels
    import outer
    def make(number):
        @kernel
        def plus(x):
            return x + number
        return plus
    def step(x):
        pass
    one, two = make(1.0), make(2.0)
    answers = [with_kernels(outer.twice, step=each)(0.0) for each in (one, two)]
"""
    for _ in range(2):
        answers, compiled, _ = call(body, reader)
        assert answers == [2.0, 4.0]
        assert {"__main__.plus", "outer.twice"} == compiled


def test_where_nothing_can_be_written_each_process_compiles(reader):
    kernels = reader / "other.py" / "kernels"  # below a file
    for _ in range(2):
        answers, compiled, _ = call(ANSWERS, reader, cache=kernels)
        assert answers == [3.0, 4.0, 0.25]
        assert "inner.scaled" in compiled


def test_code_is_removed_a_month_after_its_last_use(tmp_path):
    ages = {"old": 2 * kernels.UNUSED, "new": kernels.UNUSED / 2}
    for name, age in ages.items():
        (tmp_path / name / "module_1").mkdir(parents=True)
        for kind in ("nbi", "nbc"):
            (tmp_path / name / "module_1" / f"code.{kind}").touch()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    kernels._prune(tmp_path)
    assert {path.parts[-3] for path in tmp_path.glob("*/*/code.*")} == {"new"}


@pytest.mark.parametrize("file", ["bitcode", "lending"])
def test_all_code_is_compiled_again_when_the_way_of_compiling_changes(file, monkeypatch):
    digest = kernels._digest_of.__wrapped__
    before, read = digest("pareto_core.geometry.staircase"), kernels._read

    def read_changed(base, module, package):
        found, imported = read(base, module, package)
        return ("changed" if module.endswith(file) else found), imported

    monkeypatch.setattr(kernels, "_read", read_changed)
    assert digest("pareto_core.geometry.staircase") != before


def test_the_setting_of_numba_is_as_before():
    assert kernels.numba.config.CACHE_DIR == os.environ.get("NUMBA_CACHE_DIR", "")


def step(x):
    """Stands for a kernel."""


def twice(x):
    return FACTOR * step(x) + step(x)


FACTOR = 1.0


@kernel
def half(x):
    return x / 2.0


@kernel
def less(x):
    return x - 1.0


@part
def more(x):
    return half(x) + 1.0


@kernel
def all_of_them(x):
    return more(x) + less(x)


def test_names_mean_the_given_kernels_and_constants():
    by_half, by_less = with_kernels(twice, step=half), with_kernels(twice, step=less, FACTOR=3.0)
    assert (by_half(8.0), by_less(8.0), all_of_them(8.0)) == (8.0, 28.0, 12.0)
    assert is_kept(by_half)
    assert not is_kept(kernel(lambda x: x))


class Bar:
    """What a bar is told."""

    desc = "APE: "

    def __init__(self):
        self.told = []

    def set_description(self, text):
        self.told.append(text)

    set_description_str = set_description

    def unpause(self):
        self.told.append("the clock")


def announce(bar, seconds, monkeypatch):
    monkeypatch.setattr(announcing, "PATIENCE", 0.05)
    monkeypatch.setattr(announcing, "newest_bar", lambda: bar)
    with announcing.announced("APE"):
        time.sleep(seconds)


def test_a_bar_says_what_is_compiled_if_it_takes_long(monkeypatch):
    for seconds, told in ((0.0, []), (0.2, ["compiling APE (up to a minute)"])):
        bar = Bar()
        announce(bar, seconds, monkeypatch)
        assert bar.told == [*told, "the clock", "APE: "]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_without_a_bar_is_told(is_terminal, monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal, raising=False)
    announce(None, 0.2, monkeypatch)
    said = "compiling APE (up to a minute)\n" if is_terminal else ""
    assert capsys.readouterr().err == said


def test_an_array_is_not_read_as_a_kernel():
    assert kernels._name_of(1.5) == "1.5"
    with pytest.raises(TypeError):
        kernels._name_of(np.ones(2))
