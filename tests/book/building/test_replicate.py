"""The driver executes the chapters whose inputs have changed, here small ones."""

import json

import jupytext
import nbformat
import pytest
from references.claim_files import COUNT, STATEMENT, write_blocks

from pareto_book import paths
from pareto_book.building import execution, kernels, replicate
from pareto_book.records import stamps
from pareto_book.records.scorecard import CLAIMS_TABLE, Scorecard

KERNELSPEC = {"name": "python3", "display_name": "Python 3", "language": "python"}
INJECTED = "injected-parameters"
PARAMETERS = 'profile = "fast"\nseed = 0\nn_jobs = 1'


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Folder of an empty book, with all paths that the driver uses."""
    folders = {
        (paths, "ROOT"): ".",
        (paths, "BUILD"): "_build",
        (paths, "DATA"): "data",
        (paths, "FIGURES"): "_build/figures",
        (paths, "SCORECARDS"): "_build/scorecard",
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
    for name, value in kernels.kernel_environment("", "").items():
        monkeypatch.setenv(name, value)  # so that it is restored after the test
    return tmp_path


def write_chapter(name, *cells, parameters=PARAMETERS, **metadata):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in (parameters, *cells)],
        metadata={
            "kernelspec": KERNELSPEC,
            "jupytext": {"notebook_metadata_filter": "all"},
            **metadata,
        },
    )
    notebook.cells[0].metadata["tags"] = ["parameters"]
    jupytext.write(notebook, paths.NOTEBOOKS / f"{name}.md", fmt="md:myst")


def published(name):
    return paths.CHAPTERS / f"{name}.ipynb"


@pytest.mark.slow
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


@pytest.mark.slow
def test_two_executions_give_the_same_bytes(book):
    write_chapter("one", "import numpy as np\nnp.random.default_rng(seed).random(3)")
    replicate.main([])
    first = published("one").read_bytes()
    replicate.main(["--force"])
    assert published("one").read_bytes() == first


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
        (task.status / "data").write_text("table.csv\n")
        nbformat.write(notebook, output)

    monkeypatch.setattr(execution, "run_papermill", stub)
    return names


CODE = "import pareto_core as pc\npc.MEANS"
MEASURES = 'card.table("fewer")\ncard.save()'


def test_only_changed_chapters_are_executed_again(book, executed, capsys):
    (paths.DATA / "table.csv").write_text("arm\n")
    write_chapter("one", CODE)
    replicate.main([])
    replicate.main(["--jobs", "5"])
    assert executed == ["one"]
    assert "up to date" in capsys.readouterr().out

    package = book / "pareto_core"
    changes = {
        "its code": lambda: write_chapter("one", CODE, "print('two')"),
        "pareto_core/means.py": lambda: (package / "means.py").write_text("MEANS = (1, 3)\n"),
        "pareto_core/inner.py": lambda: (package / "inner.py").write_text("MEANS = 2\n"),
        "table.csv": lambda: (paths.DATA / "table.csv").write_text("arm,mean\n"),
        "requirements.lock": lambda: paths.LOCK.write_text("numpy==2.1\n"),
        "executed notebook": lambda: (book / "_build/executed/fast/one.ipynb").write_text("{}"),
    }
    for count, (name, change) in enumerate(changes.items(), start=2):
        change()
        replicate.main([])
        assert executed == ["one"] * count
        assert name in capsys.readouterr().out


def test_files_that_a_chapter_does_not_use_are_not_inputs(book, executed):
    (paths.DATA / "table.csv").write_text("arm\n")
    write_chapter("one", CODE)
    replicate.main([])
    (book / "pareto_core/other.py").write_text("X = 1\n")
    (book / "pareto_core/__init__.py").write_text("from pareto_core.inner import ARMS, MEANS\n")
    (paths.DATA / "other.csv").write_text("arm\n")
    replicate.main([])
    assert executed == ["one"]


def test_new_prose_is_put_into_the_executed_chapter(book, executed, capsys):
    write_chapter("one", "print(1)", "print(2)")
    replicate.main([])
    before = nbformat.read(published("one"), as_version=4).cells
    path = paths.NOTEBOOKS / "one.md"
    first, rest = path.read_text().split("```{code-cell}", 1)
    new = "# A title\n\nNew prose.\n\n"
    path.write_text(f"{first}{new}```{{code-cell}}{rest}\n\nThe end.\n")
    replicate.main([])
    assert executed == ["one"]
    assert "one (fast): new prose" in capsys.readouterr().out
    cells = nbformat.read(published("one"), as_version=4).cells
    assert [cell.source for cell in cells if cell.cell_type == "markdown"] == [
        new.strip(),
        "The end.",
    ]
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert [cell.outputs for cell in code] == [cell.outputs for cell in before]
    assert [cell.execution_count for cell in code] == [1, 2, 3, 4]
    assert [cell.id for cell in cells] == [f"cell-{k:03d}" for k in range(1, 7)]
    assert code[1].metadata["tags"] == [INJECTED, "remove-cell"]
    replicate.main([])
    assert "up to date" in capsys.readouterr().out
    stamp = json.loads((book / "_build/executed/fast/one.json").read_text())
    assert json.loads((paths.CHAPTERS / "one.json").read_text()) == stamp


def test_a_word_or_criterion_of_a_claim_executes_nothing(book, executed, capsys):
    claims = paths.DATA / "published" / "one.toml"
    write_blocks(claims, [STATEMENT])
    write_chapter("one", MEASURES)
    paths.TOC.write_text("parts: [{chapters: [{file: book/chapters/one}]}]")
    verdicts = "from pareto_book.claims import summary\nprint(*summary.all_rows({}).verdict)"
    write_chapter("all", verdicts, parameters=PARAMETERS + "\nprofiles = {}", summary=True)

    def pages():
        assert replicate.main([]) == 0
        table = nbformat.read(published("one"), as_version=4).cells[-2].outputs[0]
        said = nbformat.read(published("all"), as_version=4).cells[-1].outputs[0].text
        return table.data["text/html"], said

    table, said = pages()
    assert "mean samples" in table and '"verdict reproduced"' in table
    assert said == "reproduced\n"
    write_blocks(claims, [STATEMENT | {"quantity": "another word", "criterion": "< 0.9"}])
    table, said = pages()
    assert "another word" in table and '"verdict open"' in table
    assert said == "open\n"
    assert executed == ["one"]
    assert "one (fast): up to date" in capsys.readouterr().out


@pytest.fixture
def two_chapters(book):
    """A book with two chapters that measure a claim, and a page that summarises them."""
    for name in ("one", "two"):
        write_blocks(paths.DATA / "published" / f"{name}.toml", [STATEMENT])
        write_chapter(name, MEASURES)
    paths.TOC.write_text(
        "parts: [{chapters: [{file: book/chapters/one}, {file: book/chapters/two}]}]"
    )
    names = "from pareto_book.claims import summary\nprint(*summary.all_rows({}).chapter)"
    write_chapter("all", names, parameters=PARAMETERS + "\nprofiles = {}", summary=True)
    return book


def test_a_word_of_any_claim_reaches_its_page_though_another_chapter_was_named(
    two_chapters, executed
):
    assert replicate.main(["--jobs", "1"]) == 0
    write_blocks(paths.DATA / "published" / "one.toml", [STATEMENT | {"quantity": "new words"}])
    assert replicate.main(["two", "--jobs", "1"]) == 0
    assert "new words" in published("one").read_text()
    assert executed == ["one", "two"]


def test_a_summary_is_made_again_when_the_order_of_the_pages_changes(
    two_chapters, executed, capsys
):
    assert replicate.main(["--jobs", "1"]) == 0
    paths.TOC.write_text(
        "parts: [{chapters: [{file: book/chapters/two}, {file: book/chapters/one}]}]"
    )
    assert replicate.main(["--jobs", "1"]) == 0
    assert "all (fast): to be executed, changed since: files" in capsys.readouterr().out


def test_nothing_is_published_if_the_claims_of_one_chapter_do_not_fit(
    two_chapters, executed, capsys
):
    assert replicate.main(["--jobs", "1"]) == 0
    before = {path: path.read_bytes() for path in paths.CHAPTERS.iterdir()}
    changed = STATEMENT | {"quantity": "new words"}
    write_blocks(paths.DATA / "published" / "one.toml", [changed])
    write_blocks(paths.DATA / "published" / "two.toml", [STATEMENT | {"id": "other"}])
    assert replicate.main(["--jobs", "1"]) == 2
    assert "two (fast) has not measured other" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in paths.CHAPTERS.iterdir()} == before


def test_a_chapter_whose_measurements_were_removed_is_executed_again(
    two_chapters, executed, capsys
):
    assert replicate.main(["--jobs", "1"]) == 0
    stamps.rows_path(stamps.executed_path("one", "fast")).unlink()
    assert replicate.main(["--jobs", "1"]) == 0
    assert "one (fast): to be executed, its measurements are missing" in capsys.readouterr().out


def test_measurements_of_an_earlier_execution_are_not_published(two_chapters, executed, capsys):
    assert replicate.main(["--jobs", "1"]) == 0
    before = published("one").read_bytes()
    write_chapter("one", 'card.table("fewer")')
    assert replicate.main(["--jobs", "1"]) == 1
    assert "one: expected card.save() in its last cell" in capsys.readouterr().err
    assert published("one").read_bytes() == before


def test_a_claim_that_was_not_measured_stops_the_build(book, executed, capsys):
    write_blocks(paths.DATA / "published" / "one.toml", [STATEMENT, COUNT])
    write_chapter("one", MEASURES)
    assert replicate.main([]) == 2
    assert "one (fast) has not measured arms" in capsys.readouterr().err
    assert not published("one").exists()


def test_a_caption_is_not_code(book, executed):
    write_chapter("one", "print(1)")
    replicate.main([])
    path = paths.NOTEBOOKS / "one.md"
    path.write_text(
        path.read_text().replace("print(1)", "---\nmystnb: {figure: {}}\n---\nprint(1)")
    )
    replicate.main([])
    assert executed == ["one"]
    cell = nbformat.read(published("one"), as_version=4).cells[-1]
    assert (cell.source, cell.metadata["mystnb"]) == ("print(1)", {"figure": {}})


def test_only_the_named_chapter_is_executed(book, executed, capsys):
    for name in ("one", "two"):
        write_chapter(name, "print(profile)")
        path = paths.NOTEBOOKS / f"{name}.md"
        header, body = path.read_text().rsplit("---\n", 1)
        path.write_text(f"{header}---\n(chapter:{name})=\n# The {name}\n\nText.\n{body}")
    replicate.main(["one", "--profile", "full"])
    assert executed == ["one"]
    assert "no more than their titles: two" in capsys.readouterr().out
    (cell,) = nbformat.read(published("two"), as_version=4).cells
    assert cell.source.startswith("(chapter:two)=\n\n# The two\n\nThis chapter has not been exec")
    replicate.main(["two"])
    replicate.main(["two"])
    assert executed == ["one", "two"]
    profiles = {name: stamps.published_profile(name) for name in ("one", "two")}
    assert profiles == {"one": "full", "two": "fast"}


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_dying_kernel_is_reported(book, capsys):
    write_chapter("one", "import os", "os._exit(9)")
    assert replicate.main([]) == 1
    assert "one: the kernel died" in capsys.readouterr().err
    assert (book / "_build/failed/one.ipynb").exists()
    assert not published("one").exists()


@pytest.mark.slow
def test_test_run_does_not_publish(book):
    write_chapter("one", "print('fine')")
    assert replicate.main(["--no-publish"]) == 0
    assert not published("one").exists()


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_files_that_a_chapter_writes_are_copied_beside_it(book):
    rows, figure = paths.SCORECARDS / "one-fast.csv", paths.FIGURES / "one" / "front.svg"
    figure.parent.mkdir()
    write_chapter(
        "one",
        f"open({str(rows)!r}, 'w').write('id\\nrow\\n');",
        f"open({str(figure)!r}, 'w').write('<svg/>');",
    )
    replicate.main([])
    for path in (rows, figure):
        path.write_text("written by a later execution")
    assert (book / "_build/executed/fast/one.csv").read_text() == "id\nrow\n"
    assert (book / "_build/executed/fast/one/front.svg").read_text() == "<svg/>"


@pytest.mark.slow
def test_the_stamp_has_time_and_memory(book):
    write_chapter("one", "import time\nblock = b'x' * 10**8\ntime.sleep(1.2)")
    replicate.main([])
    stamp = json.loads((book / "_build/executed/fast/one.json").read_text())
    assert stamp["seconds"] > 1.2
    assert stamp["peak_bytes"] > 10**8
    assert json.loads((paths.CHAPTERS / "one.json").read_text()) == stamp
