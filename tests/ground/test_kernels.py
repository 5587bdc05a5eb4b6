"""Where compiled kernels are cached: no kernel outlives an edit of the package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from pareto_core import _kernels


@pytest.fixture
def package(monkeypatch, tmp_path):
    """A copy of the package, which is hashed instead."""
    copy = tmp_path / "pareto_core"
    shutil.copytree(_kernels._PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(_kernels, "_PACKAGE", copy)
    return copy


def test_a_copy_has_the_same_hash(package, monkeypatch):
    copied = _kernels.package_hash()
    monkeypatch.undo()
    assert copied == _kernels.package_hash()


@pytest.mark.parametrize("name", ["transport/removal.py", "_checks.py", "algorithms/__init__.py"])
def test_an_edit_of_any_file_changes_the_folder(package, name):
    before = _kernels._cache_folder()
    file = package / name
    file.write_text(file.read_text().replace(" ", "  ", 1))
    assert _kernels._cache_folder() != before


def test_a_new_a_removed_and_a_renamed_file_change_the_folder(package):
    folders = [_kernels._cache_folder()]
    (package / "new.py").write_text("")
    folders.append(_kernels._cache_folder())
    (package / "new.py").rename(package / "other.py")
    folders.append(_kernels._cache_folder())
    (package / "dominance.py").unlink()
    folders.append(_kernels._cache_folder())
    assert len(set(folders)) == 4


def test_text_moved_from_one_file_to_the_next_changes_the_folder(package):
    (package / "a.py").write_text("xy")
    (package / "b.py").write_text("z")
    before = _kernels._cache_folder()
    (package / "a.py").write_text("x")
    (package / "b.py").write_text("yz")
    assert _kernels._cache_folder() != before


def test_files_that_are_not_source_do_not_matter(package):
    before = _kernels._cache_folder()
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert _kernels._cache_folder() == before


def test_numba_caches_in_that_folder():
    assert Path(numba.config.CACHE_DIR) == _kernels._cache_folder()


@pytest.mark.compiled
def test_numba_cache_dir_is_respected(tmp_path):
    program = "import pareto_core as pc; print(pc.pareto_set([[0.0], [1.0]]))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    root = _kernels._PACKAGE.parent
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=root, capture_output=True, text=True
    )
    assert done.stdout == "[1]\n", done.stderr
    assert [folder.name for folder in tmp_path.iterdir()] == [_kernels.package_hash()[:16]]
    assert list(tmp_path.rglob("*.nbc"))  # machine code


@pytest.mark.compiled
def test_the_next_process_compiles_nothing(tmp_path):
    program = """
import pareto_core as pc
from numba.core import event

instance = pc.Instance([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]])
with event.install_recorder("numba:compile") as recorder:
    for algorithm in (pc.APE(), pc.Racing(radius="hoeffding")):
        pc.simulate(algorithm, instance, 2, max_samples=50, n_jobs=1, progress=False)
print(sum(each.is_start for _, each in recorder.buffer))
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    compiled = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            cwd=_kernels._PACKAGE.parent,
            capture_output=True,
            text=True,
            check=True,
        )
        compiled.append(int(done.stdout))
    assert compiled[0] > 20
    assert compiled[1] == 0
