"""Make the runs of cases with `lab.compare`, keep a line of each, and make some runs again."""

import hashlib
import os
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import pareto_lab as lab
from pareto_book import paths
from pareto_book.kept_runs import competitions, fixed_budget
from pareto_book.kept_runs.cases import FIRST, KeptCase, first_runs
from pareto_book.kept_runs.reading import algorithms_on, read_cases, write_cases
from pareto_book.studies.front_criteria import right_answers
from pareto_core.checks.arguments import check_choice
from pareto_core.checks.words import Backend
from pareto_core.simulation.results import Runs
from pareto_core.simulation.runs import simulate

SEED = 0
PILOT_RUNS = 20  # their mean number of samples determines how many runs are made


def instances_of_cases() -> dict[str, str]:
    """Questions by the name of the instance."""
    found = {
        name: question
        for question, competition in competitions.all_competitions().items()
        for name in competition.instances
    }
    return found | {budget_name(name): fixed_budget.QUESTION for name in fixed_budget.LADDERS}


def budget_name(instance: str) -> str:
    """Name for the command line of an instance with a fixed budget."""
    return f"{instance}, budget"


def make_cases(
    instance_name: str,
    store: str | os.PathLike | None = None,
    only: Sequence[str] | None = None,
    n_jobs: int | None = None,
    backend: Backend | None = None,
) -> list[KeptCase]:
    """Make the runs of all or some entrants on an instance, and put their lines into the file.

    If the first entrant is among them, those of all are made.
    """
    question = instances_of_cases()[check_choice(instance_name, "instance", instances_of_cases())]
    settings = {"seed": SEED, "n_jobs": n_jobs, "store": store, "backend": backend}
    if question == fixed_budget.QUESTION:
        instance_name = instance_name.removesuffix(budget_name(""))
        entrants = dict.fromkeys(fixed_budget.ENTRANTS)
        make = _with_budgets
    else:
        _, entrants, _ = competitions.find_instance(instance_name)
        make = _at_risks
    chosen = [check_choice(name, "entrant", entrants) for name in only or entrants]
    first = next(iter(entrants))
    if first in chosen:
        chosen = entrants  # whose correlations are with its samples
    reference = make(instance_name, first, settings)  # from the store, if it has been made before
    found = []
    for name in chosen:
        made = reference if name == first else make(instance_name, name, settings)
        for level, (runs, microseconds) in made.items():
            beside = reference[level][0] if level in reference else None
            key = question, instance_name, name, level
            found.append(_line(*key, runs, microseconds, beside))
    _put(question, instance_name, found)
    return found


def _with_budgets(name, entrant, settings):
    """Runs of an entrant at each budget, with the time of a sample."""
    instance = fixed_budget.find_contest(name).instance
    rules = fixed_budget.entrants_of(name)
    found = {}
    for (each, budget), algorithm in rules.items():
        if each == entrant:
            found |= _compare(algorithm, instance, None, fixed_budget.RUNS, settings, budget)
    return found


def _at_risks(name, entrant, settings):
    """Runs of an entrant at each risk, as many as it needs, with the time of a sample."""
    question, entrants, instance = competitions.find_instance(name)
    competition = competitions.all_competitions()[question]
    algorithm, least = entrants[entrant].algorithm, entrants[entrant].least_risk
    most = entrants[entrant].max_runs
    settings = settings | {"max_samples": entrants[entrant].max_samples}
    deltas = [delta for delta in competition.risks if delta >= least]
    pilot = _compare(algorithm, instance, deltas, PILOT_RUNS, settings)
    numbers = {
        delta: min(competitions.runs_needed(runs.samples.mean(), competition.short), most)
        for delta, (runs, _) in pilot.items()
    }
    found = {}
    for number in sorted(set(numbers.values())):
        part = [delta for delta in deltas if numbers[delta] >= number]
        found |= _compare(algorithm, instance, part, number, settings)
    return found


def _compare(algorithm, instance, deltas, runs, settings, level=None):
    """`Runs` and microseconds of a sample by level."""
    settings = {"store_key": {"it": _program_of_rivals()}, **settings}
    made = lab.compare({"it": algorithm}, {"here": instance}, deltas, runs, **settings)
    return {
        level if delta is None else delta: (each, made.microseconds["here", "it", delta])
        for (_, _, delta), each in made.runs.items()
    }


def _program_of_rivals():
    """Hash of the sources of the rivals, which `simulate` takes for a reader's own algorithms."""
    files = sorted((paths.ROOT / "pareto_book" / "rivals").glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _line(question, instance, name, level, runs: Runs, microseconds, reference: Runs | None):
    right = right_answers(runs.algorithm, runs.instance, runs.correct, runs.answers)
    samples = runs.samples.astype(float)
    return KeptCase(
        question,
        instance,
        name,
        level,
        repr(runs.algorithm),
        runs=samples.size,
        mean=float(samples.mean()),
        sd=float(samples.std(ddof=1)),
        errors=int((runs.stopped & ~right).sum()),
        unfinished=int((~runs.stopped).sum()),
        correlation=_correlation(runs, reference),
        microseconds=microseconds,
        first=first_runs(runs.samples, right, runs.stopped),
    )


def _correlation(runs, reference):
    """Correlation of samples, run by run; 0 where one of them is constant."""
    if reference is None:
        return np.nan
    if reference is runs:
        return 1.0
    n = min(runs.samples.size, reference.samples.size)
    ours, theirs = (each.samples[:n].astype(float) for each in (runs, reference))
    return float(np.corrcoef(ours, theirs)[0, 1]) if ours.std() and theirs.std() else 0.0


def _put(question, instance, lines):
    """Replace the lines of some entrants, or add them; lines of entrants that left are dropped.

    Runs that came from the store have no time, and keep the one that was measured before.
    """
    place = {
        (question, name, *key): None
        for question, name in _all_instances()
        for key in algorithms_on(question, name)
    }
    found = {each[:4]: each for each in read_cases()}
    for each in lines:
        if np.isnan(each.microseconds) and each[:4] in found:
            each = each._replace(microseconds=found[each[:4]].microseconds)
        found[each[:4]] = each
    write_cases(found[key] for key in place if key in found)


def _all_instances():
    for name, question in instances_of_cases().items():
        is_budget = question == fixed_budget.QUESTION
        yield question, name.removesuffix(budget_name("")) if is_budget else name


class Repeated(NamedTuple):
    """The first runs of a case, as they were kept and as they came out again."""

    case: KeptCase
    now: str

    @property
    def is_same(self) -> bool:
        """Whether they are the same to the last sample."""
        return self.now == self.case.first

    def __str__(self):
        case = self.case
        return f"{case.name} on {case.instance} at {case.level:g}: {self.now}; kept: {case.first}"


def repeat_first(
    cases: Sequence[KeptCase], number: int, rng: np.random.Generator, seconds: float = np.inf
) -> list[Repeated]:
    """Make the first runs of random cases again, of those that take at most so many seconds."""
    short = [each for each in cases if 1e-6 * FIRST * each.mean * _microseconds(each) <= seconds]
    chosen = rng.choice(len(short), size=min(number, len(short)), replace=False)
    return [repeat_case(short[k]) for k in chosen]


def _microseconds(case):
    return 1.0 if np.isnan(case.microseconds) else case.microseconds


def repeat_case(case: KeptCase) -> Repeated:
    """Make the first runs of a case again."""
    if case.question == fixed_budget.QUESTION:
        instance = fixed_budget.find_contest(case.instance).instance
        algorithm = fixed_budget.entrants_of(case.instance)[case.name, int(case.level)]
        most = 10**9
    else:
        _, entrants, instance = competitions.find_instance(case.instance)
        entrant = entrants[case.name]
        algorithm, most = entrant.algorithm.with_delta(case.level), entrant.max_samples
    runs = simulate(algorithm, instance, FIRST, SEED, 1, max_samples=most, progress=False)
    right = right_answers(algorithm, instance, runs.correct, runs.answers)
    return Repeated(case, first_runs(runs.samples, right, runs.stopped))
