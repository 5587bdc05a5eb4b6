"""The race: what its page gets before a script runs, and how a summary finds it."""

import html
import json
import re

import matplotlib as mpl
import pytest

mpl.use("agg")

from matplotlib import pyplot as plt

from pareto_book import paths
from pareto_book.figures import race as module
from pareto_book.figures.race import draw_race, race_figure, read_race, save_race

DATA = {
    "delta": 0.1,
    "labels": ["A", "B"],
    "means": [[1.0, 1.0], [0.0, 0.0]],
    "rewards": [[100, 90, 110, 100], [1, 2]],
    "rules": [
        {"name": "one", "arms": "ABA", "statuses": [[1, ".."], [3, "+-"]]},
        {"name": "two", "arms": "AB", "statuses": [[1, ".."], [2, "+-"]]},
    ],
}


class Recorded:
    def as_data(self):
        return DATA


def test_the_page_gets_the_data_a_picture_and_the_scripts():
    made = race_figure(DATA, draw_race(DATA), "Bars <of> samples", "two").data
    assert not plt.get_fignums()
    data = json.loads(html.unescape(re.search('data-race="([^"]*)"', made)[1]))
    assert data == {**DATA, "chosen": 1}
    assert 'alt="Bars &lt;of&gt; samples"' in made
    asked = re.findall(r'<script src="\.\./\.\./_static/([^"]*)">', made)
    assert asked == [f"{each}.js" for each in module.SCRIPTS]
    assert all((paths.ROOT / "book" / "_static" / each).is_file() for each in asked)


def test_a_summary_reads_what_a_chapter_wrote(monkeypatch, tmp_path):
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    with pytest.raises(ValueError, match="expected an executed chapter"):
        read_race("problem", "fast")
    assert save_race(Recorded(), "problem") == DATA
    executed = tmp_path / "executed" / "fast"
    executed.mkdir(parents=True)
    (tmp_path / "figures" / "problem").rename(executed / "problem")
    assert read_race("problem", "fast") == DATA
