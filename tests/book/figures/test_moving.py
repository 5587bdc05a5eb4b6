"""Figures to play with, before a script runs; `test_moving_figures` tries them on their pages."""

import types

import matplotlib as mpl
import pytest

mpl.use("agg")

from matplotlib import pyplot as plt

from pareto_book import paths
from pareto_book.figures.movable_arms import SCRIPTS, movable_arms
from pareto_book.figures.race import draw_race, race_figure, read_race, save_race

RACE = {
    "labels": ["A", "B"],
    "rules": [{"name": "one", "arms": "ABA", "statuses": [[1, ".."], [3, "+-"]]}] * 2,
}


def test_the_picture_for_readers_without_scripts_is_not_shown_a_second_time():
    race_figure(RACE, draw_race(RACE), "Bars <of> samples", "one")
    movable_arms(SCRIPTS[0], plt.figure(), "Two <arms>", [[0.5, 2.0], [1.5, 1.0]])
    assert not plt.get_fignums()


def test_a_summary_reads_the_race_that_a_chapter_wrote(monkeypatch, tmp_path):
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    with pytest.raises(ValueError, match="expected an executed chapter"):
        read_race("problem", "fast")
    assert save_race(types.SimpleNamespace(as_data=lambda: RACE), "problem") == RACE
    (tmp_path / "executed" / "fast").mkdir(parents=True)
    (tmp_path / "figures" / "problem").rename(tmp_path / "executed" / "fast" / "problem")
    assert read_race("problem", "fast") == RACE
