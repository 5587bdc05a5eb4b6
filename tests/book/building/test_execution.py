"""Chapters are executed by real kernels, side by side, and what goes wrong is reported."""

import json

import nbformat
import pytest
from references.small_book import PARAMETERS, published, write_chapter

from pareto_book.building import replicate

pytestmark = pytest.mark.slow


def test_executes_with_the_parameters_given(book):
    write_chapter("one", "print(profile, seed, n_jobs)")
    assert replicate.main(["--profile", "full", "--seed", "7", "--jobs", "3"]) == 0
    notebook = nbformat.read(published("one"), as_version=4)
    assert notebook.cells[-1].outputs[0].text == "full 7 3\n"
    injected = [c for c in notebook.cells if "injected-parameters" in c.metadata.get("tags", [])]
    assert ["remove-cell" in cell.metadata["tags"] for cell in injected] == [True]
    stamp = json.loads((book / "_build/executed/full/one.json").read_text())
    assert stamp["inputs"]["seed"] == 7
    assert stamp["n_jobs"] == 3


def test_two_executions_give_the_same_bytes(book):
    write_chapter("one", "import numpy as np\nnp.random.default_rng(seed).random(3)")
    replicate.main([])
    first = published("one").read_bytes()
    replicate.main(["--force"])
    assert published("one").read_bytes() == first


def test_chapters_are_executed_side_by_side(book, capsys):
    flags = [book / name for name in ("one", "two")]
    wait = (
        "import pathlib, time\n"
        "pathlib.Path({!r}).touch()\n"
        "while not pathlib.Path({!r}).exists(): time.sleep(0.01)\n"
        "print('met')"
    )
    write_chapter("one", wait.format(*map(str, flags)))
    write_chapter("two", wait.format(*map(str, reversed(flags))))
    assert replicate.main(["--jobs", "2"]) == 0
    for name in ("one", "two"):
        assert nbformat.read(published(name), as_version=4).cells[-1].outputs[0].text == "met\n"


def test_failing_cell_leaves_the_book_untouched(book, capsys):
    write_chapter("one", "print('fine')")
    replicate.main([])
    before = published("one").read_bytes()
    write_chapter("one", "print('first')", "raise RuntimeError('no such arm')")
    assert replicate.main([]) == 1
    assert published("one").read_bytes() == before
    message = capsys.readouterr().err
    assert "one: cell 4 failed" in message
    assert "RuntimeError: no such arm" in message
    partial = nbformat.read(book / "_build/failed/one.ipynb", as_version=4)
    assert any("first" in str(cell.get("outputs")) for cell in partial.cells)

    write_chapter("one", "print('fine again')")
    assert replicate.main([]) == 0
    assert not (book / "_build/failed/one.ipynb").exists()


def test_a_failing_chapter_does_not_stop_the_others(book, capsys):
    for name, code in {"a": "1 / 0", "b": "print('fine')", "c": "[][1]"}.items():
        write_chapter(name, code)
    assert replicate.main(["--jobs", "2"]) == 1
    shown, message = capsys.readouterr()
    assert "a (fast): failed" in shown and "b (fast): done" in shown and "c (fast): failed" in shown
    assert "ZeroDivisionError" in message and "IndexError" in message
    replicate.main([])
    assert "b (fast): up to date" in capsys.readouterr().out


def test_dying_kernel_is_reported(book, capsys):
    write_chapter("one", "import os", "os._exit(9)")
    assert replicate.main([]) == 1
    assert "one: the kernel died" in capsys.readouterr().err
    assert (book / "_build/failed/one.ipynb").exists()
    assert not published("one").exists()


def test_a_summary_is_executed_last_and_gets_the_profiles_of_the_others(book, capsys):
    write_chapter("zebra", "print(profile)")
    write_chapter("one", "print(profile)")
    parameters = PARAMETERS + "\nprofiles = {}"
    write_chapter(
        "scorecard", "print(sorted(profiles.items()))", parameters=parameters, summary=True
    )

    def said():
        return nbformat.read(published("scorecard"), as_version=4).cells[-1].outputs[0].text

    replicate.main([])
    order = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "done" in line]
    assert order[-1] == "scorecard"
    assert sorted(order) == ["one", "scorecard", "zebra"]
    assert said() == "[('one', 'fast'), ('zebra', 'fast')]\n"
    replicate.main(["one", "--profile", "full"])
    assert said() == "[('one', 'full'), ('zebra', 'fast')]\n"
    write_chapter("zebra", "print(profile, 2)")
    capsys.readouterr()
    replicate.main(["zebra"])
    assert "scorecard (fast): to be executed" in capsys.readouterr().out
    replicate.main([])
    assert said() == "[('one', 'fast'), ('zebra', 'fast')]\n"


def test_the_files_that_a_chapter_writes_are_copied_beside_it(book):
    write = "from pareto_book.paths import written_file\nwritten_file({}).write_text({!r})"
    write_chapter(
        "one",
        write.format("'scorecard', 'one-fast.csv'", "id\nrow\n"),
        write.format("'figures', 'one', 'front.svg'", "<svg/>"),
    )
    replicate.main([])
    assert (book / "_build/executed/fast/one.csv").read_text() == "id\nrow\n"
    assert (book / "_build/executed/fast/one/front.svg").read_text() == "<svg/>"
