"""A store never returns the runs of another program."""

import os
import re
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from references.readers_algorithms import INSTANCE, InTurn, rule

import pareto_core as pc
import pareto_lab as lab
from pareto_book import paths
from pareto_core.compiling import identity
from pareto_core.simulation import program


def samples(algorithm, folder, **options):
    request = {"n_jobs": 1, "backend": "threads", "progress": False, "store": folder}
    return pc.simulate(algorithm, INSTANCE, 2, **request | options).samples.tolist()


def test_algorithms_of_a_factory_are_distinguished(tmp_path):
    assert [samples(rule(n), tmp_path) for n in (10, 50, 10)] == [[10, 10], [50, 50], [10, 10]]


def test_a_class_made_by_type_is_distinguished(tmp_path):
    for budget in (9, 50, 9):
        kind = type("Sub", (InTurn,), {"BUDGET": budget})
        assert samples(kind(), tmp_path) == [budget, budget]


def test_a_changed_attribute_of_a_class_is_noticed(tmp_path, monkeypatch):
    assert samples(InTurn(), tmp_path) == [9, 9]
    monkeypatch.setattr(InTurn, "BUDGET", 20)
    assert samples(InTurn(), tmp_path) == [20, 20]


def test_an_attribute_of_the_object_is_noticed(tmp_path):
    algorithm = InTurn()
    assert samples(algorithm, tmp_path) == [9, 9]
    algorithm.BUDGET = 12
    assert samples(algorithm, tmp_path) == [12, 12]


def test_a_changed_method_of_an_algorithm_of_the_package_is_noticed(tmp_path, monkeypatch):
    before = identity.digest_of(pc.APE())
    monkeypatch.setattr(pc.APE, "select", staticmethod(pc.MOSE.select))
    assert identity.digest_of(pc.APE()) != before


EDITED = """
import pareto_core as pc
LIMIT = 9
class Mine(pc.PythonAlgorithm):
    def select(self, record, memory):
        return record.counts.argmin()
    def stop(self, record, memory):
        return record.time >= LIMIT
    def recommend(self, record, memory):
        return pc.pareto_set(record.means)
"""
TWICE = """
import os, sys
from pathlib import Path
import pareto_core as pc
import mine
instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
def samples():
    request = {"n_jobs": 1, "backend": "threads", "progress": False, "store": sys.argv[1]}
    print(pc.simulate(mine.Mine(), instance, 1, **request).samples[0])
samples()
if len(sys.argv) > 2:
    path = Path(mine.__file__)
    path.write_text(path.read_text().replace("LIMIT = 9", "LIMIT = 20"))
    os.utime(path, (1e9, 1e9))
    samples()
"""


def run(program, folder, *arguments, path=None):
    """What a new process prints, which finds modules in a folder."""
    environment = {**os.environ, "PYTHONPATH": f"{path or folder}{os.pathsep}{paths.ROOT}"}
    command = [sys.executable, "-B", "-c", program, *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=folder)
    return (done.stdout or done.stderr).split()


@pytest.mark.slow
def test_a_module_edited_and_not_loaded_again_keeps_its_runs(tmp_path):
    (tmp_path / "mine.py").write_text(EDITED)
    assert run(TWICE, tmp_path, tmp_path / "store", "edit") == ["9", "9"]
    assert run(TWICE, tmp_path, tmp_path / "store") == ["20"]
    (tmp_path / "mine.py").write_text(EDITED)
    assert run(TWICE, tmp_path, tmp_path / "store") == ["9"]


@pytest.mark.slow
def test_an_algorithm_in_a_zip_is_kept(tmp_path):
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("mine.py", EDITED)
    for _ in range(2):
        assert run(TWICE, tmp_path, tmp_path / "store", path=tmp_path / "mine.zip") == ["9"]
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("mine.py", EDITED.replace("LIMIT = 9", "LIMIT = 11"))
    assert run(TWICE, tmp_path, tmp_path / "store", path=tmp_path / "mine.zip") == ["11"]


class Holds(InTurn):
    """Holds something that nothing describes."""

    def __init__(self, number=1):
        self.number = number
        self.rng = np.random.default_rng(0)


REFUSED = r"^the runs of {} can't be kept in a store, .*: {}.* Expected no store, or store_key="


def test_what_cannot_be_described_is_refused_with_a_workaround(tmp_path):
    expected = REFUSED.format("Holds", "numpy.random.*Generator, an object")
    with pytest.raises(ValueError, match=expected):
        samples(Holds(), tmp_path)
    assert not list(tmp_path.iterdir())
    assert samples(Holds(), tmp_path, store_key="first") == [9, 9]
    assert samples(Holds(), tmp_path, store_key="second") == [9, 9]
    assert len(list(tmp_path.iterdir())) == 2
    assert samples(Holds(), None) == [9, 9]


def test_what_contains_itself_is_refused_in_words(tmp_path):
    algorithm = Holds()
    algorithm.rng = algorithm
    with pytest.raises(ValueError, match=REFUSED.format("Holds", "Holds contains itself")):
        samples(algorithm, tmp_path)
    algorithm.rng = [algorithm]
    with pytest.raises(ValueError, match=REFUSED.format("Holds", "Holds contains itself")):
        samples(algorithm, tmp_path)


@pytest.mark.parametrize("key", ["", 3, b"mine", ["a"]])
def test_a_key_that_is_no_name_is_refused(tmp_path, key):
    expected = rf"^store_key = {re.escape(repr(key))}; expected a string"
    with pytest.raises(ValueError, match=expected):
        samples(InTurn(), tmp_path, store_key=key)


def test_keys_of_a_comparison_are_by_the_names_of_the_algorithms(tmp_path):
    request = {"runs": 2, "store": tmp_path, "progress": False, "n_jobs": 1}
    with pytest.raises(ValueError, match="the runs of Holds can't be kept"):
        lab.compare({"mine": Holds()}, INSTANCE, **request)
    lab.compare({"mine": Holds()}, INSTANCE, **request, store_key={"mine": "first"})
    assert len(list(tmp_path.iterdir())) == 1
    with pytest.raises(ValueError, match=r"^store_key = \{'other': 'x'\}; expected .*'mine'"):
        lab.compare({"mine": Holds()}, INSTANCE, **request, store_key={"other": "x"})


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A folder that is taken for the package."""
    (tmp_path / "inner").mkdir()
    for name in ("a.py", "inner/b.py"):
        (tmp_path / name).write_text(f"x = '{name}'\n")
    monkeypatch.setattr(program, "PACKAGE", tmp_path)
    monkeypatch.setattr(program, "_imported", program._contents())
    return tmp_path


@pytest.mark.parametrize("change", ["written", "replaced", "added", "removed"])
def test_a_package_that_changed_since_it_was_imported_is_refused(package, change):
    program.package_hash()
    path = package / "inner" / "b.py"
    if change == "written":
        status = path.stat()
        path.write_text(path.read_text()[::-1])
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change == "replaced":
        new = package / "new"
        new.write_text(path.read_text()[::-1])
        new.replace(path)
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


MODULE = """
import pareto_core as pc
LIMIT = 9
class Mine(pc.PythonAlgorithm):
    BUDGET = 3
    def select(self, record, memory):
        sum(range(20_000))  # takes a while
        return record.counts.argmin()
    def stop(self, record, memory):
        return record.time >= max(LIMIT, self.BUDGET)
    def recommend(self, record, memory):
        return pc.pareto_set(record.means)
"""
IN_PROCESSES = """
import mine
import pareto_core as pc
{change}
instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
try:
    runs = pc.simulate(mine.Mine(), instance, 300, n_jobs=2, progress=False)
    print(set(runs.samples.tolist()))
except ValueError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("change", ["", "mine.LIMIT = 20", "mine.Mine.BUDGET = 30"])
def test_different_processes_never_run_different_programs(tmp_path, change):
    (tmp_path / "mine.py").write_text(MODULE)
    text = " ".join(run(IN_PROCESSES.format(change=change), tmp_path))
    expected = "Mine is a different program in another process" if change else "{9}"
    assert text.startswith(expected)


def test_a_link_to_a_file_of_the_package_changes_nothing(package):
    before = program.package_hash()
    os.link(package / "a.py", package / "linked")
    (package / "a.py").chmod(0o600)
    assert program.package_hash() == before


def test_what_is_sent_is_checked_if_it_holds_an_algorithm_of_a_reader():
    assert program.signed(pc.Certified(pc.APE()))[1] is None
    kind = type("Mine", (pc.APE,), {})
    assert program.signed(pc.Certified(kind()))[1] is not None
