"""What the tests of the driver share: a small book, and an execution that is a stub."""

import nbformat
import pytest
from references.claim_files import STATEMENT, write_claims
from references.small_book import INJECTED, MEASURES, PARAMETERS, write_chapter

from pareto_book import paths
from pareto_book.building import execution, kernels
from pareto_book.records.scorecard import CLAIMS_TABLE, Scorecard


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Folder of an empty book, with all paths that the driver uses."""
    folders = {
        (paths, "ROOT"): ".",
        (paths, "BUILD"): "_build",
        (paths, "DATA"): "data",
        (paths, "CHAPTERS"): "book/chapters",
        (paths, "NOTEBOOKS"): "notebooks",
    }
    for (module, name), folder in folders.items():
        path = tmp_path / folder
        path.mkdir(parents=True, exist_ok=True)
        monkeypatch.setattr(module, name, path)
    monkeypatch.setattr(paths, "LOCK", tmp_path / "requirements.lock")
    monkeypatch.setattr(paths, "TOC", tmp_path / "_toc.yml")
    paths.LOCK.write_text("numpy==2.0\n")
    package = tmp_path / "pareto_core"
    package.mkdir()
    (package / "__init__.py").write_text("from pareto_core.inner import MEANS, ARMS\n")
    (package / "inner.py").write_text("from pareto_core.means import MEANS\n")
    (package / "means.py").write_text("MEANS = (1, 2)\n")
    (package / "other.py").write_text("")
    status = tmp_path / "status"
    status.mkdir()
    for name, value in kernels.kernel_environment(status).items():
        monkeypatch.setenv(name, value)  # so that it is restored after the test
    return tmp_path


@pytest.fixture
def executed(monkeypatch):
    """Names of the executed chapters, where the execution is a stub."""
    names = []

    def stub(task, source, output):
        names.append(task.chapter)
        notebook = nbformat.read(source, as_version=4)
        injected = nbformat.v4.new_code_cell("profile", metadata={"tags": [INJECTED]})
        notebook.cells.insert(1, injected)
        number = 0
        for cell in notebook.cells:
            if cell.cell_type == "code":
                number += 1
                cell.execution_count = number
                cell.outputs = [nbformat.v4.new_output("stream", text=f"{task.chapter} {number}")]
                if "card.table" in cell.source:
                    shown = {CLAIMS_TABLE: {"names": ["few*"], "section": "", "caption": "A"}}
                    cell.outputs = [nbformat.v4.new_output("display_data", data=shown)]
                if "card.save" in cell.source:
                    card = Scorecard(task.chapter, task.parameters["profile"])
                    card.record("fewer", 0.9, (0.8, 0.95), runs=30)
                    card.save()
        nbformat.write(notebook, output)

    monkeypatch.setattr(execution, "run_papermill", stub)
    return names


@pytest.fixture
def two_chapters(book):
    """A book with two chapters that measure a claim, and a page that summarises them."""
    for name in ("one", "two"):
        write_claims(paths.DATA / "published" / f"{name}.csv", [STATEMENT])
        write_chapter(name, MEASURES)
    paths.TOC.write_text(
        "parts: [{chapters: [{file: book/chapters/one}, {file: book/chapters/two}]}]"
    )
    names = "from pareto_book.claims import summary\nprint(*summary.all_rows({}).chapter)"
    write_chapter("all", names, parameters=PARAMETERS + "\nprofiles = {}", summary=True)
    return book
