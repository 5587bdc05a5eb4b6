"""A figure in which a reader follows Racing round by round; without scripts it is a picture."""

import html
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pareto_book.figures.frames import data_url, svg_of
from pareto_book.figures.movable_arms import STATIC
from pareto_book.figures.tables import as_html
from pareto_core.checks.arguments import check_count

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["racing_rounds"]

DIGITS = 3  # of a reward on the page
SCRIPTS = ("plane", "racing_rounds")


def racing_rounds(
    picture: Figure,
    alt: str,
    rewards: ArrayLike,
    labels: Sequence[str],
    optimal: Sequence[int],
    delta: float,
    first: int,
) -> "HTML":
    """Make a figure in which a reader follows `Racing`, and sees what happens if no arm waits.

    The page computes the averages, the practical radii and the decisions from the rewards, for
    noise whose variance is at most 1, with accuracy 0.

    Parameters
    ----------
    picture : matplotlib.figure.Figure
        Picture that the page shows without scripts. It is closed, so that it is shown only once.
    alt : str
        Description of the picture in words.
    rewards : array_like, shape (n, K, 2)
        Reward of each arm in each round, in thousandths. The page shows at most n rounds.
    labels : sequence of str, length K
        Names of the arms.
    optimal : sequence of int
        Pareto optimal arms.
    delta : float
        Risk.
    first : int
        Round that is shown first, counted from 1.

    Returns
    -------
    IPython.display.HTML

    Raises
    ------
    ImportError
        If IPython is not installed.
    ValueError
        If `rewards` has a different shape, is not finite or has more digits, or `first` is not
        one of its rounds.
    """
    values = np.asarray(rewards, float)
    if values.ndim != 3 or values.shape[1:] != (len(labels), 2):
        raise ValueError(
            f"rewards has shape {values.shape}; expected (rounds, {len(labels)}, 2), for each label"
        )
    scaled = values * 10**DIGITS
    if not (np.abs(scaled - np.rint(scaled)) <= 1e-6).all():
        raise ValueError(f"rewards is not finite or has more than {DIGITS} digits")
    whole = np.rint(scaled).astype(int)
    data = {
        "labels": list(labels),
        "optimal": [int(arm) for arm in optimal],
        "delta": delta,
        "first": check_count(first, "first", at_most=len(values)),
        "rewards": whole.transpose(1, 0, 2).reshape(len(labels), -1).tolist(),
    }
    text = html.escape(json.dumps(data, separators=(",", ":")))
    scripts = "".join(f'<script src="{STATIC}/{each}.js"></script>' for each in SCRIPTS)
    return as_html(
        f'<div class="play-rounds" data-race="{text}">'
        f'<img alt="{html.escape(alt)}" src="{data_url(svg_of(picture))}"></div>{scripts}'
    )
