"""A store never returns the runs of another program."""

import os
import re

import pytest
from references.readers_algorithms import INSTANCE, InTurn, rule

import pareto_core as pc
import pareto_lab as lab
from pareto_core.simulation import program


def samples(algorithm, folder, **options):
    request = {"n_jobs": 1, "backend": "threads", "progress": False, "store": folder}
    return pc.simulate(algorithm, INSTANCE, 2, **request | options).samples.tolist()


REFUSED = r"^the runs of {} can't be kept in a store .*expected no store, or store_key="
OWN = [InTurn(), rule(9), pc.Certified(InTurn()), type("Sub", (pc.APE,), {})()]


@pytest.mark.parametrize("algorithm", OWN, ids=repr)
def test_an_algorithm_of_ones_own_needs_a_key(tmp_path, algorithm):
    with pytest.raises(ValueError, match=REFUSED.format(type(algorithm).__name__)):
        samples(algorithm, tmp_path)
    assert not list(tmp_path.iterdir())


def test_keys_name_versions(tmp_path):
    assert samples(rule(9), tmp_path, store_key="first") == [9, 9]
    assert samples(rule(12), tmp_path, store_key="second") == [12, 12]
    assert samples(rule(20), tmp_path, store_key="first") == [9, 9]
    assert len(list(tmp_path.iterdir())) == 2
    assert samples(rule(20), None) == [20, 20]


@pytest.mark.parametrize("key", ["", 3, b"mine", ["a"]])
def test_a_key_that_is_no_name_is_refused(tmp_path, key):
    expected = rf"^store_key = {re.escape(repr(key))}; expected a string"
    with pytest.raises(ValueError, match=expected):
        samples(InTurn(), tmp_path, store_key=key)


def test_keys_of_a_comparison_are_by_the_names_of_the_algorithms(tmp_path):
    request = {"runs": 2, "store": tmp_path, "progress": False, "n_jobs": 1}
    with pytest.raises(ValueError, match="the runs of InTurn can't be kept"):
        lab.compare({"mine": InTurn()}, INSTANCE, **request)
    lab.compare({"mine": InTurn()}, INSTANCE, **request, store_key={"mine": "first"})
    assert len(list(tmp_path.iterdir())) == 1
    with pytest.raises(ValueError, match=r"^store_key = \{'other': 'x'\}; expected .*'mine'"):
        lab.compare({"mine": InTurn()}, INSTANCE, **request, store_key={"other": "x"})


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A folder that is taken for the package."""
    (tmp_path / "inner").mkdir()
    for name in ("a.py", "inner/b.py"):
        (tmp_path / name).write_text(f"x = '{name}'\n")
    monkeypatch.setattr(program, "PACKAGE", tmp_path)
    monkeypatch.setattr(program, "_imported", program._contents())
    return tmp_path


@pytest.mark.parametrize("change", ["written", "added", "removed"])
def test_a_package_that_changed_since_it_was_imported_is_refused(package, change):
    program.package_hash()
    path = package / "inner" / "b.py"
    if change == "written":
        status = path.stat()
        path.write_text(path.read_text()[::-1])
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change == "added":
        path = package / "c.py"
        path.write_text("")
    else:
        path.unlink()
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))} has changed since pareto_core"):
        program.package_hash()


def test_a_moved_line_changes_the_hash_and_another_place_does_not(package, monkeypatch, tmp_path):
    def hash_of(first, second):
        for name, text in (("a.py", first), ("inner/b.py", second)):
            (package / name).write_text(text)
        monkeypatch.setattr(program, "_imported", program._contents())
        return program.package_hash()

    assert hash_of("xy", "z") != hash_of("x", "yz")
    assert hash_of("xy", "z") == hash_of("xy", "z")


def test_a_process_that_imported_other_files_is_refused(package, monkeypatch):
    sent = program.imported_hash()
    program.check_program(sent)
    monkeypatch.setattr(program, "_imported", {"a.py": "another"})
    with pytest.raises(ValueError, match="has changed since pareto_core was imported"):
        program.check_program(sent)
