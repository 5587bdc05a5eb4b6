"""Chapters are executed by real kernels, side by side, and what goes wrong is reported."""

import json

import nbformat
import pytest
from references.small_book import published, write_chapter

from pareto_book.building import replicate

pytestmark = pytest.mark.slow

WRITE = (
    "from pareto_book.paths import written_file\n"
    "written_file('figures', 'one', 'front.svg').write_text('<svg/>')"
)
WAIT = (
    "import pathlib, time\n"
    "pathlib.Path({!r}).touch()\n"
    "while not pathlib.Path({!r}).exists(): time.sleep(0.01)\n"
    "print(profile, seed, n_jobs)"
)


def said(chapter):
    """What the last cell of a published chapter printed."""
    return nbformat.read(published(chapter), as_version=4).cells[-1].outputs[0].text


def test_chapters_are_executed_side_by_side_with_the_parameters_given(book):
    flags = [str(book / name) for name in ("one", "two")]
    write_chapter("one", WRITE, WAIT.format(*flags))
    write_chapter("two", WAIT.format(*reversed(flags)))
    assert replicate.main(["--profile", "full", "--seed", "7", "--jobs", "2"]) == 0
    assert said("one").startswith("full 7 ") and said("two") == said("one")
    cells = nbformat.read(published("one"), as_version=4).cells
    injected = [c for c in cells if "injected-parameters" in c.metadata.get("tags", [])]
    assert ["remove-cell" in cell.metadata["tags"] for cell in injected] == [True]
    stamp = json.loads((book / "_build/executed/full/one.json").read_text())
    assert stamp["inputs"]["seed"] == 7
    assert (book / "_build/executed/full/one/front.svg").read_text() == "<svg/>"


def test_what_fails_is_reported_and_changes_neither_the_book_nor_other_chapters(book, capsys):
    write_chapter("a", "import numpy as np\nprint(np.random.default_rng(seed).random(3))")
    replicate.main([])
    before = published("a").read_bytes()
    replicate.main(["--force"])
    assert published("a").read_bytes() == before

    write_chapter("a", "print('first')", "raise RuntimeError('no such arm')")
    write_chapter("b", "print('fine')")
    write_chapter("c", "import os", "os._exit(9)")
    capsys.readouterr()
    assert replicate.main(["--jobs", "2"]) == 1
    shown, message = capsys.readouterr()
    assert "a (fast): failed" in shown and "b (fast): done" in shown and "c (fast): failed" in shown
    assert "a: cell 4 failed" in message and "RuntimeError: no such arm" in message
    assert "c: the kernel died" in message
    assert published("a").read_bytes() == before
    assert not published("c").exists()
    partial = nbformat.read(book / "_build/failed/a.ipynb", as_version=4)
    assert any("first" in str(cell.get("outputs")) for cell in partial.cells)

    write_chapter("a", "print('fine again')")
    (book / "notebooks/c.md").unlink()
    assert replicate.main([]) == 0
    assert "b (fast): up to date" in capsys.readouterr().out
    assert not (book / "_build/failed/a.ipynb").exists()
