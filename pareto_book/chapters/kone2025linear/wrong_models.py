"""Means that leave the linear model step by step, and error rates on the way."""

import dataclasses
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.kone2025linear.error_rates import COLOURS, Maker, errors_at
from pareto_book.figures import plots

__all__ = ["Departure", "depart", "depart_from_fits", "draw_departures"]


class Departure(NamedTuple):
    """Error rates between a linear fit and the data.

    Attributes
    ----------
    shares : ndarray, shape (n,)
        Shares of the residual that are added to the fit, from 0 upwards.
    residual : float
        Root mean square of the whole residual.
    same_front : ndarray of bool, shape (n,)
        Whether the Pareto set is that of the fit.
    wrong : dict of str to list of ndarray
        Whether each run errs at each share, by algorithm.
    """

    shares: np.ndarray
    residual: float
    same_front: np.ndarray
    wrong: dict

    def rates(self, name: str) -> np.ndarray:
        """Error rates of an algorithm, shape (n,)."""
        return np.array([each.mean() for each in self.wrong[name]])

    @property
    def exact(self) -> np.ndarray:
        """Whether each run of GEGE errs with the exact model."""
        return self.wrong["GEGE"][0].astype(bool)

    @property
    def other_front(self) -> np.ndarray:
        """Whether each run of GEGE errs where the front is not that of the fit."""
        runs = zip(self.wrong["GEGE"], self.same_front, strict=True)
        return np.concatenate([[], *(wrong for wrong, same in runs if not same)]).astype(bool)

    @property
    def fails_at(self) -> float:
        """Smallest share with which GEGE errs in more than 90 % of the runs."""
        return self.shares[self.rates("GEGE") > 0.9].min()


def depart(
    fit: pc.Instance,
    measured: pc.Instance,
    shares: np.ndarray,
    makers: Mapping[str, Maker],
    budget: int,
    runs: int,
    seed: int,
    n_jobs: int | None,
) -> Departure:
    """Run algorithms on the linear fit plus shares of its residual."""
    residual = measured.means - fit.means
    wrong, same_front = {name: [] for name in makers}, []
    for number, share in enumerate(shares):
        between = dataclasses.replace(
            fit, means=fit.means + share * residual, name=f"{share:g} of the residual"
        )
        same_front.append(np.array_equal(between.pareto_set, fit.pareto_set))
        for name, make in makers.items():
            wrong[name].append(errors_at(make, between, budget, runs, seed + number, n_jobs))
    size = float(np.sqrt((residual**2).mean()))
    return Departure(np.asarray(shares), size, np.array(same_front), wrong)


def depart_from_fits(
    fits: Mapping[str, str], shares: np.ndarray, makers: Mapping[str, Maker], **settings: int
) -> dict[str, Departure]:
    """Run algorithms on several linear fits plus shares of their residuals."""
    return {
        title: depart(
            pc.load_instance(fit),
            pc.load_instance(f"{fit}_misspecified"),
            shares,
            makers,
            **settings,
        )
        for title, fit in fits.items()
    }


def draw_departures(departures: Mapping[str, Departure]) -> Figure:
    """Draw error rates against the share of the residual, a panel for each data set."""
    figure, panels = plots.new_figure(1, len(departures), height=2.7, sharey=True)
    for axes, (name, departure) in zip(panels, departures.items(), strict=True):
        shares, other = departure.shares, ~departure.same_front
        for algorithm in departure.wrong:
            rates = departure.rates(algorithm)
            axes.plot(shares, rates, "o-", ms=4, color=COLOURS[algorithm], label=algorithm)
        if other.any():
            axes.axvspan(shares[other].min(), 1, color="silver", alpha=0.3)
        axes.set(title=f"{name}\n({departure.residual:.2f})", xlabel="share of the residual")
        axes.title.set_fontsize(9)
        rates = departure.rates("GEGE")
        plots.require(
            rates[0] < 0.4 and (rates[other] == 1).all(),
            "low without a residual, and one where the front of the fit is not the true one",
        )
    panels[0].set(ylabel="error rate")
    panels[0].legend(fontsize=8)
    return figure
