"""What the tests of the driver share: a small book, and an execution that is a stub."""

import concurrent.futures

import nbformat
import pytest
from references.claim_files import STATEMENT, write_claims
from references.small_book import INJECTED, PARAMETERS, write_chapter

from pareto_book import paths
from pareto_book.building import execution
from pareto_book.claims.card import Scorecard
from pareto_book.records.measurements import Measurement


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Folder of an empty book, with all paths that the driver uses."""
    folders = {"ROOT": ".", "BUILD": "_build", "DATA": "data", "CHAPTERS": "book/chapters"}
    for name, folder in (folders | {"NOTEBOOKS": "notebooks"}).items():
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        monkeypatch.setattr(paths, name, tmp_path / folder)
    monkeypatch.setattr(paths, "LOCK", tmp_path / "requirements.lock")
    monkeypatch.setattr(paths, "TOC", tmp_path / "_toc.yml")
    paths.LOCK.write_text("numpy==2.0\n")
    for name in ("pareto_core/means.py", "pareto_book/chapters/one.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("MEANS = (1, 2)\n")
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
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for number, cell in enumerate(code, start=1):
            cell.execution_count = number
            cell.outputs = [nbformat.v4.new_output("stream", text=f"{number} {task.parameters}")]
            if "card.save" in cell.source:
                card = Scorecard(task.chapter, task.parameters["profile"])
                card.check("fewer", Measurement(0.9, (0.8, 0.95), 30))
                card.save()
        nbformat.write(notebook, output)

    monkeypatch.setattr(execution, "run_papermill", stub)
    monkeypatch.setattr(
        concurrent.futures,
        "ProcessPoolExecutor",
        lambda *arguments: concurrent.futures.ThreadPoolExecutor(1),
    )
    return names


@pytest.fixture
def two_chapters(book):
    """A book with two chapters that measure a claim, and a page that summarises them."""
    (paths.DATA / "book").mkdir(parents=True)
    for name in ("one", "two"):
        write_claims(paths.DATA / "published" / f"{name}.csv", [STATEMENT])
        write_chapter(name, "card.save()")
    paths.TOC.write_text(
        "parts: [{chapters: [{file: book/chapters/one}, {file: book/chapters/two}]}]"
    )
    write_chapter("all", "rows", parameters=PARAMETERS + "\nprofiles = {}", summary=True)
    return book
