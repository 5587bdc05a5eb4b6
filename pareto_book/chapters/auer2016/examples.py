"""Examples 1 and 2 of the paper: an arm that is optimal by a hair, and covers of five arms."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement, mean_of, ratio_of

__all__ = [
    "check_sparseness",
    "count_wrong_sides",
    "cover_distances",
    "draw_example_1",
    "example_1",
    "excess",
    "growth_of",
    "measure_example_1",
    "run_both_sides",
    "samples_saved",
    "table_1",
]

Sides = Mapping[tuple[float, int, float], pc.Runs]  # by accuracy, sign and size of theta

CHOICES = (0.05, 0.1, 0.3, 0.45, 0.5), (1.0, 1.2, 1.5, 1.9, 1.99)  # alpha, and epsilon / alpha


def excess(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Distances M(i, j) of points from others, shape (n, m).

    Examples
    --------
    >>> excess(np.array([[3.0, 0.0]]), np.array([[1.0, 1.0], [4.0, 2.0]])).tolist()
    [[2.0, 0.0]]
    """
    return np.maximum((points[:, None] - others[None]).max(axis=2), 0)


def example_1(theta: float) -> np.ndarray:
    """Make the arms of Example 1: the third one is optimal if and only if ``theta`` > 0."""
    return np.array([[0.75, 0.5], [0.5, 0.75], [0.5 + theta, 0.5 + theta]])


def run_both_sides(
    races: Sequence[pc.Racing],
    thetas: np.ndarray,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> dict[tuple[float, int, float], pc.Runs]:
    """Run races with the third arm on either side of the front, with variance 0.01.

    Parameters
    ----------
    races : sequence of Racing
        The algorithm with several accuracies.
    thetas : ndarray, shape (n,)
        Distances from the front.
    runs, seed, n_jobs
        See `pareto_core.simulate`.

    Returns
    -------
    dict of tuple to Runs
        By the accuracy, the sign of theta (1 if the third arm is optimal) and its size.
    """
    found = {}
    for race, sign, theta in itertools.product(races, (1, -1), thetas):
        arms = pc.Instance(example_1(sign * theta), variance=[0.01, 0.01])
        found[race.epsilon, sign, theta] = pc.simulate(race, arms, runs, seed, n_jobs)
    return found


def measure_example_1(runs: Sides) -> dict[str, Measurement]:
    """Measure what Example 1 claims, at distances of 0.01 and 0.04 from the front.

    Parameters
    ----------
    runs : dict of tuple to Runs
        Result of `run_both_sides`.

    Returns
    -------
    dict of str to Measurement
        By the id of the claim.
    """
    grid = np.linspace(-0.25, 0.25, 101)
    far_and_near = (runs[0.0, 1, theta].samples for theta in (0.01, 0.04))
    return {
        "example1_front": Measurement(count_wrong_sides(grid), None, len(grid)),
        "example1_growth": growth_of(*far_and_near, 4),
    }


def samples_saved(runs: Sides, accuracy: float, theta: float) -> dict[str, Measurement]:
    """Ratio of the samples of the exact answer over those with an accuracy, on either side."""
    return {
        f"saved_{name}": ratio_of(*(runs[each, sign, theta].samples for each in (0.0, accuracy)))
        for sign, name in ((1, "optimal"), (-1, "dominated"))
    }


def draw_example_1(runs: Sides, accuracy: float, thetas: np.ndarray) -> Figure:
    """Draw the samples of Racing against where the third arm is: below, and above the front.

    Parameters
    ----------
    runs : dict of tuple to Runs
        Result of `run_both_sides`.
    accuracy : float
        The accuracy other than 0.
    thetas : ndarray, shape (n,)
        Distances from the front, the largest first.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = plots.new_figure(height=3.4)
    steps = np.arange(len(thetas), 0, -1)
    for epsilon, colour, below in ((0.0, plots.BLUE, 0), (accuracy, plots.ORANGE, 14)):
        for sign in (-1, 1):
            measured = [mean_of(runs[epsilon, sign, theta].samples) for theta in thetas]
            plots.curve(axes, sign * steps, measured, colour)
        closest = runs[epsilon, -1, thetas[-1]].samples.mean()
        plots.label_line(
            axes, -1, closest, rf"$\epsilon_0$ = {epsilon:g}", colour, dx=9 - below, dy=-below
        )
    _require_shape(runs, accuracy, thetas)
    axes.axvline(0, color="grey", ls=":")
    ticks = [*-steps, *steps[::-1]]
    names = [*(f"−{theta:g}" for theta in thetas), *(f"{theta:g}" for theta in thetas[::-1])]
    axes.set_xticks(ticks, names)
    axes.set(
        yscale="log",
        ylabel="samples",
        xlabel=r"dominated  ←  $\theta$, position of the third arm  →  optimal",
    )
    return figure


def _require_shape(runs, accuracy, thetas):
    """Stop if the alternative text of the figure is wrong."""
    for sign in (-1, 1):
        exact = [runs[0.0, sign, theta].samples.mean() for theta in thetas]
        plots.require(
            (np.diff(exact) > 0).all(), "the curve rises as the arm comes closer to the front"
        )
        closest = runs[accuracy, sign, thetas[-1]].samples.mean()
        plots.require(closest < exact[-1], "with an accuracy it ends below that")


def count_wrong_sides(thetas: np.ndarray) -> int:
    """Count positions at which the status of the third arm contradicts Example 1."""
    return sum((2 in pc.pareto_set(example_1(theta))) != (theta > 0) for theta in thetas)


def growth_of(many: np.ndarray, few: np.ndarray, factor: float) -> Measurement:
    """Measure the exponent with which samples grow when a distance shrinks by a factor.

    Parameters
    ----------
    many, few : ndarray, shape (n,)
        Samples at the smaller and at the larger distance.
    factor : float
        The larger distance over the smaller.

    Returns
    -------
    Measurement
    """
    ratio = ratio_of(many, few)
    exponents = np.log([ratio.value, *ratio.interval]) / np.log(factor)
    return Measurement(exponents[0], tuple(exponents[1:]), ratio.runs)


def table_1(alpha: float) -> np.ndarray:
    """Make the five points of Table 1.

    Examples
    --------
    >>> table_1(0.25)[0].tolist()
    [1.0, 1.0, 1.0, 0.75, 0.5]
    """
    row = np.array([1, 1, 1, 1 - alpha, 1 - 2 * alpha])
    return np.array([np.roll(row, -k) for k in range(5)])


def cover_distances(points: np.ndarray, epsilon: float) -> list[tuple[int, float]]:
    """Find the subsets that cover all points, and the smallest distance within each.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        Points.
    epsilon : float
        Distance within which a subset has to cover each point.

    Returns
    -------
    list of tuple
        Size of a subset, and the smallest distance of two of its points.
    """
    n_points = len(points)
    distance = excess(points, points)
    apart = distance + np.diag(np.full(n_points, np.inf))
    return [
        (size, apart[np.ix_(subset, subset)].min())
        for size in range(1, n_points + 1)
        for subset in map(list, itertools.combinations(range(n_points), size))
        if (distance[:, subset].min(axis=1) <= epsilon).all()
    ]


def check_sparseness() -> dict[str, Measurement]:
    """Check Example 2 on all subsets of its points, for 25 pairs of alpha and epsilon < 2 alpha.

    Returns
    -------
    dict of str to Measurement
        By the id of the claim: number of optimal points, number of distances that are not as
        printed, mean size of the smallest cover, and number of covers sparser than alpha.
    """
    wrong_distance = too_sparse = 0
    smallest = []
    for alpha in CHOICES[0]:
        points = table_1(alpha)
        successor = np.roll(np.eye(5, dtype=bool), 1, axis=1)
        expected = np.where(successor, alpha, 2 * alpha)
        np.fill_diagonal(expected, 0)
        wrong_distance += (np.abs(excess(points, points) - expected) > 1e-12).sum()
        for share in CHOICES[1]:
            found = cover_distances(points, share * alpha + 1e-9)
            smallest.append(min(size for size, _ in found))
            too_sparse += sum(least > alpha + 1e-9 for _, least in found)
    n_cases = 31 * len(CHOICES[0]) * len(CHOICES[1])
    return {
        "example2_optimal": Measurement(len(pc.pareto_set(table_1(0.3))), None, None),
        "example2_distances": Measurement(wrong_distance, None, 20 * len(CHOICES[0])),
        "example2_three": Measurement(np.mean(smallest), None, None),
        "example2_sparse": Measurement(too_sparse, None, n_cases),
    }
