"""Which algorithm: how often an entrant is the quickest, and how far behind at worst, among whom.

Every sentence, table and row of the book that ranks entrants of the arena comes from `rank`.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.field import GAMES
from pareto_book.kept_runs.kept_runs import Kept
from pareto_book.kept_runs.league import broken_promises, paired_log_ratio
from pareto_core.checks.arguments import check_choice

__all__ = [
    "PLACES",
    "SAME_STOP",
    "Ranking",
    "competitors",
    "is_proven",
    "rank",
    "rank_all",
    "runs_for",
]

PARETO_SET, HELD_OUT = "Pareto set", "Pareto set, held out"
DESIGNED_ON = ("one above all", "staircase", "random", "sphere", "COV-BOOST", "EgeExp 2")
PLACES = {  # instances for the Pareto set, by what they were to the rule of the book
    "designed on": DESIGNED_ON,
    "entered later": tuple(place for place in GAMES[PARETO_SET].places if place not in DESIGNED_ON),
    "held out": tuple(GAMES[HELD_OUT].places),
}
SAME_STOP = {  # entrants that stop by the same threshold, or the same proof, and sample otherwise
    "TopTwoIDS": ("Track-and-Stop", "Track-and-Stop, unforced", "Frank-Wolfe", "uniform"),
    "TopTwoIDS, proven": (
        "Track-and-Stop, proven",
        "Frank-Wolfe, proven",
        "APE, certified",
        "uniform, proven",
    ),
}


class Ranking(NamedTuple):
    """How an entrant does among rivals; a case is an instance at a risk.

    Attributes
    ----------
    name : str
        The entrant.
    cases : int
        In which it plays; one without a rival counts as won.
    quickest : int
        Cases in which no rival has a smaller mean number of samples.
    behind : int
        Cases in which a rival is certainly quicker: paired runs, 95 %, with Bonferroni's
        correction for the number of rivals.
    unfinished : int
        Cases in which one of its runs was cut off.
    mean : float
        Geometric mean over the cases of its samples over those of the best, itself included.
    worst : float
        Largest ratio of its mean samples to those of the best rival.
    low, high : float
        Paired interval of the worst ratio, 95 %.
    runs : int
        Number of paired runs behind it.
    place, delta, rival
        The case of the worst ratio, and the best rival there.
    """

    name: str
    cases: int
    quickest: int
    behind: int
    unfinished: int
    mean: float
    worst: float
    low: float
    high: float
    runs: int
    place: str
    delta: float
    rival: str

    @property
    def at_worst(self) -> str:
        """The worst ratio and its interval, in words."""
        return f"{self.worst:.2f} [{self.low:.2f}, {self.high:.2f}]"

    @property
    def there(self) -> str:
        """The case of the worst ratio, in words."""
        return f"{self.place}, δ = {self.delta:g}, against {self.rival}"


def is_proven(question: str, name: str) -> bool:
    """Whether the risk of an entrant rests on a theorem."""
    return "theorem" in GAMES[question].entrants[name].promise


def runs_for(kept: Mapping[str, Sequence[Kept]], question: str) -> list[Kept]:
    """Runs of a question; those for the Pareto set include the held-out instances.

    Parameters
    ----------
    kept : dict of str to list of Kept
        By question, as `pareto_book.kept_runs.season.read_all` returns them.
    question : str
        A question of the arena.

    Returns
    -------
    list of Kept
    """
    return [*kept[question], *(kept[HELD_OUT] if question == PARETO_SET else ())]


def competitors(runs: Sequence[Kept], question: str, proven: bool) -> list[str]:
    """Entrants with, or without, a theorem that do not demonstrably exceed their risk.

    Those that look for the answer up to an accuracy only are left out: they answer an easier
    question.

    Parameters
    ----------
    runs : sequence of Kept
        All runs of the question.
    question : str
        A question of the arena.
    proven : bool
        Whether the risk rests on a theorem.

    Returns
    -------
    list of str
    """
    broken = broken_promises(runs)
    names = dict.fromkeys(each.name for each in runs)
    exact = [name for name in names if not _is_approximate(question, name)]
    return [name for name in exact if name not in broken and is_proven(question, name) == proven]


def _is_approximate(question, name):
    """Whether an entrant looks for the answer up to an accuracy."""
    return getattr(GAMES[question].entrants[name].algorithm, "epsilon", 0.0) > 0


def rank(runs: Sequence[Kept], name: str, rivals: Sequence[str], places: Sequence[str]) -> Ranking:
    """Compare an entrant with rivals, case by case.

    Parameters
    ----------
    runs : sequence of Kept
        What to choose from.
    name : str
        The entrant.
    rivals : sequence of str
        Names of other entrants.
    places : sequence of str
        Names of instances.

    Returns
    -------
    Ranking

    Raises
    ------
    ValueError
        If the entrant has no runs on these instances.
    """
    by_case = {(each.place, each.delta, each.name): each for each in runs}
    check_choice(name, "name", {each.name for each in runs if each.place in places})
    ratios, behind, unfinished = {}, 0, 0
    for place, delta, _ in filter(lambda case: case[0] in places and case[2] == name, by_case):
        mine = by_case[place, delta, name]
        field = [
            by_case[place, delta, rival] for rival in rivals if (place, delta, rival) in by_case
        ]
        best = min(field or [mine], key=lambda each: each.samples.mean())
        ratios[place, delta] = mine, best, mine.samples.mean() / best.samples.mean()
        confidence = 1 - 0.05 / max(len(field), 1)
        behind += any(paired_log_ratio(mine, each, confidence)[1] > 0 for each in field)
        unfinished += not mine.ended.all()
    values = np.array([ratio for _, _, ratio in ratios.values()])
    place, delta = max(ratios, key=lambda case: ratios[case][2])
    mine, best, _ = ratios[place, delta]
    worst, low, high = np.exp(paired_log_ratio(mine, best))
    return Ranking(
        name,
        len(ratios),
        int((values <= 1).sum()),
        behind,
        unfinished,
        float(np.exp(np.log(np.maximum(values, 1)).mean())),
        float(worst),
        float(low),
        float(high),
        min(mine.samples.size, best.samples.size),
        place,
        delta,
        best.name,
    )


def rank_all(runs: Sequence[Kept], names: Sequence[str], places: Sequence[str]) -> list[Ranking]:
    """Rank entrants among themselves.

    Parameters
    ----------
    runs : sequence of Kept
        What to choose from.
    names : sequence of str
        Entrants, each of which has the others as rivals.
    places : sequence of str
        Names of instances.

    Returns
    -------
    list of Ranking
        The smallest geometric mean first.
    """
    found = [rank(runs, name, [each for each in names if each != name], places) for name in names]
    return sorted(found, key=lambda each: each.mean)
