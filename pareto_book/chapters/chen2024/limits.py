"""What MO-BAI and Algorithm 3 tend to: exact times, growing log(1/delta), and more programs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.chen2024.evidence import BEST, best_time, evidence
from pareto_book.figures.tables import show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "complexities",
    "complexity_table",
    "growing_table",
    "late_exponents",
    "limit_ratios",
    "long_run_shares",
    "measure_programs",
    "programs_table",
]

LEVELS = [5, 10, 20, 50, 100, 200, 400, 800]  # numbers of programs that are shown


def complexities(instances: Mapping[str, np.ndarray], eta: float = 0.1) -> pd.DataFrame:
    """Characteristic times, those of the shares that ``eta`` allows, and how they were found."""
    rows = []
    for name, means in instances.items():
        exact = pc.characteristic_time(means, 1e-9, problem=BEST)
        rows.append(
            {
                "instance": name,
                "K": len(means),
                "M": means.shape[1],
                "c*": exact.time,
                "floor / c*": best_time(means, eta) / exact.time,
                "certified gap": exact.relative_gap,
                "Newton steps": exact.iterations,
            }
        )
    return pd.DataFrame(rows)


def complexity_table(found: pd.DataFrame) -> "HTML":
    """Make a table of `complexities`."""
    return show_table(
        found,
        "Exact characteristic times c*, how many times c* the shares that MO-BAI allows cost "
        "(η = 0.1), and how they were found.",
        **{"c*": ",.2f", "floor / c*": ".3f", "certified gap": ".0e"},
    )


def growing_table(
    times: Mapping[float, np.ndarray], means: np.ndarray, nats: Sequence[float]
) -> "HTML":
    """Make a table of mean samples over c* log(1/delta) by eta, and what they tend to.

    Parameters
    ----------
    times : dict of float to ndarray, shape (runs, n)
        Stopping times by eta.
    means : ndarray, shape (K, M)
        Means of the arms.
    nats : sequence of float, length n
        Values of log(1/delta).
    """
    least = best_time(means)
    scale = least * np.asarray(nats)
    rows = []
    for eta, found in times.items():
        over = found.mean(axis=0) / scale
        measured = {f"{n:g}": value for n, value in zip(nats, over, strict=True)}
        limit = best_time(means, eta) / least
        rows.append({"η": eta} | measured | {"limit": limit, "1 + η": 1 + eta})
    frame = pd.DataFrame(rows)
    return show_table(
        frame,
        f"Samples divided by c* log(1/δ) at growing log(1/δ), on an instance with {len(means)} "
        f"arms and {means.shape[1]} objectives; their limit by Lemma F.11; and the bound of "
        "Theorem 4.2.",
        **{column: ".3f" for column in frame if column != "η"},
    )


def long_run_shares(
    instance: pc.Instance, eta: float, runs: int, seed: int, n_jobs: int | None = None
) -> np.ndarray:
    """Evidence per sample after 16,384 samples of each run, over the best that ``eta`` allows."""
    endless = pc.MOBAI(1e-300, eta=eta)
    found = pc.simulate(endless, instance, runs, seed, n_jobs, max_samples=2**14, progress=False)
    allowed = best_time(instance.means, eta)
    return np.array(
        [evidence(instance.means, pulls / pulls.sum()) * allowed for pulls in found.pulls]
    )


def late_exponents(lacking: np.ndarray) -> list[float]:
    """Exponent of the number of programs in what the weights lack, from 200 to 800 programs."""
    late = np.array([200, 400, 800])
    return [np.polyfit(np.log(late), np.log(row[late - 1]), 1)[0] for row in lacking]


def measure_programs(reached: np.ndarray) -> dict[str, tuple[float, None, int]]:
    """Measurements of Algorithm 3 by claim: value, no interval, number of draws.

    Parameters
    ----------
    reached : ndarray, shape (draws, 800)
        Evidence over the best possible by the number of programs.
    """
    draws = len(reached)
    found = {
        f"inexact_{count}": (reached[:, count - 1].max(), None, draws) for count in (5, 10, 20)
    }
    return found | {
        "algorithm3": (max(late_exponents(1 - reached)), None, draws),
        "log_iterations": (_halving(reached).max(), None, draws),
    }


def _halving(reached):
    """What the weights lack with 400 programs over what they lack with 800."""
    return (1 - reached[:, 399]) / (1 - reached[:, 799])


def limit_ratios(reached: np.ndarray, limits: np.ndarray) -> dict[str, float]:
    """Numbers of the text: limits of BASELINE over MO-BAI, and the rate of Algorithm 3.

    Parameters
    ----------
    reached : ndarray, shape (draws, 800)
        See `measure_programs`.
    limits : ndarray, shape (draws,)
        What samples over c* log(1/delta) of MO-BAI tend to.
    """
    found = {"halving_least": _halving(reached).min(), "halving_most": _halving(reached).max()}
    for count in (5, 20):
        ratios = 1 / reached[:, count - 1] / limits
        found |= {f"limit{count}_least": ratios.min(), f"limit{count}_most": ratios.max()}
    return found


def programs_table(reached: np.ndarray) -> "HTML":
    """Make a table of the evidence over the best possible by the number of programs."""
    shown = reached[:, np.array(LEVELS) - 1]
    columns = {
        "largest": shown.max(axis=0),
        "median": np.median(shown, axis=0),
        "least": shown.min(axis=0),
    }
    return show_table(
        pd.DataFrame({"ITER": LEVELS} | columns),
        f"Evidence per sample of Algorithm 3's weights over the best, on {len(reached)} draws.",
        **dict.fromkeys(columns, ".4f"),
    )
