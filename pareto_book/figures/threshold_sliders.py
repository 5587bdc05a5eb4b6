"""A table of thresholds with sliders; without scripts it is a plain table."""

import math
from typing import TYPE_CHECKING

import numpy as np

from pareto_book.figures.tables import as_html
from pareto_core.confidence.thresholds import (
    gamma_threshold,
    iterated_logarithm_threshold,
    mixture_threshold,
    stylised_threshold,
)

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["thresholds_figure"]

SCRIPT = "../../_static/thresholds.js"  # relative to the page of a chapter
CONTROLS = (  # name, label, smallest value, largest value, step
    ("risk", "risk δ", 0.3, 9, 0.1),
    ("arms", "arms K", 2, 100, 1),
    ("objectives", "objectives d", 1, 6, 1),
    ("samples", "samples of each arm", 0.5, 6, 0.1),
)
LABELS = {
    "stylised": "stylised, no proof",
    "iterated_logarithm": "iterated logarithm, no proof",
    "mixture": "mixture of all means, proven",
    "gamma": "Gamma, proven",
}


def thresholds_figure(
    delta: float = 0.1, arms: int = 20, objectives: int = 3, samples: int = 1000
) -> "HTML":
    """Make a table of thresholds in which a reader can change risk, arms, objectives and samples.

    Parameters
    ----------
    delta : float, default 0.1
        Initial risk.
    arms, objectives : int, default 20 and 3
        Initial numbers.
    samples : int, default 1000
        Initial samples of each arm.

    Returns
    -------
    IPython.display.HTML

    Raises
    ------
    ImportError
        If IPython is not installed.
    """
    total = arms * samples
    values = {  # which the page also shows without scripts
        "stylised": stylised_threshold(total, delta),
        "iterated_logarithm": iterated_logarithm_threshold(total, delta),
        "mixture": mixture_threshold(np.full(arms, samples), objectives, delta),
        "gamma": gamma_threshold(total, arms, objectives, delta),
    }
    start = {  # positions of the sliders
        "risk": -math.log10(delta),
        "arms": arms,
        "objectives": objectives,
        "samples": math.log10(samples),
    }
    rows = "".join(
        f'<tr data-threshold="{name}"><th scope="row">{label}</th>'
        f'<td class="number nats">{values[name]:.1f}</td><td class="bars"><span class="bar" '
        f'style="width: {min(100, 30 * math.log10(1 + values[name])):.1f}%"></span></td></tr>'
        for name, label in LABELS.items()
    )
    return as_html(
        '<div class="play-thresholds"><div class="controls" hidden>'
        + "".join(_control(*control, start[control[0]]) for control in CONTROLS)
        + '</div><table><caption class="visually-hidden">Thresholds in nats</caption>'
        "<thead><tr><th>threshold</th><th>nats</th><th>on a logarithmic scale</th></tr></thead>"
        f'<tbody>{rows}</tbody></table></div><script src="{SCRIPT}"></script>'
    )


def _control(name, label, least, most, step, value):
    return (
        f'<label>{label} <output data-of="{name}"></output><input type="range" name="{name}" '
        f'min="{least}" max="{most}" step="{step}" value="{value:g}"></label>'
    )
