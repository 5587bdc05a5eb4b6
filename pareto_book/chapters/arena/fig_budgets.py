"""Figure: error rates with a fixed budget against the budget."""

import matplotlib.lines
import numpy as np

from pareto_book.chapters.arena.budgets import Budgets
from pareto_book.figures import plots
from pareto_book.kept_runs.budgets.files import KeptAnswers
from pareto_book.kept_runs.budgets.needed import LEVELS, error_rates

__all__ = ["draw_error_rates"]

LOOKS = {  # colour and style of each entrant
    "uniform": (plots.GREEN, "-"),
    "EGE-SR": (plots.BROWN, ":"),
    "EGE-SH": (plots.BROWN, "-"),
    "TopTwoIDS": (plots.RED, "-"),
}
COLUMNS = 3
FLOOR = 4e-5  # of the drawn error rates


def draw_error_rates(budgets: Budgets) -> None:
    """Draw a panel for each instance, with a line and a band of exact intervals per entrant."""
    contests = list(budgets.contests.values())
    rows = -(-len(contests) // COLUMNS)
    figure, panels = plots.new_figure(rows, COLUMNS, height=2.3, sharey=True, squeeze=False)
    falls = []
    for axes, contest in zip(panels.flat, contests, strict=False):
        for name, kept in budgets.on(contest.name).items():
            _draw_entrant(axes, kept, contest.time, *LOOKS[name])
            rates = error_rates(kept)
            falls.append(rates[-1].value < rates[0].value)
        _label(axes, contest)
    plots.require(all(falls), "every line falls")
    for axes in panels.flat[len(contests) :]:
        axes.axis("off")
    for axes in panels[:, 0]:
        axes.set_ylabel("error rate")
    handles = [
        matplotlib.lines.Line2D([], [], color=colour, ls=style, label=name)
        for name, (colour, style) in LOOKS.items()
        if any(name == entrant for _, entrant in budgets.kept)
    ]
    panels.flat[0].legend(handles=handles, loc="lower left", fontsize=8)
    plots.save(figure, "arena", "budget")


def _draw_entrant(axes, kept: KeptAnswers, time, colour, style):
    """Draw a line as far as there are errors; without any, the end of the interval, a triangle."""
    x = np.array(kept.budgets) / time
    rates = error_rates(kept)
    values = np.array([each.value for each in rates])
    low, high = np.transpose([each.interval for each in rates])
    some = values > 0
    axes.plot(x[some], values[some], style, color=colour, lw=1.3)
    axes.fill_between(x[some], low[some], high[some], color=colour, alpha=0.15, lw=0)
    first = np.flatnonzero(~some)[:1]
    axes.plot(x[first], high[first], "v", ms=3, color=colour)


def _label(axes, contest):
    for level in LEVELS:
        axes.axhline(level, color="grey", lw=0.6, ls=":")
    axes.set(xscale="log", yscale="log", ylim=(FLOOR, 1.1))
    axes.set_title(f"{contest.name} (K = {contest.instance.n_arms})", fontsize=10)
    ticks = [multiple for multiple in contest.multiples if np.log2(multiple) % 1 == 0]
    axes.set_xticks(ticks, [f"{multiple:g}" for multiple in ticks])
    axes.minorticks_off()
    axes.tick_params(labelsize=9)
    axes.set_xlabel(r"budget over $T^\star$")
