"""A wheel works anywhere: the data are in it, and it writes nothing into its own folder."""

import os
import subprocess
import sys
import sysconfig
import venv

import pytest

from pareto_book import paths
from pareto_core.instances.datasets import MAKERS

pytestmark = pytest.mark.slow

# What an installed package must not need: what the book needs besides, and the lab's libraries.
BOOK = ("IPython", "dask", "distributed", "docutils", "jupytext", "nbformat", "psutil", "seaborn")
LAB = ("jinja2", "matplotlib", "pandas")
IMPORT_ALL = """
import importlib, pkgutil, sys
name, *missing = sys.argv[1:]
sys.modules |= dict.fromkeys(missing)
package = importlib.import_module(name)
for module in pkgutil.walk_packages(package.__path__, f"{name}."):
    importlib.import_module(module.name)
"""
LOAD_ALL = """
import pareto_core
print(pareto_core.__file__)
for name in pareto_core.instances.datasets.MAKERS:
    print(name, *pareto_core.load_instance(name).means.shape)
"""
VARIABLES = {"MPLBACKEND": "agg", "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A new environment with the wheel, and with this one's libraries but not its package."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=paths.ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv")
    pip = [sys.executable, "-m", "pip", "--python", folder / "venv", "install", "--quiet"]
    options = ["--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, *options, wheel], check=True, capture_output=True)
    # a folder that a .pth file names is searched, but .pth files in it are not read: that of
    # this environment's editable install leads nowhere
    (packages,) = (folder / "venv").glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return folder / "venv"


@pytest.fixture
def call(environment, tmp_path):
    """Call a program of the environment in an empty folder; nothing must change where it is."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables |= VARIABLES | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}

    def call(program, *arguments, status=0):
        before = files_in(environment)
        done = subprocess.run(
            [environment / "bin" / program, *arguments],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
        assert files_in(environment) == before
        return done

    return call


def files_in(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_every_instance_of_a_table_can_be_loaded(call, environment):
    where, *lines = call("python", "-c", LOAD_ALL).stdout.splitlines()
    assert where.startswith(str(environment))
    assert [line.split()[0] for line in lines] == list(MAKERS)


def test_an_algorithm_is_compiled(call):
    done = call("pareto-lab", "compile", "EGE", "budget=200")
    assert done.stdout == "" and done.stderr.startswith("compiling")


def test_the_core_needs_neither_the_laboratory_nor_the_book(call):
    call("python", "-c", IMPORT_ALL, "pareto_core", *BOOK, *LAB)
    call("python", "-c", IMPORT_ALL, "pareto_lab", *BOOK)
    done = call("python", "-c", IMPORT_ALL, "pareto_lab", *LAB, status=1)
    expected = "pareto_lab needs jinja2, matplotlib, pandas: pip install jinja2 matplotlib pandas"
    assert expected in done.stderr


def test_papermill_starts_without_loading_the_packages(call):
    loaded = "import papermill, sys; print(*{'pareto_papermill', 'pareto_core'} & {*sys.modules})"
    assert call("python", "-c", loaded).stdout == "pareto_papermill\n"


def test_the_data_and_the_hints_are_in_it_and_nothing_of_the_book(environment):
    (packages,) = environment.glob("lib/python*/site-packages")
    assert not (packages / "pareto_book").exists()
    data = {path.name for path in (packages / "pareto_core" / "data").iterdir()}
    assert data == {*(path.name for path in paths.DATA.glob("*.csv")), "NOTICE.md"}
    assert (packages / "pareto_core" / "py.typed").exists()
