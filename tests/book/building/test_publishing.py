"""What is published without an execution: new prose, and claims beside what was measured."""

import json

import nbformat
from references.claim_files import COUNT, STATEMENT, write_claims
from references.small_book import INJECTED, MEASURES, PARAMETERS, published, write_chapter

from pareto_book import paths
from pareto_book.building import replicate


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


def test_a_word_or_criterion_of_a_claim_executes_nothing(book, executed, capsys):
    claims = paths.DATA / "published" / "one.csv"
    write_claims(claims, [STATEMENT])
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
    write_claims(claims, [STATEMENT | {"what": "another word", "criterion": "< 0.9"}])
    table, said = pages()
    assert "another word" in table and '"verdict undecided"' in table
    assert said == "undecided\n"
    assert executed == ["one"]
    assert "one (fast): up to date" in capsys.readouterr().out


def test_a_word_of_any_claim_reaches_its_page_though_another_chapter_was_named(
    two_chapters, executed
):
    assert replicate.main(["--jobs", "1"]) == 0
    write_claims(paths.DATA / "published" / "one.csv", [STATEMENT | {"what": "new words"}])
    assert replicate.main(["two", "--jobs", "1"]) == 0
    assert "new words" in published("one").read_text()
    assert executed == ["one", "two"]


def test_nothing_is_published_if_the_claims_of_one_chapter_do_not_fit(
    two_chapters, executed, capsys
):
    assert replicate.main(["--jobs", "1"]) == 0
    before = {path: path.read_bytes() for path in paths.CHAPTERS.iterdir()}
    changed = STATEMENT | {"what": "new words"}
    write_claims(paths.DATA / "published" / "one.csv", [changed])
    write_claims(paths.DATA / "published" / "two.csv", [STATEMENT | {"id": "other"}])
    assert replicate.main(["--jobs", "1"]) == 2
    assert "two (fast) has not measured other" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in paths.CHAPTERS.iterdir()} == before


def test_measurements_of_an_earlier_execution_are_not_published(two_chapters, executed, capsys):
    assert replicate.main(["--jobs", "1"]) == 0
    before = published("one").read_bytes()
    write_chapter("one", 'card.table("fewer")')
    assert replicate.main(["--jobs", "1"]) == 1
    assert "one: expected card.save() in its last cell" in capsys.readouterr().err
    assert published("one").read_bytes() == before


def test_a_claim_that_was_not_measured_stops_the_build(book, executed, capsys):
    write_claims(paths.DATA / "published" / "one.csv", [STATEMENT, COUNT])
    write_chapter("one", MEASURES)
    assert replicate.main([]) == 2
    assert "one (fast) has not measured arms" in capsys.readouterr().err
    assert not published("one").exists()
