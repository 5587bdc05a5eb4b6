"""The driver executes the chapters whose inputs have changed, and refuses wrong arguments."""

import json

import nbformat
import pytest
from references.claim_files import STATEMENT, write_claims
from references.small_book import CODE, INJECTED, published, write_chapter

from pareto_book import paths
from pareto_book.building import replicate
from pareto_book.records import stamps


def test_only_changed_chapters_are_executed_again(book, executed, capsys):
    (paths.DATA / "table.csv").write_text("arm\n")
    write_chapter("one", CODE)
    replicate.main([])
    replicate.main(["--jobs", "5"])
    assert executed == ["one"]
    assert "up to date" in capsys.readouterr().out
    changes = {
        "its code": lambda: write_chapter("one", CODE, "print('two')"),
        "the packages": lambda: (book / "pareto_core/means.py").write_text("MEANS = (1, 3)\n"),
        "packages": lambda: (book / "pareto_book/chapters/one.py").write_text("MEANS = 2\n"),
        "data": lambda: (paths.DATA / "table.csv").write_text("arm,mean\n"),
        "requirements.lock": lambda: paths.LOCK.write_text("numpy==2.1\n"),
        "executed notebook": lambda: (book / "_build/executed/fast/one.ipynb").write_text("{}"),
    }
    for count, (name, change) in enumerate(changes.items(), start=2):
        change()
        replicate.main([])
        assert executed == ["one"] * count
        assert name in capsys.readouterr().out


def test_what_belongs_to_another_chapter_is_no_input_but_a_summary_reads_its_measurements(
    two_chapters, executed, capsys
):
    assert replicate.main([]) == 0
    write_claims(paths.DATA / "published" / "one.csv", [STATEMENT | {"what": "another word"}])
    (two_chapters / "pareto_book/chapters/one.py").write_text("MEANS = 3\n")
    assert replicate.main(["two"]) == 0
    assert executed == ["one", "two", "all", "all"]
    replicate.main([])
    capsys.readouterr()
    stamps.rows_path(stamps.executed_path("one", "fast")).unlink()
    assert replicate.main([]) == 0
    assert "one (fast): to be executed, its measurements are missing" in capsys.readouterr().out
    assert replicate.main(["two", "--profile", "full"]) == 0
    said = nbformat.read(published("all"), as_version=4).cells[-1].outputs[0].text
    assert "'profiles': {'one': 'fast', 'two': 'full'}" in said


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
    assert cell.source.startswith("(chapter:two)=\n# The two\n\nThis chapter has not been exec")
    replicate.main(["two"])
    replicate.main(["two"])
    assert executed == ["one", "two"]
    profiles = {name: stamps.published_profile(name) for name in ("one", "two")}
    assert profiles == {"one": "full", "two": "fast"}


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
