"""Error rates with a fixed budget: the network on chip, more arms, and more samples."""

import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement, mean_of, rate_of
from pareto_book.studies import linear_bounds

__all__ = [
    "COLOURS",
    "average_rate",
    "curves_by_arms",
    "draw_by_arms",
    "draw_by_budget",
    "draw_noc_curves",
    "errors_at",
    "errors_at_budgets",
    "errors_by_arms",
    "least_budget",
]

Maker = Callable[[int], pc.Algorithm]
COLOURS = {
    "GEGE": plots.BLUE,
    "EGE-SH": plots.ORANGE,
    "EGE-SR": plots.RED,
    "uniform": plots.BLACK,
    "APE": plots.GREEN,
    "PAL": plots.PURPLE,
    "GEGE, printed": plots.SKY,
}
PUBLISHED = {"GEGE": "gege", "EGE-SH": "ege_sh", "EGE-SR": "ege_sr", "uniform": "uniform"}
NOTHING = Measurement(np.nan, (np.nan, np.nan), 0)


def errors_at(
    make: Maker, instance: pc.Instance, budget: float, runs: int, seed: int, n_jobs: int | None
) -> np.ndarray:
    """Whether each run errs."""
    try:
        result = pc.simulate(make(int(budget)), instance, runs=runs, seed=seed, n_jobs=n_jobs)
    except ValueError:
        return np.array([np.nan])
    return (~result.correct).astype(float)


def errors_at_budgets(
    make: Maker,
    instance: pc.Instance,
    budgets: Sequence[int],
    runs: int,
    seed: int,
    n_jobs: int | None,
) -> list[np.ndarray]:
    """Whether each run errs, at several budgets with the seeds from `seed` on; see `errors_at`."""
    return [errors_at(make, instance, t, runs, seed + n, n_jobs) for n, t in enumerate(budgets)]


def errors_by_arms(
    makers: Mapping[str, Maker],
    families: Mapping[str, Sequence[pc.Instance]],
    runs: Mapping[str, int],
    seed: int,
    n_jobs: int | None,
) -> dict[tuple[str, str, int], np.ndarray]:
    """Whether each run errs with more and more arms, at a budget that does not grow (Figure 1)."""
    found = {}
    for number, (family, instances) in enumerate(families.items()):
        budget = linear_bounds.gap_complexity(instances[0].means, 8).h2
        for (name, make), instance in itertools.product(makers.items(), instances):
            wrong = errors_at(make, instance, budget, runs[name], seed + number, n_jobs)
            found[family, name, instance.n_arms] = wrong
    return found


def least_budget(make: Maker, instance: pc.Instance) -> int:
    """Find the smallest budget that an algorithm accepts, by bisection."""
    refused, accepted = 1, 100_000
    while accepted - refused > 1:
        middle = (refused + accepted) // 2
        try:
            make(middle).parameters(instance.problem)
            accepted = middle
        except ValueError:
            refused = middle
    return accepted


def average_rate(wrongs: Sequence[np.ndarray]) -> Measurement:
    """Average the error rates of several budgets with as many runs each."""
    return mean_of(np.mean(wrongs, axis=0))._replace(runs=np.size(wrongs))


def _rates(wrongs):
    """Error rates with exact intervals, or nothing where an algorithm cannot run."""
    return [
        rate_of(wrong.astype(bool)) if np.isfinite(wrong).all() else NOTHING for wrong in wrongs
    ]


def curves_by_arms(
    measured: Mapping[tuple[str, str, int], Measurement],
    sizes: Sequence[int],
    names: Sequence[str],
) -> tuple[Figure, np.ndarray]:
    """Draw what was measured against the number of arms, a panel for each family."""
    families = list(dict.fromkeys(family for family, _, _ in measured))
    figure, panels = plots.new_figure(1, len(families), height=3.0, sharey=True)
    for axes, family in zip(panels, families, strict=True):
        for name in names:
            values = [measured[family, name, size] for size in sizes]
            plots.curve(axes, sizes, values, COLOURS[name], name)
        axes.set(xscale="log", title=family, xlabel="arms K")
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.minorticks_off()
    return figure, panels


def draw_by_arms(
    wrong: Mapping[tuple[str, str, int], np.ndarray], sizes: Sequence[int], names: Sequence[str]
) -> Figure:
    """Draw error rates against the number of arms, a panel for each family (Figure 1)."""
    families = list(dict.fromkeys(family for family, _, _ in wrong))
    rates = dict(zip(wrong, _rates(wrong.values()), strict=True))
    figure, panels = curves_by_arms(rates, sizes, names)
    panels[0].set(ylabel="error rate", ylim=(0, 1.03))
    panels[-1].set(xlim=(None, 330))
    for name in names:
        end = wrong[families[-1], name, sizes[-1]].mean()
        above = {"EGE-SR": 8, "EGE-SH": -6}.get(name, 0)
        plots.label_line(panels[-1], sizes[-1], end, name, COLOURS[name], dy=above)
    rising = {"GEGE": False, "EGE-SH": True, "EGE-SR": True}
    for family, (name, rises) in itertools.product(families, rising.items()):
        rates = np.array([wrong[family, name, size].mean() for size in sizes])
        first, last = rates[np.isfinite(rates)][[0, -1]]
        plots.require(
            last > 1.2 * first if rises else abs(last / first - 1) < 0.2,
            f"{name} {'rises' if rises else 'stays level'} in {family}",
        )
    return figure


def draw_noc_curves(
    wrong: Mapping[str, Sequence[np.ndarray]],
    budgets: np.ndarray,
    published: Mapping[str, ArrayLike],
) -> Figure:
    """Draw error rates against the budget, with the published values as crosses (Figure 3)."""
    figure, axes = plots.new_figure(height=3.4)
    for name, column in PUBLISHED.items():
        rates = _rates(wrong[name])
        plots.curve(axes, budgets, rates, COLOURS[name])
        axes.plot(budgets, published[column], "x", color=COLOURS[name])
        above = {"EGE-SR": 9, "EGE-SH": -9}.get(name, 0)
        plots.label_line(axes, budgets[-1], rates[-1].value, name, COLOURS[name], dy=above)
    axes.set(xlabel="budget T", ylabel="error rate", xlim=(None, 4250), ylim=(-0.02, 1.03))
    plots.plain_thousands(axes.xaxis)
    means = {name: [each.mean() for each in wrongs] for name, wrongs in wrong.items()}
    for at_budget in zip(*means.values(), strict=True):
        plots.require(
            at_budget[list(means).index("GEGE")] == min(at_budget)
            and at_budget[list(means).index("uniform")] == max(at_budget),
            "GEGE has the lowest, uniform sampling the highest",
        )
    return figure


def draw_by_budget(
    wrong: Mapping[str, Sequence[np.ndarray]], budgets: np.ndarray, n_arms: int
) -> Figure:
    """Draw error rates against the budget on a logarithmic axis (Figure 6)."""
    figure, axes = plots.new_figure(height=3.0)
    for name, wrongs in wrong.items():
        plots.curve(axes, budgets, _rates(wrongs), COLOURS[name], name)
    axes.axvline(n_arms, ls=":", color="grey")
    axes.set(xscale="log", xlabel="budget T", ylabel="error rate", ylim=(0, 1.03))
    axes.legend()
    return figure
