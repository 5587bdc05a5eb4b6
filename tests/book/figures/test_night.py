"""Figures in the colours of dark pages."""

import io

import matplotlib.pyplot as plt
import pytest

from pareto_book.figures import plots
from pareto_book.figures.night import GROUND, READABLE, at_night, night_colour


def luminance(colour):
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


GROUND_COLOUR = "#" + 3 * f"{round(255 * GROUND):02x}"


@pytest.mark.parametrize("colour", [*plots.COLOURS, "#083979", "#0000ff", "#8c6d31", "#262626"])
def test_a_colour_can_be_seen_on_a_dark_page(colour):
    assert contrast(night_colour(colour.lower()), GROUND_COLOUR) >= READABLE - 0.05


def test_greys_are_reversed_in_order():
    greys = [f"#{3 * f'{shade:02x}'}" for shade in range(0, 256, 15)]
    seen = [luminance(night_colour(grey)) for grey in greys]
    assert seen == sorted(seen, reverse=True)
    assert night_colour("#ffffff") == GROUND_COLOUR


def test_a_figure_keeps_its_drawing():
    figure, axes = plt.subplots()
    axes.plot([1, 2], [1, 2], color=plots.BLUE)
    axes.text(1, 1, "black", color="black")
    file = io.StringIO()
    figure.savefig(file, format="svg")
    plt.close(figure)
    light, dark = file.getvalue(), at_night(file.getvalue())
    assert "#ffffff" in light and "#ffffff" not in dark
    assert '<svg fill="#d6d6d6"' in dark  # of black text, whose colour is not in the file
    assert light.count("<path") == dark.count("<path")
    assert night_colour(plots.BLUE.lower()) in dark
