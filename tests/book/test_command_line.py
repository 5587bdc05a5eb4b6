"""The commands of ``python -m pareto_book``."""

from references.command_line import lines_of

from pareto_book import paths
from pareto_book.__main__ import main


def test_chapters_are_listed(capsys):
    lines = lines_of(main, capsys, "chapters")
    expected = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))
    assert [line.split()[0] for line in lines] == expected
    assert "crepon2024           Track-and-Stop for the Pareto set" in lines
