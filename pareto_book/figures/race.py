"""The race: a figure in which a reader plays several rules on the same rewards."""

import html
import json
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pareto_book.figures import plots
from pareto_book.figures.movable_arms import STATIC
from pareto_book.figures.svg import data_url, svg_of
from pareto_book.figures.tables import as_html
from pareto_book.paths import written_file
from pareto_book.records.stamps import executed_path, figures_path
from pareto_core.checks.arguments import check_choice

RACE = "race.json"

SCRIPTS = ("plane", "cheapest_alternative", "race_model", "race")


def race_figure(data: Mapping[str, Any], picture: Figure, alt: str, chosen: str) -> HTML:
    """Make a figure in which a reader plays the samples of several rules one by one."""
    names = [rule["name"] for rule in data["rules"]]
    check_choice(chosen, "chosen", names)
    text = json.dumps({**data, "chosen": names.index(chosen)}, separators=(",", ":"))
    scripts = "".join(f'<script src="{STATIC}/{each}.js"></script>' for each in SCRIPTS)
    return as_html(
        f'<div class="play-race" data-race="{html.escape(text)}">'
        f'<img alt="{html.escape(alt)}" src="{data_url(svg_of(picture))}"></div>{scripts}'
    )


def draw_race(data: Mapping[str, Any]) -> Figure:
    """Draw where each rule stopped: how often it had sampled each arm."""
    labels, rules = data["labels"], data["rules"]
    figure, panels = plots.new_figure(1, len(rules), height=2.6, sharex=True, sharey=True)
    for axes, rule in zip(panels, rules, strict=True):
        counts = [rule["arms"].count(label) for label in labels]
        optimal = [letter == "+" for letter in rule["statuses"][-1][1]]
        colours = [plots.BLUE if each else "none" for each in optimal]
        axes.barh(labels, counts, color=colours, edgecolor=plots.BLACK, lw=0.8)
        axes.set_title(f"{rule['name']}:\n{len(rule['arms'])} samples", fontsize=9)
    panels[0].invert_yaxis()
    figure.supxlabel("samples of each arm", fontsize=11)
    return figure


def draw_boxes(
    axes: Axes, means: np.ndarray, radii: np.ndarray, answer: np.ndarray, labels: list
) -> None:
    """Draw estimates in two objectives, each in the box that holds the true mean."""
    for mean, radius, optimal, label in zip(means, radii, answer, labels, strict=True):
        colour = plots.BLUE if optimal else plots.BLACK
        box = axes.add_patch(mpl.patches.Rectangle(mean - radius, 2 * radius, 2 * radius, lw=1.1))
        box.set(facecolor="none", edgecolor=colour, alpha=0.8)
        face = colour if optimal else "none"
        axes.scatter(*mean, s=36, facecolor=face, edgecolor=colour, zorder=3)
        axes.annotate(label, mean, xytext=(5, 4), textcoords="offset points", fontsize=9)


def save_race(race: Any, chapter: str) -> dict[str, Any]:
    """Write the data of a race beside the figures of a chapter, for a page that summarises it."""
    data = race.as_data()
    if path := written_file("figures", chapter, RACE):
        path.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")
    return data


def read_race(chapter: str, profile: str) -> dict[str, Any]:
    """Read the data of a race that an executed chapter has written."""
    path = figures_path(executed_path(chapter, profile)) / RACE
    if not path.exists():
        raise ValueError(f"chapter = {chapter!r}; expected an executed chapter, there is no {path}")
    return json.loads(path.read_text(encoding="utf-8"))
