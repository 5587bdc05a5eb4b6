"""What the checks of theorems and lemmas measure, by the names of the claims."""

from collections.abc import Sequence

import numpy as np

from pareto_book.chapters.kone2025constrained import alternatives, answers, deviations, event
from pareto_book.records.recording import Row

__all__ = [
    "all_claims",
    "bounded_changes",
    "costs_and_answers",
    "farthest_from_one",
    "while_it_runs",
]


def while_it_runs(counts: event.Counts) -> dict[str, Row]:
    """What holds whenever all confidence regions hold: Lemma 4.3 and Proposition C.3."""
    return {
        "lemma43": Row(counts.wrong, runs=counts.stopped),
        "propC3": Row(counts.missed, runs=counts.running),
    }


def bounded_changes(cases: int, seed: int) -> dict[str, Row]:
    """What a change of the means can do: Lemmas 4.2 and B.3; and Remark 4.1.

    Parameters
    ----------
    cases : int
        Number of random changes, and of random covariances.
    seed : int
        Their seed.

    Returns
    -------
    dict of str to Row
    """
    rng = np.random.default_rng(seed)
    changes = deviations.random_changes(cases, rng)
    failures = deviations.disagreements(changes)
    tied = {deviations.EQUAL_ARMS: failures.pop(deviations.EQUAL_ARMS)}
    factors = [np.ones((3, 1)), *rng.standard_normal((cases, 3, 3))]
    pairs = [deviations.pair_deviation(change) for change in changes]
    distances = [deviations.distance_deviation(change) for change in changes]
    return {
        "lemma42_pairs": Row(np.max(pairs), runs=cases),
        "lemma42_distance": Row(np.max(distances), runs=cases),
        "lemmaB3": Row(sum(failures.values()), runs=cases, others=tied),
        "remark41": Row(deviations.largest_norm_ratio(factors), runs=len(factors)),
    }


def farthest_from_one(ratios: Sequence[float]) -> float:
    """The ratio that is farthest from 1; NaN if one of them is."""
    return ratios[np.abs(np.subtract(ratios, 1)).argmax()]


def costs_and_answers(seed: int) -> dict[str, Row]:
    """Costs of alternatives (Lemmas B.4 and B.5), right answers, and what each arm must pay."""
    rng = np.random.default_rng(seed)
    ratios = {
        "lemmaB4": alternatives.removal_ratios(30, rng),
        "lemmaB5": alternatives.admission_ratios(10, rng),
    }
    found = {claim: Row(farthest_from_one(each), runs=len(each)) for claim, each in ratios.items()}
    rng = np.random.default_rng(seed)
    found["section32_answers"] = Row(answers.miscounted(30, rng), runs=30)
    return found | {"theorem45": Row(answers.least_paid(12, rng), runs=12)}


def all_claims(cases: int, seed: int) -> tuple[dict[str, Row], dict[str, int]]:
    """Check all theorems and lemmas, and count what shows that the checks can fail.

    Parameters
    ----------
    cases : int
        Number of random cases of most checks.
    seed : int
        Their seed.

    Returns
    -------
    found : dict of str to Row
    numbers : dict of str to int
        ``running`` rounds of Proposition C.3, of which ``missed_half`` fail with half the widths,
        and ``tied_failures`` of Lemma B.3 if equal arms dominate each other.
    """
    counts = event.check_event(cases, np.random.default_rng(seed))
    changes = bounded_changes(cases, seed)
    (tied,) = changes["lemmaB3"].others.values()
    numbers = {"running": counts.running, "missed_half": counts.missed_half}
    found = while_it_runs(counts) | changes | costs_and_answers(seed)
    return found, numbers | {"tied_failures": tied}
