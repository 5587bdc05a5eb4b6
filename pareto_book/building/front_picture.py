"""The picture of README: five rules on the same rewards, where each stops.

``python -m pareto_book race`` draws it again.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book import paths
from pareto_book.figures import plots
from pareto_book.figures.night import at_night
from pareto_book.figures.race import draw_boxes
from pareto_book.figures.svg import svg_of
from pareto_book.studies.race import Race, box_radii, record_race

__all__ = ["described", "draw_front_picture", "front_race", "write_front_picture"]

RULES: Mapping[str, pc.Algorithm] = {  # those of the chapter "problem"
    "Racing": pc.Racing(radius="iterated_logarithm"),
    "APE": pc.APE(),
    "Track-and-Stop": pc.TrackAndStop(),
    "TopTwoIDS": pc.TopTwoIDS(),
    "Uniform sampling": pc.UniformSampling(),
}
SHOWN = "Track-and-Stop"  # the rule whose estimates are drawn
FOLDER = paths.ROOT / "book" / "images"
LIGHT, DARK = "race.svg", "race_dark.svg"
SHADES = ("#0072B2", "#5AA5CF", "#A5CDE6", "#555555", "#8C8C8C", "#BEBEBE")  # blue: optimal


def front_race() -> Race:
    """Record the race of the front page: six arms, a risk of 0.1 and the rewards of seed 0."""
    return record_race(pc.load_instance("six_arms"), RULES, seed=0)


def described(race: Race) -> str:
    """State in words how many samples each rule took."""
    counts = [f"{name} {len(run.arms)}" for name, run in race.runs.items()]
    return f"Samples until each rule stops: {', '.join(counts)}."


def draw_front_picture(race: Race) -> Figure:
    """Draw the estimates of one rule when it stops, and the samples of all rules."""
    figure, (plane, bars) = plots.new_figure(
        1, 2, height=2.8, gridspec_kw={"width_ratios": [1, 1.5]}
    )
    run = race.runs[SHOWN]
    counts, means = race.seen(SHOWN, len(run.arms))
    optimal = np.array([letter == "+" for letter in run.statuses[-1][1]])
    draw_boxes(plane, means, box_radii(counts, race.delta), optimal, race.labels)
    plane.set(xlabel="objective 1", ylabel="objective 2", xticks=[], yticks=[])
    plane.set_title(f"{SHOWN} has found the Pareto set", fontsize=9)
    left = np.zeros(len(race.runs))
    for arm, (label, shade) in enumerate(zip(race.labels, SHADES, strict=True)):
        width = np.array([each.arms.count(arm) for each in race.runs.values()])
        bars.barh(list(race.runs), width, left=left, color=shade, label=label)
        left += width
    for row, total in enumerate(left):
        bars.annotate(f"{total:.0f}", (total, row), xytext=(4, -3.5), textcoords="offset points")
    bars.invert_yaxis()
    bars.margins(x=0.12)
    bars.set_title("samples until the rule stops, by arm", fontsize=9)
    bars.legend(ncols=6, fontsize=8, loc="upper center", bbox_to_anchor=(0.4, -0.12))
    return figure


def write_front_picture(folder: Path = FOLDER) -> None:
    """Write the picture for light and for dark pages, with its numbers in its description."""
    plots.use_style()
    race = front_race()
    light = svg_of(draw_front_picture(race), Description=described(race))
    (folder / LIGHT).write_text(light, encoding="utf-8")
    (folder / DARK).write_text(at_night(light), encoding="utf-8")
