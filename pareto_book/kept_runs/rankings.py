"""Rankings of entrants: how often each needs the fewest samples, and its worst ratio to the best.

Every sentence, table and claim of the book that ranks entrants of the arena uses `rank`.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.competitions import COMPETITIONS
from pareto_book.kept_runs.results import broken_promises, paired_log_ratio
from pareto_book.kept_runs.run_files import KeptRuns
from pareto_core.checks.arguments import check_choice
from pareto_core.confidence.accuracy import is_exact

__all__ = [
    "INSTANCE_GROUPS",
    "SAME_STOPPING_RULE",
    "Ranking",
    "competitors",
    "is_proven",
    "rank",
    "rank_all",
    "runs_for",
]

PARETO_SET, HELD_OUT = "Pareto set", "Pareto set, held out"
SAME_MEAN = 1.02  # entrants within this factor of the smallest mean differ by their worst case
DESIGNED_ON = ("one above all", "staircase", "random", "sphere", "COV-BOOST", "EgeExp 2")
INSTANCE_GROUPS = {  # instances for the Pareto set, by how they relate to the design of TopTwoIDS
    "designed on": DESIGNED_ON,
    "entered later": tuple(
        name for name in COMPETITIONS[PARETO_SET].instances if name not in DESIGNED_ON
    ),
    "held out": tuple(COMPETITIONS[HELD_OUT].instances),
}
# Entrants with the same threshold or the same proof, but different sampling rules.
SAME_STOPPING_RULE = {
    "TopTwoIDS": ("Track-and-Stop", "Track-and-Stop, unforced", "Frank-Wolfe", "uniform"),
    "TopTwoIDS, proven": (
        "Track-and-Stop, proven",
        "Frank-Wolfe, proven",
        "APE, certified",
        "uniform, proven",
    ),
}


class Ranking(NamedTuple):
    """Result of an entrant among rivals; a case is an instance at a risk.

    Attributes
    ----------
    name : str
        The entrant.
    cases : int
        Number of cases in which it runs.
    quickest : int
        Number of cases in which no rival has a smaller mean number of samples, including cases
        without a rival.
    ahead : int
        Number of cases in which it certainly has a smaller mean than every rival: paired runs, 95 %
        for each of them, and none of its runs was cut off.
    behind : int
        Number of cases in which a rival certainly has a smaller mean: paired runs, 95 %, with
        Bonferroni's correction for the number of rivals.
    unfinished : int
        Number of cases in which at least one of its runs was cut off.
    mean : float
        Geometric mean over the cases of the ratio of its mean samples to those of the best
        entrant, which may be itself.
    worst : float
        Largest ratio of its mean samples to those of the best rival.
    low, high : float
        Paired 95 % interval of the worst ratio.
    runs : int
        Number of paired runs of the worst ratio.
    instance : str
        Instance of the worst ratio.
    delta : float
        Risk of the worst ratio.
    rival : str
        The best rival in the case of the worst ratio.
    """

    name: str
    cases: int
    quickest: int
    ahead: int
    behind: int
    unfinished: int
    mean: float
    worst: float
    low: float
    high: float
    runs: int
    instance: str
    delta: float
    rival: str

    @property
    def worst_ratio(self) -> str:
        """The worst ratio with its interval, as text."""
        return f"{self.worst:.2f} [{self.low:.2f}, {self.high:.2f}]"

    @property
    def worst_case(self) -> str:
        """The case of the worst ratio and the best rival, as text."""
        return f"{self.instance}, δ = {self.delta:g}, against {self.rival}"


def is_proven(question: str, name: str) -> bool:
    """Whether the risk of an entrant rests on a theorem."""
    return "theorem" in COMPETITIONS[question].entrants[name].promise


def runs_for(kept: Mapping[str, Sequence[KeptRuns]], question: str) -> list[KeptRuns]:
    """Return the runs of a question; those for the Pareto set include the held-out instances."""
    return [*kept[question], *(kept[HELD_OUT] if question == PARETO_SET else ())]


def competitors(runs: Sequence[KeptRuns], question: str, proven: bool) -> list[str]:
    """Return the entrants to compare: those that do not demonstrably exceed their risk."""
    broken = broken_promises(runs)
    names = dict.fromkeys(each.name for each in runs)
    exact = [name for name in names if not _is_approximate(question, name)]
    return [name for name in exact if name not in broken and is_proven(question, name) == proven]


def _is_approximate(question, name):
    """Whether an entrant looks for an approximate answer only."""
    return not is_exact(getattr(COMPETITIONS[question].entrants[name].algorithm, "epsilon", None))


def rank(
    runs: Sequence[KeptRuns], name: str, rivals: Sequence[str], instances: Sequence[str]
) -> Ranking:
    """Compare an entrant with rivals, case by case."""
    chosen = [each for each in runs if each.instance in instances]
    check_choice(name, "name", {each.name for each in chosen})
    found = [
        (own, [by_name[rival] for rival in rivals if rival in by_name])
        for by_name in _by_case(chosen).values()
        if (own := by_name.get(name))
    ]
    best = [min(others or [own], key=_mean) for own, others in found]
    ratios = np.array(
        [_mean(own) / _mean(each) for (own, _), each in zip(found, best, strict=True)]
    )
    worst = int(ratios.argmax())
    own, rival = found[worst][0], best[worst]
    ratio, low, high = np.exp(paired_log_ratio(own, rival)).tolist()
    return Ranking(
        name,
        cases=len(found),
        quickest=int((ratios <= 1).sum()),
        ahead=sum(_is_ahead_of_all(*each) for each in found),
        behind=sum(_is_behind_one_of(*each) for each in found),
        unfinished=sum(not own.ended.all() for own, _ in found),
        mean=float(np.exp(np.log(np.maximum(ratios, 1)).mean())),
        worst=ratio,
        low=low,
        high=high,
        runs=min(own.samples.size, rival.samples.size),
        instance=own.instance,
        delta=own.delta,
        rival=rival.name,
    )


def _by_case(runs):
    """Runs by instance and risk, and then by name of the entrant."""
    found = {}
    for each in runs:
        found.setdefault((each.instance, each.delta), {})[each.name] = each
    return found


def _mean(kept):
    return kept.samples.mean()


def _is_ahead_of_all(own, others):
    """Whether an entrant certainly needs fewer samples than each of its rivals."""
    return bool(others) and own.ended.all() and all(_is_behind(each, own, 0.95) for each in others)


def _is_behind_one_of(own, others):
    """Whether one of several rivals certainly needs fewer samples, by Bonferroni's correction."""
    confidence = 1 - 0.05 / max(len(others), 1)
    return any(_is_behind(own, each, confidence) for each in others)


def _is_behind(own, other, confidence):
    """Whether a rival certainly needs fewer samples on average than an entrant."""
    n = min(own.samples.size, other.samples.size)
    if own.samples[:n].mean() <= other.samples[:n].mean():  # the interval cannot be above 0
        return False
    return paired_log_ratio(own, other, confidence)[1] > 0


def rank_all(
    runs: Sequence[KeptRuns], names: Sequence[str], instances: Sequence[str]
) -> list[Ranking]:
    """Rank entrants, each with all others as rivals."""
    found = [
        rank(runs, each, [name for name in names if name != each], instances) for each in names
    ]
    close = SAME_MEAN * min((each.mean for each in found), default=1.0)
    return sorted(found, key=lambda each: (0, each.worst) if each.mean <= close else (1, each.mean))
