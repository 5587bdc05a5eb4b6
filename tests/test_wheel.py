"""A wheel works anywhere: the data are in it, and it writes nothing into its own folder."""

import json
import os
import subprocess
import sys
import sysconfig
import venv

import nbformat
import pytest

from pareto_book import paths
from pareto_book.claims.claims import chapters_with_claims
from pareto_core.instances.datasets import instance_names

pytestmark = pytest.mark.slow

NOT_DECLARED = ("IPython", "dask", "distributed", "docutils", "jupytext", "nbformat", "psutil")
IMPORT_ALL = f"""
import importlib, pkgutil, sys
sys.modules |= dict.fromkeys({NOT_DECLARED})
import pareto_core
for module in pkgutil.walk_packages(pareto_core.__path__, "pareto_core."):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        print(module.name, error, sep=": ")
"""
LOAD_ALL = """
import pareto_core
from pareto_core.instances.datasets import instance_names
from pareto_book.claims.claims import chapters_with_claims
print(pareto_core.__file__)
for name in instance_names():
    print(name, *pareto_core.load_instance(name).means.shape)
"""
DRAW = """
from matplotlib import pyplot
from pareto_book.figures import plots
from pareto_book.claims.claims import chapters_with_claims
from pareto_book.claims.scorecard import Scorecard
plots.save(pyplot.figure(), "chapter", "figure")
for chapter in chapters_with_claims():
    card = Scorecard(chapter, "fast")
    for claim in card.claims.values():
        interval, runs = ((0.5, 1.5), 30) if claim.random else (None, None)
        others = dict.fromkeys(claim.other_readings, 1.0)
        card.record(claim.id, 1.0, interval, runs, others=others)
    card.save()
"""
VARIABLES = {"MPLBACKEND": "agg", "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
N_CELLS = 4  # of code: the parameters, those injected, the imports, and the first of its own


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


def test_every_instance_can_be_loaded(call, environment):
    where, *lines = call("python", "-c", LOAD_ALL).stdout.splitlines()
    assert where.startswith(str(environment))
    assert tuple(line.split()[0] for line in lines) == instance_names()


def test_the_hints_are_there_for_type_checkers(environment):
    assert list(environment.glob("lib/python*/site-packages/pareto_core/py.typed"))


def test_instances_are_listed(call):
    lines = call("pareto-core", "instances").stdout.splitlines()
    assert tuple(line.split()[0] for line in lines[1:]) == instance_names()


def test_an_algorithm_runs(call):
    done = call(
        "pareto-core", "run", "EGE", "cov_boost", "--runs", "2", "--set", "budget=200", "--jobs=1"
    )
    assert "runs        2, seed 0" in done.stdout


def test_help_has_the_name_of_the_program(call):
    assert call("pareto-core").stdout.startswith("usage: pareto-core ")
    assert call("python", "-m", "pareto_core").stdout.startswith("usage: python -m pareto_core ")


def test_there_are_no_chapters(call, tmp_path):
    message = f"no chapters in {tmp_path / 'notebooks'}; expected to be called in the repository"
    assert call("pareto-core", "chapters", status=2).stderr == f"error: {message}\n"


def test_figures_and_scorecards_go_to_the_folder_that_one_works_in(call, tmp_path):
    call("python", "-c", DRAW)
    assert (tmp_path / "_build" / "figures" / "chapter" / "figure.svg").exists()
    cards = {file.stem for file in (tmp_path / "_build" / "scorecard").iterdir()}
    assert cards == {f"{chapter}-fast" for chapter in chapters_with_claims()}


@pytest.mark.parametrize("chapter", ["crepon2024", "write_algorithm"])
def test_a_chapter_downloaded_from_its_page_starts(environment, tmp_path, chapter):
    downloads = (paths.BUILD / "html" / "_downloads").glob(f"*/{chapter}.ipynb")
    downloaded = next(downloads, None)
    if downloaded is None:
        pytest.skip("the book has not been built: make book")
    notebook = nbformat.read(downloaded, as_version=4)
    first = [cell for cell in notebook.cells if cell.cell_type == "code"][:N_CELLS]
    notebook.cells = [*first, nbformat.v4.new_code_cell("print(pc.__file__, profile)")]
    nbformat.write(notebook, tmp_path / "first.ipynb")
    kernel = tmp_path / "kernels" / "wheel" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    program = [str(environment / "bin" / "python"), "-m", "ipykernel_launcher"]
    parts = {
        "argv": [*program, "-f", "{connection_file}"],
        "display_name": "",
        "language": "python",
    }
    kernel.write_text(json.dumps(parts))
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables |= VARIABLES | {"JUPYTER_PATH": str(tmp_path)}
    execute = [sys.executable, "-m", "papermill", "--kernel", "wheel", "--no-progress-bar"]
    done = subprocess.run(
        [*execute, "first.ipynb", "out.ipynb"],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    last = nbformat.read(tmp_path / "out.ipynb", as_version=4).cells[-1]
    where, profile = last.outputs[0].text.split()
    assert where.startswith(str(environment))
    assert profile == "fast"


NEEDS_MORE = ("execution", "keepsakes", "kernels", "own_tables", "replicate", "stamps", "summary")


def test_only_what_makes_the_book_needs_more_than_the_declared_libraries(call):
    failures = dict(
        line.split(": ", 1) for line in call("python", "-c", IMPORT_ALL).stdout.splitlines()
    )
    room = "pareto_book.building"
    assert set(failures) <= {f"{room}.{name}" for name in NEEDS_MORE}
    assert f"{room}.summary" in failures
    for message in failures.values():
        assert message.endswith("call pip install 'pareto-core[book]'")
