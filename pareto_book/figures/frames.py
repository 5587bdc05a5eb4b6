"""Pictures in a row, through which a reader moves step by step."""

import base64
import html
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from pareto_book.figures.night import at_night
from pareto_book.figures.tables import as_html

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["data_url", "show_frames", "svg_of"]

SCRIPT = "../../_static/frames.js"  # relative to the page of a chapter


def show_frames(
    pictures: Sequence[Figure], captions: Sequence[str], alts: Sequence[str], step: str
) -> "HTML":
    """Show pictures one at a time, with a slider and a button that plays them.

    Without scripts the page shows the last one.

    Parameters
    ----------
    pictures : sequence of matplotlib.figure.Figure, length n
        Pictures of the same size. They are closed, so that each is shown only once.
    captions : sequence of str, length n
        A short text beside the slider for each.
    alts : sequence of str, length n
        Descriptions of the pictures in words.
    step : str
        Name of a step, such as ``"evening"``.

    Returns
    -------
    IPython.display.HTML

    Raises
    ------
    ImportError
        If IPython is not installed.
    ValueError
        If there are no pictures, or not a caption and a description for each.
    """
    if not pictures or not len(pictures) == len(captions) == len(alts):
        raise ValueError(
            f"pictures has length {len(pictures)}, captions {len(captions)}, alts {len(alts)}; "
            "expected the same length, at least 1"
        )
    frames = "".join(map(_frame, pictures, captions, alts))
    last = len(pictures) - 1
    return as_html(
        '<div class="play-frames"><div class="controls" hidden>'
        f'<button type="button" aria-label="play">▶</button><label>{html.escape(step)} '
        f'<output></output><input type="range" min="0" max="{last}" step="1" value="{last}">'
        f'</label></div><div class="frames">{frames}</div></div><script src="{SCRIPT}"></script>'
    )


def _frame(picture, caption, alt):
    light = svg_of(picture)
    alt = html.escape(alt)
    images = "".join(
        f'<img class="{kind}" loading="lazy" alt="{alt}" src="{data_url(svg)}">'
        for kind, svg in (("only-light", light), ("only-dark", at_night(light)))
    )
    return f'<div class="frame"><p>{html.escape(caption)}</p>{images}</div>'


def svg_of(picture: Figure, **metadata: str) -> str:
    """SVG of a figure, which is closed; the same figure gives the same text.

    Parameters
    ----------
    picture : matplotlib.figure.Figure
        A figure.
    **metadata : str
        Texts to store in the file, such as ``Description``, as Matplotlib names them.

    Returns
    -------
    str
    """
    written = io.BytesIO()
    picture.savefig(written, format="svg", metadata={"Date": None, **metadata})
    plt.close(picture)
    return written.getvalue().decode()


def data_url(svg: str) -> str:
    """An SVG as an address that a page can load without a file."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
