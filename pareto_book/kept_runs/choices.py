"""Which algorithm to call in a situation: by the kept runs, and for a budget by the theorems."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pareto_book.kept_runs import entrants
from pareto_book.kept_runs.cases import KeptCase
from pareto_book.kept_runs.competitions import COMPETITIONS
from pareto_book.kept_runs.rankings import (
    INSTANCE_GROUPS,
    PARETO_SET,
    competitors,
    is_proven,
    rank,
    rank_all,
    runs_for,
)
from pareto_core import algorithms
from pareto_core.loop.algorithm import Algorithm

FACETS = ("you want", "noise", "features", "error rate", "it ends")  # what a reader is asked
PARETO, LIMITS, BEST = (
    "the Pareto set",
    "the Pareto set within limits",
    "the best arm of each objective",
)
GAUSSIAN = "Gaussian, known variance"
CORRELATED = "Gaussian, correlated objectives"
UNKNOWN = "Gaussian, unknown variance"
BOUNDED = "any, rewards in [0, 1]"
NO_FEATURES, FEATURES = "no features", "means linear in features"
PROVEN, UNPROVEN = "proven", "as in experiments"
BY_ITSELF, BUDGET = "when the answer is clear", "after a number of samples"
BY_YOU = "when you stop it, by what is certain"
FIRST_ANSWERS = {  # the choices in the boxes when the page opens; the error rate is left open
    "you want": PARETO,
    "noise": GAUSSIAN,
    "features": NO_FEATURES,
    "it ends": BY_ITSELF,
}
HELD_OUT_GROUPS = {name: INSTANCE_GROUPS[name] for name in ("held out", "many arms, held out")}
SITUATIONS = {  # by question of the arena
    "Pareto set": (PARETO, GAUSSIAN, NO_FEATURES),
    "Pareto set, correlated objectives": (PARETO, CORRELATED, NO_FEATURES),
    "Pareto set, rewards in [0, 1]": (PARETO, BOUNDED, NO_FEATURES),
    "best arm of every objective": (BEST, GAUSSIAN, NO_FEATURES),
    "constrained Pareto set": (LIMITS, GAUSSIAN, NO_FEATURES),
}


class Choice(NamedTuple):
    """An algorithm for a situation."""

    situation: tuple[str, ...]  # a value for each of `FACETS`
    call: str  # code that makes the algorithm
    guarantee: str  # what its error rate rests on
    cost: str  # what it needed in the arena


def choices(kept: Mapping[str, Sequence[KeptCase]]) -> list[Choice]:
    """List the algorithms to call, at most two for each question of the arena.

    For the Pareto set they are the leaders on the instances that were held out.
    """
    found = []
    for question, situation in SITUATIONS.items():
        groups = HELD_OUT_GROUPS if question == PARETO_SET else {"": None}
        instances = next(iter(groups.values()))
        runs = runs_for(kept, question)
        leaders = []
        for proven in (False, True):
            names = competitors(runs, question, proven)
            if ranked := rank_all(runs, names, instances):
                leaders.append((proven, names, ranked[0]))
        both = [leader.name for *_, leader in leaders]
        best = rank_all(runs, both, instances)[0] if leaders else None
        for proven, names, leader in leaders:
            is_beaten = not proven and is_proven(question, best.name)
            cost = _cost_of_both(best) if is_beaten else _cost(runs, leader.name, names, groups)
            entrant = COMPETITIONS[question].entrants[best.name if is_beaten else leader.name]
            asked = (*situation, *_ends(proven))
            found.append(Choice(asked, call_of(entrant.algorithm), entrant.promise, cost))
    return [*found, *_others()]


def _ends(proven):
    return PROVEN if proven else UNPROVEN, BY_ITSELF


def _cost(runs, name, names, groups):
    """What a leader needs among the entrants of its group, in words, by group of instances."""
    rivals, texts = [each for each in names if each != name], []
    present = {each.instance for each in runs if each.name == name}
    for group, instances in groups.items():
        if instances is None or present & {*instances}:
            texts.append(_cost_in(rank(runs, name, rivals, instances), group))
    return "; ".join(texts)


def _cost_in(line, group):
    if line.rival == line.name:
        return "the only one of its kind"
    return (
        f"{group}{group and ': '}certainly first in {line.ahead} of {line.cases} cases, undecided "
        f"in {line.undecided}, certainly behind in {line.behind}; {line.mean:.2f} times as many "
        f"samples as the best on average; against its best rival at worst {line.worst:.2f}"
    )


def _cost_of_both(leader):
    """What a leader with a proof needs against the best entrant without one, in words."""
    return (
        f"certainly fewer samples than {leader.rival}, which has no proof, in {leader.ahead} of "
        f"{leader.cases} cases, undecided in {leader.undecided}, certainly more in "
        f"{leader.behind}; at worst {leader.worst:.2f} times as many"
    )


def _others():
    """Algorithms for a budget, for features, for an unknown variance, and proven within limits."""
    ape, aimed = algorithms.APE(), entrants.PARETO["TopTwoIDS, proven"]
    budget = (UNPROVEN, BUDGET)
    absent = "not in the arena"
    return [
        Choice(
            (PARETO, GAUSSIAN, FEATURES, UNPROVEN, BY_ITSELF),
            call_of(algorithms.TopTwoIDS(linear=True)),
            entrants.NOTHING,
            absent,
        ),
        Choice(
            (PARETO, GAUSSIAN, FEATURES, PROVEN, BY_ITSELF),
            call_of(aimed.algorithm),
            aimed.promise,
            "not in the arena; ignores the features; its runs are in “What a guarantee costs”",
        ),
        Choice(
            (LIMITS, GAUSSIAN, NO_FEATURES, PROVEN, BY_ITSELF),
            call_of(algorithms.ECAPE(bonus="union_bound")),
            "a theorem",
            absent,
        ),
        Choice(
            (PARETO, UNKNOWN, NO_FEATURES, PROVEN, BY_ITSELF),
            call_of(algorithms.Certified(ape, variance="unknown")),
            "a theorem, for Gaussian noise",
            absent,
        ),
        Choice(
            (PARETO, UNKNOWN, NO_FEATURES, PROVEN, BY_YOU),
            call_of(algorithms.Certified(algorithms.UniformSampling(), variance="unknown")),
            "a theorem, for the status of a session at any time, for Gaussian noise",
            "compared on ten instances of the arena in “Your own experiment”",
        ),
        Choice(
            (PARETO, GAUSSIAN, NO_FEATURES, PROVEN, BY_YOU),
            call_of(algorithms.Certified(algorithms.Racing())),
            "a theorem, for the status of a session at any time",
            "compared on ten instances of the arena in “Your own experiment”",
        ),
        Choice(
            (PARETO, GAUSSIAN, NO_FEATURES, *budget),
            call_of(algorithms.TopTwoIDS(budget=5000)),
            "nothing at a given budget; EGE has a bound, which falls with it",
            "compared with others in the arena, with a fixed budget",
        ),
        Choice(
            (PARETO, GAUSSIAN, FEATURES, *budget),
            call_of(algorithms.GEGE(budget=5000)),
            "a bound on the error probability, which falls with the budget",
            absent,
        ),
    ]


def call_of(algorithm: Algorithm) -> str:
    """Code that makes an algorithm, with the parameters that are not the defaults."""
    arguments = []
    for field in dataclasses.fields(algorithm):
        value = getattr(algorithm, field.name)
        if isinstance(value, Algorithm):
            arguments.append(call_of(value))
        elif value != field.default:
            arguments.append(f"{field.name}={value!r}")
    return f"pc.{type(algorithm).__name__}({', '.join(arguments)})"
