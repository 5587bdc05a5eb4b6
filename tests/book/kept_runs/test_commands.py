"""The command ``arena`` makes runs, measures times, and repeats kept runs."""

import dataclasses

import pytest

from pareto_book import paths
from pareto_book.__main__ import main
from pareto_book.kept_runs.commands import DIFFERENT
from pareto_book.kept_runs.run_files import read_run_file, write_run_file


@pytest.mark.slow
def test_the_command_makes_measures_and_checks_runs(small_arena, monkeypatch, capsys):
    monkeypatch.setattr(paths, "DATA", small_arena)
    (small_arena / "arena").mkdir()
    assert (
        main(["arena", "--on", "corner", "--jobs", "1", "--store", str(small_arena / "store")]) == 0
    )
    assert "corner: " in capsys.readouterr().out
    assert main(["arena", "--check", "0.5"]) == 0
    assert "0 came out differently" in capsys.readouterr().out
    assert main(["arena", "--times", "--on", "corner"]) == 0
    assert main(["arena", "--check", "0.5"]) == 0
    path = small_arena / "arena" / "corner.npz"
    about, kept = read_run_file(path)
    write_run_file(
        path, about, [dataclasses.replace(each, samples=each.samples + 1) for each in kept]
    )
    assert main(["arena", "--check", "0.5"]) == DIFFERENT
    assert "kept are" in capsys.readouterr().err
