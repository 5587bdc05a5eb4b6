"""Racing round by round: what its page gets before a script runs."""

import html
import json
import re

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

from matplotlib import pyplot as plt

from pareto_book import paths
from pareto_book.figures.racing_rounds import SCRIPTS, racing_rounds

REWARDS = [[[1.25, 1.0], [0.5, -0.125]], [[1.5, 0.75], [0.0, 0.001]]]  # two rounds, two arms


def made(rewards=REWARDS, first=2):
    return racing_rounds(
        plt.figure(), "Two <boxes>", rewards, ["A", "B"], [np.int64(0)], 0.1, first
    )


def test_the_page_gets_the_rewards_of_each_arm_a_picture_and_the_scripts():
    page = made().data
    assert not plt.get_fignums()
    data = json.loads(html.unescape(re.search('data-race="([^"]*)"', page)[1]))
    assert data == {
        "labels": ["A", "B"],
        "optimal": [0],
        "delta": 0.1,
        "first": 2,
        "rewards": [[1250, 1000, 1500, 750], [500, -125, 0, 1]],
    }
    assert 'alt="Two &lt;boxes&gt;"' in page
    asked = re.findall(r'<script src="\.\./\.\./_static/([^"]*)">', page)
    assert asked == [f"{each}.js" for each in SCRIPTS]
    assert all((paths.ROOT / "book" / "_static" / each).is_file() for each in asked)


@pytest.mark.parametrize(
    ("rewards", "first", "words"),
    [
        (np.zeros((2, 3, 2)), 1, r"shape \(2, 3, 2\)"),
        (np.zeros((2, 2)), 1, r"shape \(2, 2\)"),
        (np.full((2, 2, 2), 0.0005), 1, "more than 3 digits"),
        (np.full((2, 2, 2), np.nan), 1, "not finite"),
        (REWARDS, 3, "first = 3"),
        (REWARDS, 0, "first = 0"),
    ],
)
def test_what_is_not_a_race_is_refused(rewards, first, words):
    with pytest.raises(ValueError, match=words):
        made(rewards, first)
    plt.close("all")
