"""Colours of the entrants, the same in all figures of the arena."""

from pareto_book.figures import plots

__all__ = ["CONSTRAINED", "FAMILIES", "MAIN", "colour_of"]

FAMILIES = {  # by the beginning of the name
    "TopTwoIDS": plots.RED,
    "Track-and-Stop": plots.BLUE,
    "Frank-Wolfe": plots.SKY,
    "PSIPS": plots.PURPLE,
    "APE": plots.ORANGE,
    "Racing": plots.BROWN,
    "uniform": plots.GREEN,
}
MAIN = ("TopTwoIDS", "Track-and-Stop", "APE", "uniform")
"""Entrants that stand out in a figure of many."""

CONSTRAINED = {
    "TopTwoIDS": plots.RED,
    "e-cAPE": plots.BLUE,
    "Game-cPSI": plots.ORANGE,
    "A-A": plots.SKY,
    "R-CP": plots.BROWN,
    "uniform, constrained": plots.GREEN,
}


def colour_of(name: str) -> str:
    """Colour of an entrant: that of its algorithm, or black."""
    return FAMILIES.get(name.partition(",")[0], plots.BLACK)
