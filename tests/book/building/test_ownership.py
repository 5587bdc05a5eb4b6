"""What the owner of the repository fills in: files that disagree are named, and what is missing."""

import pytest

from pareto_book import paths
from pareto_book.building import release
from pareto_book.building.ownership import PLACEHOLDER, authors, ownership_problems, to_fill_in

HOME, REPOSITORY = "https://somebody.github.io/pareto/", "https://github.com/somebody/pareto"
FILES = {
    "CITATION.cff": "title: T\nauthors:\n  - name: {placeholder}\n",
    ".zenodo.json": '{{"creators": [{{"name": "{placeholder}"}}]}}',
    "pyproject.toml": '[project]\nauthors = [{{ name = "{placeholder}" }}]\n',
    "paper.md": "---\nauthors:\n  - name: {placeholder}\n---\n\n# Summary\n",
    "_config.yml": "author: {placeholder}\n",
}
FILLED_IN = {
    "CITATION.cff": "authors:\n  - family-names: Doe\n    given-names: Jane\n  - name: A Team\n"
    f"url: {HOME}\nrepository-code: {REPOSITORY}\ndoi: 10.5281/zenodo.1\n",
    ".zenodo.json": '{"creators": [{"name": "Doe, Jane"}, {"name": "A Team"}]}',
    "pyproject.toml": '[project]\nauthors = [{ name = "Jane Doe" }, { name = "A Team" }]\n'
    f'[project.urls]\nHomepage = "{HOME}"\nRepository = "{REPOSITORY}"\n',
    "paper.md": "---\nauthors:\n  - name: Jane Doe\n  - name: A Team\n---\n\n# Summary\n",
    "_config.yml": "author: Jane Doe and A Team\n",
}


def write(folder, files):
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text, path
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def filled_in(tmp_path):
    return write(tmp_path, FILLED_IN)


def test_the_files_of_this_repository_agree():
    assert ownership_problems(paths.ROOT) == []
    assert set(authors(paths.ROOT)) == set(FILES)


def test_what_is_not_filled_in_is_listed_with_its_step(tmp_path):
    files = {name: text.format(placeholder=PLACEHOLDER) for name, text in FILES.items()}
    root = write(tmp_path, files)
    assert ownership_problems(root) == []
    steps = (paths.ROOT / "OWNER.md").read_text(encoding="utf-8")
    lines = to_fill_in(root)
    assert [line.split()[0] for line in lines] == ["the", "addresses:", "the"]
    assert all(f"## {line[-2]}. " in steps for line in lines)
    assert all(name in lines[0] for name in FILES)


def test_names_in_any_order_and_the_same_addresses_agree(filled_in):
    assert ownership_problems(filled_in) == []
    assert to_fill_in(filled_in) == []


def test_another_author_is_named_with_its_file(filled_in):
    replace(filled_in / "paper.md", "Jane Doe", "John Doe")
    expected = "paper.md names John Doe, A Team; expected the authors of CITATION.cff"
    assert ownership_problems(filled_in) == [expected]


def test_another_address_is_named(filled_in):
    replace(filled_in / "CITATION.cff", f"url: {HOME}", "url: https://example.org/")
    (problem,) = ownership_problems(filled_in)
    assert problem.startswith("CITATION.cff has url = 'https://example.org/'; expected ")


def test_an_address_of_the_example_is_refused(filled_in):
    for name in ("pyproject.toml", "CITATION.cff"):
        replace(filled_in / name, "somebody/pareto", "OWNER/REPOSITORY")
    (problem,) = ownership_problems(filled_in)
    assert problem.startswith("pyproject.toml has Repository = 'https://github.com/OWNER/")


def test_the_release_check_lists_what_must_be_filled_in(capsys):
    assert release.main([]) == 0
    said = capsys.readouterr().out
    assert said.endswith("no problems found\n")
    assert said.count("to fill in: ") == len(to_fill_in(paths.ROOT))
