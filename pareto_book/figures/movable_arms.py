"""Figures whose arms a reader can move on the page; without scripts they are pictures."""

import html
import json
from collections.abc import Sequence

from IPython.display import HTML
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pareto_book.figures.svg import data_url, svg_of
from pareto_book.figures.tables import as_html
from pareto_core.checks.arguments import check_choice, check_means

STATIC = "../../_static"  # relative to the page of a chapter
SCRIPTS = ("cheapest_alternative", "arm_gaps", "feasible_arms")


def movable_arms(
    name: str,
    picture: Figure,
    alt: str,
    arms: ArrayLike,
    names: Sequence[str] | None = None,
    limits: Sequence[float] | None = None,
    axes: tuple[Sequence[float], Sequence[float], float] | None = None,
    definition: str = "kone",
) -> HTML:
    """Make a figure whose arms a reader can move with a pointer, a finger or the arrow keys."""
    check_choice(name, "name", SCRIPTS)
    start = {"arms": check_means(arms, "arms").tolist(), "names": names, "limits": limits}
    if axes is not None:
        start["axes"] = dict(zip(("low", "high", "tick"), axes, strict=True))
    if check_choice(definition, "definition", ("kone", "auer")) == "auer":
        start["factor"] = 2
    state = html.escape(json.dumps(start))
    scripts = "".join(f'<script src="{STATIC}/{each}.js"></script>' for each in ("plane", name))
    return as_html(
        f'<div class="play-arms" data-figure="{name}" data-start="{state}">'
        f'<img alt="{html.escape(alt)}" src="{data_url(svg_of(picture))}"></div>{scripts}'
    )
