"""A chapter run again by its reader, in each way that README names."""

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

CHAPTER = "crepon2024"  # README's example
CELLS = 3  # of code: the parameters, the imports, and the first numbers
PATIENCE = 120  # seconds; a machine may be busy
PROBE = "print(profile, seed, printed_runs, round(float(cheapest.value), 6))"
SERVER = {"ServerApp": {"open_browser": False, "allow_root": True}}
LAB = {"LabApp": {"expose_app_in_browser": True, "news_url": None}}

# When the chapter is open as a notebook with a kernel: how many cells it has, and what its first
# admonition says, which only an extension for MyST shows as one.
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
# Set the parameters, run all, and return what the last cell prints.
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
    """What the repository has for a reader, with a chapter that ends after its first cells."""
    (tmp_path / "notebooks").mkdir()
    notebook = jupytext.read(paths.NOTEBOOKS / f"{CHAPTER}.md")
    code = [place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    notebook.cells = notebook.cells[: code[CELLS - 1] + 1]
    notebook.cells.append(nbformat.v4.new_code_cell(PROBE))
    (tmp_path / "notebooks" / "jupytext.toml").symlink_to(paths.NOTEBOOKS / "jupytext.toml")
    source = tmp_path / "notebooks" / f"{CHAPTER}.md"
    config = load_jupytext_config(str(source))
    jupytext.write(notebook, source, fmt="md:myst", config=config)
    for name in ("Makefile", "pareto_core", "requirements.lock", "pyproject.toml"):
        (tmp_path / name).symlink_to(paths.ROOT / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def environment(folder):
    """Variables of the programs: no settings of the reader's own, and this package."""
    settings = folder / "settings"
    settings.mkdir()
    (settings / "jupyter_server_config.json").write_text(json.dumps(SERVER))
    (settings / "jupyter_lab_config.json").write_text(json.dumps(LAB))
    names = {"CONFIG_DIR": settings, "RUNTIME_DIR": folder / "runtime", "DATA_DIR": folder / "data"}
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        **{f"JUPYTER_{name}": str(path) for name, path in names.items()},
        "PATH": f"{folder / '.venv' / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(paths.ROOT),
    }


def readme_line(beginning):
    lines = (paths.ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line.startswith(beginning)]
    return line


def test_papermill_runs_a_chapter_as_readme_says(folder):
    line = readme_line("jupytext --to ipynb")
    command = ["bash", "-euo", "pipefail", "-c", f"{line} -p seed 5"]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    cells = nbformat.read(folder / "out.ipynb", as_version=4).cells
    printed = [
        output.text for cell in cells for output in cell.get("outputs", ()) if "text" in output
    ]
    assert re.match(r"full 5 2000 0\.\d+\n$", printed[-1])


@pytest.fixture
def lab(folder):
    """Address of a page of JupyterLab, which make lab serves."""
    with open(folder / "log", "w") as log:
        server = subprocess.Popen(
            ["make", "--old-file=setup", "lab"],
            cwd=folder,
            env=environment(folder),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not (found := [*(folder / "runtime").glob("jpserver-*.json")]):
            assert server.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.05)
        where = json.loads(found[0].read_text())
        yield f"{where['url']}lab/tree/{CHAPTER}.md?token={where['token']}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=PATIENCE)


@pytest.fixture
def page(lab):
    """A page of a browser, with the chapter that JupyterLab opens there."""
    with open_browser() as browser, browser.page(lab) as page:
        yield page


def header(text):
    return yaml.safe_load(text.split("---\n")[1])


def test_lab_opens_a_chapter_and_runs_it_with_other_parameters(page, folder):
    source = folder / "notebooks" / f"{CHAPTER}.md"
    before = source.read_text(encoding="utf-8")
    cells, note = page.evaluate(OPENED)
    assert cells == len(jupytext.reads(before, "md:myst").cells)
    assert note.startswith("In short")
    unchanged = "cells[0].model.sharedModel.getSource()"
    assert re.match(r"fast 0 \d+ 0\.\d+\n$", page.evaluate(RUN.replace("PARAMETERS", unchanged)))
    changed = "`profile = 'full'; seed = 3; n_jobs = 1`"
    assert re.match(r"full 3 2000 0\.\d+\n$", page.evaluate(RUN.replace("PARAMETERS", changed)))
    page.evaluate(SAVE)
    saved = source.read_text(encoding="utf-8")
    assert header(saved) == header((paths.NOTEBOOKS / f"{CHAPTER}.md").read_text(encoding="utf-8"))
    assert "seed = 3" in saved
