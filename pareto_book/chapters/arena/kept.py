"""The kept runs of the arena, with what the tables and figures of the chapter need of them."""

from typing import NamedTuple

import pandas as pd

import pareto_core as pc
from pareto_book.kept_runs.competitions import COMPETITIONS, find_instance
from pareto_book.kept_runs.rankings import HELD_OUT, PARETO_SET, competitors, is_proven, runs_for
from pareto_book.kept_runs.reading import read_all
from pareto_book.kept_runs.results import broken_promises, summary_frame
from pareto_book.kept_runs.run_files import KeptRuns
from pareto_lab.comparison.lower_bounds import time_of

__all__ = ["Arena", "cut_off_counts", "excluded_entrants", "load_arena"]

PRICE = "price of a proof"  # whose runs belong to the chapter on guarantees
PARTS = "parts of TopTwoIDS"
BOUNDED = "Pareto set, rewards in [0, 1]"
PLAIN_BOXES = ("widest box, Hoeffding", "widest box, Bernstein")


class Arena(NamedTuple):
    """The kept runs and their summaries.

    Attributes
    ----------
    kept : dict of str to list of KeptRuns
        All kept runs, by question.
    instances : dict of str to Instance
        By name.
    times : dict of str to float
        Characteristic times by instance.
    frames : dict of str to pandas.DataFrame
        `summary_frame` of each question that the chapter compares.
    competing : dict of (str, bool) to list of str
        Entrants to compare, by question and by whether their risk is proven.
    """

    kept: dict[str, list[KeptRuns]]
    instances: dict[str, pc.Instance]
    times: dict[str, float]
    frames: dict[str, pd.DataFrame]
    competing: dict[tuple[str, bool], list[str]]

    @property
    def everything(self) -> list[KeptRuns]:
        """All kept runs in one list."""
        return [each for runs in self.kept.values() for each in runs]

    @property
    def by_case(self) -> dict[tuple[str, str, float], KeptRuns]:
        """All kept runs by instance, entrant and risk."""
        return {(each.instance, each.name, each.delta): each for each in self.everything}

    @property
    def pareto_runs(self) -> list[KeptRuns]:
        """Runs for the Pareto set, also those on the held-out instances."""
        return runs_for(self.kept, PARETO_SET)

    @property
    def pareto_frame(self) -> pd.DataFrame:
        """Summary of the runs for the Pareto set, also of those on the held-out instances."""
        return pd.concat([self.frames[PARETO_SET], self.frames[HELD_OUT]], ignore_index=True)

    def group(self, question: str, proven: bool) -> pd.DataFrame:
        """Lines of the entrants to compare whose risk is proven, or is not."""
        frame = self.frames[question]
        return frame[frame["algorithm"].isin(self.competing[question, proven])]

    def group_of(self, question: str, name: str) -> pd.DataFrame:
        """Lines of the entrants that an entrant is compared with."""
        return self.group(question, is_proven(question, name))


def load_arena() -> Arena:
    """Read the kept runs and summarise them."""
    kept = read_all()
    instances, times = {}, {}
    compared = [question for question in COMPETITIONS if question != PRICE]
    for question in compared:
        for name in COMPETITIONS[question].instances:
            _, entrants, instances[name] = find_instance(name)
            first = next(iter(entrants.values())).algorithm
            times[name] = time_of(instances[name], first.question)
    questions = [question for question in compared if question != PARTS]
    frames = {question: summary_frame(kept[question], times) for question in questions}
    competing = {
        (question, proven): competitors(*_runs_and_question(kept, question), proven)
        for question in questions
        for proven in (False, True)
    }
    return Arena(kept, instances, times, frames, competing)


def excluded_entrants(arena: Arena) -> str:
    """Name the entrants that demonstrably exceed their risk, each with its worst case."""
    words = [
        f"{name} ({int((each.ended & ~each.right).sum())} of {int(each.ended.sum())} wrong on "
        f"{each.instance} at {each.delta:g})"
        for question in arena.frames
        if question != HELD_OUT  # the same entrants once more
        for name, each in broken_promises(_runs_and_question(arena.kept, question)[0]).items()
    ]
    return "; ".join(words) or "no entrant"


def cut_off_counts(arena: Arena) -> dict[str, tuple[int, int]]:
    """Count the runs of widest boxes at risk 0.1 that were cut off."""
    counts = {"coins": (0, 0), "ties": (0, 0), "plain": (0, 0)}
    for each in arena.kept[BOUNDED]:
        betting = each.name == "widest box" and each.instance in counts
        if each.delta == 0.1 and (betting or each.name in PLAIN_BOXES):
            key = each.instance if betting else "plain"
            cut, of = counts[key]
            counts[key] = cut + int((~each.ended).sum()), of + each.samples.size
    return counts


def _runs_and_question(kept, question):
    """The runs that decide who competes; both questions for the Pareto set are judged together."""
    if question in (PARETO_SET, HELD_OUT):
        return runs_for(kept, PARETO_SET), PARETO_SET
    return kept[question], question
