"""Figures whose arms a reader can move in the page; without scripts they are pictures."""

import base64
import html
import io
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pareto_book.figures.tables import as_html
from pareto_core.checks.arguments import check_choice, check_means

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["movable_arms"]

STATIC = "../../_static"  # as seen from a chapter's page
NAMES = ("cheapest_alternative", "arm_gaps", "feasible_arms")  # each a script of this name


def movable_arms(
    name: str,
    picture: Figure,
    alt: str,
    arms: ArrayLike,
    names: Sequence[str] | None = None,
    limits: Sequence[float] | None = None,
) -> "HTML":
    """Make a figure whose arms a reader moves with a pointer, a finger or the arrow keys.

    Parameters
    ----------
    name : {"cheapest_alternative", "arm_gaps", "feasible_arms"}
        Which one.
    picture : matplotlib.figure.Figure
        What the page shows where scripts are off. It is closed, so that it is shown once.
    alt : str
        What is seen there, in words.
    arms : array_like, shape (K, 2)
        Means of the arms where the figure starts.
    names : sequence of str, optional
        What the arms are called; by default they are numbered.
    limits : sequence of float, optional
        Of ``"feasible_arms"``, and of it only: the least of either objective, and the largest
        sum of both.

    Returns
    -------
    IPython.display.HTML

    Raises
    ------
    ImportError
        If IPython is not installed.
    ValueError
        If there is no such figure, the arms are not a finite (K, 2) array, there are not as many
        names, or the limits are not three, missing or not asked for.
    """
    check_choice(name, "name", NAMES)
    arms = check_means(arms, "arms")
    if arms.shape[1] != 2:
        raise ValueError(f"arms has {arms.shape[1]} columns; expected 2, one per objective")
    if names is not None and len(names) != len(arms):
        raise ValueError(f"names = {names!r}; expected {len(arms)}, one per arm")
    expected = 3 if name == "feasible_arms" else 0
    if len(limits or ()) != expected:
        raise ValueError(f"limits = {limits!r} for name = {name!r}; expected {expected} numbers")
    state = html.escape(json.dumps({"arms": arms.tolist(), "names": names, "limits": limits}))
    scripts = "".join(f'<script src="{STATIC}/{each}.js"></script>' for each in ("plane", name))
    return as_html(
        f'<div class="play-arms" data-figure="{name}" data-start="{state}">'
        f'<img alt="{html.escape(alt)}" src="{_as_address(picture)}"></div>{scripts}'
    )


def _as_address(picture):
    """The picture itself, as an address; the same bytes for the same picture."""
    written = io.BytesIO()
    picture.savefig(written, format="svg", metadata={"Date": None})
    plt.close(picture)
    return f"data:image/svg+xml;base64,{base64.b64encode(written.getvalue()).decode()}"
