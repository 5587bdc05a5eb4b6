"""Machine code is read from, and written to, only what others cannot write."""

import os

import pytest
from references.new_process import call, write

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

INNER = """
    from pareto_core.compiling.kernels import kernel

    SCALE = 2.0

    @kernel
    def scaled(x):
        return SCALE * x
    """


@pytest.fixture
def reader(tmp_path):
    """A reader's folder; the kernels are kept beside it."""
    folder = tmp_path / "reader"
    folder.mkdir()
    return folder


def kept(reader, pattern):
    return list((reader.parent / "kernels").glob(pattern))


@pytest.mark.parametrize("mode", [pytest.param(0o777, marks=pytest.mark.thorough), 0o770, 0o702])
def test_a_folder_in_which_others_can_write_is_refused(reader, mode):
    write(reader / "inner.py", INNER)
    folder = reader.parent / "kernels"
    folder.mkdir()
    folder.chmod(mode)
    body = "    import inner\n    answers = [inner.scaled(1.0), inner.scaled(1)]\n"
    answers, _, warned = call(body, reader)
    assert answers == [2.0, 2.0]
    assert (
        warned.count(f"{folder} is not used to keep kernels, as others may write to {folder} ") == 1
    )
    assert not list(folder.iterdir())
    folder.chmod(0o700)
    assert call(body, reader)[1] == {"inner.scaled"}
    assert call(body, reader)[1] == set()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_someone_else_is_refused(reader):
    write(reader / "inner.py", INNER)
    folder = reader.parent / "kernels"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)
    body = "    import inner\n    answers = [inner.scaled(1.0)]\n"
    answers, _, warned = call(body, reader)
    assert answers == [2.0]
    assert "owner 12345, mode 700" in warned


def test_a_new_folder_is_for_its_owner_alone(reader):
    write(reader / "inner.py", INNER)
    call("    import inner\n    answers = [inner.scaled(1.0)]\n", reader)
    assert (reader.parent / "kernels").stat().st_mode & 0o777 == 0o700


def test_a_file_that_others_can_write_is_not_read(reader):
    write(reader / "inner.py", INNER)
    body = "    import inner\n    answers = [inner.scaled(1.0)]\n"
    call(body, reader)
    entries = kept(reader, "inner*")
    assert entries
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in entries)
    for path in entries:
        path.chmod(0o666)
    answers, compiled, warned = call(body, reader)
    assert (answers, compiled) == ([2.0], {"inner.scaled"})
    assert "others may write to it" in warned


def test_a_folder_whose_parent_others_can_write_is_refused(reader):
    write(reader / "inner.py", INNER)
    shared = reader.parent / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    body = "    import inner\n    answers = [inner.scaled(1.0)]\n"
    answers, _, warned = call(body, reader, cache=shared / "mine")
    assert answers == [2.0]
    assert f"others may write to {shared} " in warned
    shared.chmod(0o1777)
    assert call(body, reader, cache=shared / "mine")[1] == {"inner.scaled"}
    assert call(body, reader, cache=shared / "mine")[1] == set()
