"""Section 7: edges between close arms, sparse covers, and their checks with the worst estimates."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
from pareto_book.chapters.auer2016.examples import excess
from pareto_book.chapters.auer2016.rounds import ERRORS, answer_of, least_error, radii
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of
from pareto_core.algorithms.pareto.racing_cover import compare_all, fill_queue
from pareto_core.geometry import covers

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "all_claims",
    "check_covers",
    "check_covers_of_fronts",
    "check_graphs",
    "cover_cases",
    "covers_table",
    "draw_cover",
    "measured",
    "price_table",
    "sampling_of",
]

LIMITS = {
    "algorithm2_edges": ("M without an edge, least", "min"),
    "lemma19": ("M within the cover, least", "min"),
    "lemma20": ("M of an edge, largest", "max"),
    "fails": ("covers that fail", "sum"),
}
Case = tuple[np.ndarray, np.ndarray]


def all_claims(
    race: pc.Racing, algorithm: pc.RacingCover, cases: int, sampled: int, seed: int
) -> tuple[dict[str, Measurement], dict[float, pd.DataFrame]]:
    """Check all statements of Section 7.

    Parameters
    ----------
    race : Racing
        The race before the cover.
    algorithm : RacingCover
        The algorithm.
    cases : int
        Number of random instances with the worst estimates.
    sampled : int
        Number of random instances on which the algorithm samples.
    seed : int
        Seed of all instances.

    Returns
    -------
    measured : dict of str to Measurement
        By the id of the claim, or by the name of a measurement with too large errors.
    found : dict of float to pandas.DataFrame
        Result of `check_covers`.
    """
    found = check_covers(algorithm, cover_cases(algorithm, np.random.default_rng(seed), cases))
    runs = [sampling_of(race, algorithm, seed, k) for k in range(sampled)]
    on_graphs = check_graphs() | check_covers_of_fronts(np.random.default_rng(seed))
    return measured(found, runs) | on_graphs, found


def cover_cases(
    algorithm: pc.RacingCover, generator: np.random.Generator, count: int = 100
) -> list[Case]:
    """Make means and directions of errors: pairs beside the two limits, and random instances.

    Parameters
    ----------
    algorithm : RacingCover
        Its accuracy and its tolerance are the limits.
    generator : numpy.random.Generator
        Draws the random instances.
    count : int, default 100
        Number of random instances.

    Returns
    -------
    list of tuple of ndarray
    """
    half = algorithm.epsilon / 2
    cases = [
        (apart * np.eye(2), np.reshape(signs, (2, 2)))
        for apart in (0.99 * (half - algorithm.tolerance), 0.998 * half, 1.008 * half)
        for signs in itertools.product((-1, 1), repeat=4)
    ]
    for _ in range(count):
        arms = generator.uniform(size=generator.integers((3, 1), (9, 4)))
        cases.append((arms, generator.choice([-1, 1], size=arms.shape)))
    return cases


def check_covers(algorithm: pc.RacingCover, cases: Sequence[Case]) -> dict[float, pd.DataFrame]:
    """Check Algorithm 2 and Lemmas 19 and 20 with each estimate off by a multiple of its radius.

    Parameters
    ----------
    algorithm : RacingCover
        The algorithm.
    cases : sequence of tuple of ndarray
        Means, and directions of the errors.

    Returns
    -------
    dict of float to pandas.DataFrame
        By the error: a row for each case, with distances over the limits of Section 7, and whether
        the cover fails Success Condition 2.
    """
    return {
        error: pd.DataFrame([_check_cover(algorithm, *case, error) for case in cases])
        for error in ERRORS
    }


def _check_cover(algorithm, means, signs, error):
    precision, tolerance = algorithm.epsilon, algorithm.tolerance
    candidates = answer_of(means, precision, signs, error)
    arms = np.flatnonzero(candidates)
    edges = _edges_of(algorithm, means, candidates, signs, error)[np.ix_(arms, arms)]
    cover = arms[covers.sparse_cover(edges)]
    distance = excess(means[arms], means[arms]).T  # M(j, i) of the edge (i, j)
    within = excess(means[cover], means[cover])
    np.fill_diagonal(within, np.inf)
    no_edge = ~edges & ~np.eye(len(arms), dtype=bool)
    two = (edges.astype(int) @ edges) > 0
    least = precision / 2 - tolerance
    return {
        "algorithm2_edges": distance[no_edge].min(initial=np.inf) / least,
        "lemma19": within.min() / least,
        "lemma20": np.maximum(
            distance[edges].max(initial=0) / (precision / 2),
            distance[two].max(initial=0) / precision,
        ),
        "fails": not covers.success_condition_2(means, cover, precision, tolerance),
    }


def _edges_of(algorithm, means, candidates, signs, error):
    """Edges that Algorithm 2 finds with each estimate off by a number of radii."""
    problem = pc.Instance(means).problem
    parameters, state = algorithm.parameters(problem), algorithm.start(problem, None)
    state.racing.accepted[:] = candidates
    fill_queue(state)
    for _, beta in radii(means.size):
        state.racing.radius[:] = beta
        state.record.means[:] = means + error * beta * signs
        compare_all(parameters, state)
        if state.n_queue[0] == 0:
            return state.edges


def measured(
    found: dict[float, pd.DataFrame], sampled: Sequence[tuple[np.ndarray, np.ndarray]]
) -> dict[str, Measurement]:
    """Collect what is known of Algorithm 2 and of Lemmas 19, 20 and 22.

    Parameters
    ----------
    found : dict of float to pandas.DataFrame
        Result of `check_covers`.
    sampled : sequence of tuple of ndarray
        Results of `sampling_of`.

    Returns
    -------
    dict of str to Measurement
        By the id of the claim, or by the name of a measurement with too large errors.
    """
    inside, beyond = found[0.999], found[1.01]
    by_tolerance, by_distance = map(np.concatenate, zip(*sampled, strict=True))
    farther = by_distance > by_tolerance
    fails = {error: table["fails"] for error, table in found.items()}
    values = {
        "algorithm2_edges": (inside["algorithm2_edges"].min(skipna=False), len(inside)),
        "lemma19": (inside["lemma19"].min(skipna=False), len(inside)),
        "lemma20": (inside["lemma20"].max(skipna=False), len(inside)),
        "theorem23_success": (least_error(fails), len(inside)),
        "lemma19_beyond": (beyond["lemma19"].min(), None),
        "lemma20_beyond": (beyond["lemma20"].max(), None),
        "algorithm2_stop": (by_tolerance.max(), by_tolerance.size),
        "theorem23_samples": (by_distance[farther].max(), int(farther.sum())),
    }
    return {name: Measurement(value, None, runs) for name, (value, runs) in values.items()}


def price_table(results: Mapping[str, pc.Runs], caption: str) -> "HTML":
    """Make a table of the samples of a race and of a cover, and of the sizes of their answers."""
    rows = []
    for name, each in results.items():
        size = each.answers.sum(axis=1)
        rows.append(
            {
                "algorithm": name,
                "mean samples": mean_of(each.samples),
                "arms in the answer": f"{size.min()} to {size.max()}",
            }
        )
    return show_table(pd.DataFrame(rows), caption, **{"mean samples": ",.0f"})


def covers_table(found: dict[float, pd.DataFrame]) -> "HTML":
    """Make a table of the result of `check_covers`."""
    rows = [
        {"error, in radii": error}
        | {words: table[name].agg(how) for name, (words, how) in LIMITS.items()}
        for error, table in found.items()
    ]
    return show_table(
        pd.DataFrame(rows),
        f"Section 7 on {len(next(iter(found.values())))} instances, by the error of every "
        "estimate. Distances are in units of what they must not be below, or above.",
        **{words: ".3f" for words, how in LIMITS.values() if how != "sum"},
    )


def sampling_of(
    race: pc.Racing, algorithm: pc.RacingCover, seed: int, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Find how far the sampling of Algorithm 2 goes on the k-th random instance.

    Parameters
    ----------
    race : Racing
        The race before it.
    algorithm : RacingCover
        The algorithm, with variance bound 0.01.
    seed, k : int
        Seed and number of the instance, which has ten arms in two or three objectives.

    Returns
    -------
    by_tolerance, by_distance : ndarray, shape (m,)
        For each accepted arm, a quarter of the tolerance, and of its distance from the undecided
        cases, over the radius at which it was sampled last.
    """
    means = np.random.default_rng((seed, k)).uniform(size=(10, 2 + k % 2))
    arms = pc.Instance(means, variance=np.full(2 + k % 2, 0.01))
    chosen = np.flatnonzero(pc.simulate(race, arms, runs=1, seed=k, n_jobs=1).answers[0])
    pulls = pc.close_pairs(arms, chosen, algorithm, seed=k).pulls
    distance = excess(means[chosen], means[chosen])
    from_limit = np.abs(distance - algorithm.epsilon / 2 + algorithm.tolerance)
    between = np.minimum(from_limit, from_limit.T)
    np.fill_diagonal(between, np.inf)
    n = pulls[chosen] - 1.0  # samples when it was sampled last
    radius = np.sqrt(0.02 * np.log(4 * means.size * n**2 / 0.1) / n)
    return algorithm.tolerance / 4 / radius, between.min(axis=1) / 4 / radius


def check_graphs(
    cover: Callable[[np.ndarray], np.ndarray] = covers.sparse_cover,
) -> dict[str, Measurement]:
    """Check Lemma 21 on all graphs of four vertices.

    Parameters
    ----------
    cover : callable, default `pareto_core.geometry.covers.sparse_cover`
        Returns the vertices that are kept.

    Returns
    -------
    dict of str to Measurement
        Graphs whose cover has an edge, or misses a vertex within two steps.
    """
    wrong = 0
    pairs = list(itertools.permutations(range(4), 2))
    for choice in itertools.product((False, True), repeat=len(pairs)):
        edges = np.zeros((4, 4), bool)
        edges[tuple(np.transpose(pairs))] = choice
        vertices = cover(edges)
        reach = edges | ((edges.astype(int) @ edges) > 0) | np.eye(4, dtype=bool)
        joined = edges[np.ix_(vertices, vertices)].any()
        wrong += joined or not reach[vertices].any(axis=0).all()
    return {"lemma21": Measurement(wrong, None, 2 ** len(pairs))}


def check_covers_of_fronts(
    generator: np.random.Generator, count: int = 500
) -> dict[str, Measurement]:
    """Check that exact edges give a sparse cover of random arms.

    Parameters
    ----------
    generator : numpy.random.Generator
        Draws the arms and the widths.
    count : int, default 500
        Number of instances.

    Returns
    -------
    dict of str to Measurement
        Instances whose cover leaves an arm out or has two close ones.
    """
    wrong = 0
    for _ in range(count):
        arms = generator.uniform(size=generator.integers((2, 2), (12, 5)))
        distance = excess(arms, arms)
        width = generator.uniform(0.05, 1.5)
        edges = distance.T < width / 2
        np.fill_diagonal(edges, False)
        vertices = covers.sparse_cover(edges)
        apart = distance[np.ix_(vertices, vertices)] + np.diag([np.inf] * len(vertices))
        uncovered = distance[:, vertices].min(axis=1) > width
        wrong += uncovered.any() or (apart < width / 2).any()
    return {"section7_cover": Measurement(wrong, None, count)}


def draw_cover(
    designs: pc.Instance, accepted: np.ndarray, edges: np.ndarray, reach: float
) -> Figure:
    """Draw a front with edges between close arms, and what a sparse cover keeps of it.

    Parameters
    ----------
    designs : Instance
        Arms in two objectives.
    accepted : ndarray of int, shape (m,)
        Arms that the race accepts.
    edges : ndarray of bool, shape (m, m)
        Edges between them.
    reach : float
        Distance within which an arm covers others.

    Returns
    -------
    matplotlib.figure.Figure
    """
    means, kept = designs.means, covers.sparse_cover(edges)
    figure, (before, after) = plots.new_figure(1, 2, height=3.4, sharex=True, sharey=True)
    for i, j in np.argwhere(edges):
        before.plot(*means[accepted[[i, j]]].T, color=plots.SKY, lw=0.4, zorder=1)
    before.scatter(*means[accepted].T, s=14, color=plots.BLACK, zorder=2)
    after.scatter(*means.T, s=3, color="silver")
    after.scatter(*means[designs.pareto_set].T, s=10, color=plots.BLACK, zorder=2)
    chosen = means[accepted[kept]]
    after.scatter(*chosen.T, s=60, color=plots.BLUE, zorder=3)
    for x, y in chosen:
        right, top = x + reach, y + reach
        corner = [[right, -4], [right, top], [-4, top]]
        after.plot(*np.transpose(corner), color=plots.BLUE, lw=0.5, alpha=0.6)
    before.set(
        title=f"accepted by the race: {len(accepted)} arms",
        xlabel="negative log area, scaled",
        ylabel="log throughput, scaled",
        xlim=(-2.5, 3.2),
        ylim=(-2.8, 2.6),
    )
    after.set(title=f"kept as a cover: {len(kept)} arms", xlabel="negative log area, scaled")
    return figure
