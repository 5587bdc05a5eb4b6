"""Arms with features: a picture of the lesson, instances, and what Figure 5 and Table 2 need."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.claims.published import read_published
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of
from pareto_core.instances.datasets import read_table
from pareto_core.instances.generators import linear_family
from pareto_core.regression import design

if TYPE_CHECKING:
    from IPython.display import HTML

COLOURS = {
    "GEGE": plots.BLUE,
    "EGE-SH": plots.ORANGE,
    "EGE-SR": plots.RED,
    "uniform": plots.BLACK,
    "APE": plots.GREEN,
    "PAL": plots.PURPLE,
    "GEGE, printed": plots.SKY,
}
# The four arms of Figure 5, whose coordinates the paper does not print.
FIGURE_5 = {
    "j": np.array([2.2, 2.6]),
    "k": np.array([3.8, 2.2]),
    "i": np.array([1.5, 1.7]),
    "ℓ": np.array([3.1, 1.4]),
}


# The lesson


def draw_design(features: np.ndarray) -> Figure:
    """Draw the G-optimal design of arms with two features."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.0)
    optimal = design.g_optimal_design(features).weights
    information = features.T @ (features * optimal[:, None])
    angle = np.linspace(0, 2 * np.pi, 200)
    circle = np.column_stack([np.cos(angle), np.sin(angle)]) * np.sqrt(2)
    left.plot(*(circle @ np.linalg.cholesky(information).T).T, color=plots.SKY)
    left.scatter(*features.T, s=12, color="grey")
    sampled = optimal > 0
    left.scatter(*features[sampled].T, s=400 * optimal[sampled], color=plots.BLUE)
    left.plot(0, 0, "+", color=plots.BLACK)
    left.set(xlabel="feature 1", ylabel="feature 2", aspect="equal")
    even = np.full(len(features), 1 / len(features))
    for weights, colour, name, arm, below in (
        (optimal, plots.BLUE, "optimal design", 3, -29),
        (even, plots.BLACK, "equal shares", 1, 4),
    ):
        variances = np.sort(design.prediction_variances(features, weights))[::-1]
        right.plot(variances, ".-", color=colour)
        plots.label_line(right, arm, variances[arm], name, colour, dy=below)
    right.axhline(2, ls=":", color="grey")
    right.set(xlabel="arms, worst first", ylabel="variance × samples", ylim=(0, None))
    return figure


# Budgets, and instances with more and more arms


def average_rate(wrongs: Sequence[np.ndarray]) -> Measurement:
    """Average the error rates of several budgets with as many runs each."""
    return mean_of(np.mean(wrongs, axis=0))._replace(runs=np.size(wrongs))


def lead(of_others: Sequence[np.ndarray], of_gege: Sequence[np.ndarray]) -> Measurement:
    """By how much the error rate of GEGE is smaller, on average over several budgets."""
    return mean_of(np.mean(of_others, axis=0) - np.mean(of_gege, axis=0))


def least_budget(make: Callable[[int], pc.Algorithm], instance: pc.Instance) -> int:
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


def first_arms() -> dict[str, np.ndarray]:
    """Draw the first eight arms of each family, shape (8, 2)."""
    generator = np.random.default_rng(0)
    steps = np.cumsum(generator.uniform(0.1, 0.2, 4))
    front = np.column_stack([steps - steps.mean(), steps.mean() - steps]) - 0.1
    close = np.vstack([front, front - generator.uniform(0.05, 0.12, 4)[:, None]])
    return {"close": close, "far": -np.random.default_rng(7).random((8, 2))}


def with_combinations(means: np.ndarray, size: int, variance: float) -> pc.Instance:
    """Add combinations of the arms up to a size, none of them harder to classify."""
    return linear_family(means, int(size), np.random.default_rng(0), [variance, variance])


def random_sets(number: int, smallest_gap: float, seed: int) -> list[np.ndarray]:
    """Draw sets of eight arms in the unit square, without those that have a smaller gap."""
    draws, found = np.random.default_rng(seed), []
    while len(found) < number:
        candidate = -draws.random((8, 2))
        if pc.gaps(candidate).min() >= smallest_gap:
            found.append(candidate)
    return found


def growth_of_ape(
    sets: Sequence[np.ndarray], ape: pc.APE, variance: float, **common
) -> list[float]:
    """Samples of APE with 128 arms over those with eight, on sets of arms; two runs on each."""
    growth = []
    for means in sets:
        few, many = (
            pc.simulate(ape, with_combinations(means, size, variance), runs=2, **common)
            for size in (8, 128)
        )
        growth.append(many.samples.mean() / few.samples.mean())
    return growth


def draw_by_arms(
    measured: Mapping[tuple[str, str, int], Measurement], legend: str, **options
) -> Figure:
    """Draw measurements by family, algorithm and number of arms, a panel for each family."""
    families = list(dict.fromkeys(family for family, _, _ in measured))
    sizes = sorted({size for *_, size in measured})
    figure, panels = plots.new_figure(1, len(families), height=3.0, sharey=True)
    for axes, family in zip(panels, families, strict=True):
        for name in dict.fromkeys(name for each, name, _ in measured if each == family):
            drawn = [size for size in sizes if (family, name, size) in measured]
            values = [measured[family, name, size] for size in drawn]
            plots.curve(axes, drawn, values, COLOURS[name], name)
        axes.set(xscale="log", title=family, xlabel="arms K", **options)
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.minorticks_off()
        axes.label_outer()
    panels[0].legend(fontsize=8, loc=legend)
    return figure


# Data sets


def front_with_intercept(means: np.ndarray) -> int:
    """Count the optimal buildings in a linear fit with an intercept."""
    settings = read_table("energy_efficiency")[:, :-2]
    centred = settings - settings.mean(axis=0)
    absolute = centred / abs(centred).sum(axis=1, keepdims=True)
    with_intercept = np.column_stack([np.ones(len(absolute)), absolute])
    coefficients = np.linalg.lstsq(with_intercept, means, rcond=None)[0]
    return len(pc.pareto_set(with_intercept @ coefficients))


def statements_about_gaps(
    arms: Mapping[str, np.ndarray] = FIGURE_5, alone: str = "j"
) -> dict[str, bool]:
    """Whether each of the five statements about Figure 5 holds; ``alone`` dominates ℓ."""
    gap = dict(zip(arms, pc.gaps(np.array(list(arms.values()))), strict=True))

    def m(a, b):
        return (arms[b] - arms[a]).min()

    def margin(a):
        return min(max(-m(b, a), 0) + gap[b] for b in ("i", "ℓ"))

    both = min(m("i", "k"), m("ℓ", "k")) > 0 and np.isclose(margin("k"), min(gap["i"], gap["ℓ"]))
    other = {"j": "k", "k": "j"}[alone]
    only = m("ℓ", alone) > 0 > m("ℓ", other) and np.isclose(gap["ℓ"], m("ℓ", alone))
    to_l = max(-m("ℓ", "j"), 0) + gap["ℓ"]
    found = {
        "Δ_i = m(i, j)": np.isclose(gap["i"], m("i", "j")),
        f"Δ_ℓ = m(ℓ, {alone}), as ℓ is only dominated by {alone}": only,
        "k has the margin min(Δ_i, Δ_ℓ) to i and ℓ, as it dominates both": both,
        "j has the margin min(M(ℓ, j) + Δ_ℓ, Δ_i) to them": np.isclose(
            margin("j"), min(to_l, gap["i"])
        ),
        "Δ_j = Δ_k = M(j, k)": np.allclose([gap["j"], gap["k"]], -m("j", "k")),
    }
    return {sentence: bool(holds) for sentence, holds in found.items()}


def draw_gaps() -> Figure:
    """Draw the four arms of Figure 5 with arrows for their gaps, both axes in the same unit."""
    points = np.array(list(FIGURE_5.values()))
    gaps = pc.gaps(points)
    ahead = (points[0] - points[1]).max()  # M(j, k)
    figure, axes = plots.new_figure(height=3.6)
    plots.scatter_arms(axes, points, pc.pareto_set(points), labels=False)
    for name, point in FIGURE_5.items():
        axes.annotate(name, point, (-12, 4), textcoords="offset points", style="italic")
    for arm, shift, colour in (
        (2, [gaps[2], gaps[2]], plots.RED),
        (3, [gaps[3], gaps[3]], plots.RED),
        (1, [0, ahead], plots.GREEN),
    ):
        arrow = {"arrowstyle": "->", "color": colour}
        axes.annotate("", points[arm] + shift, points[arm], arrowprops=arrow)
    axes.set(xlim=(1, 5), ylim=(1, 3), aspect="equal")
    axes.set(xlabel="objective 1", ylabel="objective 2", yticks=(1.5, 2.0, 2.5))
    return figure


def run_times_table(variance: float, seed: int, runs: int = 50) -> "HTML":
    """Make a table of the mean CPU time of a run with fixed confidence, and with a fixed budget."""
    regimes = {
        "confidence": ("δ = 0.1", pc.GEGE(delta=0.1, variance_bound=variance)),
        "budget": ("T = 500", pc.GEGE(budget=500, variance_bound=variance)),
    }
    shapes = read_published("kone2025linear_table2").astype(int)
    table = shapes[["arms", "features", "objectives"]].copy()
    for regime, (words, algorithm) in regimes.items():
        table[f"{words}: printed"] = shapes[regime]
        table[f"{words}: ours"] = [
            1000 * _seconds(algorithm, shape, variance, seed, runs)
            for shape in table.itertuples(index=False)
        ]
    ours = [name for name in table if name.endswith("ours")]
    caption = "Milliseconds per run (Table 2), ours on one thread; not judged."
    return show_table(table, caption, **dict.fromkeys(ours, ".2f"))


def _seconds(algorithm, shape, variance, seed, runs):
    """Mean CPU time of a run on an instance of this shape."""
    draws = np.random.default_rng(0)  # some other seeds draw arms to which none can be added
    base = -draws.random((shape.features, shape.objectives))
    instance = linear_family(base, shape.arms, draws, np.full(shape.objectives, variance))
    options = {"seed": seed, "n_jobs": 1, "progress": False}
    pc.simulate(algorithm, instance, runs=1, **options)
    start = time.thread_time()
    pc.simulate(algorithm, instance, runs=runs, **options)
    return (time.thread_time() - start) / runs
