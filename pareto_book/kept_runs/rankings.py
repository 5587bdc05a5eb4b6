"""Rankings of entrants: how often each needs the fewest samples, and its worst ratio to the best.

Every sentence, table and check of the book that ranks entrants of the arena uses `rank`.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.cases import KeptCase, broken_promises, mean_ratio
from pareto_book.kept_runs.competitions import COMPETITIONS
from pareto_book.kept_runs.oracles import ORACLE
from pareto_book.records.measurements import Measurement
from pareto_core.checks.arguments import check_choice
from pareto_core.confidence.accuracy import is_exact

PARETO_SET, HELD_OUT = "Pareto set", "Pareto set, held out"
MANY_ARMS, MANY_HELD_OUT = "Pareto set, many arms", "Pareto set, many arms held out"
PARETO_QUESTIONS = (PARETO_SET, HELD_OUT, MANY_ARMS, MANY_HELD_OUT)
SAME_MEAN = 1.02  # entrants within this factor of the smallest mean differ by their worst case
DESIGNED_ON = (  # looked at while the shares or the exploration of TopTwoIDS were chosen
    *("one above all", "staircase", "random", "sphere", "COV-BOOST", "EgeExp 2"),
    *("five arms", "line", "EgeExp 7", "held out 1", "held out 9"),
)
INSTANCE_GROUPS = {  # instances for the Pareto set, by how they relate to the design of TopTwoIDS
    "designed on": DESIGNED_ON,
    "entered later": tuple(
        name for name in COMPETITIONS[PARETO_SET].instances if name not in DESIGNED_ON
    ),
    "held out": tuple(name for name in COMPETITIONS[HELD_OUT].instances if name not in DESIGNED_ON),
    "many arms": tuple(COMPETITIONS[MANY_ARMS].instances),
    "many arms, held out": tuple(COMPETITIONS[MANY_HELD_OUT].instances),
}


class Ranking(NamedTuple):
    """Result of an entrant among rivals; a case is an instance at a risk.

    Ahead, or behind, are cases in which it certainly needs fewer samples than every rival, at 95 %
    for each of them, or more than one of them, at 95 % for all together.
    """

    name: str
    cases: int  # in which it runs
    quickest: int  # cases in which no rival has a smaller mean number of samples
    ahead: int
    behind: int
    unfinished: int  # cases in which at least one of its runs was cut off
    mean: float  # geometric mean of its samples over those of the best, which may be itself
    worst: Measurement  # largest ratio of its mean samples to those of the best rival
    worst_case: str  # instance, risk and rival of that ratio
    rival: str

    @property
    def undecided(self) -> int:
        """Cases in which it is neither certainly first nor certainly behind."""
        return self.cases - self.ahead - self.behind


def _entrants_of(question):
    """Entrants of a question by name; those for the Pareto set include those with many arms."""
    more = COMPETITIONS[MANY_ARMS].entrants if question == PARETO_SET else {}
    return COMPETITIONS[question].entrants | more


def is_proven(question: str, name: str) -> bool:
    """Whether the risk of an entrant rests on a theorem."""
    return "theorem" in _entrants_of(question)[name].promise


def runs_for(kept: Mapping[str, Sequence[KeptCase]], question: str) -> list[KeptCase]:
    """Return the cases of a question; those for the Pareto set are of all groups of instances."""
    questions = PARETO_QUESTIONS if question == PARETO_SET else (question,)
    return [each for name in questions for each in kept.get(name, ())]


def competitors(cases: Sequence[KeptCase], question: str, proven: bool) -> list[str]:
    """Return the entrants to compare: those that do not demonstrably exceed their risk.

    An oracle is not compared.
    """
    broken = broken_promises(cases)
    names = dict.fromkeys(each.name for each in cases if each.name != ORACLE)
    exact = [name for name in names if not _is_approximate(question, name)]
    return [name for name in exact if name not in broken and is_proven(question, name) == proven]


def _is_approximate(question, name):
    """Whether an entrant looks for an approximate answer only."""
    return not is_exact(getattr(_entrants_of(question)[name].algorithm, "epsilon", None))


def by_case(cases: Sequence[KeptCase]) -> dict[tuple[str, float], dict[str, KeptCase]]:
    """Group by instance and level, and then by name of the entrant."""
    found = {}
    for each in cases:
        found.setdefault((each.instance, each.level), {})[each.name] = each
    return found


def rank(
    cases: Sequence[KeptCase],
    name: str,
    rivals: Sequence[str],
    instances: Sequence[str] | None = None,
) -> Ranking:
    """Compare an entrant with rivals, case by case, on some or all instances."""
    chosen = [each for each in cases if instances is None or each.instance in instances]
    check_choice(name, "name", {each.name for each in chosen})
    found = [
        (own, [group[rival] for rival in rivals if rival in group])
        for group in by_case(chosen).values()
        if (own := group.get(name))
    ]
    best = [min(others or [own], key=lambda each: each.mean) for own, others in found]
    ratios = np.array([own.mean / each.mean for (own, _), each in zip(found, best, strict=True)])
    worst = int(ratios.argmax())
    own, rival = found[worst][0], best[worst]
    return Ranking(
        name,
        cases=len(found),
        quickest=int((ratios <= 1).sum()),
        ahead=sum(_is_ahead_of_all(*each) for each in found),
        behind=sum(_is_behind_one_of(*each) for each in found),
        unfinished=sum(own.unfinished > 0 for own, _ in found),
        mean=float(np.exp(np.log(np.maximum(ratios, 1)).mean())),
        worst=mean_ratio(own, rival),
        worst_case=f"{own.instance}, δ = {own.level:g}, against {rival.name}",
        rival=rival.name,
    )


def _is_ahead_of_all(own, others):
    """Whether an entrant certainly needs fewer samples than each of its rivals."""
    ended = own.unfinished == 0
    return bool(others) and ended and all(_is_behind(each, own, 0.95) for each in others)


def _is_behind_one_of(own, others):
    """Whether one of several rivals certainly needs fewer samples, by Bonferroni's correction."""
    confidence = 1 - 0.05 / max(len(others), 1)
    return any(_is_behind(own, each, confidence) for each in others)


def _is_behind(own, other, confidence):
    """Whether a rival certainly needs fewer samples on average than an entrant."""
    return own.mean > other.mean and mean_ratio(own, other, confidence).interval[0] > 1


def rank_all(
    cases: Sequence[KeptCase], names: Sequence[str], instances: Sequence[str] | None = None
) -> list[Ranking]:
    """Rank entrants that play, each with all others as rivals."""
    present = {each.name for each in cases if instances is None or each.instance in instances}
    found = [
        rank(cases, each, [name for name in names if name != each], instances)
        for each in names
        if each in present
    ]
    close = SAME_MEAN * min((each.mean for each in found), default=1.0)
    return sorted(
        found, key=lambda each: (0, each.worst.value) if each.mean <= close else (1, each.mean)
    )
