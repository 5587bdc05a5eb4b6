"""Two objectives: the height of a freed arm (Figure 6), and Lemmas 8 and 9 on staircases."""

import numpy as np
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.crepon2024.lemmas import random_weights
from pareto_book.figures import plots
from pareto_book.studies.profile import diagonal_profile
from pareto_core.instances import generators

__all__ = ["check_profile", "check_staircases", "draw_profile", "exceptions_of_profile"]


def draw_profile(means: np.ndarray, weights: np.ndarray, s: np.ndarray) -> Figure:
    """Draw the tents of the optimal arms, the best height of the last arm, and its cost.

    Parameters
    ----------
    means : ndarray, shape (K, 2)
        Means; the last arm is dominated.
    weights : ndarray, shape (K,)
        Weights.
    s : ndarray, shape (n,)
        Coordinates across the diagonal.

    Returns
    -------
    matplotlib.figure.Figure
    """
    tents, height, cost = diagonal_profile(means, weights, len(means) - 1, s)
    swept = pc.transport_cost(means, weights, method="sweep")
    freed = swept.alternative[-1]
    plots.require(np.isclose(cost.min(), swept.value, rtol=1e-4), "at its minimum")
    figure, (top, bottom) = plots.new_figure(2, 1, height=2.2, sharex=True)
    top.plot(s, tents.T, color=plots.RED, ls="--", lw=0.9)
    top.plot(s, height, color=plots.BLUE, lw=2)
    plots.label_line(top, s[-1], height[-1], r"$t^\star(s)$", plots.BLUE, dx=-12, dy=12)
    top.set(ylabel="height t", ylim=(0.5, 4))
    bottom.plot(s, cost, color=plots.BLUE)
    where = (freed[0] - freed[1]) / np.sqrt(2)
    bottom.plot(where, swept.value, "x", color=plots.BLACK, ms=9, mew=2)
    bottom.set(xlabel="s, across the diagonal", ylabel="cost")
    return figure


def check_profile(
    means: np.ndarray, weights: np.ndarray, s: np.ndarray
) -> tuple[int, int, int, float]:
    """Check Lemmas 8 and 9 for the last arm of an instance.

    Parameters
    ----------
    means : ndarray, shape (K, 2)
        Means; the last arm is dominated by all others, which are optimal.
    weights : ndarray, shape (K,)
        Weights.
    s : ndarray, shape (n,)
        Coordinates across the diagonal.

    Returns
    -------
    tents_off, slopes_off, meetings_off : int
        Exceptions to Lemma 8, to the formula of the slope, and to the order of the meetings.
    steepest : float
        The largest slope, in units of that of a tent.
    """
    tents, height, _ = diagonal_profile(means, weights, len(means) - 1, s)
    return exceptions_of_profile(means, weights, s, tents, height)


def exceptions_of_profile(
    means: np.ndarray, weights: np.ndarray, s: np.ndarray, tents: np.ndarray, height: np.ndarray
) -> tuple[int, int, int, float]:
    """Check Lemmas 8 and 9 on tents and heights that are given; each NaN is an exception.

    Parameters
    ----------
    means, weights, s
        As for `check_profile`.
    tents : ndarray, shape (p, n)
        Heights of the tents.
    height : ndarray, shape (n,)
        Best heights.

    Returns
    -------
    tents_off, slopes_off, meetings_off : int
    steepest : float
        As for `check_profile`.
    """
    front, shares = means[:-1], weights[:-1, None]
    tops = ((front[:, 0] - front[:, 1]) / np.sqrt(2))[:, None]
    points = np.stack([s, -s], axis=-1) / np.sqrt(2)
    lowest = (front[:, None] - points).min(-1)  # lowest t at which an arm is not above
    side = np.where(s < tops, 1, -1) / np.sqrt(2)
    same_side = side[:, 1:] == side[:, :-1]
    rises = np.diff(lowest) / np.diff(s)
    tents_off = ~(np.abs(rises - side[:, :-1]) <= 1e-6) & same_side
    tents_off |= ~(np.abs(tents - lowest)[:, :-1] <= 1e-6)
    above = tents > height
    flips = (above[:, 1:] != above[:, :-1]).sum(axis=1)
    ranked = np.argsort(tops[:, 0])
    met = above[ranked[flips[ranked] == 2]]
    enters, leaves = met.argmax(axis=1), -met[:, ::-1].argmax(axis=1)
    disorder = (np.diff(enters) < 0).sum() + (np.diff(leaves) < 0).sum()
    formula = (shares * side * above).sum(0) / (2 * weights[-1] + (shares * above).sum(0))
    slope = np.diff(height) / np.diff(s)
    straight = same_side.all(0) & (above[:, 1:] == above[:, :-1]).all(0)
    slope_off = ~(np.abs(slope - formula[:-1]) <= 1e-6) & (straight | np.isnan(slope))
    return (
        int(tents_off.sum()),
        int(slope_off.sum()),
        int((flips > 2).sum() + disorder + np.isnan(tents - height).sum()),
        float(np.sqrt(2) * np.abs(slope).max()),
    )


def check_staircases(
    rng: np.random.Generator, number: int = 20, p: int = 8
) -> dict[str, tuple[float, int]]:
    """Check Lemmas 8 and 9 on random staircases.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of the instances.
    number, p : int
        Number of instances, and of optimal arms of each.

    Returns
    -------
    dict of str to (float, int)
        Value and number of cases, by the claim that they are about.
    """
    s = np.linspace(-12, 12, 2401)
    steps = s.size - 1
    found = []
    for _ in range(number):
        means = np.array(generators.staircase_front(p, rng).means)
        found.append(check_profile(means, random_weights(rng, p + 1), s))
    tents_off, slopes_off, meetings_off, steepest = zip(*found, strict=True)
    return {
        "lemma8": (sum(tents_off), number * p * steps),
        "lemma9_slope": (np.max(steepest), number),
        "lemma9_formula": (sum(slopes_off), number * steps),
        "lemma9_meets": (sum(meetings_off), number * p),
    }
