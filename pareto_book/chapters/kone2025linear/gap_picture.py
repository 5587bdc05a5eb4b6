"""The four arms of Figure 5, their gaps, and what the text says of them."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from IPython.display import HTML

__all__ = ["ARMS", "Statement", "draw_gaps", "statements", "statements_table"]

ARMS = {
    "j": np.array([2.2, 2.6]),
    "k": np.array([3.8, 2.2]),
    "i": np.array([1.5, 1.7]),
    "l": np.array([3.1, 1.4]),
}
LETTERS = {name: rf"${name}$" for name in ARMS} | {"l": r"$\ell$"}


class Statement(NamedTuple):
    """A statement of the text, and whether it holds.

    Attributes
    ----------
    sentence : str
        The statement.
    holds : bool
        Whether it holds as printed.
    amended : bool
        Whether it holds with `k` in place of `j` where the text contradicts itself.
    """

    sentence: str
    holds: bool
    amended: bool


def _m(arms, a, b):
    """By how much b is ahead of a in every objective."""
    return (arms[b] - arms[a]).min()


def _big_m(arms, a, b):
    """By how much a is ahead of b in its best objective."""
    return (arms[a] - arms[b]).max()


def statements(arms: dict[str, np.ndarray] = ARMS) -> list[Statement]:
    """Check the five statements of the text about Figure 5."""
    gap = dict(zip(arms, pc.gaps(np.array(list(arms.values()))), strict=True))
    margin = {a: min(max(_big_m(arms, b, a), 0) + gap[b] for b in ("i", "l")) for a in ("j", "k")}
    only_j = _m(arms, "l", "j") > 0 > _m(arms, "l", "k")
    dominates_both = min(_m(arms, "i", "k"), _m(arms, "l", "k")) > 0
    found = {
        "Δ_i = m(i, j)": np.isclose(gap["i"], _m(arms, "i", "j")),
        "Δ_ℓ = m(ℓ, j), as ℓ is only dominated by j": only_j
        and np.isclose(gap["l"], _m(arms, "l", "j")),
        "k has the margin min(Δ_i, Δ_ℓ) to i and ℓ, as it dominates both": dominates_both
        and np.isclose(margin["k"], min(gap["i"], gap["l"])),
        "j has the margin min(M(ℓ, j) + Δ_ℓ, Δ_i) to them": np.isclose(
            margin["j"], min(_big_m(arms, "l", "j") + gap["l"], gap["i"])
        ),
        "Δ_j = Δ_k = M(j, k)": np.allclose([gap["j"], gap["k"]], _big_m(arms, "j", "k")),
    }
    amended = found | {"Δ_ℓ = m(ℓ, j), as ℓ is only dominated by j": _m(arms, "l", "k") > 0}
    return [Statement(each, bool(found[each]), bool(amended[each])) for each in found]


def statements_table(found: "Sequence[Statement]") -> "HTML":
    """Make a table of the statements, and of whether they hold as printed."""
    rows = [
        {"sentence": each.sentence, "in the picture": "holds" if each.holds else "fails"}
        for each in found
    ]
    return show_table(pd.DataFrame(rows), "Claims about Figure 5.")


def draw_gaps(words: bool = True) -> Figure:
    """Draw the four arms with arrows for their gaps, both axes in the same unit."""
    points = np.array(list(ARMS.values()))
    gap = dict(zip(ARMS, pc.gaps(points), strict=True))
    figure, axes = plots.new_figure(height=3.0 if words else 3.6)
    plots.scatter_arms(axes, points, pc.pareto_set(points), labels=False)
    for name, point in ARMS.items():
        axes.annotate(LETTERS[name], point, (-12, 4), textcoords="offset points")
    for start, shift, colour, text in (
        (ARMS["i"], [gap["i"]] * 2, plots.RED, r"$\Delta_i$"),
        (ARMS["l"], [gap["l"]] * 2, plots.RED, r"$\Delta_\ell$"),
        (ARMS["k"], [0, _big_m(ARMS, "j", "k")], plots.GREEN, "$M(j,k)$"),
    ):
        axes.annotate("", start + shift, start, arrowprops={"arrowstyle": "->", "color": colour})
        if words:
            axes.annotate(
                text,
                start + np.divide(shift, 2),
                (7, -6),
                textcoords="offset points",
                color=colour,
                fontsize=9,
            )
    limits = ((0.75, 4.85), (1.2, 2.9)) if words else ((1, 5), (1, 3))
    axes.set(xlim=limits[0], ylim=limits[1], aspect="equal")
    axes.set(xlabel="objective 1", ylabel="objective 2", yticks=(1.5, 2.0, 2.5))
    return figure
