"""Figures whose arms a reader moves: what their page gets before a script runs."""

import base64
import html
import json
import re

import matplotlib as mpl
import pytest

mpl.use("agg")

from matplotlib import pyplot as plt

from pareto_book import paths
from pareto_book.figures import movable_arms as module
from pareto_book.figures import plots
from pareto_book.figures.movable_arms import movable_arms

ARMS = [[0.5, 2.0], [1.5, 1.0]]
SCRIPTS = paths.ROOT / "book" / "_static"


def picture():
    figure, axes = plots.new_figure()
    axes.plot([0.0, 1.0])
    return figure


def test_the_page_gets_a_picture_and_where_to_start():
    made = movable_arms("arm_gaps", picture(), "Two <arms>", ARMS, names=["j", "ℓ"]).data
    assert not plt.get_fignums()
    start = json.loads(html.unescape(re.search('data-start="([^"]*)"', made)[1]))
    assert start == {"arms": ARMS, "names": ["j", "ℓ"], "limits": None}
    assert 'alt="Two &lt;arms&gt;"' in made
    drawn = re.search('src="data:image/svg[+]xml;base64,([^"]*)"', made)[1]
    assert base64.b64decode(drawn).rstrip().endswith(b"</svg>")
    with mpl.rc_context(plots.STYLE):
        first, second = (movable_arms("arm_gaps", picture(), "", ARMS).data for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", module.SCRIPTS)
def test_every_figure_has_its_script(name):
    limits = (0.0, 0.0, 5.0) if name == "feasible_arms" else None
    made = movable_arms(name, picture(), "", ARMS, limits=limits).data
    asked = re.findall(r'<script src="\.\./\.\./_static/([^"]*)">', made)
    assert (asked[0], asked[-1]) == ("plane.js", f"{name}.js")
    assert all((SCRIPTS / each).is_file() for each in asked)
    assert f'name: "{name}"' in (SCRIPTS / f"{name}.js").read_text()
