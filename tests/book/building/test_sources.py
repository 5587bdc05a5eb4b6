"""The source files that a chapter imports, directly or indirectly."""

import ast
import os
import shutil
from pathlib import Path

import pytest

from pareto_book import paths
from pareto_book.building import sources

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
    """Modules of a reader, on the search path of Python."""
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package, which replaces it in the search."""
    copy = tmp_path / "pareto_core"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(paths.ROOT / "pareto_core", copy, ignore=ignored)
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    return copy


def names(files, root):
    return {file.relative_to(root).as_posix() for file in files}


def test_direct_and_indirect_imports_are_found(tree):
    found = names(sources.closure(tree / "main.py"), tree)
    assert found == set(TREE) - {"alone.py", "circle.py", "round_about.py"}


def test_circular_imports_are_followed_once(tree):
    assert names(sources.closure(tree / "circle.py"), tree) == {"circle.py", "round_about.py"}


def test_installed_packages_are_not_followed(tree):
    assert not sources.imported_files(tree / "main.py") & {Path(os.__file__)}
    (tree / "main.py").write_text("import numpy, scipy.stats, numba\nfrom os import path\n")
    assert sources.imported_files(tree / "main.py") == frozenset()


def test_missing_modules_are_omitted(tree):
    (tree / "main.py").write_text("import there_is_no_such_module\nfrom other import no_such\n")
    assert names(sources.imported_files(tree / "main.py"), tree) == {"other.py"}


def test_the_other_packages_are_followed():
    text = "import pareto_lab as lab; lab.Session\nfrom pareto_book.figures import plots"
    found = sources.files_of(sources.imports_in(ast.parse(text)), paths.ROOT)
    assert names(found, paths.ROOT) == {
        "pareto_lab/session/session.py",
        "pareto_book/figures/plots.py",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from pareto_core import gaps", {"geometry/dominance.py"}),
        (
            "from pareto_core import APE as B, simulate",
            {"algorithms/pareto/ape.py", "simulation/runs.py"},
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
def test_the_file_that_defines_an_exported_name_is_found(text, expected):
    imports = sources.imports_in(ast.parse(text))
    package = paths.ROOT / "pareto_core"
    assert names(sources.files_of(imports, package), package) == expected


def test_only_imported_files_of_the_package_are_followed(package):
    found = names(sources.closure(package / "algorithms/pareto/ape.py"), package)
    assert {"loop/record.py", "confidence/thresholds.py", "compiling/kernels.py"} <= found
    assert not found & {"__init__.py", "loop/__init__.py", "transport/oracle.py"}


@pytest.mark.slow
def test_only_used_names_of_the_package_are_followed(package, tree):
    main = "import pareto_core as pc\npc.{}\n"
    (tree / "main.py").write_text("import pareto_core as pc\nprint(pc)\n")
    found = names(sources.closure(tree / "main.py"), tree)
    assert {"pareto_core/__init__.py", "pareto_core/algorithms/pareto/ape.py"} <= found
    assert not any("pareto_book" in name for name in found)
    for name, others in (("APE()", {"racing.py"}), ("simulate(None)", {"racing.py", "ape.py"})):
        (tree / "main.py").write_text(main.format(name))
        found = {path.name for path in sources.closure(tree / "main.py")}
        assert {"ape.py", "runs.py"} & found
        assert not found & {*others, "__init__.py"}
