"""The driver that executes chapters, on small chapters of its own."""

import json

import jupytext
import nbformat
import pytest

from pareto_core import _paths
from pareto_core.publishing import replicate

KERNELSPEC = {"name": "python3", "display_name": "Python 3", "language": "python"}
PARAMETERS = 'profile = "fast"\nseed = 0\nn_jobs = 1'


@pytest.fixture
def book(tmp_path, monkeypatch):
    """An empty book: its folder, with everything that the driver looks at inside."""
    folders = {
        (_paths, "ROOT"): ".",
        (_paths, "BUILD"): "_build",
        (_paths, "DATA"): "data",
        (replicate, "CHAPTERS"): "book/chapters",
        (replicate, "NOTEBOOKS"): "notebooks",
        (replicate, "PACKAGE"): "pareto_core",
    }
    for (module, name), folder in folders.items():
        path = tmp_path / folder
        path.mkdir(parents=True, exist_ok=True)
        monkeypatch.setattr(module, name, path)
    monkeypatch.setattr(replicate, "LOCK", tmp_path / "requirements.lock")
    replicate.LOCK.write_text("numpy==2.0\n")
    (replicate.PACKAGE / "means.py").write_text("MEANS = (1, 2)\n")
    for name, value in replicate.kernel_environment("").items():
        monkeypatch.setenv(name, value)  # so that it is put back after the test
    return tmp_path


def write_chapter(name, *sources, parameters=PARAMETERS):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in (parameters, *sources)],
        metadata={"kernelspec": KERNELSPEC},
    )
    notebook.cells[0].metadata["tags"] = ["parameters"]
    jupytext.write(notebook, replicate.NOTEBOOKS / f"{name}.md", fmt="md:myst")


def published(name):
    return replicate.CHAPTERS / f"{name}.ipynb"


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


def test_second_run_executes_only_what_changed(book, capsys, monkeypatch):
    executed = []

    def pretend(chapter, source, output, parameters):
        executed.append(chapter)
        output.write_bytes(source.read_bytes())

    monkeypatch.setattr(replicate, "_run_papermill", pretend)
    write_chapter("one", "print('one')")
    replicate.main([])
    replicate.main(["--jobs", "5"])
    assert executed == ["one"]
    assert "up to date" in capsys.readouterr().out

    changes = {
        "notebook": lambda: write_chapter("one", "print('two')"),
        "pareto_core": lambda: (replicate.PACKAGE / "means.py").write_text("MEANS = (1, 3)\n"),
        "data": lambda: (_paths.DATA / "table.csv").write_text("arm,mean\n"),
        "requirements.lock": lambda: replicate.LOCK.write_text("numpy==2.1\n"),
        "executed notebook": lambda: (book / "_build/executed/fast/one.ipynb").write_text("{}"),
    }
    for count, (name, change) in enumerate(changes.items(), start=2):
        change()
        replicate.main([])
        assert executed == ["one"] * count
        assert name in capsys.readouterr().out


def test_named_chapter_leaves_the_others_alone(book):
    write_chapter("one", "print(profile)")
    write_chapter("two", "print(profile)")
    replicate.main(["one", "--profile", "full"])
    replicate.main(["two", "--profile", "full"])
    texts = [
        nbformat.read(published(name), as_version=4).cells[-1].outputs[0].text
        for name in ("one", "two")
    ]
    assert texts == ["full\n", "full\n"]
    assert (book / "_build/executed/fast/two.ipynb").exists()  # made when the book had no copy


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


def test_dying_kernel_is_reported(book, capsys):
    write_chapter("one", "import os", "os._exit(9)")
    assert replicate.main([]) == 1
    assert "one: the kernel died" in capsys.readouterr().err
    assert (book / "_build/failed/one.ipynb").exists()
    assert not published("one").exists()


def test_test_run_does_not_publish(book):
    write_chapter("one", "print('fine')")
    assert replicate.main(["--no-publish"]) == 0
    assert not published("one").exists()


def test_progress_is_shown_but_not_in_the_notebook(book, capsys):
    write_chapter(
        "one",
        "import os, time\n"
        "with open(os.environ['PARETO_PROGRESS_FILE'], 'a') as stream:\n"
        "    stream.write('\\rdrawing: 40%')\n"
        "time.sleep(2)",
    )
    replicate.main([])
    assert "one: cell 3 of 3" in (shown := capsys.readouterr().err)
    assert "drawing: 40%" in shown
    assert nbformat.read(published("one"), as_version=4).cells[-1].outputs == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["onne"], "chapter = 'onne'; expected one of one (did you mean 'one'?)"),
        (["--profile", "fats"], "did you mean 'fast'?"),
        (["--jobs", "0"], "jobs = 0; expected an integer, at least 1"),
        (["--seed", "-1"], "seed = -1; expected an integer, at least 0"),
    ],
)
def test_wrong_arguments_are_refused(book, capsys, arguments, message):
    write_chapter("one", "print('fine')")
    assert replicate.main(arguments) == 2
    assert message in capsys.readouterr().err
    assert not published("one").exists()


def test_chapter_without_a_parameter_is_refused(book, capsys):
    write_chapter("one", "print('fine')", parameters='profil = "fast"\nseed = 0\nn_jobs = 1')
    assert replicate.main([]) == 2
    assert "chapter 'one' has no parameter 'profile'" in capsys.readouterr().err
    assert not published("one").exists()


def test_scorecard_is_executed_after_the_others_and_told_their_profiles(book, capsys):
    write_chapter("zebra", "print(profile)")
    write_chapter("one", "print(profile)")
    parameters = PARAMETERS + "\nprofiles = {}"
    write_chapter("scorecard", "print(sorted(profiles.items()))", parameters=parameters)

    def said():
        return nbformat.read(published("scorecard"), as_version=4).cells[-1].outputs[0].text

    replicate.main([])
    order = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "done" in line]
    assert order == ["one", "zebra", "scorecard"]
    assert said() == "[('one', 'fast'), ('zebra', 'fast')]\n"
    replicate.main(["one", "--profile", "full"])
    assert said() == "[('one', 'full'), ('zebra', 'fast')]\n"
    write_chapter("zebra", "print(profile, 2)")
    capsys.readouterr()
    replicate.main(["zebra"])
    assert "scorecard (fast): executing" in capsys.readouterr().out
    replicate.main([])
    assert said() == "[('one', 'fast'), ('zebra', 'fast')]\n"


def test_rows_that_a_chapter_writes_are_kept_beside_it(book, monkeypatch):
    monkeypatch.setattr(_paths, "SCORECARDS", book / "_build" / "scorecard")
    path = _paths.SCORECARDS / "one-fast.csv"
    path.parent.mkdir()
    write_chapter("one", f"open({str(path)!r}, 'w').write('id\\nrow\\n');")
    replicate.main([])
    path.write_text("made by somebody else")
    assert (book / "_build/executed/fast/one.csv").read_text() == "id\nrow\n"


def test_stamp_says_how_long_and_how_large(book):
    write_chapter("one", "import time\nblock = b'x' * 10**8\ntime.sleep(1.2)")
    replicate.main([])
    stamp = json.loads((book / "_build/executed/fast/one.json").read_text())
    assert stamp["seconds"] > 1.2
    assert stamp["peak_bytes"] > 10**8
    assert json.loads((replicate.CHAPTERS / "one.json").read_text()) == stamp
