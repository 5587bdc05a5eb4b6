"""Figure: success of TTPFTS at checkpoints, with the published points."""

from collections.abc import Mapping, Sequence

import numpy as np

from pareto_book.figures import label_columns, plots
from pareto_book.records.measurements import rate_of

__all__ = ["COLOURS", "draw_success"]

COLOURS = {
    "program's posterior": plots.BLUE,
    "known variance": plots.ORANGE,
    "with the root": plots.PURPLE,
    "uniform sampling": plots.GREEN,
}


def draw_success(
    checkpoints: Sequence[int],
    success: Mapping[str, Sequence[np.ndarray]],
    published: Sequence[float],
) -> None:
    """Draw the share of right answers as a function of the number of samples."""
    figure, axes = plots.new_figure(height=3.4)
    heights, ends = {}, {}
    for name, colour in COLOURS.items():
        rates = [rate_of(each) for each in success[name]]
        plots.curve(axes, checkpoints, rates, colour)
        heights[name] = np.array([rate.value for rate in rates])
        ends[name] = (checkpoints[-1], rates[-1].value)
    axes.plot(checkpoints, published, "x", color=plots.BLACK, zorder=4)
    ends["published"] = (checkpoints[-1], published[-1])
    axes.set(xlabel="samples", ylabel="right answers", ylim=(0, 1.02))
    axes.set_xticks(range(1000, 6000, 1000))
    plots.plain_thousands(axes.xaxis)
    label_columns.label_column(axes, ends, {**COLOURS, "published": plots.BLACK}, fontsize=9)
    _check(heights, published)
    plots.save(figure, "newcomers", "two_fronts")


def _check(heights, published):
    """Check the order that the alternative text states."""
    distance = {name: np.abs(height - published).sum() for name, height in heights.items()}
    lowest = min(heights, key=lambda name: heights[name].sum())
    plots.require(lowest == "uniform sampling", "uniform sampling is lowest")
    plots.require(
        min(distance, key=distance.get) == "program's posterior",
        "that of the program's posterior is nearest to the crosses",
    )
    plots.require(
        all((np.diff(height) > 0).all() for height in heights.values()), "four rising curves"
    )
