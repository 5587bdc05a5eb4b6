"""A reader can execute a chapter again in all ways that the book describes."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import jupytext
import nbformat
import pytest
import yaml
from jupytext.config import load_jupytext_config
from references.browser import open_browser

from pareto_book import paths

pytestmark = pytest.mark.slow

CHAPTER = "crepon2024"  # the example of book/how_to_read.md
CELLS = 3  # code cells: the parameters, the imports, and the first numbers
TIMEOUT = 120  # seconds; the machine may be busy
PROBE = "print(profile, seed, fig4_instances, round(float(cheapest.value), 6))"
SETTINGS = {  # of a server without the settings of the user
    "jupyter_server_config": {"ServerApp": {"open_browser": False, "allow_root": True}},
    "jupyter_lab_config": {"LabApp": {"expose_app_in_browser": True, "news_url": None}},
}

# Wait until the chapter is open as a notebook with a kernel, and return its number of cells and the
# text of its first admonition, which is rendered only with an extension for MyST.
OPENED = """new Promise((done) => {
    const again = setInterval(() => {
        const panel = window.jupyterapp?.shell?.currentWidget;
        const cells = panel?.content?.widgets?.length;
        const note = document.querySelector(".jp-Notebook aside")?.textContent ?? "";
        if (!cells || !panel.sessionContext?.session?.kernel || !note) return;
        clearInterval(again);
        done([cells, note]);
    }, 50);
})"""
# Set the parameters, run all cells, and return the output of the last one.
RUN = """(async () => {
    const panel = window.jupyterapp.shell.currentWidget;
    const cells = panel.content.widgets.filter((cell) => cell.model.type === "code");
    cells[0].model.sharedModel.setSource(PARAMETERS);
    await window.jupyterapp.commands.execute("notebook:run-all-cells");
    return cells.at(-1).outputArea.model.toJSON().map((output) => output.text).join("");
})()"""
SAVE = "window.jupyterapp.commands.execute('docmanager:save').then(() => null)"


@pytest.fixture
def folder(tmp_path):
    """A repository for a reader, with a chapter that ends after its first cells."""
    (tmp_path / "notebooks").mkdir()
    notebook = jupytext.read(paths.NOTEBOOKS / f"{CHAPTER}.md")
    code = [number for number, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    notebook.cells = notebook.cells[: code[CELLS - 1] + 1]
    notebook.cells.append(nbformat.v4.new_code_cell(PROBE))
    (tmp_path / "notebooks" / "jupytext.toml").symlink_to(paths.NOTEBOOKS / "jupytext.toml")
    source = tmp_path / "notebooks" / f"{CHAPTER}.md"
    jupytext.write(notebook, source, fmt="md:myst", config=load_jupytext_config(str(source)))
    for name in ("Makefile", "pareto_core", "requirements.lock", "pyproject.toml"):
        (tmp_path / name).symlink_to(paths.ROOT / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    for name, values in SETTINGS.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(values))
    return tmp_path


@pytest.fixture
def begin(folder):
    """Begin a program in the folder, with this package."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    variables |= {
        "JUPYTER_CONFIG_DIR": str(folder),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "PATH": f"{folder / '.venv' / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(paths.ROOT),
    }
    with open(folder / "log", "w") as log:
        yield lambda *command: subprocess.Popen(
            command, cwd=folder, env=variables, stdout=log, stderr=log, start_new_session=True
        )


def command_of(beginning):
    """The command of the page *How to read this book* that begins so."""
    lines = (paths.ROOT / "book" / "how_to_read.md").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line.startswith(beginning)]
    return line


@pytest.mark.built
def test_nbval_compares_a_chapter_by_the_printed_command(begin, folder):
    (folder / "_build").symlink_to(paths.BUILD)
    program = begin("bash", "-c", command_of("pytest --nbval"))
    assert program.wait(TIMEOUT) == 0, (folder / "log").read_text()


def test_papermill_executes_a_chapter_by_the_printed_command(folder, begin):
    before = {*folder.iterdir()}
    program = begin("bash", "-euo", "pipefail", "-c", command_of("papermill notebooks/"))
    assert program.wait(TIMEOUT) == 0, (folder / "log").read_text()
    assert {each.name for each in {*folder.iterdir()} - before} <= {"out.ipynb", "log", "runtime"}
    cells = nbformat.read(folder / "out.ipynb", as_version=4).cells
    printed = [out.text for cell in cells for out in cell.get("outputs", ()) if "text" in out]
    assert re.match(r"full 1 100 0\.\d+\n$", printed[-1])


@pytest.fixture
def page(folder, begin):
    """A page of a browser in which JupyterLab, served by ``make lab``, has opened the chapter."""
    server = begin("make", "--old-file=setup", "lab")
    try:
        deadline = time.monotonic() + TIMEOUT
        while not (found := [*(folder / "runtime").glob("jpserver-*.json")]):
            assert server.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.05)
        where = json.loads(found[0].read_text())
        address = f"{where['url']}lab/tree/{CHAPTER}.md?token={where['token']}"
        with open_browser() as browser, browser.page(address) as page:
            yield page
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=TIMEOUT)


def header(text):
    return yaml.safe_load(text.split("---\n")[1])


def test_lab_opens_a_chapter_and_executes_it_with_different_parameters(page, folder):
    source = folder / "notebooks" / f"{CHAPTER}.md"
    cells, note = page.evaluate(OPENED)
    assert cells == len(jupytext.read(source).cells)
    assert note.startswith("In short")
    unchanged = "cells[0].model.sharedModel.getSource()"
    assert re.match(r"fast 0 \d+ 0\.\d+\n$", page.evaluate(RUN.replace("PARAMETERS", unchanged)))
    changed = "`profile = 'full'; seed = 3; n_jobs = 1`"
    assert re.match(r"full 3 100 0\.\d+\n$", page.evaluate(RUN.replace("PARAMETERS", changed)))
    page.evaluate(SAVE)
    saved = source.read_text(encoding="utf-8")
    assert header(saved) == header((paths.NOTEBOOKS / f"{CHAPTER}.md").read_text(encoding="utf-8"))
    assert "seed = 3" in saved
