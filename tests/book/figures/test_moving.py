"""Figures to play with: what their page gets before a script runs."""

import html
import json
import re

import matplotlib as mpl
import pytest

mpl.use("agg")

from matplotlib import pyplot as plt

from pareto_book import paths
from pareto_book.figures import plots
from pareto_book.figures.choice_table import choice_table
from pareto_book.figures.movable_arms import SCRIPTS, movable_arms
from pareto_book.figures.race import draw_race, race_figure, read_race, save_race

ARMS = [[0.5, 2.0], [1.5, 1.0]]
STATIC = paths.ROOT / "book" / "_static"
RACE = {
    "delta": 0.1,
    "labels": ["A", "B"],
    "means": [[1.0, 1.0], [0.0, 0.0]],
    "rewards": [[100, 90, 110, 100], [1, 2]],
    "rules": [
        {"name": "one", "arms": "ABA", "statuses": [[1, ".."], [3, "+-"]]},
        {"name": "two", "arms": "AB", "statuses": [[1, ".."], [2, "+-"]]},
    ],
}


def picture():
    figure, axes = plots.new_figure()
    axes.plot([0.0, 1.0])
    return figure


def data_of(made, name):
    return json.loads(html.unescape(re.search(f'data-{name}="([^"]*)"', made)[1]))


def scripts_of(made):
    asked = re.findall(r'<script src="\.\./\.\./_static/([^"]*)">', made)
    assert all((STATIC / each).is_file() for each in asked)
    return asked


@pytest.mark.parametrize("name", SCRIPTS)
def test_movable_arms_have_a_picture_where_to_start_and_a_script(name):
    limits = [0.0, 0.0, 5.0] if name == "feasible_arms" else None
    with mpl.rc_context(plots.STYLE):
        made, again = (
            movable_arms(name, picture(), "Two <arms>", ARMS, ["j", "ℓ"], limits).data
            for _ in range(2)
        )
    assert made == again
    assert not plt.get_fignums()
    assert data_of(made, "start") == {"arms": ARMS, "names": ["j", "ℓ"], "limits": limits}
    assert 'alt="Two &lt;arms&gt;" src="data:image/svg+xml;base64,' in made
    assert scripts_of(made) == ["plane.js", f"{name}.js"]
    assert f'name: "{name}"' in (STATIC / f"{name}.js").read_text()


def test_the_race_has_its_data_a_picture_and_scripts():
    made = race_figure(RACE, draw_race(RACE), "Bars <of> samples", "two").data
    assert not plt.get_fignums()
    assert data_of(made, "race") == {**RACE, "chosen": 1}
    assert 'alt="Bars &lt;of&gt; samples"' in made
    assert scripts_of(made)[-1] == "race.js"


def test_a_summary_reads_the_race_that_a_chapter_wrote(monkeypatch, tmp_path):
    class Recorded:
        def as_data(self):
            return RACE

    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    with pytest.raises(ValueError, match="expected an executed chapter"):
        read_race("problem", "fast")
    assert save_race(Recorded(), "problem") == RACE
    (tmp_path / "executed" / "fast").mkdir(parents=True)
    (tmp_path / "figures" / "problem").rename(tmp_path / "executed" / "fast" / "problem")
    assert read_race("problem", "fast") == RACE


def test_a_box_of_choices_has_every_value_once_and_its_first_answer():
    rows = [
        (("front", "yes"), ("pc.A()", "a theorem")),
        (("front", "no"), ("pc.B(x=1 < 2)", "nothing")),
        (("best", "no"), ("pc.C()", "nothing")),
    ]
    text = choice_table(("you want", "proof"), ("call", "rests on"), rows, {"proof": "no"}).data
    assert text.count("<option>front</option>") == text.count("<option>best</option>") == 1
    assert text.count("selected") == text.count("<option selected>no</option>") == 1
    assert text.count("<tr>") == 4
    assert "<code>pc.B(x=1 &lt; 2)</code>" in text
