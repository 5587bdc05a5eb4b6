"""Digests of source files: an edit changes those of all that import the file, and no others."""

import ast
import os
import shutil
import time
from pathlib import Path

import pytest

from pareto_core import _sources

APE = "algorithms/pareto/ape.py"
TREE = {
    "main.py": "import json, numpy\nfrom tools import helper\nfrom room.inner import thing\n",
    "tools.py": "from other import x\n",
    "other.py": "x = 1\n",
    "alone.py": "x = 1\n",
    "room/__init__.py": "from . import sibling\n",
    "room/inner.py": "from .sibling import value\nfrom ..other import x\n",
    "room/sibling.py": "value = 1\n",
    "circle.py": "import round_about\n",
    "round_about.py": "import circle\n",
}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A reader's modules, where Python finds them."""
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package, which is looked at instead."""
    copy = tmp_path / "pareto_core"
    shutil.copytree(_sources.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(_sources, "PACKAGE", copy)
    return copy


def names(paths, root):
    return {path.relative_to(root).as_posix() for path in paths}


def test_all_that_is_imported_directly_or_not_is_found(tree):
    found = names(_sources.closure(tree / "main.py"), tree)
    assert found == set(TREE) - {"alone.py", "circle.py", "round_about.py"}


def test_a_circle_of_imports_is_gone_round_once(tree):
    assert names(_sources.closure(tree / "circle.py"), tree) == {"circle.py", "round_about.py"}


@pytest.mark.parametrize("name", TREE)
def test_an_edit_changes_the_stamps_of_what_imports_the_file(tree, name):
    files = [tree / each for each in TREE]
    before = {file: _sources.stamp(file) for file in files}
    affected = {file for file in files if tree / name in _sources.closure(file)}
    (tree / name).write_text(TREE[name] + "# a comment\n")
    assert {file for file in files if _sources.stamp(file) != before[file]} == affected


def test_a_stamp_does_not_depend_on_where_the_files_lie(tree, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "alone.py").write_text(TREE["alone.py"])
    assert _sources.stamp(elsewhere / "alone.py") == _sources.stamp(tree / "alone.py")


def test_what_is_installed_is_not_followed(tree):
    assert not _sources.imported_files(tree / "main.py") & {Path(os.__file__)}
    (tree / "main.py").write_text("import numpy, scipy.stats, numba\nfrom os import path\n")
    assert _sources.imported_files(tree / "main.py") == frozenset()


def test_what_is_not_to_be_found_is_left_out(tree):
    (tree / "main.py").write_text("import there_is_no_such_module\nfrom other import no_such\n")
    assert names(_sources.imported_files(tree / "main.py"), tree) == {"other.py"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from pareto_core import gaps", {"geometry/dominance.py"}),
        (
            "from pareto_core import APE as B, Session",
            {"algorithms/pareto/ape.py", "sessions/session.py"},
        ),
        (
            "from pareto_core.bounds.surrogate import surrogate_value",
            {"bounds/surrogate/program.py"},
        ),
        ("from pareto_core.geometry import covers", {"geometry/covers.py"}),
        ("from pareto_core import algorithms", {"algorithms/__init__.py"}),
        ("import pareto_core.geometry.covers", {"geometry/covers.py"}),
        ("import pareto_core.geometry", {"geometry/__init__.py"}),
        (
            "import pareto_core as pc; pc.gaps; pc.APE",
            {"geometry/dominance.py", "algorithms/pareto/ape.py"},
        ),
        ("import pareto_core as pc; getattr(pc, 'gaps')", {"__init__.py"}),
        ("import pareto_core; pareto_core.gaps", {"geometry/dominance.py"}),
        ("from pareto_core import no_such_name", {"__init__.py"}),
        ("from pareto_core.no_such_room import name", set()),
    ],
)
def test_what_a_room_hands_on_is_looked_up_where_it_is(text, expected):
    imports = _sources.imports_in(ast.parse(text))
    found = _sources.files_of(imports, _sources.PACKAGE)
    assert names(found, _sources.PACKAGE) == expected


def test_of_the_package_the_files_meant_are_followed(package):
    found = names(_sources.closure(package / "algorithms/pareto/ape.py"), package)
    assert {"loop/record.py", "confidence/thresholds.py", "_kernels.py"} <= found
    assert not found & {"__init__.py", "loop/__init__.py", "transport/oracle.py"}


@pytest.mark.thorough
def test_a_reader_who_imports_the_package_depends_on_what_he_takes_from_it(package, tree):
    main = "import pareto_core as pc\npc.{}\n"
    (tree / "main.py").write_text("import pareto_core as pc\nprint(pc)\n")
    found = names(_sources.closure(tree / "main.py"), tree)
    assert {"pareto_core/__init__.py", "pareto_core/algorithms/pareto/ape.py"} <= found
    assert not any("publishing" in name for name in found)
    for name, others in (("APE()", {"racing.py"}), ("simulate(None)", {"racing.py", "ape.py"})):
        (tree / "main.py").write_text(main.format(name))
        found = {path.name for path in _sources.closure(tree / "main.py")}
        assert {"ape.py", "runs.py"} & found
        assert not found & {*others, "__init__.py"}


@pytest.mark.parametrize("name", ["transport/removal.py", "_checks.py", "algorithms/__init__.py"])
def test_an_edit_of_any_file_changes_the_hash_of_the_package(package, name):
    before = _sources.package_hash()
    file = package / name
    file.write_text(file.read_text().replace(" ", "  ", 1))
    assert _sources.package_hash() != before


def test_a_copy_has_the_same_hash_and_a_moved_line_another(package, monkeypatch):
    copied = _sources.package_hash()
    (package / "a.py").write_text("xy")
    (package / "b.py").write_text("z")
    before = _sources.package_hash()
    (package / "a.py").write_text("x")
    (package / "b.py").write_text("yz")
    assert _sources.package_hash() != before
    monkeypatch.undo()
    assert copied == _sources.package_hash()


def test_a_file_that_changed_after_the_process_began_is_told(tree):
    old = time.time() - 1e5
    os.utime(tree / "alone.py", (old, old))
    assert not _sources.edited_since_start([tree / "alone.py"])
    assert _sources.edited_since_start([tree / "alone.py", tree / "other.py"])


def test_what_comes_with_python_or_numpy_is_installed():
    import numpy as np

    assert _sources.is_installed(shutil.copytree)
    assert _sources.is_installed(np.linalg.norm.__wrapped__)
    assert not _sources.is_installed(_sources.stamp)
    assert not _sources.is_installed(names)
