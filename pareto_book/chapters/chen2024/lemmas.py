"""Lemmas of the paper on cases that could refute them.

Each check takes what it tests as an argument, so that a wrong formula in its place is found.
"""

import itertools
from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, logsumexp
from scipy.stats import gamma

from pareto_book.chapters.chen2024.evidence import (
    best_time,
    cheapest_alternative,
    evidence,
    random_means,
)
from pareto_book.chapters.chen2024.steps import mobai_steps

__all__ = [
    "convergence_exponent",
    "log_tail",
    "measure_best_shares",
    "measure_lemmas",
    "measure_rank",
    "misses_of_lemma_d3",
    "misses_of_lemma_e2",
    "misses_of_lemma_f4",
    "misses_of_lemma_f10",
    "misses_of_rank_two",
    "some_pair_shows_it",
    "tail_inverse",
    "worst_of_lemma_f13",
]

LATE_CASES = [
    (rate, share * rate, int(count), 1e6)
    for rate in np.geomspace(1e-3, 1, 10)
    for share in (0.01, 0.3, 0.9)
    for count in (6, 60, 400)
]
TAIL_CASES = list(itertools.product((1, 3, 10, 50, 200), (0.9, 0.5, 0.1, 1e-3, 1e-9)))


Exact = tuple[float, None, int | None]  # value, no interval, number of cases


def measure_best_shares(seed: int) -> dict[str, Exact]:
    """Both lemmas about the best shares, on 50 and 300 random cases, by claim."""
    rng = np.random.default_rng(seed)
    return {
        "lemmaD3": (misses_of_lemma_d3(rng, 50), None, 50),
        "lemmaF13": (worst_of_lemma_f13(rng, 300), None, 300),
    }


def measure_rank(seed: int) -> dict[str, Exact]:
    """Appendix C on 50 instances with one objective and 50 with more, by claim."""
    rng, found = np.random.default_rng(seed), {}
    for claim, objectives in (("rank_single", (1, 2)), ("rank_multi", (2, 4))):
        misses, cases = misses_of_rank_two(rng, objectives, 50)
        found[claim] = misses, None, cases
    return found


def measure_lemmas(seed: int) -> dict[str, Exact]:
    """The lemmas of Appendices E and F, by claim."""
    rng = np.random.default_rng(seed)
    exponents = []
    for _ in range(5):
        means = random_means(rng, (3, 9))
        averages = mobai_steps(means, 0.1, 1601).averages
        exponents.append(convergence_exponent(means, averages))
    return {
        "lemmaF8": (np.max(exponents), None, len(exponents)),
        "lemmaE2": (misses_of_lemma_e2(), None, len(TAIL_CASES)),
        "lemmaF3": (tail_inverse(1e6, 200) / 1e6, None, None),
        "lemmaF4": (misses_of_lemma_f4(rng, 200), None, 200),
        "lemmaF10": (misses_of_lemma_f10(), None, len(LATE_CASES)),
    }


def misses_of_lemma_d3(rng: np.random.Generator, cases: int, cost: Callable = evidence) -> int:
    """Count random cases in which the cheapest alternative does not cost g."""
    misses = 0
    for _ in range(cases):
        means = random_means(rng)
        weights = rng.dirichlet(np.ones(len(means)))
        found = cheapest_alternative(means, weights)
        misses += not np.isclose(found, cost(means, weights), rtol=1e-6)
    return misses


def worst_of_lemma_f13(
    rng: np.random.Generator, cases: int, time_of: Callable = best_time
) -> float:
    """Largest ratio of the c* that a floor allows to (1 + eta) c*; at most 1 by the lemma."""
    ratios = []
    for _ in range(cases):
        means, eta = random_means(rng, (2, 40), (1, 6)), rng.choice([0.1, 0.5, 1, 2])
        ratios.append(time_of(means, eta) / best_time(means) / (1 + eta))
    return np.max(ratios)


def log_tail(x: float, count: int) -> float:
    """Logarithm of f(x), Equation (16), for KM = count."""
    order = np.arange(count)
    return logsumexp(order * np.log(x) - gammaln(order + 1)) - x


def tail_inverse(log_risk: float, count: int) -> float:
    """Inverse of f at the risk exp(-log_risk)."""
    return brentq(lambda x: log_tail(x, count) + log_risk, 1e-9, 3 * log_risk + 20 * count)


def misses_of_lemma_e2(tail: Callable = log_tail) -> int:
    """Count cases in which f is not the tail of a sum of exponential variables."""
    return sum(
        not np.isclose(tail(gamma.isf(risk, count), count), np.log(risk), rtol=1e-8)
        for count, risk in TAIL_CASES
    )


def convergence_exponent(means: np.ndarray, averages: np.ndarray, eta: float = 0.1) -> float:
    """Exponent of t in what the averages of MO-BAI's proportions lack, for Lemma F.8.

    Parameters
    ----------
    means : ndarray, shape (K, M)
        Means, which are known exactly.
    averages : ndarray, shape (n, K)
        Averages after K, K + 1, ... samples, up to 1,600.
    eta : float, default 0.1
        Relaxation.

    Returns
    -------
    float
    """
    times = np.array([50, 100, 200, 400, 800, 1600])
    reached = np.array([evidence(means, averages[t - len(means)]) for t in times])
    return np.polyfit(np.log(times), np.log(1 - best_time(means, eta) * reached), 1)[0]


def unit_gap_evidence(weights: np.ndarray) -> float:
    """Evidence of a pair of arms with a gap of 1."""
    return weights.prod() / weights.sum() / 2


def misses_of_lemma_f4(
    rng: np.random.Generator, cases: int, part: Callable = unit_gap_evidence
) -> int:
    """Count directions in which the second derivative of a pair's evidence is not as printed."""
    misses = 0
    for _ in range(cases):
        weights, direction = rng.uniform(0.1, 1, 2), rng.standard_normal(2)
        across = weights[::-1] * [1, -1] @ direction
        found = _second_difference(part, weights, direction)
        expected = -(across**2) / weights.sum() ** 3
        misses += not np.isclose(found, expected, atol=1e-6, rtol=1e-3)
    return misses


def _second_difference(function, point, direction, h=1e-4):
    ahead, behind = function(point + h * direction), function(point - h * direction)
    return (ahead - 2 * function(point) + behind) / h**2


def time_of_lemma_f10(spare: float, needed: float, count: int) -> float:
    """Time from which on the threshold is passed, if each sample brings ``spare`` nats."""
    first = 2 * needed / spare
    return 1 + needed / spare + count / spare * np.log(first**2 + first)


def misses_of_lemma_f10(
    time_of: Callable = time_of_lemma_f10, cases: Sequence[tuple] = LATE_CASES
) -> int:
    """Count cases in which the evidence is below the threshold at some later time."""
    return sum(_passes_late(time_of, *case) for case in cases)


def _passes_late(time_of, rate, slack, count, log_risk):
    needed = tail_inverse(log_risk, count)
    t = time_of(rate - slack, needed, count) * np.geomspace(1, 1e6, 50)
    return not (t * rate >= count * np.log(t**2 + t) + needed + slack * t).all()


def some_pair_shows_it(means: np.ndarray, answer: tuple) -> bool:
    """Whether some mean exceeds that of the named arm, Equation (25)."""
    return any(
        (column > column[named]).any() for column, named in zip(means.T, answer, strict=True)
    )


def misses_of_rank_two(
    rng: np.random.Generator,
    objectives: tuple,
    instances: int,
    shows: Callable = some_pair_shows_it,
) -> tuple[int, int]:
    """Count answers that are wrong although no pair of means shows it, or the reverse.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the instances.
    objectives : tuple of int
        Range of their numbers of objectives; the end is excluded.
    instances : int
        Number of instances, of each of which all answers are tried.
    shows : callable, optional
        Whether a pair of means shows that an answer is wrong.

    Returns
    -------
    misses, cases : int
    """
    misses, cases = 0, 0
    for _ in range(instances):
        means = random_means(rng, (2, 5), objectives)
        truth = tuple(means.argmax(axis=0))
        for answer in itertools.product(range(len(means)), repeat=means.shape[1]):
            misses += shows(means, answer) != (answer != truth)
            cases += 1
    return misses, cases
