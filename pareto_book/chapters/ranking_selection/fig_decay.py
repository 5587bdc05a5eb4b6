"""The probability of a wrong Pareto set against the budget, and the rate at which it falls."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.chapters.ranking_selection.decay import decay_rate, error_probabilities_of_shares
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement

__all__ = ["Decay", "decays", "draw_decays"]

EVIDENCES = np.arange(2.0, 29.0, 2.0)  # T C(w): expected evidence, in nats
COLOURS = (plots.BLACK, plots.GREEN, plots.BLUE)


class Decay(NamedTuple):
    """Probabilities of a wrong Pareto set under one vector of shares.

    Attributes
    ----------
    cost : float
        Transportation cost C(w) at the shares.
    budgets : ndarray, shape (n,)
        Numbers of samples.
    probabilities : list of Measurement, length n
    """

    cost: float
    budgets: np.ndarray
    probabilities: list[Measurement]

    def rate(self) -> Measurement:
        """Rate of decay between the last two budgets, over the transportation cost."""
        return decay_rate(self.budgets, self.probabilities).times(1 / self.cost)


def decays(
    instance: pc.Instance, shares: Mapping[str, ArrayLike], draws: int, seed: int
) -> dict[str, Decay]:
    """Estimate the decay under several vectors of shares.

    Parameters
    ----------
    instance : Instance
        With independent objectives.
    shares : dict of str to array_like
        Shares of the samples, by name.
    draws : int
        Draws for each budget.
    seed : int
        Seed of the draws.

    Returns
    -------
    dict of str to Decay
    """
    found = {}
    for name, each in shares.items():
        cost = pc.transport_cost(instance.means_standardised, np.divide(each, np.sum(each))).value
        budgets = EVIDENCES / cost
        chances = error_probabilities_of_shares(instance, each, budgets, draws, seed)
        found[name] = Decay(cost, budgets, chances)
    return found


def draw_decays(found: Mapping[str, Decay]) -> None:
    """Draw probabilities against the budget, and rates over the transportation cost."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.2)
    for (name, each), colour in zip(found.items(), COLOURS, strict=False):
        plots.curve(left, each.budgets, each.probabilities, colour, name)
        left.plot(each.budgets, np.exp(-each.budgets * each.cost), ":", color=colour, lw=1.2)
        ends = range(2, len(each.budgets) + 1)
        rates = [decay_rate(each.budgets[:n], each.probabilities[:n]) for n in ends]
        middles = (each.budgets[1:] + each.budgets[:-1]) / 2 * each.cost
        rates = [rate.times(1 / each.cost) for rate in rates]
        plots.curve(right, middles, rates, colour)
        values = [rate.value for rate in rates]
        plots.require(values[-1] < 1.1 < values[0], "curves that fall towards one")
    left.set(yscale="log", xlabel="budget T", title="probability of a wrong Pareto set")
    left.set_yticks(10.0 ** np.arange(-12, 1, 4))
    left.legend()
    right.axhline(1, color=plots.BLACK, lw=0.8)
    right.set(xlabel=r"expected evidence $T\,C(w)$", title=r"rate of decay over $C(w)$")
    plots.save(figure, "ranking_selection", "decay")
